/** Answers and files made to be slow, in sizes that grow. Each kind has cost more than linear time once, or is of a kind that did elsewhere. */

/** An answer, and the files it works on. */
export interface Hostile {
  readonly answer: string;
  readonly files: Readonly<Record<string, string>>;
}

export interface HostileKind {
  readonly name: string;
  /** Characters, or items, of the smallest size to measure: large enough that the fixed cost of a run does not hide the growth. */
  readonly size: number;
  readonly make: (size: number) => Hostile;
}

type Properties = Readonly<Record<string, string>>;

export function block(properties: Properties, id = "abc"): string {
  const lines = Object.entries(properties).map(([key, value]) => `${key} = <<'EOT_${id}'\n${value}\nEOT_${id}`);
  return `#!nesl [@three-char-SHA-256: ${id}]\n${lines.join("\n")}\n#!end_${id}\n`;
}

const filled = (piece: string, size: number): string => piece.repeat(Math.ceil(size / piece.length));
const each = (count: number, write: (index: number) => string): string => Array.from({ length: count }, (_, index) => write(index)).join("");

const answers = (name: string, size: number, make: (size: number) => string): HostileKind => ({ name, size, make: (count) => ({ answer: make(count), files: {} }) });

const edit = (name: string, size: number, make: (size: number) => { readonly old: string; readonly file: string; readonly now?: string }): HostileKind => ({
  name,
  size,
  make: (count) => {
    const { old, file, now = "x" } = make(count);
    return { answer: block({ action: "file_replace_text", path: "a.txt", old_text: old, new_text: now }), files: { "a.txt": file } };
  },
});

const addressed = (name: string, extension: string, size: number, make: (size: number) => string, address: string | ((size: number) => string) = "@@nope"): HostileKind => ({
  name: `${name} in .${extension}`,
  size,
  make: (count) => ({
    answer: block({ action: "file_read", path: `a.${extension}${typeof address === "string" ? address : address(count)}` }),
    files: { [`a.${extension}`]: make(count) },
  }),
});

const plain = (name: string, size: number, make: (size: number) => string): HostileKind => ({
  name,
  size,
  make: (count) => ({ answer: `In \`a.py\`, ${make(count)}:\n\n\`\`\`python\nx = 2\n\`\`\`\n`, files: { "a.py": "x = 1\n" } }),
});

const header = "#!nesl [@three-char-SHA-256: abc]\n";

export const hostileKinds: readonly HostileKind[] = [
  answers("operators", 200_000, (size) => header + filled("=\n", size)),
  answers("stray headers", 100_000, (size) => filled("#!nesl x\n", size)),
  answers("unclosed blocks", 100_000, (size) => filled(header, size)),
  answers("indented heredocs", 100_000, (size) => `${filled("  #!nesl [@three-char-SHA-256: abc]\n  a = <<'EOT_abc'\n", size)}x`),
  answers("fences", 200_000, (size) => filled("```\n~~~\n````ts\n", size)),
  answers("foreign edits", 200_000, (size) => filled("<<<<<<< SEARCH\n=======\n--- a\n+++ b\n@@ -1 +1 @@\n", size)),
  answers("tool calls", 200_000, (size) => filled('<tool_call>{"name":\n<invoke name=\n', size)),
  answers("unknown actions", 100_000, (size) => filled(block({ action: "nope" }), size)),
  answers("keys", 100_000, (size) => `${header}${each(size / 10, (index) => `k${index} = "x"\n`)}#!end_abc\n`),
  answers("CSL tasks", 50_000, (size) => filled("<---TASKS--->\n", size)),
  answers("replacer searches", 50_000, (size) => `<<<FILE>>>\na\n${filled("<<<SEARCH>>>\n", size)}`),
  plain("orders in a sentence", 50_000, (size) => filled("change `a` and ", size)),
  plain("pairs in a sentence", 50_000, (size) => filled("change `a b` to `c d`, and `e f` to `g h`; ", size)),
  plain("what looks like something in a sentence", 50_000, (size) => filled("it looks like ", size)),
  plain("signs before a sentence", 50_000, (size) => filled("(", size)),
  plain("the reason of an import", 50_000, (size) => `add \`import a\` since ${filled(". ", size)}\``),
  plain("code spans in a sentence", 50_000, (size) => filled("`a b` ", size)),
  plain("what one will see", 50_000, (size) => filled("you should see ", size)),
  answers("levels of directories", 200, (size) => block({ action: "dir_create", path: `${"a/".repeat(size)}b` })),
  answers("levels above a file", 200, (size) => block({ action: "file_write", path: `${"a/".repeat(size)}b`, content: "x" })),
  answers("missing paths", 1_000, (size) => block({ action: "files_read", paths: each(size, (index) => `nope${index}\n`) })),
  { name: "edits of one file", size: 300, make: (size) => ({ answer: each(size, (index) => block({ action: "file_replace_text", path: "a.txt", old_text: `line ${index} `, new_text: "x" })), files: { "a.txt": each(size, (index) => `line ${index} x\n`) } }) },
  { name: "paths of one action", size: 300, make: (size) => ({ answer: block({ action: "files_replace_all_text", paths: each(size, (index) => `f${index}.txt\n`), old_text: "x", new_text: "y" }), files: Object.fromEntries(Array.from({ length: size }, (_, index) => [`f${index}.txt`, "x"])) }) },
  { name: "moves", size: 200, make: (size) => ({ answer: each(size, (index) => block({ action: "file_move", old_path: `a${index}`, new_path: `b${index}` })), files: Object.fromEntries(Array.from({ length: size }, (_, index) => [`a${index}`, "x"])) }) },
  edit("near misses by lines", 50_000, (size) => {
    const file = each(size / 40, (index) => `const value${index} = compute(${index}, other);\n`);
    return { old: file.replaceAll(/7(?=,)/g, "8"), file };
  }),
  edit("a near miss in one line", 50_000, (size) => ({ old: `${filled("ab ", size)}q`, file: filled("ab ", size) })),
  edit("a near miss of one character", 50_000, (size) => ({ old: `${filled("a", size)}b`, file: filled("a", size) })),
  edit("a new text that is almost in the old one", 50_000, (size) => ({ old: filled("a", size), now: `b${filled("a", size / 2)}`, file: "b" })),
  edit("blank lines", 50_000, (size) => ({ old: `x${filled("\n \n", size)}b`, file: filled("x\n\n", size) })),
  edit("shifted lines", 50_000, (size) => ({ old: `${filled("    a;\n  b;\n", size)}c`, file: filled("  a;\nb;\n", 2 * size) })),
  edit("spaces in a line", 50_000, (size) => ({ old: `a${filled(" ", size)}b`, file: `a${filled(" ", size)}c` })),
  edit("a text in too many places", 100_000, (size) => ({ old: "a\na", file: filled("a\n", size) })),
  addressed("nested namespaces", "cpp", 10, (size) => "namespace a {\n".repeat(size) + "}".repeat(size), (size) => `${"@@a".repeat(size)}@@b`),
  addressed("pairs of nested namespaces", "cpp", 10, (size) => "namespace a { namespace a {}\n".repeat(size) + "}".repeat(size), (size) => `${"@@a".repeat(size / 2)}@@b`),
  addressed("steps of an address", "ts", 250, () => "class a {}", (size) => "@@a".repeat(size)),
  addressed("parts with a name like the one meant", "ts", 10_000, (size) => filled("class No_pe {}\n", size)),
  addressed("a flow sequence", "yml", 20_000, (size) => `a: [${filled("a,", size)}]\n`),
  addressed("anchors", "yml", 20_000, (size) => `a: ${filled("&a ", size)}`),
  addressed("items with anchors", "yml", 20_000, (size) => `a:\n${each(size / 10, (index) => `- &a${index} b\n`)}`),
  addressed("tags", "yml", 20_000, (size) => `a: ${filled("!a ", size)}`),
  addressed("quotes", "yml", 20_000, (size) => filled('"', size)),
  addressed("brackets", "yml", 20_000, (size) => `a: ${filled("[", size)}`),
  addressed("indicators", "yml", 20_000, (size) => filled("- ", size)),
  addressed("comments", "yml", 20_000, (size) => `${filled("# c\n", size)}a: b\n`),
  addressed("quoted lines", "md", 20_000, (size) => `${filled("> ", size)}a`),
  addressed("brackets", "md", 20_000, (size) => `${filled("[", size)}]: x`),
  addressed("front matter", "md", 20_000, (size) => filled("---\n", size)),
  ...["a<", "(", "[", "{", "a=>", "`${", "/* ", "@a ", "class A{", "a?b:", "// a\n"].map((piece) => addressed(`'${piece.trim()}'`, "ts", 5_000, (size) => filled(piece, size))),
  ...["namespace a{", "a<", "(", "#if A\n", "template<"].map((piece) => addressed(`'${piece.trim()}'`, "cpp", 5_000, (size) => filled(piece, size))),
  ...["def a():\n ", "(", "@a\n"].map((piece) => addressed(`'${piece.trim()}'`, "py", 5_000, (size) => filled(piece, size))),
  ...["[", '{"a":', "[1,"].map((piece) => addressed(`'${piece}'`, "json", 5_000, (size) => filled(piece, size))),
  { name: "a file of secrets to be masked", size: 100_000, make: (size) => ({ answer: block({ action: "file_read", path: "a.txt" }), files: { "a.txt": filled('api_key="sk-ant-aaaa password: eyJhbGci.eyJ ', size) } }) },
  { name: "a file of control characters", size: 50_000, make: (size) => ({ answer: block({ action: "file_read", path: "a.txt" }), files: { "a.txt": filled("\u001b\u200b\n", size) } }) },
  { name: "placeholders", size: 50_000, make: (size) => ({ answer: block({ action: "file_write", path: "a.ts", content: filled("// ... existing code ...\n", size) }), files: { "a.ts": filled("x\n", size) } }) },
  { name: "a pattern of stars", size: 100, make: (size) => ({ answer: block({ action: "glob", base_path: ".", pattern: `${"*a".repeat(size)}b` }), files: { ["a".repeat(200)]: "x" } }) },
];

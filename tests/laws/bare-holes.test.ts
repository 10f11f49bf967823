/** The law of placeholders that an answer has without a comment: they stand for lines, and are none of the file. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

type Writer = (name: string, value: number) => readonly string[];
const LANGUAGES: Readonly<Record<string, readonly [mark: string, write: Writer]>> = {
  "a.js": ["//", (name, value) => [`function ${name}(id) {`, `  log("${name}");`, `  const row = db.get(${value});`, "  return row;", "}"]],
  "a.go": ["//", (name, value) => [`func ${name}(id int) Row {`, `\tlog("${name}")`, `\trow := db.get(${value})`, "\treturn row", "}"]],
  "a.rb": ["#", (name, value) => [`def ${name}(id)`, `  log("${name}")`, `  row = get(${value})`, "  row", "end"]],
  "a.py": ["#", (name, value) => [`def ${name}(id):`, `    log("${name}")`, `    row = get(${value})`, "    return row"]],
  "a.kt": ["//", (name, value) => [`fun ${name}(id: Int): Row {`, `    log("${name}")`, `    val row = get(${value})`, "    return row", "}"]],
  "a.sh": ["#", (name, value) => [`${name}() {`, `  log "${name}"`, `  row=$(get ${value})`, "  echo $row", "}"]],
};
const HOLES = ["...", "…", "[...]", "(...)", "{...}", ". . .", "... existing code ...", "…existing code…", "... (unchanged)", "... MARK unchanged", "[snip]", "[existing code]", "<existing code>", "-- snip --", "... rest of function ...", "<!-- ... -->"];
const SENTENCES = ["Update `load` in `P`:", "In `P`, change `load` to:", "`P`:"];

test.each(Object.keys(LANGUAGES).flatMap((path) => HOLES.map((hole) => [path, hole] as const)))("%s, %s", async (path, hole) => {
  const [mark, write] = LANGUAGES[path] as readonly [string, Writer];
  const blank = path === "a.py" ? "\n\n\n" : "\n\n";
  const begin = path === "a.go" ? "package a\n\n" : "";
  const fileWith = (load: number, save: number): string => `${begin}${[write("first", 1), write("load", load), write("save", save)].map((lines) => lines.join("\n")).join(blank)}\n`;
  const before = fileWith(2, 3);
  for (const sentence of SENTENCES)
    for (const below of [undefined, 3, 33]) {
      const load = write("load", 77);
      const shown = load.with(1, `${/^\s*/.exec(load[1] ?? "")?.[0] ?? ""}${hole.replace("MARK", mark)}`).join("\n");
      const text = [shown, ...(below === undefined ? [] : [write("save", below).join("\n")])].join(blank);
      const now = await answered(path, before, `${sentence.replace("P", path)}\n\n\`\`\`\n${text}\n\`\`\`\n`);
      expect([before, fileWith(77, below ?? 3)]).toContain(now);
    }
});

test("dots that are code, or a text, stay", async () => {
  const python = "from typing import Protocol\n\n\nclass Store(Protocol):\n    def get(self) -> int:\n        \"\"\"Gets.\"\"\"\n        ...\n\n\ndef use(store):\n    return store.get()\n";
  const added = python.replace("\n\n\ndef use", "\n\n    def put(self) -> None:\n        \"\"\"Puts.\"\"\"\n        ...\n\n\ndef use");
  expect(await answered("a.py", python, `Here is the full \`a.py\`:\n\n\`\`\`python\n${added}\`\`\`\n`)).toBe(added);
  const text = "const help = `\nUse it.\n`;\nstart(help);\n";
  const longer = "const help = `\nUse it.\n[snip]\n`;\nstart(help);\n";
  expect(await answered("a.js", text, `Here is the full \`a.js\`:\n\n\`\`\`js\n${longer}\`\`\`\n`)).toBe(longer);
});

test("a line with the sign of a diff is no code of a language without a grammar", async () => {
  const before = "fun load(id: Int): Row {\n    log(id)\n    return get(id)\n}\n";
  for (const path of ["a.kt", "a.swift", "a.sql", "a.lua"])
    expect(await answered(path, before, `Update \`load\` in \`${path}\`:\n\n\`\`\`\n${before.replace("    return get(id)", "+    return find(id)")}\`\`\`\n`)).toBe(before);
});

/** A comment that an answer shows stands in the file above the line which it is shown above, or nothing lands. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

interface Language {
  readonly path: string;
  readonly info: string;
  readonly comment: (...lines: readonly string[]) => string;
  /** A declaration that stays, and one that changes. */
  readonly kept: string;
  readonly old: string;
  readonly now: string;
}

const marked = (mark: string, lines: readonly string[]): string => lines.map((line) => mark + line).join("\n");
const slashes = (...lines: readonly string[]): string => marked("// ", lines);
const block = (...lines: readonly string[]): string => `/**\n${marked(" * ", lines)}\n */`;
const LANGUAGES: readonly Language[] = [
  { path: "a.ts", info: "ts", comment: block, kept: "type Try<A> = A | undefined", old: "export type Pair = [1, 2]", now: "export type Pair = [1, 3]" },
  { path: "a.js", info: "js", comment: slashes, kept: "function keep(a) {\n  return a;\n}", old: "function f(b) {\n  return b;\n}", now: "function f(b) {\n  return b + 1;\n}" },
  { path: "a.py", info: "python", comment: (...lines) => marked("# ", lines), kept: "def keep(a):\n    return a", old: "def f(b):\n    return b", now: "def f(b):\n    return b + 1" },
  { path: "a.go", info: "go", comment: slashes, kept: "func keep(a int) int {\n\treturn a\n}", old: "func f(b int) int {\n\treturn b\n}", now: "func f(b int) int {\n\treturn b + 1\n}" },
  { path: "a.rs", info: "rust", comment: slashes, kept: "fn keep(a: u8) -> u8 {\n    a\n}", old: "fn f(b: u8) -> u8 {\n    b\n}", now: "fn f(b: u8) -> u8 {\n    b + 1\n}" },
  { path: "A.java", info: "java", comment: block, kept: "class Keep {\n  int a;\n}", old: "class F {\n  int b;\n}", now: "class F {\n  long b;\n}" },
];

const trimmed = (text: string): string => text.split("\n").map((line) => line.trim()).filter((line) => line !== "").join("\n");

for (const { path, info, comment, kept, old, now } of LANGUAGES) {
  const title = path.endsWith(".go") ? "package a\n\n" : "";
  const file = `${title}${comment("Private.")}\n${old}\n\n${kept}\n`;
  const rest = `${path.endsWith(".py") ? "#" : "//"} ... existing code ...`;
  const shapes: Readonly<Record<string, string>> = {
    "above a gap and what stays": `${rest}\n${comment("Private.")}\n\n${kept}\n\n${comment("Counts.", "Private.")}\n${now}`,
    "above what stays": `${comment("Private.")}\n${kept}\n\n${comment("Counts.")}\n${now}`,
    "between two placeholders": `${rest}\n${comment("Private.")}\n${comment("And new.")}\n${rest}\n\n${now}`,
    "of a declaration, alone": `${comment("Private.")}\n${comment("And new.")}\n\n${now}`,
    "new, above what changes": `${comment("New.")}\n${now}`,
  };
  for (const [shape, shown] of Object.entries(shapes))
    test(`${path}: a comment ${shape}`, async () => {
      const text = await answered(path, file, `Here's the updated part of \`${path}\`:\n\n\`\`\`${info}\n${shown}\n\`\`\`\n`);
      if (text === file) return;
      for (const paragraph of shown.split(/\n\s*\n|\n[^\n]*\.\.\. existing code \.\.\.(?:\n|$)/)) {
        const lines = trimmed(paragraph.replace(rest, ""));
        expect(trimmed(text)).toContain(lines);
      }
      expect(text).not.toContain("existing code");
    });
}

/** In Rust, an attribute stands between a comment and what it tells of. */
test("a comment above an attribute", async () => {
  const file = "/// Issue 4\n#[test]\nfn issue_4() {\n    f();\n}\n\nfn f() {}\n\nfn g() {}\n";
  const shown = "// Issue 4\n#[test]\nfn issue_4() {\n    f();\n}\n\nfn f() { g() }\n";
  const text = await answered("a.rs", file, `In \`a.rs\`:\n\n\`\`\`rust\n${shown}\n// ... existing code ...\n\`\`\`\n`);
  expect([file, `${shown}\nfn g() {}\n`]).toContain(text);
});

/** A text that begins with the documentation of a function, and has a placeholder inside it, is no whole file. */
test.each(["  // ...", "// ..."])("imports above overloads stay: %s", async (rest) => {
  const documentation = marked(" * ", ["Counts.", ...Array.from({ length: 6 }, (_, at) => `Line ${at} of it.`)]);
  const signature = (parameters: string): string => `export function f<\n  S,\n  A,\n  B = S\n>(\n  c: S,\n${parameters}): Q`;
  const imports = "import { a } from './a'\nimport { b } from './b'\n\n";
  const head = (type: string): string =>
    `/**\n${documentation}\n */\n${signature("")}\n/**\n${documentation}\n */\n${signature("  d?: A\n")}${type}\n${signature("  d?: A | B\n")} {\n`;
  const body = "  const e = a(c)\n  return b(e)\n}\n";
  const answer = `\`a.ts\`\n\n\`\`\`ts\n${head("New")}${rest}\n}\n\`\`\`\n`;
  const text = await answered("a.ts", imports + head("Old") + body, answer);
  expect(text).toBe(imports + head("New") + body);
});

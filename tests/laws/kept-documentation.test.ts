/** The law of a comment of the answer above a declaration: what documents that in the file stays. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

/** A documented function, and the same with another body. */
const FILES: readonly (readonly [path: string, documentation: string, head: string, body: readonly [string, string], end: string, mark: string])[] = [
  ["a.rs", "/// Adds.\n#[inline]\n", "pub fn add(a: i32) -> i32 {\n", ["    a + 1\n", "    a + 2\n"], "}\n", "//"],
  ["a.ts", "/**\n * Adds.\n */\n", "export function add(a: number): number {\n", ["  return a + 1;\n", "  return a + 2;\n"], "}\n", "//"],
  ["a.go", "// Add adds.\n", "func Add(a int) int {\n", ["\treturn a + 1\n", "\treturn a + 2\n"], "}\n", "//"],
  ["a.py", "# Adds.\n@cached\n", "def add(a):\n", ["    return a + 1\n", "    return a + 2\n"], "", "#"],
];
const NOTES = ["Updated version", "FIX: simpler", "New implementation", "Fixed", "2. use the helper", "Step 1: use it"];

test.each(FILES.flatMap((file) => NOTES.map((note) => [file[0], note, file] as const)))("%s: %s", async (path, note, [, documentation, head, [old, now], end, mark]) => {
  const line = `${mark} ${note}\n`;
  const [before, after] = [old, now].map((body) => `${path.endsWith(".go") ? "package a\n\n" : ""}${documentation}${head}${body}${end}`) as [string, string];
  for (const gap of ["", "\n"]) {
    const text = await answered(path, before, `Update \`${path}\`:\n\n\`\`\`\n${line}${gap}${head}${now}${end}\`\`\`\n`);
    expect(text.replace(line, "")).toBe(after);
  }
});

test("a comment in the place of another one", async () => {
  const fileOf = (comment: string, body: string): string => `${comment}\nexport function add(a: number): number {\n  return a + ${body};\n}\n`;
  for (const [old, now] of [["// Adds one.", "// Adds two."], ["/** Adds one. */", "/** Adds two. */"], ["// 1. Adds one.", "// 1. Adds two."]] as const)
    expect(await answered("a.ts", fileOf(old, "1"), `Update \`a.ts\`:\n\n\`\`\`ts\n${fileOf(now, "2")}\`\`\`\n`)).toBe(fileOf(now, "2"));
});

/** A comment that is shown from its second line on, changed or not, with the same below it. */
test.each(["a.go", "a.rs", "a.py"])("the first lines of a comment of %s", async (path) => {
  const [, , head = "", [old, now] = ["", ""], end = "", mark = ""] = FILES.find(([name]) => name === path) ?? [];
  const sign = path === "a.rs" ? "///" : mark;
  const fileOf = (words: readonly string[], body: string): string => `${path === "a.go" ? "package a\n\n" : ""}${words.map((word) => `${sign} ${word}\n`).join("")}${head}${body}${end}`;
  const before = fileOf(["Adds one to it,", "and nothing else.", "It returns that."], old);
  for (const shown of [["and nothing else.", "It returns that."], ["and nothing else.", "It gives that."], ["It returns that.", "Always."]]) {
    const first = ["Adds one to it,", "and nothing else."].slice(0, shown[0] === "It returns that." ? 2 : 1);
    const text = `Update \`${path}\`:\n\n\`\`\`\n${fileOf(shown, now).replace("package a\n\n", "")}\`\`\`\n`;
    expect(await answered(path, before, text)).toBe(fileOf([...first, ...shown], now));
  }
});

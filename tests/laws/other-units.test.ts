/** The law of an answer whose steps of indentation are not those of the file: what lands has the file's. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

/** A file of one function, as lines with a tab for each step. */
const FILES: Readonly<Record<string, (value: number) => readonly string[]>> = {
  "a.js": (value) => ["class Cart {", "\tadd(item) {", "\t\tif (item.isNew) {", "\t\t\tthis.items.push(item);", `\t\t\tthis.count += ${value};`, "\t\t}", "\t\treturn this.total();", "\t}", "}"],
  "A.java": (value) => ["class Cart {", "\tint add(Item item) {", "\t\tif (item.isNew()) {", "\t\t\titems.add(item);", `\t\t\tcount += ${value};`, "\t\t}", "\t\treturn total();", "\t}", "}"],
  "a.py": (value) => ["class Cart:", "\tdef add(self, item):", "\t\tif item.is_new:", "\t\t\tself.items.append(item)", `\t\t\tself.count += ${value}`, "\t\treturn self.total()"],
  "a.rb": (value) => ["class Cart", "\tdef add(item)", "\t\tif item.new?", "\t\t\t@items.push(item)", `\t\t\t@count += ${value}`, "\t\tend", "\t\ttotal", "\tend", "end"],
  "a.kt": (value) => ["class Cart {", "\tfun add(item: Item): Int {", "\t\tif (item.isNew) {", "\t\t\titems.add(item)", `\t\t\tcount += ${value}`, "\t\t}", "\t\treturn total()", "\t}", "}"],
};
const inUnit = (lines: readonly string[], unit: number): string => `${lines.join("\n").replaceAll("\t", " ".repeat(unit))}\n`;
const SHOWN: Readonly<Record<string, (lines: readonly string[]) => readonly string[]>> = {
  "the function": (lines) => lines.slice(1, lines.at(-1) === "}" || lines.at(-1) === "end" ? -1 : undefined),
  "the function at the margin": (lines) => lines.slice(1, lines.at(-1) === "}" || lines.at(-1) === "end" ? -1 : undefined).map((line) => line.slice(1)),
  "the class": (lines) => lines,
};
const SENTENCES = ["Update `add` in `P`:", "In `P`, change `add` to:", "**P**"];

test.each(Object.keys(FILES).flatMap((path) => Object.keys(SHOWN).flatMap((what) => ([[2, 4], [4, 2]] as const).map(([unit, other]) => [path, what, unit, other] as const))))("%s, %s: %i for %i", async (path, what, unit, other) => {
  const linesWith = FILES[path] as (value: number) => readonly string[];
  const before = inUnit(linesWith(1), unit);
  const shown = inUnit(SHOWN[what]?.(linesWith(2)) ?? [], other);
  let landed = 0;
  for (const sentence of SENTENCES) {
    const now = await answered(path, before, `${sentence.replace("P", path)}\n\n\`\`\`\n${shown}\`\`\`\n`);
    // A whole file has its own unit.
    expect([before, inUnit(linesWith(2), unit), ...(what === "the class" ? [shown] : [])]).toContain(now);
    if (now === inUnit(linesWith(2), unit)) landed += 1;
  }
  if (what !== "the class") expect(landed).toBeGreaterThan(0);
});

test("one line that a file has deeper tells no unit", async () => {
  const before = "function f() {\n  go();\n}\n\nfunction g() {\n  if (a) {\n    stop();\n  }\n}\n";
  const shown = "function f() {\n  stop();\n  wait();\n}\n";
  expect(await answered("a.js", before, `Update \`f\` in \`a.js\`:\n\n\`\`\`js\n${shown}\`\`\`\n`)).toBe(before.replace("function f() {\n  go();\n}\n", shown));
});

/** A function with a tab for each step and one with a line that begins with a star, where @ gets a further line. */
const STARRED: ReadonlyArray<readonly [path: string, shown: string, added: string]> = [
  ["a.go", "func (i *val) Set(s string) error {\n@\t*i = val(s)\n\treturn nil\n}\n", "\tlog(s)\n"],
  ["a.c", "int set(int *i, int s)\n{\n\tif (s == 0) {\n\t\t*i = 1;\n\t}\n@\treturn 0;\n}\n", "\tlog_int(s);\n"],
  ["a.ts", "export function size() {\n\tconst x = 2\n\t\t* count;\n@\treturn x;\n}\n", "\tlog();\n"],
  ["d.ts", "/**\n * Counts.\n */\nexport function size() {\n\t/*\n\t * A remark.\n\t */\n@\treturn x;\n}\n", "\tlog();\n"],
];

test.each(STARRED.flatMap(([path]) => [2, 4, 8].map((unit) => [path, unit] as const)))("%s with tabs gets tabs for %i spaces, whatever begins with a star", async (path, unit) => {
  const [, shown = "", added = ""] = STARRED.find(([name]) => name === path) ?? [];
  const other = "\nfunction other() {\n\tif (a) {\n\t\treturn 2;\n\t}\n}\n";
  const [before, wanted] = [shown.replace("@", "") + other, shown.replace("@", added) + other];
  const spaced = shown.replace("@", added).replace(/^\t+/gm, (tabs) => " ".repeat(unit * tabs.length));
  for (const sentence of ["In `P`:", "**P**"])
    expect(await answered(path, before, `${sentence.replace("P", path)}\n\n\`\`\`\n${spaced}\`\`\`\n`)).toBe(wanted);
});

test("a pair of which only the new lines are indented gets the tabs of its file", async () => {
  const before = "if test $# -ne 2\nthen\n\techo usage\nfi\n";
  const answer = "In `a.sh`, replace:\n\n```sh\nif test $# -ne 2\nthen\n```\n\nwith:\n\n```sh\nif test $# -ne 2\nthen\n    log\n```\n";
  expect(await answered("a.sh", before, answer)).toBe("if test $# -ne 2\nthen\n\tlog\n\techo usage\nfi\n");
});

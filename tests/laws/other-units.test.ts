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

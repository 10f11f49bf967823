/** The law of a code span that becomes another one in named places: in each of them, in no other, or nothing at all. */
import { describe, expect, test } from "vitest";
import { answered } from "./answered.ts";

/** Three functions, of which the last has the old text twice. */
const FILES: ReadonlyArray<readonly [path: string, write: (name: string, lines: readonly string[]) => string]> = [
  ["b.py", (name, lines) => `def ${name}(x):\n${lines.map((line) => `    ${line}\n`).join("")}    return x\n\n\n`],
  ["b.ts", (name, lines) => `function ${name}(x: number) {\n${lines.map((line) => `  ${line};\n`).join("")}  return x;\n}\n\n`],
  ["b.go", (name, lines) => `func ${name}(x int) int {\n${lines.map((line) => `\t${line}\n`).join("")}\treturn x\n}\n\n`],
  ["b.rb", (name, lines) => `def ${name}(x)\n${lines.map((line) => `  ${line}\n`).join("")}  x\nend\n\n`],
  ["b.rs", (name, lines) => `fn ${name}(x: u32) -> u32 {\n${lines.map((line) => `    ${line};\n`).join("")}    x\n}\n\n`],
];
const [OLD, NOW] = ["log(x)", "log(x, 1)"];
const COUNTS = { load: 1, store: 1, clear: 2 };
type Name = keyof typeof COUNTS;

/** The sentence, with PATH, and the functions in which it changes the text. */
const ORDERS: ReadonlyArray<readonly [said: string, changed: readonly Name[]]> = [
  [`In \`load\` and \`store\` of PATH, change \`${OLD}\` to \`${NOW}\`.`, ["load", "store"]],
  [`In PATH, change \`${OLD}\` to \`${NOW}\` in \`store\` and \`load\`.`, ["load", "store"]],
  [`In PATH, replace \`${OLD}\` with \`${NOW}\` in both \`load\` and \`store\`.`, ["load", "store"]],
  [`In PATH, change \`${OLD}\` in \`load\` to \`${NOW}\`.`, ["load"]],
  [`Change \`${OLD}\` in \`store\` in PATH to \`${NOW}\`.`, ["store"]],
  [`In PATH, change every \`${OLD}\` in \`clear\` to \`${NOW}\`.`, ["clear"]],
  [`In PATH, replace all \`${OLD}\` calls in \`clear\` with \`${NOW}\`.`, ["clear"]],
  [`In PATH, change both \`${OLD}\` calls in \`clear\` to \`${NOW}\`.`, ["clear"]],
  [`In \`clear\` in PATH, change every \`${OLD}\` to \`${NOW}\`.`, ["clear"]],
  [`In PATH, change \`${OLD}\` to \`${NOW}\` everywhere in \`clear\`.`, ["clear"]],
  [`In PATH, change every \`${OLD}\` to \`${NOW}\` in \`load\` and \`clear\`.`, ["load", "clear"]],
  [`In PATH, change every \`${OLD}\` to \`${NOW}\`.`, ["load", "store", "clear"]],
  [`In PATH, inside \`clear\`, change every \`${OLD}\` to \`${NOW}\`.`, ["clear"]],
  [`In PATH, change every \`${OLD}\` in the clear function to \`${NOW}\`.`, ["clear"]],
  [`In PATH, change every \`${OLD}\` to \`${NOW}\` in clear().`, ["clear"]],
  [`In PATH, change every \`${OLD}\` to \`${NOW}\`, so that calls in \`load\` work.`, ["load", "store", "clear"]],
  [`In PATH, change all occurrences of \`${OLD}\` to \`${NOW}\`, most of which are in \`clear\`.`, ["load", "store", "clear"]],
  [`In PATH, replace all \`${OLD}\` with \`${NOW}\` in the load() and clear() functions.`, ["load", "clear"]],
  [`In PATH, replace \`${OLD}\` with \`${NOW}\` in every function, since \`load\` is slow.`, ["load", "store", "clear"]],
  // One of the places is not there, or has it twice.
  [`In \`load\`, \`store\` and \`missing\` of PATH, change \`${OLD}\` to \`${NOW}\`.`, []],
  [`In PATH, change \`${OLD}\` to \`${NOW}\` in \`load\` and \`missing\`.`, []],
  [`In PATH, change every \`${OLD}\` to \`${NOW}\` in \`missing\`.`, []],
  [`In PATH, change \`${OLD}\` to \`${NOW}\` in \`load\` and \`clear\`.`, []],
  [`In PATH, change every \`${OLD}\` to \`${NOW}\`, except in \`clear\`.`, []],
];

describe.each(FILES)("%s", (path, write) => {
  const written = (changed: readonly Name[]): string =>
    (Object.keys(COUNTS) as Name[])
      .map((name) => write(name, Array<string>(COUNTS[name]).fill(changed.includes(name) ? NOW : OLD)))
      .join("");

  test.each(ORDERS)("%s", async (said, changed) => {
    expect(await answered(path, written([]), `${said.replace("PATH", `\`${path}\``)}\n`)).toBe(written(changed));
  });
});

/** The law of a setting shown alone: its value goes where a value is, never where a type declares the name. */
import { describe, expect, test } from "vitest";
import { answered } from "./answered.ts";

const SENTENCES = ["In `PATH`, change `retries` to 5:", "Set `retries` in `PATH`:", "Update `PATH`:", "In `PATH`, update the `retries` line:", "Here is what changes in `PATH`:"];
/** A file that declares the name, with a place for a value of it or without one; the value, and one that it has. */
const DECLARED: Readonly<Record<string, readonly [path: string, text: string]>> = {
  "an interface": ["a.ts", "interface Options {\n  retries: TYPE;\n  name: string;\n}\n"],
  "an exported interface": ["a.ts", "export interface Options {\n  name: string;\n  retries?: TYPE;\n}\n"],
  "a type": ["a.ts", "type Options = {\n  retries: TYPE;\n  name: string;\n};\n"],
  "a class": ["a.ts", "class Options {\n  retries: TYPE;\n  name: string;\n}\n"],
  "a data class": ["a.py", "@dataclass\nclass Options:\n    retries: TYPE\n    name: str\n"],
  "a struct": ["a.rs", "struct Options {\n    retries: TYPE,\n    name: String,\n}\n"],
};
const VALUED: Readonly<Record<string, string>> = {
  "no value": "", "a constant": "\nconst options = {\n  retries: OLD,\n  name: NAME,\n};\n", "a function": "\nfunction options() {\n  return {\n    retries: OLD,\n    name: NAME,\n  };\n}\n",
};
const VALUES: ReadonlyArray<readonly [type: string, old: string, value: string]> = [["number", "3", "5"], ["string", '"slow"', '"fast"'], ["boolean", "false", "true"], ["number[]", "[]", "[1, 2]"]];
const ENDS = ["", ",", ";"];

const files = Object.entries(DECLARED).flatMap(([declared, [path, text]]) =>
  Object.entries(VALUED).flatMap(([valued, below]) =>
    VALUES.flatMap(([type, old, value]) => ((path === "a.ts" || below === "") && !(path === "a.rs" && type === "number[]") ? [{ declared, valued, path, type, value, old, text: (text + below).replaceAll("TYPE", type).replaceAll("OLD", old).replaceAll("NAME", '"x"') }] : [])),
  ),
);

describe.each(SENTENCES)("%s", (sentence) => {
  test.each(files)("$declared, $valued, $type", async ({ path, text, old, value, type }) => {
    for (const end of ENDS) {
      const now = await answered(path, text, `${sentence.replace("PATH", path)}\n\n\`\`\`\nretries: ${value}${end}\n\`\`\`\n`);
      expect([text, text.replace(`retries: ${old},`, `retries: ${value},`)]).toContain(now);
    }
    expect(type).not.toBe(value);
  });
});

const TYPES = ["string", "number | null", '"a" | "b"', "Limit", "Array<number>", "null"];
describe.each(["In `a.ts`, change the type of `retries`:", "Update `Options` in `a.ts`:", "In `a.ts`, update `retries`:"])("%s", (sentence) => {
  test.each(TYPES)("another type lands: %s", async (type) => {
    const text = "interface Options {\n  retries: TYPE;\n  name: string;\n}\n";
    const shown = `retries: ${type};`;
    expect(await answered("a.ts", text.replace("TYPE", "boolean"), `${sentence}\n\n\`\`\`\n${shown}\n\`\`\`\n`)).toBe(text.replace("TYPE", type));
  });

  test.each(["5", '"a"', "true"])("%s is a type where its interface is shown", async (type) => {
    const text = "interface Options {\n  retries: TYPE;\n  name: string;\n}\n";
    expect(await answered("a.ts", text.replace("TYPE", "number"), `${sentence}\n\n\`\`\`\n${text.replace("TYPE", type)}\`\`\`\n`)).toBe(text.replace("TYPE", type));
  });
});

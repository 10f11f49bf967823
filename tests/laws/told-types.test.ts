/** The law of a type that a sentence names: what goes into it, or changes in it, leaves all others as they are. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

interface Language {
  readonly path: string;
  readonly head: string;
  /** Around the members of a type. */
  readonly type: (name: string, members: string) => string;
  /** A member, as deep as it stands in the file. */
  readonly member: (name: string, value: number) => string;
  readonly names: readonly [string, string];
}

const LANGUAGES: readonly Language[] = [
  { path: "a.py", head: "", type: (name, members) => `class ${name}:\n${members}`, member: (name, value) => `    def ${name}(self):\n        return ${value}\n`, names: ["Cart", "Order"] },
  { path: "a.ts", head: "", type: (name, members) => `export class ${name} {\n${members}}\n`, member: (name, value) => `  ${name}(): number {\n    return ${value};\n  }\n`, names: ["Cart", "Order"] },
  { path: "A.java", head: "package a;\n\n", type: (name, members) => `class ${name} {\n${members}}\n`, member: (name, value) => `    int ${name}() {\n        return ${value};\n    }\n`, names: ["Cart", "Order"] },
  { path: "a.rs", head: "", type: (name, members) => `${name} {\n${members}}\n`, member: (name, value) => `    fn ${name}(&self) -> u32 {\n        ${value}\n    }\n`, names: ["impl Load for Cart<'a, T>", "impl Store for Cart<'a, T>"] },
  { path: "b.rs", head: "", type: (name, members) => `${name} {\n${members}}\n`, member: (name, value) => `    fn ${name}(&self) -> u32 {\n        ${value}\n    }\n`, names: ["impl Load for Cart", "impl Load for Order"] },
];

const dedented = (text: string): string => text.replaceAll(new RegExp(`^${/^ */.exec(text)?.[0] ?? ""}`, "gm"), "");
const answerOf = (sentence: string, shown: string): string => `${sentence}:\n\n\`\`\`\n${shown}\`\`\`\n`;

test.each(LANGUAGES)("a member that another type of $path has", async ({ path, head, type, member, names: [first, second] }) => {
  const fileOf = (ofSecond: string): string => `${head}${type(first, `${member("size", 1)}\n${member("load", 2)}`)}\n${type(second, ofSecond)}`;
  const before = fileOf(member("size", 3));
  const after = fileOf(`${member("size", 3)}\n${member("load", 4)}`);
  for (const sentence of [`In \`${path}\`, add this function to the \`${second}\` class`, `Add this function to the \`${second}\` class below \`size\` in \`${path}\``, `In \`${path}\`, add a \`load\` method to \`${second}\``])
    for (const shown of [member("load", 4), dedented(member("load", 4))]) {
      const now = await answered(path, before, answerOf(sentence, shown));
      expect([before, after], sentence).toContain(now);
      if (!path.endsWith(".rs")) expect(now, sentence).toBe(after);
    }
});

test.each(LANGUAGES)("one of two members of $path that have one name", async ({ path, head, type, member, names: [first, second] }) => {
  const fileOf = (value: number): string => `${head}${type(first, member("load", 1))}\n${type(second, member("load", value))}`;
  for (const sentence of [`In \`${path}\`, update \`load\` in the \`${second}\` ${second.startsWith("impl") ? "impl" : "class"}`, `Change \`load\` of \`${second}\` in \`${path}\``])
    for (const shown of [member("load", 3), dedented(member("load", 3))])
      expect(await answered(path, fileOf(2), answerOf(sentence, shown)), sentence).toBe(fileOf(3));
});

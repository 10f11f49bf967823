/** The law of a container of fields shown with a comment in place of the old ones: they stay, and the new one comes. */
import { describe, expect, test } from "vitest";
import { answered } from "./answered.ts";

const CONTAINERS: ReadonlyArray<readonly [path: string, head: string, old: string, added: string, foot: string]> = [
  ["a.ts", "export class A {\n", "  one = 1;\n  two = 2;\n", "  three = 3;\n", "}\n"],
  ["a.ts", "export interface A {\n", "  one: string;\n  two: string;\n", "  three: string;\n", "}\n"],
  ["a.ts", "export enum A {\n", "  One = 1,\n  Two = 2,\n", "  Three = 3,\n", "}\n"],
  ["a.ts", "export const A = {\n", "  one: 1,\n  two: 2,\n", "  three: 3,\n", "};\n"],
  ["a.ts", "@Entity()\nexport class A {\n", "  @Column()\n  one: string;\n\n  @Column()\n  two: string;\n", "\n  @Column()\n  three: string;\n", "}\n"],
  ["a.py", "class A(Base):\n", "    one = Column(Integer)\n    two = Column(String)\n", "    three = Column(String)\n", ""],
  ["a.rs", "pub struct A {\n", "    pub one: i32,\n    pub two: i32,\n", "    pub three: i32,\n", "}\n"],
  ["A.java", "public class A {\n", "    int one = 1;\n    int two = 2;\n", "    int three = 3;\n", "}\n"],
  ["a.go", "type A struct {\n", "\tOne int\n\tTwo int\n", "\tThree int\n", "}\n"],
];
const WORDS = ["... existing fields ...", "existing fields", "other properties", "existing columns", "(other fields)", "keep the existing fields", "etc.", "the rest stays the same", "remaining options"];

describe.each(CONTAINERS)("%s, %s", (path, head, old, added, foot) => {
  const rest = path.endsWith(".py") ? "\n\ndef other():\n    return 1\n" : path.endsWith(".go") ? "\nfunc other() int {\n\treturn 1\n}\n" : "";
  const top = path.endsWith(".go") ? "package a\n\n" : "";

  test.each(WORDS)("%s", async (words) => {
    const comment = `${/^\s*/.exec(old)?.[0] ?? ""}${path.endsWith(".py") ? "#" : "//"} ${words}\n`;
    const answer = `Update \`${path}\`:\n\n\`\`\`\n${head}${comment}${added}${foot}\`\`\`\n`;
    expect(await answered(path, `${top}${head}${old}${foot}${rest}`, answer)).toBe(`${top}${head}${old}${added}${foot}${rest}`);
  });
});

/** A title above lines that are shown stands for none. */
test.each(["// Other options", "// Existing users"])("%s", async (title) => {
  const file = "export const A = {\n  one: 1,\n\n  // More\n  two: 2,\n  four: 4,\n};\n";
  const now = `export const A = {\n  one: 1,\n\n  ${title}\n  two: 3,\n};\n`;
  expect(await answered("a.ts", file, `Here is the full \`a.ts\` without \`four\`:\n\n\`\`\`ts\n${now}\`\`\`\n`));
});

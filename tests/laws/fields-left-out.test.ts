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

/** A title in a function stands for no statement, and two titles of a type stand for no member. */
test.each([
  ["a.go", "package a\n\nfunc (t *T) Do() int {\n\tx := t.A\n\ty := t.B\n\tlog(x)\n\treturn x + y\n}\n", "Rewrite `Do` in `a.go`:", "func (t *T) Do() int {\n\t// existing sums\n\treturn t.A + t.B\n}\n"],
  ["a.py", "class Cart:\n    def total(self):\n        a = 1\n        b = 2\n        return a + b\n", "Rewrite `total` in `a.py`:", "    def total(self):\n        # existing items\n        return sum(self.items)\n"],
  ["a.ts", "export function h() {\n  const a = 1;\n  const b = 2;\n  return a + b;\n}\n", "Update `h` in `a.ts`:", "export function h() {\n  // Existing users\n  const users = all();\n\n  // Other users\n  const others = rest(users);\n\n  return [users, others];\n}\n"],
  ["a.ts", "interface P {\n  a: string;\n  x: string;\n  y: string;\n  z: string;\n  d: string;\n}\n", "Replace `P` in `a.ts` with:", "interface P {\n  a: string;\n  // Other options\n  c: string;\n  d: string;\n}\n"],
  ["a.ts", "interface P {\n  a: string;\n  b: string;\n}\n", "Replace `P` in `a.ts` with:", "interface P {\n  // Existing users\n  user: string;\n  // Other users\n  others: string[];\n}\n"],
])("%s: %#", async (path, file, said, code) => {
  const now = await answered(path, file, `${said}\n\n\`\`\`\n${code}\`\`\`\n`);
  expect([file.slice(0, file.length - code.length) + code, `package a\n\n${code}`, `class Cart:\n${code}`, code]).toContain(now);
});

/** What a file calls an old form of a field is that field. */
test("a type alias", async () => {
  const answer = "Update `U` in `a.ts`:\n\n```ts\ntype U = {\n  // existing fields\n  b: number;\n};\n```\n";
  expect(await answered("a.ts", "type U = {\n  a: string;\n  b: string;\n};\n", answer)).toBe("type U = {\n  a: string;\n  b: number;\n};\n");
});

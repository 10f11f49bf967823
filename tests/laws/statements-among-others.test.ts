/** The law of statements that are shown without a whole line around them: those of the same name change, new ones stand between. */
import { describe, expect, test } from "vitest";
import { answered } from "./answered.ts";

/** What one line of a function is in a language, and the function around some. */
const LANGUAGES: ReadonlyArray<readonly [path: string, set: (name: string, value: string) => string, write: (lines: readonly string[]) => string]> = [
  ["b.js", (name, value) => `  const ${name} = ${value};`, (lines) => `function run(x) {\n${lines.join("\n")}\n  return last;\n}\n\nexport const other = 1;\n`],
  ["b.tsx", (name, value) => `  const ${name}: number = ${value};`, (lines) => `export function Run({ x }: Props) {\n${lines.join("\n")}\n  return <b>{last}</b>;\n}\n`],
  ["b.py", (name, value) => `    ${name} = ${value}`, (lines) => `def run(x):\n${lines.join("\n")}\n    return last\n\n\nother = 1\n`],
  ["b.go", (name, value) => `\t${name} := ${value}`, (lines) => `package b\n\nfunc run(x int) int {\n${lines.join("\n")}\n\treturn last\n}\n`],
  ["b.rs", (name, value) => `    let ${name} = ${value};`, (lines) => `fn run(x: i32) -> i32 {\n${lines.join("\n")}\n    last\n}\n`],
  ["B.java", (name, value) => `        int ${name} = ${value};`, (lines) => `class B {\n    int run(int x) {\n${lines.join("\n")}\n        return last;\n    }\n}\n`],
  ["b.rb", (name, value) => `  ${name} = ${value}`, (lines) => `def run(x)\n${lines.join("\n")}\n  last\nend\n`],
];
/** Which of the lines first, middle and last are shown, in which form, and what is new between them. */
const SHOWN: ReadonlyArray<readonly [what: string, shown: readonly string[], left: readonly string[]]> = [
  ["the last one changed, one new", ["first", "fresh", "middle", "last*"], []],
  ["the first one changed", ["first*", "middle"], ["last"]],
  ["both ends changed", ["first*", "middle", "last*"], []],
  ["new above a changed one", ["fresh", "last*"], []],
  ["new below a changed one", ["middle*", "fresh"], ["last"]],
];
const VALUES: Readonly<Record<string, string>> = { first: "x + 1", middle: "first * 2", last: "middle - 3", fresh: "x - 9", "first*": "x + 10", "middle*": "first * 20", "last*": "middle - 30" };
const NAMES = ["first", "middle", "last"];

describe.each(LANGUAGES)("%s", (path, set, write) => {
  const lineOf = (name: string): string => set(name.replace("*", ""), VALUES[name] ?? "");
  const file = write(NAMES.map(lineOf));

  test.each(SHOWN)("%s", async (_, shown, left) => {
    const above = NAMES.slice(0, NAMES.indexOf((shown.find((one) => one !== "fresh") ?? "").replace("*", "")));
    const wanted = write([...above, ...shown, ...left].map(lineOf));
    for (const margin of [shown.map(lineOf), shown.map((name) => lineOf(name).trim())]) {
      const answer = `In \`${path}\`, compute it otherwise:\n\n\`\`\`\n${margin.join("\n")}\n\`\`\`\n`;
      expect(await answered(path, file, answer)).toBe(wanted);
    }
  });

  test("a line between them that is not shown stays", async () => {
    const answer = `In \`${path}\`, compute it otherwise:\n\n\`\`\`\n${lineOf("first*")}\n${lineOf("last*")}\n\`\`\`\n`;
    expect(await answered(path, file, answer)).toContain(lineOf("middle"));
  });

  test("nothing that stands in a function goes beside it", async () => {
    const answer = `In \`${path}\`, compute it otherwise:\n\n\`\`\`\n${lineOf("first*")}\n${lineOf("fresh")}\n${lineOf("last*")}\n\`\`\`\n`;
    expect(await answered(path, file, answer)).toBe(file);
  });
});

/** A call is told by its first text. */
test.each([
  ["a.js", "const app = express();\n\napp.get('/a', (req, res) => {\n  res.send(1);\n});\n\napp.get('/b', (req, res) => {\n  res.send(2);\n});\n", "app.get('/b', async (req, res) => {\n  res.send(await two());\n});"],
  ["a.test.ts", "describe('a', () => {\n  it('one', () => {\n    go(1);\n  });\n\n  it('two', () => {\n    go(2);\n  });\n});\n", "  it('two', async () => {\n    await go(2);\n  });"],
])("%s: a call whose first line has changed", async (path, file, code) => {
  const name = path === "a.js" ? "app.get('/b'" : "  it('two'";
  const old = file.slice(file.indexOf(name), file.indexOf("});", file.indexOf(name)) + 3);
  expect(await answered(path, file, `Update \`${path}\`:\n\n\`\`\`\n${code}\n\`\`\`\n`)).toBe(file.replace(old, () => code));
});

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

/** What proves no place: examples of use, arguments, attributes, names that are used there, renamed ones, texts. */
const UNPROVEN: ReadonlyArray<readonly [path: string, file: string, said: string, code: string]> = [
  ["a.js", "export function init() {\n  $(\"#btn\").on(\"click\", () => save());\n  $(\"#list\").show();\n}\n", "In `a.js`:", "$(\"#btn\").prop(\"disabled\", true);"],
  ["a.py", "def save(path, rows):\n    data = dump(rows)\n    mode = \"w\"\n    write(path, data, mode)\n", "Usage in `a.py`:", "data = b\"x\"\nmode = \"wb\""],
  ["a.py", "def save(path, rows):\n    data = dump(rows)\n    mode = \"w\"\n    write(path, data, mode)\n", "And call it in `a.py`:", "data = b\"x\"\nmode = \"wb\""],
  ["a.py", "def f(\n    a=1,\n    b=2,\n):\n    return g(a, b)\n", "Pass the options in `a.py`:", "a=5,\nb=6,"],
  ["a.py", "def f(a):\n    x = a\n    if x:\n        y = 1\n    else:\n        y = 2\n    return x + y\n", "In `f` in `a.py`:", "x = a.strip()\ny = 1 if x else 2"],
  ["a.py", "def f():\n    text = \"\"\"\n    k = 1\n    \"\"\"\n    return text\n", "In `a.py`:", "k = 2\nj = 3"],
  ["a.tsx", "export const P = () => (\n  <Card\n    title=\"a\"\n    size={1}\n  >\n    <Button kind=\"x\" />\n  </Card>\n);\n", "In `a.tsx`, pass these to the button:", "title=\"b\"\nonClick={go}"],
  ["m.tf", "resource \"a\" \"one\" {\n  name = \"x\"\n}\n\nresource \"a\" \"two\" {\n  size = 2\n}\n", "Set these on the second resource in `m.tf`:", "name = \"z\"\ntags = 1"],
  ["a.js", "function f() {\n  const a = one();\n  const c = two(a);\n  return c;\n}\n", "Rename `a` to `b` in `f` in `a.js`:", "const b = one();\nconst c = two(b);"],
];
test.each(UNPROVEN)("%s: %#", async (path, file, said, code) => {
  expect(await answered(path, file, `${said}\n\n\`\`\`\n${code}\n\`\`\`\n`)).toBe(file);
});

/** Of several names in brackets, one that stays tells the statement. */
test.each([
  ["const { data, error } = useQuery(query);", "const visible = data.filter((d) => d.ok);", "const { data, error, isLoading } = useQuery(query);", "const visible = data.filter((d) => d.on);"],
  ["const [open, setOpen] = useState(false);", "const { t } = useI18n();", "const [isOpen, setOpen] = useState(true);", "const { t } = useI18n();"],
])("%s", async (...[one, two, oneNow, twoNow]) => {
  const written = (...lines: readonly string[]): string => `export function P() {\n${lines.map((line) => `  ${line}\n`).join("")}  return null;\n}\n`;
  const answer = `In \`a.tsx\`:\n\n\`\`\`tsx\n${oneNow}\n${twoNow}\n\`\`\`\n`;
  expect(await answered("a.tsx", written(one, two), answer)).toBe(written(oneNow, twoNow));
});

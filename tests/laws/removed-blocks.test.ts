/** The law of what a sentence removes from a file: the shown lines go, with a comma that they leave behind, and no other; or it is refused. */
import { describe, expect, test } from "vitest";
import { answered } from "./answered.ts";

const SENTENCES = ["Delete this from `PATH`:", "Remove the following from `PATH`:", "In `PATH`, drop this:", "You can now remove this from `PATH`, it is no longer used:", "Get rid of this in `PATH`:"];
/** A file in which @ stand around what goes. */
const FILES: ReadonlyArray<readonly [path: string, file: string]> = [
  ["a.js", "export const a = 1;\n\n@export function b() {\n  return 2;\n}\n@\nexport const c = 3;\n"],
  ["a.js", "function f() {\n  start();\n@  log(1);\n@  stop();\n}\n"],
  ["a.js", "import a from 'a';\n@import b from 'b';\n@\na();\n"],
  ["a.ts", "interface A {\n  a: string;\n@  b?: number;\n@  c: boolean;\n}\n"],
  ["a.ts", "enum E {\n  A,\n@  B,\n@  C,\n}\n"],
  ["a.ts", "enum E {\n  A = 1,\n  B = 2,\n@  C = 3,\n@}\n"],
  ["a.ts", "const o = {\n  a: 1,\n@  b: {\n    c: 2,\n  },\n@  d: 3,\n};\n"],
  ["a.tsx", "export const A = () => (\n  <div>\n    <h1>A</h1>\n@    <p>\n      text\n    </p>\n@    <b>c</b>\n  </div>\n);\n"],
  ["a.py", "class A:\n    def a(self):\n        return 1\n\n@    def b(self):\n        return 2\n\n@    def c(self):\n        return 3\n"],
  ["a.py", "def f(x):\n    a = 1\n@    print(a)\n@    return a\n"],
  ["a.py", "def f(x):\n    if x:\n@        print(x)\n        print(x, 2)\n@        return 1\n    return 2\n"],
  ["a.css", ".a {\n  color: red;\n}\n\n@.b {\n  color: blue;\n}\n@\n.c {\n  color: red;\n}\n"],
  ["a.css", ".a {\n  color: red;\n@  margin: 0;\n@}\n\n.b {\n  margin: 1px;\n}\n"],
  ["a.html", "<ul>\n  <li>a</li>\n@  <li>b</li>\n@  <li>c</li>\n</ul>\n"],
  ["a.html", "<body>\n  <div class=\"a\">\n    <p>A</p>\n  </div>\n@  <div class=\"b\">\n    <p>B</p>\n  </div>\n@</body>\n"],
  ["a.yml", "steps:\n  - name: a\n    run: x\n@  - name: b\n    run: y\n@  - name: c\n    run: z\n"],
  ["a.yml", "services:\n  a:\n    image: x\n@  b:\n    image: y\n@  c:\n    image: z\n"],
  ["a.json", '{\n  "a": 1,\n@  "b": 2,\n@  "c": 3\n}\n'],
  ["a.json", '{\n  "scripts": {\n    "a": "x",\n@    "b": "y"\n@  }\n}\n'],
  ["a.toml", '[a]\nx = 1\n\n@[b]\nx = 2\n\n@[c]\nx = 3\n'],
  ["a.ini", "[a]\nx = 1\n\n@[b]\nx = 2\n\n@[c]\nx = 3\n"],
  ["a.sql", "CREATE TABLE a (\n  id INT\n);\n\n@CREATE TABLE b (\n  id INT\n);\n@\nCREATE TABLE c (\n  id INT\n);\n"],
  ["a.py", 'T = """\nDear all,\n@thanks\n@"""\n'],
  ["a.js", "const a = [\n  1,\n  // first, second,\n@  2\n@];\n"],
  ["a.conf", "server {\n    location /a {\n        proxy_pass http://a;\n    }\n@    location /b {\n        proxy_pass http://b;\n    }\n@}\n"],
  ["a.rs", "fn f(x: i32) -> i32 {\n    match x {\n        1 => 2,\n@        2 => 3,\n@        _ => 4,\n    }\n}\n"],
  ["a.go", "package a\n\nimport (\n\t\"a\"\n@\t\"b\"\n@)\n\nfunc F() {}\n"],
  ["a.go", "package a\n\nfunc F() int {\n\ta := 1\n@\tlog.Println(a)\n@\treturn a\n}\n"],
  ["a.md", "# A\n\ntext\n\n@## B\n\nmore\n\n@## C\n\nlast\n"],
  ["Dockerfile", "FROM a\nWORKDIR /x\n@RUN npm install\n@COPY . .\n"],
  ["Makefile", "a:\n\techo a\n\n@b:\n\techo b\n\n@c:\n\techo c\n"],
  ["a.rb", "class A\n  def a\n    1\n  end\n\n@  def b\n    2\n  end\n\n@  def c\n    3\n  end\nend\n"],
  ["a.java", "class A {\n    int a() {\n        return 1;\n    }\n\n@    int b() {\n        return 2;\n    }\n\n@    int c() {\n        return 3;\n    }\n}\n"],
  ["a.c", "#include <a.h>\n@#include <b.h>\n@\nint f(void) {\n    return 1;\n}\n"],
  [".env.example", "A=1\n@B=2\n@C=3\n"],
  ["requirements.txt", "a==1\n@b==2\n@c==3\n"],
];
/** What stands in a file twice. */
const TWICE: ReadonlyArray<readonly [path: string, file: string, shown: string]> = [
  ["a.toml", "[a]\nx = 1\ny = 2\nz = 3\n\n[b]\ny = 2\n", "y = 2"],
  ["a.rs", "struct A {\n    a: i32,\n    b: i32,\n}\n\nstruct B {\n    b: i32,\n}\n", "    b: i32,"],
  ["a.css", ".a {\n  margin: 0;\n}\n\n.b {\n  margin: 0;\n}\n", "  margin: 0;"],
];
/** Lines as they count: a comma at the end of one may come or go. */
const linesOf = (text: string): readonly string[] => text.split("\n").filter((line) => line.trim() !== "").map((line) => line.trimEnd().replace(/,$/, ""));

describe.each(SENTENCES)("%s", (sentence) => {
  const answerOf = (path: string, shown: string): string => `${sentence.replace("PATH", path)}\n\n\`\`\`\n${shown}\n\`\`\`\n`;

  test.each(FILES)("%s", async (path, marked) => {
    const [above = "", gone = "", below = ""] = marked.split("@");
    const result = await answered(path, above + gone + below, answerOf(path, gone.trimEnd().replace(/^\n+/, "")));
    expect(linesOf(result)).toEqual(linesOf(above + below));
    expect(result).not.toMatch(/\n\n\n/);
    if (!path.endsWith(".json")) expect(result).toContain(above.trimEnd());
    if (path.endsWith(".json")) expect(() => JSON.parse(result)).not.toThrow();
  });

  test.each(TWICE)("%s has it twice", async (path, file, shown) => {
    expect(await answered(path, file, answerOf(path, shown))).toBe(file);
  });
});

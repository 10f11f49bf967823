/** The law of two code spans of which one is a name and the other its value: the value changes, or nothing does. */
import { describe, expect, test } from "vitest";
import { answered } from "./answered.ts";

/** A file, and a name with its old and its new value. */
const VALUES: ReadonlyArray<readonly [path: string, file: string, name: string, old: string, now: string]> = [
  ["b.ts", "export const MAX = 5;\n\nexport function size(): number {\n  return 2;\n}\n", "MAX", "= 5", "10"], ["b.py", "LIMIT = 5  # seconds\n\n\ndef load():\n    return 1\n", "LIMIT", "= 5", "10"],
  ["b.go", "package b\n\nconst Max = 5\n\nvar rate float64 = 1.5\n", "Max", "= 5", "10"], ["b.go", "package b\n\nconst Max = 5\n\nvar rate float64 = 1.5\n", "rate", "= 1.5", "2.5"],
  ["b.rs", "pub const MAX: usize = 5;\n\nfn f() {}\n", "MAX", "= 5", "10"], ["B.java", "class B {\n    static final int MAX = 5;\n}\n", "MAX", "= 5", "10"], ["b.rb", "LIMIT = 5\n\ndef f\nend\n", "LIMIT", "= 5", "10"],
  ["conf.yml", "retries: 3\nmode: fast\n", "retries", ": 3", "5"], ["conf.yml", "retries: 3\ndebug: false\n", "debug", ": false", "true"], ["package.json", '{\n  "name": "x",\n  "private": true\n}\n', "private", ': true', "false"], ["b.py", "DEBUG = False\n", "DEBUG", "= False", "True"],
  ["a.toml", "[tool]\nline-length = 88\n", "line-length", "= 88", "100"], ["s.css", "nav {\n  margin: 1em;\n}\n", "margin", ": 1em", "2em"], ["app.properties", "PORT=80\nHOST=local\n", "PORT", "=80", "8080"],
];
const ORDERS = ["In `PATH`, change `NAME` to `NOW`.", "Change the value of `NAME` to `NOW` in `PATH`.", "In `PATH`, `NAME` should be `NOW`."];

describe.each(ORDERS)("%s", (order) => {
  test.each(VALUES)("%s %s", async (path, file, name, old, now) => {
    const said = order.replace("PATH", path).replace("NAME", name).replace("NOW", now);
    const wanted = file.replace(old, () => old.replace(/[\w.]+$/, now));
    const got = await answered(path, file, `${said}\n`);
    // What does not begin with a verb of change may only describe it.
    expect(order.includes("should be") ? [wanted, file] : [wanted]).toContain(got);
  });
});

/** What a sentence says of a name is no other name for it. */
const ABOUT: ReadonlyArray<readonly [path: string, file: string, sentence: string]> = [
  ["b.ts", "export function load(url: string): string {\n  return get(url);\n}\n", "change the return type of `load` to `Promise<string>`"], ["b.ts", "export function load(wait: number) {\n  return get(wait);\n}\n", "change the type of `wait` to `string`"],
  ["b.py", "class Store:\n    size = 1\n", "change the base class of `Store` to `Base`"], ["b.py", "def load(url, wait=10):\n    return get(url)\n", "change `wait` to `20`"],
  ["b.ts", "class Store {\n  private size = 1;\n}\n", "change `size` to `protected`"], ["b.ts", "class Store {\n  private size = 1;\n}\n", "change the visibility of `size` to `protected`"],
  ["b.go", "package b\n\nfunc Load(url string) string {\n\treturn get(url)\n}\n", "change the return type of `Load` to `[]byte`"], ["s.css", "nav {\n  color: red;\n}\n", "change the color of `nav` to `blue`"],
  ["b.ts", "const url = 1;\nexport const x = get(url, 2);\n", "replace the argument of `get` with `options`"], ["b.ts", 'export const MODE = "slow";\n', "change `MODE` to `fast`"],
  // Both may be names, or one a value.
  ["a.yml", "mode: fast\n", "change `mode` to `safe`"], ["a.yml", "on:\n  push:\n    branches: main\n", "change `branches` to `tags`"], ["a.css", "nav {\n  color: red;\n}\n", "change `color` to `blue`"], ["a.json", '{\n  "port": 80\n}\n', "change `port` to `listen`"],
  ["package.json", '{\n  "scripts": {\n    "start": "node a.js"\n  }\n}\n', "change `start` to `dev`"], ["a.ts", "const a = b;\nfoo(a);\n", "change `a` to `b.c`"], ["a.ts", "const options = { size: 3 };\nlet size = 9;\n", "change `size` to `5`"],
];
test.each(ABOUT)("%s: %#", async (path, file, sentence) => {
  expect(await answered(path, file, `In \`${path}\`, ${sentence}.\n`)).toBe(file);
});

/** Code in place of code, and a name for a name. */
test.each([
  ["b.ts", "export const x = load();\n", "change `load()` to `await load()`", "export const x = await load();\n"], ["b.ts", "export const x = get(first);\n", "change `first` to `second`", "export const x = get(second);\n"],
  ["b.ts", "export const x = get(first);\n", "change `first` to `10`", "export const x = get(10);\n"], ["b.py", "import lodash\n", "replace the import of `lodash` with `lodash_es`", "import lodash_es\n"],
  ["package.json", '{\n  "zod": "^3.0.0"\n}\n', "replace `zod` with `valibot`", '{\n  "valibot": "^3.0.0"\n}\n'], ["a.json", '{\n  "port": 80\n}\n', "change the key `port` to `listen`", '{\n  "listen": 80\n}\n'], ["a.css", ".a {\n  background-color: red;\n}\n", "replace `background-color` with `background`", ".a {\n  background: red;\n}\n"],
  ["a.ts", "function run() {\n  let size = 9;\n}\n", "change `let` to `const`", "function run() {\n  const size = 9;\n}\n"], ["a.ts", "function run(): void {\n  go();\n}\n", "replace `void` with `Promise<void>`", "function run(): Promise<void> {\n  go();\n}\n"],
  ["a.ts", "class A extends Foo {\n  x = 1;\n}\n", "change `Foo` to `Bar<string>`", "class A extends Bar<string> {\n  x = 1;\n}\n"], ["b.py", "def load():\n    pass\n", "change the name of `load` to `read`", "def read():\n    pass\n"], ["b.py", "def load():\n    pass\n", "change `load` to `read`", "def read():\n    pass\n"],
])("%s: %#", async (path, file, sentence, wanted) => {
  expect(await answered(path, file, `In \`${path}\`, ${sentence}.\n`)).toBe(wanted);
});

/** The law of heads: what stands above a declaration stays, and what is shown of it alone lands there, or nowhere. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

const fence = (sentence: string, code: string): string => `${sentence}\n\n\`\`\`\n${code}\n\`\`\`\n`;

/** A file with a function below decorators of several lines, and the function with a placeholder. */
const DECORATED = [
  ["a.py", "import click\n\n\n@click.command()\n@click.option('--format', default='simple',\n              help=('x '\n                    \"y (z\"))\ndef show(kind):\n    '''Doc.'''\n    path = 1\n    data = load(path)\n    if kind:\n        out(data)\n\n\ndef get():\n    return 2\n", "def show(kind):\n    '''Doc.'''\n    path = need()\n    data = load(path)\n    # ... rest unchanged"],
  ["a.ts", "import { Component } from \"x\";\n\n@Component({\n  selector: \"a-b\",\n  template: \"<p>(</p>\",\n})\nexport class B {\n  show(kind: string) {\n    const path = 1;\n    const data = load(path);\n    if (kind) out(data);\n  }\n}\n", "export class B {\n  show(kind: string) {\n    const path = need();\n    const data = load(path);\n    // ... rest unchanged\n  }\n}"],
  ["A.java", "class A {\n    @Named(\n        \"a\"\n    )\n    void show(String kind) {\n        int path = 1;\n        int data = load(path);\n        if (kind != null) out(data);\n    }\n}\n", "void show(String kind) {\n    int path = need();\n    int data = load(path);\n    // ... rest unchanged\n}"],
] as const;
test.each(DECORATED)("%s: decorators of several lines stay", async (path, file, shown) => {
  for (const sentence of [`Change it in \`${path}\`:`, `In \`${path}\`, update it like this:`])
    expect(await answered(path, file, fence(sentence, shown))).toBe(file.replace("path = 1", "path = need()"));
});

const JS = "/** Docs of a. */\nexport function a(x) {\n  return x;\n}\n\nexport function b(x, y) {\n  return x + y;\n}\n";
const HEAD = "export function b(x, y) {";
const DOC = "/**\n * Adds.\n */\n";
test("documentation above the head of a declaration that has none", async () => {
  for (const sentence of ["Here is the documentation for `m.js`:", "Add JSDoc in `m.js`:", "Voici la documentation pour `m.js` :", "Document it in `m.js`:"]) {
    expect(await answered("m.js", JS, fence(sentence, `${DOC}${HEAD}`))).toBe(JS.replace(HEAD, `${DOC}${HEAD}`));
    const a = `${DOC}export function a(x) {`;
    expect([JS, JS.replace("/** Docs of a. */\n", DOC)]).toContain(await answered("m.js", JS, fence(sentence, a)));
  }
  const both = `${fence("Change `m.js`:", `${DOC}${HEAD}`)}\n${fence("And:", `${DOC.replace("Adds", "Takes")}export function c() {`)}`;
  const file = `${JS}\nexport function c() {\n  return 1;\n}\n`;
  expect(await answered("m.js", file, both)).toBe(file.replace(HEAD, `${DOC}${HEAD}`).replace("export function c", (head) => `${DOC.replace("Adds", "Takes")}${head}`));
});

const PY = "class A:\n    def get(self, key):\n        return key\n\n    def put(self, key):\n        return 1\n\n\nclass B:\n    def get(self, key):\n        return 2\n\n\n@cache\ndef top(x):\n    return x\n";
test("a new form of a head alone", async () => {
  const change = (now: string): Promise<string> => answered("m.py", PY, fence("Change the signature in `m.py`:", now));
  for (const now of ["def put(self, key, value):", "async def put(self, key):", "@staticmethod\n    def put(key):"])
    for (const indent of ["", "    "])
      expect(await change((indent + now).replace("\n    ", `\n${indent}`))).toBe(PY.replace("def put(self, key):", now));
  // Two of that name, another decorator, another name, words that would go.
  for (const now of ["    def get(self, key, other):", "@lru_cache\ndef top(x):", "def other(self, key):", "class put(A):"]) expect(await change(now)).toBe(PY);
  expect(await answered("m.js", JS, fence("Change the signature in `m.js`:", "function b(x, y = 0) {"))).toBe(JS);
});

const BLOCK = "/**\n * Makes it.\n *\n * @param {number} time\n * @param {object} [options]\n * @param {boolean} [options.a]\n * @return {function} it\n */\nfunction make (time, options) {\n  return 1\n}\n";
const LINES = BLOCK.split("\n");
test("a line of a comment that is shown with lines above it, below it or both", async () => {
  const added = " * @param {number} [options.b=5]";
  const file = [...LINES.slice(0, 6), added, ...LINES.slice(6)].join("\n");
  for (const sentence of ["I'll add an option to `m.js`:", "**m.js**", "In `m.js`, add it to the comment:", "Change `m.js`:"])
    for (const above of [0, 1, 2, 3])
      for (const below of [0, 1, 2]) {
        if (above + below === 0) continue;
        const shown = [...LINES.slice(6 - above, 6), added, ...LINES.slice(6, 6 + below)].join("\n");
        expect([file, BLOCK], `${sentence}\n${shown}`).toContain(await answered("m.js", BLOCK, fence(sentence, shown)));
      }
});

const MARKUP = "<script>\nlet a;\n$: {\n  a = b;\n}\n</script>\n\n<p>{a}</p>\n\n";
const RULE = ".close {\n\tmargin: 0;\n}\n";
test("a rule goes into the style element of a component, and into no code", async () => {
  for (const indent of ["", "\t", "  "]) {
    const rules = [".base {\n\tcolor: red;\n}\n", ".enter {\n\tcolor: blue;\n}\n"].map((rule) => rule.replace(/^(?=.)/gm, indent));
    const rule = RULE.replace(/^(?=.)/gm, indent);
    const file = `${MARKUP}<style>\n${rules.join("\n")}</style>\n`;
    const unit = (text: string): string => text.replace(/^[ \t]+/gm, "");
    for (const sentence of ["Add this style to `A.svelte`:", "Style: append to `A.svelte`:", "In `A.svelte`, add this rule:"]) {
      expect(unit(await answered("A.svelte", file, fence(sentence, rule)))).toBe(unit(`${MARKUP}<style>\n${rules.join("\n")}\n${rule}</style>\n`));
      expect(await answered("A.svelte", MARKUP, fence(sentence, rule))).toBe(MARKUP);
      expect(await answered("a.js", JS, fence(sentence.replace("A.svelte", "a.js"), rule))).toBe(JS);
    }
    const below = fence("Put this below `.base` in `A.svelte`:", rule);
    expect(unit(await answered("A.svelte", file, below))).toBe(unit(`${MARKUP}<style>\n${rules[0]}\n${rule}\n${rules[1]}</style>\n`));
  }
});

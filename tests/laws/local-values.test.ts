/** The law of one line that sets a local value, where a field or a constant has its name: the local one changes, or nothing. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

/** A file with @ in place of the local line, and that line with X in place of its value. */
const FILES: ReadonlyArray<readonly [path: string, file: string, line: string]> = [
  ["a.cs", "class Demo {\n    int a;\n    Store store;\n\n    Store Create(int x)\n    {\n        int b = 1;\n        @\n        use(store);\n        return store;\n    }\n}\n", "Store store = new Store(b, X);"],
  ["a.java", "class Demo {\n    int a;\n    private Store store = null;\n\n    Store Create(int x) {\n        int b = 1;\n        @\n        use(store);\n        return store;\n    }\n}\n", "Store store = new Store(b, X);"],
  ["a.ts", "const store = new Store(0);\n\nexport function Create(x: number) {\n    let b = 1;\n    @\n    use(store);\n    return store;\n}\n", "const store = new Store(b, X);"],
  ["b.ts", "class Demo {\n    a = 1;\n    store = new Store(0);\n\n    Create(x: number) {\n        let b = 1;\n        @\n        use(store);\n        return store;\n    }\n}\n", "const store = new Store(b, X);"],
  ["a.py", "import a\n\nstore = Store(0)\n\n\ndef Create(x):\n    b = 1\n    @\n    use(store)\n    return store\n", "store = Store(b, X)"],
  ["b.py", "import a\n\n\nclass Demo:\n    store = Store(0)\n\n    def Create(self, x):\n        b = 1\n        @\n        use(store)\n        return store\n", "store = Store(b, X)"],
  ["a.go", "package a\n\nvar store = NewStore(0)\n\nfunc Create(x int) Store {\n\tb := 1\n\t@\n\tuse(store)\n\treturn store\n}\n", "var store = NewStore(b, X)"],
  ["a.cpp", "#include <a>\n\nint store = 0;\n\nint Create(int x) {\n    int b = 1;\n    @\n    use(store);\n    return store;\n}\n", "int store = make(b, X);"],
  ["a.rb", "store = Store.new(0)\n\ndef Create(x)\n  b = 1\n  @\n  use(store)\n  store\nend\n", "store = Store.new(b, X)"],
];
const SENTENCES = ["In `Create` in `P`, change:", "In the `Create` function in `P`, update `store`:", "In `P`, change this line in `Create`:", "Update `P`, so that `Create` makes a larger store:", "Then in `P`:"];
/** The line at the margin, as it stands in the file, below a comment that the file has, and above the next line. */
const FORMS: ReadonlyArray<(line: string, indent: string, comment: string) => readonly [above: string, shown: (now: string) => string]> = [
  () => ["", (now) => now],
  (_, indent) => ["", (now) => indent + now],
  (_, indent, comment) => [`${comment}\n${indent}`, (now) => `${indent}${comment}\n${indent}${now}`],
];

test.each(FILES)("%s", async (path, file, line) => {
  let landed = 0;
  const indent = /^([ \t]*)@/m.exec(file)?.[1] ?? "";
  const comment = /\.(?:py|rb)$/.test(path) ? "# A store." : "// A store.";
  for (const sentence of SENTENCES)
    for (const form of FORMS) {
      const [above, shown] = form(line, indent, comment);
      const [before, wanted] = ["1", "2"].map((value) => file.replace("@", above + line.replace("X", value))) as [string, string];
      const text = await answered(path, before, `${sentence.replace("P", path)}\n\n\`\`\`\n${shown(line.replace("X", "2"))}\n\`\`\`\n`);
      expect([wanted, before]).toContain(text);
      landed += Number(text === wanted);
    }
  expect(landed).toBeGreaterThanOrEqual(LEAST);
});

/** A field is another thing than a variable of its name: where no sentence names the function, nothing lands. */
const LEAST = 6;

const FIELDS: ReadonlyArray<readonly [path: string, old: string, now: string]> = [
  ["a.java", "private Store store = null;", "private Store store = Store.EMPTY;"],
  ["a.ts", "const store = new Store(0);", "const store = new Store(1);"],
  ["b.ts", "store = new Store(0);", "store = new Store(1);"],
  ["a.py", "store = Store(0)", "store = Store(1)"],
  ["b.py", "store = Store(0)", "store = Store(1)"],
  ["a.go", "var store = NewStore(0)", "var store = NewStore(1)"],
  ["a.cpp", "int store = 0;", "int store = 1;"],
];

test.each(FIELDS)("the field or constant of %s is the one that is closer", async (path, old, now) => {
  const [, file = "", line = ""] = FILES.find(([one]) => one === path) ?? [];
  const before = file.replace("@", line.replace("X", "1"));
  for (const sentence of ["In `P`, change:", "Update `store` in `P`:", "In `P`, change the value of `store`:"])
    expect(await answered(path, before, `${sentence.replace("P", path)}\n\n\`\`\`\n${now}\n\`\`\`\n`)).toBe(before.replace(old, now));
});

test("a line of a function that stands inside another one", async () => {
  const file = "class A {\n  hide() {\n    const complete = () => {\n      this.list.add(HIDE);\n      this.list.remove(SHOWING, SHOW);\n    };\n    this.queue(complete);\n  }\n\n  dispose() {\n    this.list.remove(SHOW);\n  }\n}\n";
  const answer = "In `a.js`, update the line in `complete`:\n\n```js\n      this.list.remove(SHOWING_NOW, SHOW);\n```\n";
  expect(await answered("a.js", file, answer)).toBe(file.replace("SHOWING,", "SHOWING_NOW,"));
});

test("statements at the margin that hold a new form of others are no declaration", async () => {
  const file = "import os\n\n\nclass A:\n    def clean(self, *names):\n        if not names:\n            names = self.files\n            self.files = []\n        log('removing')\n        for name in names:\n            os.remove(name)\n";
  const answer = "Then in `lib/a.py`:\n\n```python\nif not names:\n    names = self.files\nlog('removing')\nfor name in names:\n    os.remove(name)\n```\n";
  const wanted = file.replace("            self.files = []\n", "");
  expect([wanted, file]).toContain(await answered("lib/a.py", file, answer));
});

test("a line that a sentence names, with its neighbours, does not double those", async () => {
  const file = "deploy() {\n  cat <<EOF > conf\n  port=1\n  host=a\nEOF\n  start\n}\n";
  const shown = "  cat <<EOF > /etc/conf\n  port=1\n  host=a\n";
  const text = await answered("a.sh", file, `Update the \`cat\` line in \`a.sh\`:\n\n\`\`\`sh\n${shown}\`\`\`\n`);
  expect([file.replace("> conf", "> /etc/conf"), file]).toContain(text);
});

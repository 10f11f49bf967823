/** The law of what a sentence says that something is added to: it goes there, though another type has one of its name. */
import { describe, expect, test } from "vitest";
import { answered } from "./answered.ts";

/** A file in which Cart has what is added to Order, with % where it goes. */
const FILES: ReadonlyArray<readonly [path: string, file: string, code: string]> = [
  ["cart.py", "class Cart:\n    def total(self):\n        return sum(self.items)\n\n    def clear(self):\n        self.items = []\n\n\nclass Order:\n    def send(self):\n        return post(self.id)\n%", "    def total(self):\n        return self.cart.total()"],
  ["cart.js", "export class Cart {\n  total() {\n    return sum(this.items)\n  }\n}\n\nexport class Order {\n  send() {\n    return post(this.id)\n  }\n%}\n", "  total() {\n    return this.cart.total()\n  }"],
  ["cart.ts", "export class Order {\n  send(): void {\n    post(this.id);\n  }\n%}\n\nexport class Cart {\n  total(): number {\n    return sum(this.items);\n  }\n}\n", "  total(): number {\n    return this.cart.total();\n  }"],
  ["Shop.java", "class Cart {\n    int total() {\n        return items.size();\n    }\n}\n\nclass Order {\n    void send() {\n    }\n%}\n", "    int total() {\n        return cart.total();\n    }"],
  ["Shop.cs", "class Cart\n{\n    int Total()\n    {\n        return items.Count;\n    }\n}\n\nclass Order\n{\n    void Send()\n    {\n    }\n%}\n", "    int Total()\n    {\n        return cart.Total();\n    }"],
  ["shop.php", "<?php\n\nclass Cart\n{\n    public function total()\n    {\n        return 1;\n    }\n}\n\nclass Order\n{\n    public function send()\n    {\n    }\n%}\n", "    public function total()\n    {\n        return 2;\n    }"],
  ["cart.rb", "class Cart\n  def total\n    1\n  end\nend\n\nclass Order\n  def send_it\n    post\n  end\n%end\n", "  def total\n    2\n  end"],
  ["cart.rs", "pub struct Cart;\n\nimpl Cart {\n    pub fn total(&self) -> u32 {\n        1\n    }\n}\n\npub struct Order;\n\nimpl Order {\n    pub fn send(&self) {}\n%}\n", "    pub fn total(&self) -> u32 {\n        2\n    }"],
];
const SENTENCES = [
  "Add this method to `Order` in `PATH`:", "Add a `NAME` method to the `Order` class in `PATH`:", "In `PATH`, add this method to the `Order` class:", "In the `Order` class in `PATH`, add:",
  "In `PATH`, give `Order` a `NAME` method:", "**PATH**\n\nAdd to `Order`:", "`Order` needs one too. Add it to the `Order` class in `PATH`:",
];
const nameOf = (path: string): string => (path.endsWith(".cs") ? "Total" : "total");
const answerOf = (path: string, sentence: string, code: string): string => `${sentence.replace("PATH", path).replace("NAME", nameOf(path))}\n\n\`\`\`\n${code}\n\`\`\`\n`;

describe.each(SENTENCES)("%s", (sentence) => {
  test.each(FILES)("%s", async (path, file, code) => {
    const wanted = file.replace("%", () => `\n${code}\n`);
    expect(await answered(path, file.replace("%", ""), answerOf(path, sentence, code))).toBe(wanted);
    const indent = /^\s*/.exec(code)?.[0] ?? "";
    const atMargin = code.split("\n").map((line) => line.slice(indent.length)).join("\n");
    expect(await answered(path, file.replace("%", ""), answerOf(path, sentence, atMargin))).toBe(wanted);
  });
});

/** A name of a type that is no place says nothing of one. */
describe.each(["Add a guard to `NAME` in `PATH`, which `Order` uses:", "In `PATH`, update `NAME` (it is called in `Order`):", "Update `NAME` in `PATH` so that it fits what we give to `Order`'s callers:"])("%s", (sentence) => {
  test.each(FILES)("%s: the only one changes", async (path, file, code) => {
    const before = file.replace("%", "");
    const after = await answered(path, before, answerOf(path, sentence, code));
    const [beside] = file.split(/^(?=(?:export |pub )?(?:class|struct) Order)/m).slice(-1) as [string];
    expect(after.includes(beside.split("%")[0] as string)).toBe(true);
    expect(after.split(/\b[Tt]otal\b(?=\(| ?\{|\n)/).length).toBeLessThanOrEqual(before.split(/\b[Tt]otal\b(?=\(| ?\{|\n)/).length + 1);
  });
});

describe.each([
  "In the `Order` class in `PATH`, change `NAME`:", "Replace `NAME` in the `Order` class in `PATH` with:", "Update `Order.NAME` in `PATH`:", "Update the `NAME` method of `Order` in `PATH`:", "In `PATH`, change `NAME` in `Invoice` to:",
  "Add a `NAME` method to the `Invoice` class in `PATH`:", "### `PATH` – `Order`", "In `PATH`:\n\n**`Order`**", "`Order.NAME` in `PATH` should be:",
])("%s", (sentence) => {
  test.each(FILES)("%s: another type's stays", async (path, file, code) => {
    expect(await answered(path, file.replace("%", ""), answerOf(path, sentence, code))).toBe(file.replace("%", ""));
  });
});

test.each([
  ["line.rs", "impl Line {\n    pub fn as_str(&self) -> &str {\n        \"x\"\n    }\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn parses() {\n        assert!(true);\n    }\n}\n", "Add a test to the `tests` module in `line.rs`:", "#[test]\nfn as_str() {\n    assert_eq!(Line.as_str(), \"x\");\n}", "        assert!(true);\n    }\n", "\n    #[test]\n    fn as_str() {\n        assert_eq!(Line.as_str(), \"x\");\n    }\n"],
  ["a.css", ".card {\n  color: red;\n}\n\n@media print {\n  .page {\n    color: black;\n  }\n}\n", "Add this rule to the print media query in `a.css`:", ".card {\n  color: black;\n}", "    color: black;\n  }\n", "\n  .card {\n    color: black;\n  }\n"],
  ["a.css", ".card {\n  color: red;\n}\n\n@media print {\n  .page {\n    color: black;\n  }\n}\n", "Inside `@media print` in `a.css`, add:", "  .card {\n    color: black;\n  }", "    color: black;\n  }\n", "\n  .card {\n    color: black;\n  }\n"],
])("%s: %#", async (path, file, sentence, code, above, added) => {
  expect(await answered(path, file, `${sentence}\n\n\`\`\`\n${code}\n\`\`\`\n`)).toBe(file.replace(above, () => above + added));
});

/** A member or a key, where another container has one of its name. */
test.each([
  ["a.ts", "export interface Order {\n  id: number;\n  total: number;\n}\n\nexport interface Cart {\n  id: number;\n%}\n", "  total: string;", "interface"], ["t.ts", "export type Order = {\n  id: number;\n  total: number;\n};\n\nexport type Cart = {\n  id: number;\n%};\n", "  total: string;", "type"],
  ["a.json", '{\n  "Order": {\n    "id": 1,\n    "total": 7\n  },\n  "Cart": {\n    "id": 1%\n  }\n}\n', '    "total": 9', "section"], ["a.yml", "Cart:\n  id: 1\n%\nOrder:\n  id: 1\n  total: 7\n", "  total: 9", "section"],
  ["a.toml", "[Cart]\nid = 1\n%\n[Order]\nid = 1\ntotal = 7\n", "total = 9", "table"], ["a.py", "class Cart:\n    id = 1\n%\n\nclass Order:\n    id = 1\n    total = 7\n", "    total = 9", "class"], ["A.java", "class Order {\n    int id;\n    int total;\n}\n\nclass Cart {\n    int id;\n%}\n", "    int total;", "class"],
])("%s: %#", async (path, file, code, kind) => {
  const [before, after] = [file.replace("%", ""), file.replace("%", () => (path === "a.json" ? `,\n${code}` : `${code}\n`))];
  for (const sentence of ["Add `total` to `Cart` in `PATH`:", `In \`PATH\`, add this to the \`Cart\` ${kind}:`, "**PATH**\n\nAdd to `Cart`:"]) expect(await answered(path, before, answerOf(path, sentence, code))).toBe(after);
});

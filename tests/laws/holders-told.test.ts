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
  "`Order` in `PATH` needs a `NAME` method:", "`Order` needs its own `NAME` method. In `PATH`:",
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
  "Add a `NAME` method to the `Invoice` class in `PATH`:", "### `PATH` – `Order`", "In `PATH`:\n\n**`Order`**", "`Order.NAME` in `PATH` should be:", "`Invoice` needs a getter. In `PATH`, change `NAME` in `Invoice` to:",
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

/** Types that a sentence only mentions: what the file has once changes where it stands. */
const MENTIONS = "import os\n\n\nclass Base:\n    def run(self):\n        return 1\n\n\nclass Cart(Base):\n    def __init__(self, items):\n        self.items = items\n\n    def total(self):\n        return sum(self.items)\n\n\nclass Order:\n    def __init__(self, cart):\n        self.cart = cart\n\n    def price(self):\n        return self.cart.total() + 1\n\n    def save(self):\n        return None\n\n\nclass Item:\n    pass\n\n\ndef helper(cart):\n    return cart.total()\n";
const NEW: Readonly<Record<string, string>> = {
  price: "def price(self):\n    return round(self.cart.total()) + 1", total: "def total(self):\n    return round(sum(self.items))", helper: "def helper(cart):\n    return cart.total() + 2", run: "def run(self):\n    return 2",
};
/** Sentences that may be no orders. */
const MAY_BE_REFUSED = /belongs to|since all methods|It passes/;
test.each([
  ["price", "Update `price` in `a.py` to round what `Cart` gives it:"], ["price", "Update `price` in `a.py` so that it adds to `Cart` totals:"],
  ["price", "In `a.py`, `price` should pass its value to `Cart`:"], ["price", "In `a.py`, `price` delegates to `Cart`; update it:"],
  ["price", "Update `price` in `a.py`. It belongs to the `Order` class:"], ["price", "Update `price` in `a.py`, which calls `Cart.total`:"],
  ["price", "Update `price` in `a.py` (it calls `total` of `Cart`):"], ["price", "Update `price` of `Order` in `a.py`, and leave `total` of `Cart` alone:"],
  ["price", "Update `price` to use `total` in `Cart` in `a.py`:"], ["helper", "Update `helper` in `a.py`, which takes an instance of the `Cart` class:"],
  ["helper", "Update `helper` in `a.py`; it is passed to `Cart`:"], ["helper", "Update `helper` in `a.py`, used in the `Cart` class:"],
  ["helper", "Update `helper` in `a.py`, which is called in the `Cart` class:"], ["helper", "Update `helper` in `a.py`, similar to the `Cart` class:"],
  ["helper", "Update `helper` in `a.py` so that it returns an instance of the `Item` class:"], ["helper", "Update `helper` in `a.py` to return a list of `Item`:"],
  ["helper", "Change the return type of `helper` in `a.py` to `Item`:"], ["helper", "Change `helper` in `a.py` to accept a `Cart`, and change its type to `Item`:"],
  ["helper", "Convert the result of `helper` to `Item` in `a.py`:"], ["helper", "Refactor `helper` in `a.py`: it should cast to `Item` first:"],
  ["helper", "Rename the parameter of `helper` to `Cart` in `a.py`:"], ["total", "In `a.py`, update `total` to match the `Order` class:"],
  ["total", "In `a.py`, update `total` according to the `Order` class:"], ["total", "In `a.py`, the `total` method, due to the `Order` class calling it, needs a round:"],
  ["total", "In `a.py`, update `total`, since all methods of the `Order` class call it:"], ["total", "In `a.py`, update `total`, because `price` in `Order` calls it:"],
  ["total", "In `a.py`, `price` of `Order` breaks because `total` doesn't round. Update `total`:"], ["total", "In `a.py`, `Order.price` relies on it, so update `total`:"],
  ["total", "In `a.py`, update `total` so `price` in `Order` gets an int:"], ["total", "`cart.total()` should round. Update it in `a.py`:"],
  ["total", "Fix `cart.total` in `a.py`:"], ["total", "Fix `self.total` in `a.py`:"],
  ["total", "Fix `self.cart.total()` in `a.py`:"], ["total", "Fix `Cart.total` in `a.py`:"],
  ["total", "Fix `a.Cart.total` in `a.py`:"], ["total", "Fix `shop.total` in `a.py`:"],
  ["total", "Fix `ShoppingCart.total` in `a.py`:"], ["helper", "Fix `a.helper` in `a.py`:"],
  ["helper", "Fix `utils.helper` in `a.py`:"], ["helper", "Fix `Utils.helper` in `a.py`:"],
  ["helper", "Fix `A.helper()` in `a.py`:"], ["helper", "Fix `helper` in `a.py`; unlike `Cart.helper`, it takes a cart:"],
  ["run", "Update `run` in `a.py`, which `Cart` inherits:"], ["run", "Update `Cart.run` (inherited from `Base`) in `a.py`:"],
  ["run", "Update `run` in the `Base` class in `a.py`, so `Cart.run` returns 2:"], ["run", "Update `run` in `a.py` so that `Cart.run()` returns 2:"],
  ["total", "Update `total` in `a.py` so that `Order.total()` isn't needed:"], ["total", "Update `total` in `a.py`; `Mock.total` in the tests does the same:"],
  ["total", "Update `total` in `a.py` to mirror `Decimal.total` of the `Decimal` class:"], ["total", "Update `total` in `a.py`, like `Basket.total`:"],
  ["total", "Update the `total` method of `Cart` in `a.py`, not that of `Order`:"], ["total", "**`Cart`**\n\nUpdate `total` in `a.py`:"],
  ["total", "**`total`**\n\nUpdate it in `a.py`, as `Order` needs it:"], ["total", "- `Order`\n- `Cart`\n\nUpdate `total` in `a.py`:"],
  ["total", "These use it:\n\n- `Order`\n\nUpdate `total` in `a.py`:"], ["total", "### `Order`\n\n`price` needs rounding. Update `total` in `a.py`:"],
  ["total", "Add logging to `Cart.total` in `a.py`:"], ["total", "Add rounding to `total` of `Cart` in `a.py`:"],
  ["total", "Add rounding to the `total` method in `a.py` (used by `Order`):"], ["helper", "Add a parameter to `helper` in `a.py`, which goes to `Cart`:"],
  ["price", "Add support for ints to `price` in `a.py`. It passes them to `Cart`:"], ["price", "Add a round to `price` in `a.py`, as in the `Cart` class:"],
])("%s: %s", async (name, sentence) => {
  const code = NEW[name] as string;
  const head = code.split("\n", 1)[0] ?? "";
  const old = new RegExp(`( *)${head.replace(/[()]/g, "\\$&")}\\n.*\n`).exec(MENTIONS) as RegExpExecArray;
  const wanted = MENTIONS.replace(old[0], () => `${code.split("\n").map((line) => (old[1] as string) + line).join("\n")}\n`);
  const got = await answered("a.py", MENTIONS, `${sentence}\n\n\`\`\`python\n${code}\n\`\`\`\n`);
  // It may be refused, and never goes elsewhere.
  expect([MENTIONS, wanted]).toContain(got);
  if (!MAY_BE_REFUSED.test(sentence)) expect(got).toBe(wanted);
});

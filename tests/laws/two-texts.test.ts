/** The law of two texts for one function: none lands, unless the later one builds on the earlier, corrects it, or one is only shown. */
import { describe, expect, test } from "vitest";
import { answered } from "./answered.ts";

const OLD = "def load(path):\n    with open(path) as f:\n        return json.load(f)\n";
const FIRST = "def load(path):\n    with open(path, encoding=\"utf-8\") as f:\n        return json.load(f)\n";
const OTHER = "def load(path):\n    return json.loads(path.read_text())\n";
const MORE = "def load(path):\n    with open(path, encoding=\"utf-8\") as f:\n        return json.load(f) or {}\n";
const FILE = `import json\n\n\n${OLD}\n\ndef save(path, data):\n    path.write_text(json.dumps(data))\n`;
const code = (text: string): string => `\`\`\`python\n${text}\`\`\`\n`;
const landed = async (above: string, first: string, between: string, second: string): Promise<string> =>
  answered("store.py", FILE, `${above}\n\n${code(first)}\n${between}\n\n${code(second)}`);

const WAYS: ReadonlyArray<readonly [string, string]> = [
  ["If you're on Windows, change `load` in `store.py`:", "On Linux, use this instead:"], ["The simplest fix in `store.py`:", "A cleaner alternative:"], ["Quick fix for `store.py`:", "Proper fix:"],
  ["Wenn du Python 3.8 benutzt, ändere `store.py`:", "Ab Python 3.9 geht auch:"], ["Première solution, dans `store.py` :", "Seconde solution :"], ["Soit dans `store.py` :", "soit :"], ["方法一:修改 `store.py`:", "方法二:"],
  ["For Python 2, `store.py` needs:", "For Python 3:"], ["Minimal version of `load` in `store.py`:", "With pathlib:"], ["1. Keep `open`. In `store.py`:", "2. Or switch to pathlib:"], ["## Simple\n\nIn `store.py`:", "## Robust\n\nIn `store.py`:"],
  ["**store.py**", "**store.py**"], ["Update `load` in `store.py`:", "Korrektur:"], ["Update `load` in `store.py`:", "Actually, make that:"], ["Update `load` in `store.py`:", "Pardon, plutôt :"],
];
test.each(WAYS)("two ways: %s … %s", async (above, between) => {
  expect(await landed(above, FIRST, between, OTHER)).toBe(FILE);
  expect(await landed(above, OTHER, between, FIRST)).toBe(FILE);
});

describe("the first stays", () => {
  test.each([
    ["old code", "Your version for comparison:", OLD], ["old code without a word", "So:", OLD], ["the same again", "Once more:", FIRST], ["a wrong way", "Don't do this:", OTHER], ["an example", "For example, with pathlib:", OTHER],
    ["another file", "The one in `other.py` is different:", OTHER], ["another language", "The same in JavaScript:", OTHER.replace("def load(path):", "function load(path) {")], ["its test", "A test:", "def test_load(tmp_path):\n    assert load(tmp_path) == {}\n"],
  ])("%s", async (_, between, second) => {
    expect(await landed("Update `load` in `store.py`:", FIRST, between, second)).toBe(FILE.replace(OLD, FIRST));
  });
});

test.each(["Sorry, this is better:", "Edit:", "Better:", "Here's the final version of `load`:", "Use this instead:", "Then simplify it:", "Improved version:", "Refactored:", "Even better, use pathlib:", "So replace it with:", "Finally, refactor `load` to use pathlib:"])("the later one stays: %s", async (between) => {
  expect(await landed("Update `load` in `store.py`:", FIRST, between, OTHER)).toBe(FILE.replace(OLD, OTHER));
});

test.each(["In your other project you would have:", "A caller may wrap it:", "Minified:", "Explanation:", "A bigger example:", "Same thing, annotated:", "PS:"])("the first stays, and nothing below it is told: %s", async (between) => {
  const now = await landed("In `store.py`, change `load`:", FIRST, between, OTHER);
  expect(now).toBe(FILE.replace(OLD, FIRST));
});

test("a text that builds on the earlier one", async () => {
  expect(await landed("Step 1: update `load` in `store.py`:", FIRST, "Step 2: return a dict from `load`:", MORE)).toBe(FILE.replace(OLD, MORE));
});

test.each(["Scrap that.", "Hmm, no: don't change that."])("taken back: %s", async (below) => {
  expect(await answered("store.py", FILE, `Update \`load\` in \`store.py\`:\n\n${code(FIRST)}\n${below}\n`)).toBe(FILE);
});

describe("functions of one name", () => {
  const CART = "class Cart:\n    def total(self):\n        return 1\n\n\nclass Order:\n    def total(self):\n        return 2\n\n    def tax(self):\n        return 3\n";

  test("in two classes", async () => {
    const answer = `In \`cart.py\`, update \`Cart.total\`:\n\n${code("def total(self):\n    return 10\n")}\nAnd \`Order.total\`:\n\n${code("def total(self):\n    return 20\n")}`;
    expect(await answered("cart.py", CART, answer)).toBe(CART.replace("return 1", "return 10").replace("return 2", "return 20"));
  });

  test("changed in one class, new in the other", async () => {
    const answer = `In \`cart.py\`, change \`Order.tax\`:\n\n${code("def tax(self):\n    return 30\n")}\nAdd one to \`Cart\`:\n\n${code("def tax(self):\n    return 40\n")}`;
    expect(await answered("cart.py", CART, answer)).toBe(CART.replace("return 3", "return 30").replace("return 1\n", "return 1\n\n    def tax(self):\n        return 40\n"));
  });

  test("with other parameters", async () => {
    const java = "class Sum {\n    int add(int a) {\n        return a;\n    }\n}\n";
    const answer = "In `Sum.java`, change `add`:\n\n```java\nint add(int a) {\n    return a + 1;\n}\n```\n\nand add an overload:\n\n```java\nint add(double a) {\n    return (int) a;\n}\n```\n";
    expect(await answered("Sum.java", java, answer)).toBe("class Sum {\n    int add(int a) {\n        return a + 1;\n    }\n\n    int add(double a) {\n        return (int) a;\n    }\n}\n");
  });
});

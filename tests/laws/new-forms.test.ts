/** Law of code without a path below a sentence that does not say what it is: a new form of what a file has lands, and nothing else. */
import { expect, test } from "vitest";
import { answered } from "./answered.ts";

const FORMS = [
  { path: "cart.go", mark: "//", head: "func (c *Cart) Total() int {", lines: ["\ttotal := 0", "\tfor _, item := range c.items {"], line: "\t\ttotal += item.Price", now: "\t\ttotal += item.Price * item.Count", end: ["\t}", "\treturn total", "}"], begin: ["package cart", ""] },
  { path: "cart.ts", mark: "//", head: "export function total(items: Item[]): number {", lines: ["  let sum = 0;", "  for (const item of items) {"], line: "    sum += item.price;", now: "    sum += item.price * item.count;", end: ["  }", "  return sum;", "}"], begin: ["import type { Item } from \"./item\";", ""] },
  { path: "cart.py", mark: "#", head: "def total(items):", lines: ["    result = 0", "    for item in items:"], line: "        result += item.price", now: "        result += item.price * item.count", end: ["    return result"], begin: ["import item", "", ""] },
  { path: "cart.rb", mark: "#", head: "def total(items)", lines: ["  result = 0", "  items.each do |item|"], line: "    result += item.price", now: "    result += item.price * item.count", end: ["  end", "  result", "end"], begin: [] },
] as const;
const ORDER = "Multiply by the count:";
const TOLD = ["The bug is in `total`: it ignores the count.", "`total` ignores the count.", "The problem is that `total` never multiplies by the count.", "The issue is in `total`. It doesn't multiply by the count.", "You forgot to multiply by the count in `total`.", "You're not multiplying by the count.", "The loop in `total` only adds the price.", "The count is missing from the sum.", "Looks like `total` is missing the count.", "That's because each price is added once.", ORDER, "Try this:", "Try the following:", "You could try this:", "One-line fix:", "It's a simple fix:", "It's a one-line change:", "Only one line changes:", "Sure.", "Done.", "Of course!", "You're right, sorry about that.", "Here it is.", "See below.", "This version multiplies by the count:", "This handles counts:", "Now it handles counts:", "Solution:", "Using the count:", "One way to do this:", "You can multiply by the count:", "I would multiply by the count:", "I'd go with:", "How about:", "Here's how I'd write it:", "Here's what I came up with:", "The idiomatic way is:", "Du musst mit der Anzahl multiplizieren:", "Die Anzahl fehlt in der Summe:", "Il faut multiplier par la quantité :", "Hay que multiplicar por la cantidad:"];
const OTHERS = ["I wouldn't do this.", "For comparison, a version with counts.", "The upstream fix:", "A naive fix:", "Don't try this:", "People often try this:", "I tried this version. It never worked.", "Your colleague never forgot the count.", "You don't have to change anything.", "The count isn't needed if there is one of each.", "Suppose the count is missing.", "This would never compile.", "An alternative doesn't need the count.", "Your old version never ignored the count.", "It doesn't matter whether you multiply.", "Some people never write the loop.", "Here's an example of a version that isn't right.", "For example, with counts:", "If you want counts too:", "The compiler turns it into:", "Under the hood it does this:", "In the future you could add counts:", "A more advanced version:", "My project has:", "You have:", "You wrote:", "Your function:", "Look at this loop:", "Let's trace the loop:", "Here's the problem:", "Your bug:", "Where it goes wrong:", "Someone else wrote:", "My first attempt:", "From your repository:", "As posted:", "Before the change:", "I'm not sure about this.", "Usage:", "To call it:", "Instead of:", "This doesn't compile:", "The slow version:", "Django does it differently.", "Should I multiply by the count?"];

const joined = (...parts: ReadonlyArray<readonly string[]>): string => `${parts.flat().join("\n")}\n`;

test.each(FORMS)("$path", async ({ path, mark, head, lines, line, now, end, begin }) => {
  const shown = (one: string): string => joined([head], lines, [one], end);
  const [before, after] = [line, now].map((one) => joined(begin, [head], lines, [one], end)) as [string, string];
  const answer = (told: string, code: string): string => `${told}\n\n\`\`\`${/\w+$/.exec(path)?.[0]}\n${code}\`\`\`\n`;
  for (const told of TOLD) {
    expect(await answered(path, before, answer(told, shown(now))), told).toBe(after);
    // What only has a remark is the old code, unless it is ordered.
    if (!told.toLowerCase().endsWith("multiply by the count:")) expect(await answered(path, before, answer(told, shown(`${line} ${mark} no count`))), told).toBe(before);
  }
  for (const told of TOLD.slice(0, 10)) {
    // What leaves lines out, or stands twice, is none of the project.
    const short = joined([head], [now.replace(/^\s+/, /^\s*/.exec(lines[0])?.[0] ?? "")], end.slice(1));
    expect(await answered(path, before, answer(told, short)), told).toBe(before);
    const used = answer(told, shown(now)) + `\nNot like this:\n\n${answer("", shown(now)).trim()}\n`;
    expect(await answered(path, before, used), told).toBe(before);
  }
  const fresh = head.replace(/items(?:: Item\[\])?/, "$&, rate = 1").replace("Total(", "Total(rate int");
  const changed = joined([fresh], lines, [now], end);
  expect(await answered(path, before, answer(ORDER, changed))).toBe(before.replace(shown(line), changed));
  // An import above it and a new function below it change nothing of that.
  const [above, below] = [path === "cart.ts" ? ["import { rate } from \"./rate\";", ""] : [], path.endsWith(".rb") ? ["", "def half(value)", "  value / 2", "end"] : []];
  const wide = joined(above, [head], lines, [now], end, below);
  expect(await answered(path, before, answer("Sure.", wide))).toBe(joined(begin.slice(0, 1), above.slice(0, 1), begin.slice(1), [head], lines, [now], end, below));
  for (const told of OTHERS) expect(await answered(path, before, answer(told, shown(now))), told).toBe(before);
});

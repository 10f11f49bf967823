import { findTea } from "./catalogue.js";

/** The price of an order, in cents: `[{ name: "Assam", grams: 200 }]`. */
export function calcTotal(lines) {
  let total = 0;
  for (const line of lines) {
    const tea = findTea(line.name);
    total += (tea.price * line.grams) / 100;
  }
  return total;
}

/** What the customer reads. */
export function receipt(lines) {
  const rows = lines.map((line) => `${line.grams} g ${line.name}`);
  return [...rows, `Total: ${calcTotal(lines) / 100} EUR`].join("\n");
}

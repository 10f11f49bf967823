/** JSON for people: what fits in 120 characters stands on one line, the rest is broken into one item a line. */
export function printJson(value: unknown, indent = ""): string {
  const flat = onOneLine(value);
  if (indent.length + flat.length <= 120 || typeof value !== "object" || value === null) return flat;
  const deeper = `${indent}  `;
  const items = Array.isArray(value)
    ? value.map((item: unknown) => printJson(item, deeper))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${printJson(item, deeper)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${items.map((item) => deeper + item).join(",\n")}\n${indent}${close}`;
}

function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${onOneLine(item)}`).join(", ")}}`;
}

let number = 0;

/** A NESL block of an action and its parameters. */
export function block(fields: Readonly<Record<string, string>>): string {
  number = (number + 1) % 46_000;
  const id = number.toString(36).padStart(3, "0");
  return [`#!nesl [@three-char-SHA-256: ${id}]`, ...Object.entries(fields).map(([key, value]) => `${key} = ${JSON.stringify(value)}`), `#!end_${id}`, ""].join("\n");
}

/** Answers of a model for tests of the commands. */

/** A block with quoted values. */
export function block(id: string, properties: Readonly<Record<string, string>>): string {
  const lines = Object.entries(properties).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  return [`#!nesl [@three-char-SHA-256: ${id}]`, ...lines, `#!end_${id}`, ""].join("\n");
}

export const write = (id: string, path: string, content: string): string => block(id, { action: "file_write", path, content });

import type { JsonSchema } from "./json-schema.ts";
import { code, table } from "./table.ts";

/** `docs/configuration.md`: every key of loaf.yml, from its schema. */
export function settingsDocument(schema: JsonSchema): string {
  return `# Configuration

Loaf reads \`loaf.yml\` in the project's root and, before it, \`~/.config/loaf/config.yml\` of the user, which has the same keys. Both are
optional, so is every key. An unknown key or a wrong type is an error, with its line and column, before anything runs. The file's
JSON Schema is \`loaf.schema.json\`: an editor that is given it completes keys and marks mistakes.

${table(["key", "value", "default", "meaning"], rowsOf(schema, ""))}
`;
}

function rowsOf({ properties = {} }: JsonSchema, prefix: string): string[][] {
  return Object.entries(properties).flatMap(([name, property]) => {
    const key = prefix + name;
    const own = [code(key), valueOf(property), defaultOf(property), property.description ?? ""];
    return [own, ...rowsOf(property, `${key}.`)];
  });
}

function valueOf({ type, const: only, enum: words, items }: JsonSchema): string {
  if (only !== undefined) return code(JSON.stringify(only));
  if (words !== undefined) return words.map((word) => code(String(word))).join(" or ");
  if (type === "array") return `list of ${items?.type ?? "value"}s`;
  return type === "object" ? "keys" : (type ?? "");
}

/** A part of the file has the defaults of its keys. */
function defaultOf({ type, default: value }: JsonSchema): string {
  return value === undefined || type === "object" ? "" : code(JSON.stringify(value));
}

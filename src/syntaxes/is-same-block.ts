import type { ReadText } from "../core/block.ts";

/** Returns whether a text was read as exactly one block with these properties. */
export function isSameBlock({ items, fatal }: ReadText, properties: Readonly<Record<string, string>>): boolean {
  const [item] = items;
  if (fatal !== undefined || items.length !== 1 || item === undefined || !("block" in item) || item.diagnostics.length > 0) return false;
  const names = Object.keys(item.block.properties);
  return names.length === Object.keys(properties).length && names.every((name) => item.block.properties[name] === properties[name]);
}

/**
 * A value without the object keys that the pattern does not name, so that it equals the pattern where it holds all the pattern
 * asks for. Lists keep all their items: one too many is a difference.
 */
export function reduceTo(pattern: unknown, value: unknown): unknown {
  if (Array.isArray(pattern) && Array.isArray(value)) return value.map((item, index) => (index in pattern ? reduceTo(pattern[index], item) : item));
  if (!isObject(pattern) || !isObject(value)) return value;
  return Object.fromEntries(Object.keys(pattern).filter((key) => key in value).map((key) => [key, reduceTo(pattern[key], value[key])]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

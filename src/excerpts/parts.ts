/** The declarations of a file, with those around them. */
import type { Kind, Part } from "../addresses/part.ts";

/** A declaration of the file, with those around it. */
export interface Found {
  readonly part: Part;
  readonly around: readonly Part[];
}

export function everyPart(parts: readonly Part[], around: readonly Part[] = []): Found[] {
  return parts.flatMap((part) => [{ part, around }, ...everyPart(part.children, [...around, part])]);
}

export function nameOf({ part, around }: Found): string {
  return [...around.filter(({ kind }) => !GROUPS.has(kind)), part].map(({ name }) => name).join(".");
}

/** A function in a type is a method in some grammars, and a function in others. */
export function kindOf(kind: Kind): string {
  return ["function", "method", "constructor"].includes(kind)
    ? "function"
    : ["constant", "variable", "field", "property"].includes(kind)
      ? "value"
      : kind;
}

export const LEAVES: ReadonlySet<Kind> = new Set<Kind>(["field", "property", "item"]);
export const GROUPS: ReadonlySet<Kind> = new Set<Kind>(["namespace", "module"]);
export const CONTAINERS: ReadonlySet<Kind> = new Set<Kind>([
  "class",
  "impl",
  "interface",
  "trait",
  "namespace",
  "module",
  "key",
  "record",
  "enum",
  "struct",
]);

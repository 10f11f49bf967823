/** The declarations of a file, with those around them. */
import { type Kind, type Part, textBeside } from "../addresses/part.ts";
import { type Span, wholeLines } from "./text.ts";
import { isHole } from "./placeholders/hole.ts";

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

/**
 * Returns what a declaration may become without another name: a function in a type is a method in some grammars, and a
 * function in others; an interface may become a type.
 */
export function kindOf(kind: Kind): string {
  return FAMILIES.find(([, kinds]) => kinds.includes(kind))?.[0] ?? kind;
}

const FAMILIES: ReadonlyArray<readonly [family: string, kinds: readonly Kind[]]> = [
  ["function", ["function", "method", "constructor"]],
  ["value", ["constant", "variable", "field", "property"]],
  ["type", ["class", "enum", "interface", "record", "struct", "trait", "type", "union"]],
];

/** Returns the lines of a part that none of its members has, trimmed, without what separates those. */
export function linesBeside(text: string, part: Part): readonly string[] {
  return textBeside(text, part)
    .split("\n")
    .map((line) => line.trim().replace(/^[,;]\s*/, ""));
}

/** Returns a part with the indentation of its first line. */
export function linesOf(text: string, part: Span): string {
  const { start, end } = wholeLines(text, part);
  // A placeholder above it is a comment for the grammar.
  const lines = text.slice(start, end).split("\n");
  return lines
    .slice(
      Math.max(
        0,
        lines.findIndex((line) => line.trim() !== "" && !isHole(line)),
      ),
    )
    .join("\n");
}

/** Returns whether a declaration may have others in it, or statements. */
export function hasBody({ kind }: Pick<Part, "kind">): boolean {
  return FUNCTIONS.has(kind) || CONTAINERS.has(kind);
}

/** Returns whether a declaration stands apart from others: it has a body, or is a section. */
export function standsApart(part: Pick<Part, "kind">): boolean {
  return hasBody(part) || part.kind === "section";
}

/** What has a body. */
export const FUNCTIONS: ReadonlySet<Kind> = new Set<Kind>(["function", "method", "constructor"]);
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
  "table",
  "rule",
]);

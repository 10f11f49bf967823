/** The indentation difference between a file's lines and a quotation, the same for all lines. In plain characters. */
export interface Shift {
  readonly kind: "added" | "removed";
  readonly by: string;
}

export const NO_SHIFT: Shift = { kind: "added", by: "" };

/**
 * Returns the difference between two indentations, or undefined if neither ends with the other. Never converts tabs to
 * spaces.
 */
export function shiftBetween(quoted: string, actual: string): Shift | undefined {
  if (actual.endsWith(quoted)) return { kind: "added", by: actual.slice(0, actual.length - quoted.length) };
  return quoted.endsWith(actual) ? { kind: "removed", by: quoted.slice(0, quoted.length - actual.length) } : undefined;
}

/** Returns an indentation after a shift, or undefined if it has less than the shift removes. */
export function shifted(indent: string, { kind, by }: Shift): string | undefined {
  if (kind === "added") return by + indent;
  return indent.startsWith(by) ? indent.slice(by.length) : undefined;
}

export function isSameShift(one: Shift, other: Shift): boolean {
  return one.by === other.by && (one.by === "" || one.kind === other.kind);
}

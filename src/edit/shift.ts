/** By what a file's lines are indented more than those of a quotation, or less: all by the same. In plain characters. */
export interface Shift {
  readonly kind: "added" | "removed";
  readonly by: string;
}

export const NO_SHIFT: Shift = { kind: "added", by: "" };

/** What makes one indentation of another; undefined where neither ends with the other one. Tabs and spaces are never exchanged. */
export function shiftBetween(quoted: string, there: string): Shift | undefined {
  if (there.endsWith(quoted)) return { kind: "added", by: there.slice(0, there.length - quoted.length) };
  return quoted.endsWith(there) ? { kind: "removed", by: quoted.slice(0, quoted.length - there.length) } : undefined;
}

/** An indentation after a shift; undefined where there is not so much to take away. */
export function shifted(indent: string, { kind, by }: Shift): string | undefined {
  if (kind === "added") return by + indent;
  return indent.startsWith(by) ? indent.slice(by.length) : undefined;
}

export function isSameShift(one: Shift, other: Shift): boolean {
  return one.by === other.by && (one.by === "" || one.kind === other.kind);
}

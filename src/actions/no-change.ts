import type { Outcome } from "../core/outcome.ts";

/** Warns if a replacement succeeds without an effect. The model has probably quoted the wrong one of two texts. */
export function warnOfNoChange(oldText: string, newText: string): Pick<Outcome, "warnings"> {
  return oldText === newText ? { warnings: ["nothing changed: new_text is old_text"] } : {};
}

export function countReplacements(count: number): string {
  return count === 1 ? "1 replacement" : `${count} replacements`;
}

import type { Outcome } from "../core/outcome.ts";

/** What to say where a replacing succeeds, and leaves everything as it was: the model has probably quoted the wrong one of two texts. */
export function warnOfNoChange(oldText: string, newText: string): Pick<Outcome, "warnings"> {
  return oldText === newText ? { warnings: ["nothing changed: new_text is old_text"] } : {};
}

export function countReplacements(count: number): string {
  return count === 1 ? "1 replacement" : `${count} replacements`;
}

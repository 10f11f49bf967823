import type { DiagnosticCode } from "../core/block.ts";
import type { Finding } from "../core/finding.ts";
import { namedFew } from "../core/visible.ts";

/** Reports edits that are not run. Returns nothing if there are none. */
export function foreignEdits(lines: readonly number[], what: string, request: string): Finding[] {
  const [line] = lines;
  const message = `${listed(lines)}: ${what}`;
  return line === undefined ? [] : [{ code: "answer/foreign-edit", line, message, request }];
}

/** Names lines in a sentence: `line 5`, `lines 5 and 7`. */
export function listed(lines: readonly number[]): string {
  const last = lines.at(-1) ?? 0;
  if (lines.length === 1) return `line ${last}`;
  if (lines.length > MAX_NAMED) return `lines ${namedFew(lines.map(String), MAX_NAMED)}`;
  return `lines ${lines.slice(0, -1).join(", ")} and ${last}`;
}

const MAX_NAMED = 4;

/** Returns the index of the quote that closes the one at an index, with `\` before what is escaped; -1 if none does. */
export function closingQuote(line: string, open: number): number {
  for (let at = open + 1; at < line.length; at++) {
    if (line[at] === line[open]) return at;
    if (line[at] === "\\") at += 1;
  }
  return -1;
}

/** An error in one line, with offsets from its start. The parser turns it into a `Diagnostic`. */
export interface Fault {
  readonly code: DiagnosticCode;
  readonly message: string;
  /** 0-based, in UTF-16 units like `length`. */
  readonly at: number;
  readonly length: number;
}

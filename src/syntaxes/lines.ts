import type { DiagnosticCode } from "../core/block.ts";
import type { Finding } from "../core/finding.ts";

/** Reports edits that are not run. Returns nothing if there are none. */
export function foreignEdits(lines: readonly number[], what: string, request: string): Finding[] {
  const [line] = lines;
  const message = `${listed(lines)}: ${what}`;
  return line === undefined ? [] : [{ code: "answer/foreign-edit", line, message, request }];
}

/** Names lines in a sentence: `line 5`, `lines 5 and 7`. */
export function listed(lines: readonly number[]): string {
  const named = lines.slice(0, MAX_NAMED);
  const more = lines.length - named.length;
  if (more > 0) return `lines ${named.join(", ")} and ${more} more`;
  const last = named.at(-1) ?? 0;
  return named.length === 1 ? `line ${last}` : `lines ${named.slice(0, -1).join(", ")} and ${last}`;
}

const MAX_NAMED = 4;

/** An error in one line, with offsets from its start. The parser turns it into a `Diagnostic`. */
export interface Fault {
  readonly code: DiagnosticCode;
  readonly message: string;
  /** 0-based, in UTF-16 units like `length`. */
  readonly at: number;
  readonly length: number;
}

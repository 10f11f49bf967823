/** Hints on errors of a syntax that depend on nothing but their kind, and findings of damage. */
import { type Diagnostic, type DiagnosticCode, isBlock, type ReadBlock, type ReadText } from "../core/block.ts";
import type { Finding } from "../core/finding.ts";
import type { Source } from "./source.ts";
import type { NearLine, Syntax } from "./syntax.ts";
import { namedFew } from "../core/visible.ts";

/**
 * Makes the hints of a syntax from sentences without a full stop.
 *
 * @param otherwise for all other errors: what a right block looks like
 */
export function adviseBy(
  sentences: { readonly [Code in DiagnosticCode]?: string },
  otherwise: string,
): Syntax["advise"] {
  return (diagnostics) =>
    diagnostics.map(({ code, line }: Diagnostic) =>
      (sentences[code] ?? COMMON[code] ?? otherwise).replaceAll("LINE", `line ${line}`),
    );
}

/** For the errors of all syntaxes. */
const COMMON: { readonly [Code in DiagnosticCode]?: string } = {
  WITHDRAWN: "if the edit is meant, send it again without that sentence",
  SEVERAL_TEXTS: "send the one that is meant alone",
};

/** @param what ends the sentence that begins with `line 3 is` or `lines 3 and 5 are` */
export function nearMarker(name: string, what: string, request: string): NearLine {
  return {
    name,
    finding: (lines) => ({
      code: "answer/near-marker",
      line: lines[0] ?? 0,
      message: `${listed(lines)} ${lines.length === 1 ? "is" : "are"} ${what}: read as prose, and nothing there was run`,
      request,
    }),
  };
}

/** What is said of a block that a text ends in. */
interface CutOffWords {
  /** Ends the sentence that begins with `the answer ends inside`. */
  readonly inside: string;
  readonly request: string;
}

/** Returns what finds the block that a text ends in, if it was never closed. Those before it run. */
export function cutOffIn(wordsOn: (open: ReadBlock, read: ReadText) => CutOffWords, openIn = openBlock) {
  return (source: Source, read: ReadText): Finding | undefined => {
    const open = openIn(source, read);
    if (open === undefined) return undefined;
    const { inside, request } = wordsOn(open, read);
    const message = `the answer ends inside ${inside}`;
    return { code: "answer/cut-off", line: open.startLine, blockId: open.id, message, request };
  };
}

/** @param end tells what did not happen to the block, and what may be missing */
export function cutOffWords(noun: string, end: string) {
  return ({ id }: ReadBlock): CutOffWords => ({
    inside: `${noun} ${id}, which was not ${end}`,
    request: `continue from ${noun} ${id}`,
  });
}

function openBlock({ text }: Source, { items }: ReadText): ReadBlock | undefined {
  const last = items.findLast(isBlock);
  return last === undefined || last.endLine !== null || last.span.end < text.trimEnd().length ? undefined : last;
}

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

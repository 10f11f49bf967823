/** Hints on errors of a syntax that depend on nothing but their kind, and findings of lines that are nearly its own. */
import type { Diagnostic, DiagnosticCode } from "../core/block.ts";
import type { Finding } from "../core/finding.ts";
import { listed } from "./lines.ts";
import type { Syntax } from "./syntax.ts";

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
      (sentences[code] ?? (code === "WITHDRAWN" ? IF_MEANT : otherwise)).replaceAll("LINE", `line ${line}`),
    );
}

const IF_MEANT = "if the edit is meant, send it again without that sentence";

/** @param what ends the sentence that begins with `line 3 is` or `lines 3 and 5 are` */
export function nearMarker(lines: readonly number[], what: string, request: string): Finding {
  return {
    code: "answer/near-marker",
    line: lines[0] ?? 0,
    message: `${listed(lines)} ${lines.length === 1 ? "is" : "are"} ${what}: read as prose, and nothing there was run`,
    request,
  };
}

/** Hints on errors of a syntax that depend on nothing but their kind. */
import type { Diagnostic, DiagnosticCode } from "../core/block.ts";
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
    diagnostics.map(({ code, line }: Diagnostic) => (sentences[code] ?? otherwise).replaceAll("LINE", `line ${line}`));
}

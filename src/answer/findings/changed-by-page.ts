/**
 * Recognises edits that the chat's page has changed: in a blockquote, or with HTML entities in place of `<` and `>`.
 * They are named and never run, because the page may have changed their text too.
 */
import { syntaxes } from "../../syntaxes/index.ts";
import type { NearLine, ReadSettings, Syntax } from "../../syntaxes/syntax.ts";
import { unifiedDiff } from "../../syntaxes/unified-diff/index.ts";
import { listed } from "../../syntaxes/lines.ts";

/** Returns what a line outside blocks was before the page changed it, if that begins a block of a syntax. */
export function changedByPage(
  line: string,
  settings: ReadSettings,
): { readonly of: Syntax; readonly near: NearLine } | undefined {
  const decoded = line.replace(/&[lg]t;/g, (entity) => (entity === "&lt;" ? "<" : ">"));
  const plain = decoded.replace(QUOTE, "");
  if (plain === line) return undefined;
  const of = syntaxes.find((syntax) =>
    syntax === unifiedDiff ? plain.startsWith("+++ ") : syntax.opens(plain, settings),
  );
  return of && { of, near: nearLine(of, decoded === line ? "quote" : "entities") };
}

const QUOTE = /^ {0,3}(?:> ?)+/;

function nearLine({ name, called }: Syntax, change: "quote" | "entities"): NearLine {
  const [how, sent] =
    change === "quote"
      ? ["in a blockquote", "outside a blockquote"]
      : ["with &lt; or &gt; in place of < or >", "as plain text"];
  return {
    name: `${change} of ${name}`,
    finding: (lines) => ({
      code: "answer/near-marker",
      line: lines[0] ?? 0,
      message: `${listed(lines)} ${lines.length === 1 ? "is" : "are"} in ${called}, but ${how}: read as prose, and nothing there was run`,
      request: `Send the edit again ${sent}, in a code fence; for the user: copy the answer with the chat's own button`,
    }),
  };
}

import type { CST, Lexer } from "yaml";

/**
 * Returns whether brackets, or the indicators of one line, open more levels than `most`.
 *
 * YAML's parser is recursive, its lexer is not. Near the end of the stack V8 may fail to compile a regular expression,
 * which ends the process: neither `catch` nor a worker contains that.
 */
export function isNestedTooDeeply(
  yaml: { readonly Lexer: typeof Lexer; readonly CST: typeof CST },
  text: string,
  most: number,
): boolean {
  let brackets = 0;
  let indicators = 0;
  for (const token of new yaml.Lexer().lex(text)) {
    const type = yaml.CST.tokenType(token);
    if (type === "newline") indicators = 0;
    else if (type === "flow-seq-start" || type === "flow-map-start") brackets += 1;
    else if (type === "flow-seq-end" || type === "flow-map-end") brackets = Math.max(0, brackets - 1);
    else if (brackets === 0 && (type === "seq-item-ind" || type === "explicit-key-ind" || type === "map-value-ind"))
      indicators += 1;
    if (brackets + indicators > most) return true;
  }
  return false;
}

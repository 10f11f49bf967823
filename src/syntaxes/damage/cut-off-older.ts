/** Detects an answer in CSL or the replacer's syntax that ends too early. */
import type { ReadText } from "../../core/block.ts";
import type { Finding } from "../../core/finding.ts";
import { isBlock } from "../read.ts";

/**
 * Finds the operation, block or marker that the text ends in. In CSL, nothing runs then; in the replacer's syntax, the
 * blocks before it do.
 */
export function cutOffOlder(text: string, { items, fatal }: ReadText): Finding | undefined {
  if (fatal === undefined) return cutOffReplacer(text, items);
  const { code, line, content, blockId } = fatal.diagnostic;
  const isLastLine = text.trimEnd().endsWith(content.trimEnd()) && !content.trimEnd().endsWith(">");
  if (code !== "UNTERMINATED_OPERATION" && !isLastLine) return undefined;
  const where = code === "UNTERMINATED_OPERATION" ? `inside the ${fatal.operation} operation that begins in line ${line}: it was cut off, or the line that ends it is missing` : "inside a marker: it was cut off";
  return {
    code: "answer/cut-off",
    line,
    ...(blockId !== null && { blockId }),
    message: `the answer ends ${where}; nothing of it was run`,
    request: "Send the whole answer again, in several parts if it is long: none of its operations was run",
  };
}

function cutOffReplacer(text: string, items: ReadText["items"]): Finding | undefined {
  const last = items.findLast(isBlock);
  if (last === undefined || last.block.endLine !== null || last.span.end < text.trimEnd().length) return undefined;
  const { id, startLine, properties } = last.block;
  const path = properties["path"]?.split("\n", 1)[0] ?? "";
  return {
    code: "answer/cut-off",
    line: startLine,
    blockId: id,
    message: `the answer ends inside ${id}, which was not run: it was cut off, or the line <<<END>>> is missing`,
    request: `continue from block ${id}${path === "" ? "" : `, the <<<FILE>>> of ${path}`}`,
  };
}

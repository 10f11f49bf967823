import { hash } from "node:crypto";
import type { Settings } from "../config/schema.ts";
import { type ReadBlock, isBlock } from "../core/block.ts";
import type { Finding } from "../core/finding.ts";
import { firstSentence, sentenceAbove } from "./first-words.ts";
import { readAnswer } from "./read-answer.ts";
import type { Format } from "../syntaxes/index.ts";
import { linesOf } from "../syntaxes/line-blocks.ts";
import type { FileWith } from "../syntaxes/syntax.ts";
import { resolve } from "./resolve.ts";

/** A block of a text, or an error outside any block, to be compared with those of another text. */
export interface AnswerItem {
  /** Hash of its content, including white space at line ends. */
  readonly hash: string;
  /** Whether a run would perform it. Other items are only reported. */
  readonly isAction: boolean;
  /** 1-based line on which it begins. */
  readonly line: number;
  /** The last sentence of prose between the item before it and this one. */
  readonly sentence?: string;
}

export interface AnswerItems {
  /** By their position, as in `ExecuteOptions.only`. */
  readonly items: readonly AnswerItem[];
  readonly findings: readonly Finding[];
  /** Whether the text ends within a block or its header, so that more may follow. */
  readonly isCutOff: boolean;
  /** As in `ExecutionResult`. */
  readonly readAs?: string;
  /** The first sentence of the answer's prose, if it has any above its first block. */
  readonly sentence?: string;
}

/**
 * Returns what a run of a text would perform, without running it.
 *
 * @param format syntax to read; detected if undefined
 */
export function answerItems(
  written: string,
  { root, settings, fileWith }: { readonly root: string; readonly settings: Settings; readonly fileWith?: FileWith },
  format?: Format,
): AnswerItems {
  const { text, items, findings, fatal, readAs } = readAnswer(written, {
    csl: settings.csl,
    format,
    fileWith,
    allowed: settings.syntaxes,
  });
  if (fatal !== undefined && items.length === 0)
    return {
      items: [{ hash: hashOf(written), isAction: false, line: fatal.diagnostic.line }],
      findings,
      isCutOff: fatal.diagnostic.code.startsWith("UNTERMINATED_"),
    };
  const [first, last] = [items[0], items.at(-1)];
  const sentence = first && firstSentence(text, linesOf(first).first);
  const lines = text.split("\n");
  return {
    items: items.map((item, index) => {
      const line = linesOf(item).first;
      const before = items[index - 1];
      const above = sentenceAbove(lines.slice(before === undefined ? 0 : linesOf(before).last, line - 1));
      const place = { line, ...(above !== undefined && { sentence: above }) };
      if (!isBlock(item)) return { hash: hashOf(`${item.code} ${item.content}`), isAction: false, ...place };
      const resolved = resolve(item, text, { root, relativePaths: settings.relative_paths });
      const isAction = "definition" in resolved;
      return { hash: hashOfBlock(item, text), isAction, ...place };
    }),
    findings,
    isCutOff:
      findings.some(({ code }) => code === "answer/cut-off") ||
      (last !== undefined && isBlock(last) && last.endLine === null),
    ...(readAs !== undefined && { readAs }),
    ...(sentence !== undefined && { sentence }),
  };
}

/**
 * Of its properties too, because the path of a block may be above its text.
 *
 * @param text the text that the block's span refers to
 */
function hashOfBlock({ span: { start, end }, properties }: ReadBlock, text: string): string {
  return hashOf(text.slice(start, end) + JSON.stringify(properties));
}

/** Different line endings, as from an editor, do not change a block. */
function hashOf(text: string): string {
  return hash("sha256", text.replaceAll("\r\n", "\n"), "base64url").slice(0, 22);
}

import { createHash } from "node:crypto";
import type { Settings } from "../../config/schema.ts";
import type { ReadBlock } from "../../core/block.ts";
import type { Finding } from "../../core/finding.ts";
import { readAnswer } from "../../syntaxes/answer.ts";
import type { Format } from "../../syntaxes/format.ts";
import { isBlock } from "../../syntaxes/read.ts";
import { resolve } from "./resolve.ts";

/** A block of a text, or something wrong outside of any, to be compared with those of another text. */
export interface AnswerItem {
  /** Of what it says; white space at the ends of its lines does count. */
  readonly hash: string;
  /** Whether a run would perform it; the others are reported. */
  readonly isAction: boolean;
  /** Whether that would change files. */
  readonly isEdit: boolean;
}

export interface AnswerItems {
  /** By their position, which `ExecuteOptions.only` takes. */
  readonly items: readonly AnswerItem[];
  readonly findings: readonly Finding[];
  /** Whether it ends within a block, or its header: more of it may be to come. */
  readonly isCutOff: boolean;
}

/**
 * What there is to run in a text, without running it.
 *
 * @param format the syntax to read; without it the text tells
 */
export function answerItems(written: string, { root, settings }: { readonly root: string; readonly settings: Settings }, format?: Format): AnswerItems {
  const { text, items, findings, fatal } = readAnswer(written, { csl: settings.csl, format });
  if (fatal !== undefined) return { items: [{ hash: hashOf(written), isAction: false, isEdit: false }], findings, isCutOff: fatal.diagnostic.code.startsWith("UNTERMINATED_") };
  const last = items.at(-1);
  return {
    items: items.map((item) => {
      if (!isBlock(item)) return { hash: hashOf(`${item.code} ${item.content}`), isAction: false, isEdit: false };
      const resolved = resolve(item, text, { root, relativePaths: settings.relative_paths });
      const isAction = "definition" in resolved;
      return { hash: hashOfBlock(item, text), isAction, isEdit: isAction && resolved.definition.effect !== undefined };
    }),
    findings,
    isCutOff: findings.some(({ code }) => code === "answer/cut-off") || (last !== undefined && isBlock(last) && last.block.endLine === null),
  };
}

/** @param text the one that the block's span is of */
export function hashOfBlock({ span: { start, end } }: ReadBlock, text: string): string {
  return hashOf(text.slice(start, end));
}

/** An editor that saves with other line endings changes nothing of what a block says. */
function hashOf(text: string): string {
  return createHash("sha256").update(text.replaceAll("\r\n", "\n")).digest("base64url").slice(0, 22);
}

/**
 * Remembers the blocks of answers that ran, so that the same answer is recognised when it is copied or pasted again.
 */
import type { AnswerItem } from "../../answer/answer-items.ts";
import { tryOr } from "../../core/errors.ts";
import { readStateJson, writeStateFile } from "../../state/state-file.ts";

type Item = Pick<AnswerItem, "hash" | "isAction">;

interface RanAnswer {
  /** ISO 8601. */
  readonly at: string;
  /** Hashes of its actions. */
  readonly blocks: readonly string[];
}

const FILE = "answers";

/** Maximum number of blocks to remember in all, without those of the last answer. */
const MAX_BLOCKS = 2_000;

/**
 * Returns when a text last ran: when an answer ran that has all of its actions, whatever text is around them. Undefined
 * if there is none, or the text has no action. Blocks of several answers are a new one: a second `npm test` must run.
 */
export function whenRan(root: string, items: readonly Item[]): Date | undefined {
  const blocks = actionsAmong(items);
  if (blocks.length === 0) return undefined;
  const earlier = answersOf(root).find((answer) => {
    const there = new Set(answer.blocks);
    return blocks.every((block) => there.has(block));
  });
  return earlier && new Date(earlier.at);
}

/** Never throws: the report on the answer has to follow. */
export function rememberAnswer(root: string, items: readonly Item[], at = new Date()): void {
  const blocks = actionsAmong(items);
  if (blocks.length === 0) return;
  const kept: RanAnswer[] = [{ at: at.toISOString(), blocks }];
  let room = MAX_BLOCKS;
  for (const answer of answersOf(root)) {
    room -= answer.blocks.length;
    if (room < 0) break;
    // The same answer again replaces its earlier entry.
    if (answer.blocks.join() !== blocks.join()) kept.push(answer);
  }
  tryOr(() => writeStateFile(root, FILE, JSON.stringify(kept)), undefined);
}

function actionsAmong(items: readonly Item[]): string[] {
  return items.filter(({ isAction }) => isAction).map(({ hash }) => hash);
}

/** Newest first. */
function answersOf(root: string): readonly RanAnswer[] {
  const answers = readStateJson(root, FILE);
  return Array.isArray(answers) ? answers.filter(isRanAnswer) : [];
}

function isRanAnswer(value: unknown): value is RanAnswer {
  const { at, blocks } = Object(value) as Partial<RanAnswer>;
  return !Number.isNaN(Date.parse(at ?? "")) && Array.isArray(blocks);
}

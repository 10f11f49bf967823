/** What the passages of an answer tell of one another. */
import { removalWords } from "../removed-names.ts";
import { type FencePassage, type Passage, proseOf } from "./passages.ts";
import { isOption, isOther } from "./words.ts";

export interface Survey {
  /** Whether it has one fence that holds no commands. */
  readonly isOnly: boolean;
  /** Whether several sentences show ways to choose from. */
  readonly hasOptions: boolean;
  /** Whether a sentence shows another way than the one above it. */
  readonly hasOther: boolean;
  /** Returns words of the sentences that remove something, from anywhere and from what a fence shows. */
  readonly removedBeside: (fence: FencePassage) => string;
}

export function surveyOf(passages: readonly Passage[]): Survey {
  const { common, beside } = proseOf(passages);
  const anywhere = removalWords(common);
  const prose = passages.filter((passage) => passage.kind === "prose");
  return {
    isOnly: passages.filter((passage) => passage.kind === "fence" && !passage.isCommand).length === 1,
    hasOptions: prose.filter(({ text }) => isOption(text)).length > 1,
    hasOther: prose.some(({ text }) => isOther(text)),
    removedBeside: (fence) => `${anywhere} ${removalWords(beside(fence))}`.trim(),
  };
}

/** Returns whether nothing but "and" stands between a passage and the fence above it. */
export function isJoined(passages: readonly Passage[], index: number): boolean {
  const above = passages[index - 1];
  return above?.kind === "prose" && JOINS.test(above.text) && passages[index - 2]?.kind === "fence";
}

const JOINS = /^(?:and|et|plus|und|y)(?: (?:also|then))?[:,]?$/i;

/** What the page can ask the server for: the parameters, checked when they arrive, and the answers. */
import * as z from "zod/mini";
import type {
  AnswerView,
  FileView,
  FilesView,
  DiffLine,
  OutlinePart,
  PartsView,
  PastRunView,
  ReversalView,
  TriedView,
} from "./protocol.ts";

/** What the user takes of each item, by its position: all of it, or the hunks with these IDs. */
const choice = z.record(z.string(), z.union([z.literal("all"), z.array(z.string())]));
/** On a line as the page shows it, or on a whole item: then the line is 0. */
const comment = z.object({
  position: z.int(),
  path: z.string(),
  hunk: z.optional(z.string()),
  quote: z.string(),
  line: z.int(),
  side: z.enum(["old", "new"]),
  text: z.string(),
});
/** Names the answer. */
const key = z.string();
const position = z.int();
const run = z.int();
const reversal = z.object({ run, kind: z.enum(["undo", "redo"]) });

export const PARAMETERS = {
  take: z.object({ text: z.string() }),
  preview: z.object({ key, choice }),
  lines: z.object({ key, position, path: z.string(), from: z.int(), to: z.int(), shift: z.int() }),
  try: z.object({ key, position, choice }),
  useAs: z.object({ key, line: z.int(), path: z.string() }),
  /** `again`: whether to make edits that earlier runs made. */
  run: z.object({ key, digest: z.string(), choice, comments: z.readonly(z.array(comment)), again: z.boolean() }),
  answer: z.object({ id: z.int(), value: z.string() }),
  stop: z.object({}),
  instructions: z.object({}),
  history: z.object({}),
  diff: z.object({ run }),
  foresee: reversal,
  reverse: reversal,
  files: z.object({}),
  outline: z.object({ path: z.string() }),
  tick: z.object({ path: z.string(), on: z.boolean() }),
  context: z.object({ tokens: z.optional(z.int()), instructions: z.boolean() }),
};

export interface Answers {
  /** Null if the text holds no answer, or is shown already. */
  take: AnswerView | null;
  preview: AnswerView | null;
  lines: readonly DiffLine[];
  try: TriedView;
  useAs: AnswerView | null;
  /** The run itself sends events. */
  run: true;
  /** Whether a question with this ID was open. */
  answer: boolean;
  stop: null;
  instructions: PartsView;
  history: readonly PastRunView[];
  diff: readonly FileView[];
  foresee: ReversalView;
  reverse: ReversalView;
  files: FilesView;
  outline: readonly OutlinePart[];
  /** The entries of the context set. */
  tick: readonly string[];
  context: PartsView;
}

export type RequestName = keyof Answers & keyof typeof PARAMETERS;
export type RequestBody<Name extends RequestName> = z.output<(typeof PARAMETERS)[Name]>;
export type Choice = z.output<typeof choice>;
export type Comment = z.output<typeof comment>;

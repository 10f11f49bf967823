import type { AnyAction, ExecSettings } from "../actions/define.ts";
import { actions } from "../actions/index.ts";
import { type Delimiters, DELIMITERS } from "../syntaxes/csl/marker.ts";
import { syntaxNamed, type TaughtFormat } from "../syntaxes/index.ts";
import { printBlock } from "../syntaxes/nesl/teach.ts";
import type { Lesson, TaughtAction } from "../syntaxes/syntax.ts";
import { parametersOf } from "./parameters.ts";

export interface InstructionOptions {
  /** The project's absolute root. */
  readonly root: string;
  /** Whether paths are relative to the root. In CSL and the replacer's syntax they always may be. */
  readonly relativePaths: boolean;
  /** Whether written files always end with a newline. */
  readonly endsWithNewline?: boolean | undefined;
  /** Names of the allowed actions; undefined allows all. */
  readonly allowedActions: readonly string[] | undefined;
  /** The syntax to teach, by default NESL. */
  readonly syntax?: TaughtFormat | undefined;
  /** Whether to shorten the instructions as far as possible. Only for NESL. */
  readonly isShort?: boolean | undefined;
  /** What the settings allow commands. Anything else is not taught. */
  readonly exec?: ExecSettings | undefined;
  readonly csl?: Delimiters | undefined;
}

/** For a chat that should answer in its own way. At most 60 tokens. */
export const PLAIN_INSTRUCTIONS = `Answer as you like. Put each file's path alone on the line above its code fence.
Show whole functions or whole files, and abbreviate nothing inside a function.
Say where new code belongs, and what to delete.
`;

/** Returns the text to give to a model at the start of a chat, so that it answers in blocks that run. */
export function instructions({
  root,
  relativePaths,
  allowedActions,
  syntax = "nesl",
  exec,
  csl = DELIMITERS,
  ...options
}: InstructionOptions): string {
  const allows = (name: string): boolean => allowedActions === undefined || allowedActions.includes(name);
  const lesson: Lesson = {
    root,
    relativePaths,
    endsWithNewline: options.endsWithNewline === true,
    isShort: options.isShort === true,
    mayRunCommands: allows("run_commands"),
    actions: actions.filter(({ name }) => allows(name)).flatMap((action) => taught(action, exec)),
    csl,
  };
  return syntaxNamed(syntax).teach?.(lesson) ?? "";
}

/** Returns nothing if the settings allow nothing of the action. One rule teaches `base` for all edits. */
function taught(action: (typeof actions)[number], exec: ExecSettings | undefined): TaughtAction[] {
  const summary = action.summaryUnder === undefined || exec === undefined ? action.summary : action.summaryUnder(exec);
  if (summary === undefined) return [];
  const { name, notes = [], needs } = action;
  const example = (root: string): Readonly<Record<string, string>> => exampleProperties(action, root);
  const parameters = parametersOf(action).filter((parameter) => parameter.name !== "base");
  return [{ name, summary, notes, parameters, access: Object.values(needs).join(), example }];
}

/**
 * Returns an action's example as a NESL block.
 *
 * @param root replaces the example's `/project`; empty for paths relative to the root
 */
export function exampleBlock(action: AnyAction, id: string, root: string): string {
  return printBlock(id, exampleProperties(action, root));
}

/** Like `exampleBlock`, but returns the block's properties. */
function exampleProperties({ name, example, needs }: AnyAction, root: string): Readonly<Record<string, string>> {
  const placed = Object.entries(example).map(([key, value]) => [key, key in needs ? place(value, root) : value]);
  return { action: name, ...Object.fromEntries(placed) };
}

function place(paths: string, root: string): string {
  const placed = (path: string) =>
    root === "" ? path.replace(/^\/project\/?/, "") || "." : path.replace(/^\/project/, () => root);
  return paths.split("\n").map(placed).join("\n");
}

import type { Failure } from "../core/failure.ts";
import type { ActionResult, CheckResult, ExecutionResult, ParseError } from "../core/outcome.ts";
import type { Finding } from "../core/finding.ts";
import type { LineCounts, Progress } from "../core/progress.ts";
import { type ReadBlock, isBlock } from "../core/block.ts";
import { hashOfBlock } from "./answer/answer-items.ts";
import { ArrivingText } from "./answer/arriving-text.ts";
import { FailureHints } from "./answer/failure-hints.ts";
import { TailFinder } from "./answer/find-by-tail.ts";
import { placeGroup, rehearse } from "./answer/groups.ts";
import { KnownFiles } from "./answer/known-files.ts";
import type { Tree } from "../files/tree.ts";
import type { Guard } from "../guard/guard.ts";
import { yieldToEventLoopWhenDue, untilSignal } from "./in-time.ts";
import type { LineTally } from "./line-tally.ts";
import { type ContextFor, perform, withoutEffect } from "./perform.ts";
import { type Item, type Reading, type ReadingOptions, readWhole, refusedWhole } from "./answer/reading.ts";
import type { Advise } from "../syntaxes/answer.ts";
import { type Action, resolve, strayError } from "./answer/resolve.ts";
import { withWarnings } from "./syntax-check.ts";
import { readStructured, type StructuredAction } from "./answer/structured.ts";
import { type Selection, withChosenHunks } from "./selection.ts";
import { messageOf } from "../core/errors.ts";

/** An answer: a text, a text in pieces, or a list of actions. */
export type Input = string | AsyncIterable<string> | readonly StructuredAction[];

/**
 * Receives each result as it happens, perhaps before its changes are on the disk; and once more if it changed at the
 * end of the run: as failed if its changes could not be written, or with a warning of broken syntax. A returned promise
 * is awaited.
 */
export type Listener = (result: ActionResult) => unknown;

/** What a run needs: the answer's limits, the project that its actions change, and those who decide or are told. */
export interface RunEnvironment extends Pick<ReadingOptions, "settings" | "format"> {
  /** Absolute. */
  readonly root: string;
  readonly only?: Selection | undefined;
  /** On abort, starts no more actions and reports the remaining ones as not run. */
  readonly signal?: AbortSignal | undefined;
  readonly project: RunProject;
  readonly approver: Approver;
  /** Edits that earlier runs made, if they are to be skipped. */
  readonly applied?: EarlierEdits | undefined;
  /** Tags what the actions show: after each action, and at the end. */
  readonly shown: {
    after(result: ActionResult): ActionResult;
    atEnd(results: readonly ActionResult[]): readonly ActionResult[];
  };
  /** Runs the checks of the configuration after all actions. */
  runChecks(): Promise<readonly CheckResult[]>;
  readonly onProgress?: ((step: Progress) => void) | undefined;
  readonly onEvent?: Listener | undefined;
}

/** The project as the actions of one run see and change it. */
export interface RunProject {
  readonly guard: Guard;
  readonly tree: Tree;
  readonly lines: Pick<LineTally, "take">;
  readonly contextFor: ContextFor;
  /** Returns a copy in which groups are rehearsed. Its changes reach nobody else. */
  rehearsal(): Pick<RunProject, "contextFor">;
  /** Whether so many changes are pending that they should be flushed before the end. */
  isFull(): boolean;
  /** Flushes the changes since the last flush. Returns the failures of actions, by their position. */
  flush(): Promise<ReadonlyMap<number, Failure>>;
  /** Flushes for the last time. Discards the changes instead if an atomic run has failed. */
  finish(isWhole: boolean): Promise<ReadonlyMap<number, Failure>>;
  /** Returns warnings about the changed files, by the position of the action. */
  syntaxWarnings(): Promise<ReadonlyMap<number, readonly string[]>>;
}

/** Decides about the actions of a run, mostly by asking somebody. */
export interface Approver {
  /** Returns the action, unchanged or refused. */
  approve(action: Action): Action | Promise<Action>;
  /** Shows the errors of an invalid block in its place. */
  showErrors(errors: readonly ParseError[]): Promise<void>;
  /** Whether somebody decided that nothing more should run. */
  readonly isStopped: boolean;
}

export interface EarlierEdits {
  /** Returns the run that already made an edit, by the hash of its block. Undefined if it is to be made. */
  take(hash: string): number | undefined;
}

export interface Ran {
  readonly result: ExecutionResult;
  /** Block hashes of its successful edits. */
  readonly edits: readonly string[];
  /** The first words of its answer. */
  readonly words?: string | undefined;
}

/**
 * The pipeline: reads, resolves and performs each block in order. A failure is data in the result and stops nothing.
 * Only a text beyond the limits is refused entirely.
 */
export async function run(input: Input, environment: RunEnvironment): Promise<Ran> {
  const { root, settings, project, approver, onEvent, onProgress, signal } = environment;
  const reading = open(input, environment);
  if (typeof reading === "string") return { result: refusedWhole(reading), edits: [] };
  const isWhole = typeof input === "string" || isList(input);
  const known = new KnownFiles(project, root);
  const tails = new TailFinder(known, root);
  const hints = new FailureHints(known, root);
  const hintOn = (failure: Failure): string | undefined => hints.hintOn(failure);
  const resolving = { root, relativePaths: settings.relative_paths, allowed: settings["allowed-actions"] };
  const results: ActionResult[] = [];
  /** Hashes of the edits made, by position. */
  const hashes = new Map<number, string>();
  const parseErrors: ParseError[] = [];
  let omitted = 0;
  let eventError: string | undefined;
  let found = 0;
  for await (const { group, positions, text: answer, advise } of reading.groups()) {
    tellFindings(reading.findings, lineOf(group[0]));
    const resolved = group.map((item, index) =>
      isBlock(item)
        ? resolveItem(item, { answer, advise, position: positions[index] ?? 0 })
        : [strayError(item, advise)],
    );
    for (const one of group.length > 1 && signal?.aborted !== true ? await rehearsed(resolved) : resolved) {
      if (!("definition" in one)) {
        for (const error of one) {
          if (parseErrors.length < MAX_PARSE_ERRORS) parseErrors.push(error);
          else omitted += 1;
        }
        await approver.showErrors(one);
        onProgress?.({ kind: "invalid", errors: one });
        continue;
      }
      const performed = await performNext(one);
      hints.after(performed);
      results.push(environment.shown.after(performed));
      await notify(results.at(-1) as ActionResult, project.lines.take());
      // The sender of a text in pieces may look at the files before the next piece.
      if (!isWhole || project.isFull()) await markFailed(await project.flush());
    }
  }
  if (omitted > 0)
    parseErrors.push({
      blockId: "unknown",
      errorType: "syntax",
      message: `${omitted} more errors in the text`,
      blockStartLine: parseErrors.at(-1)?.blockStartLine ?? 1,
      neslContent: "",
    });
  const { refusal, interrupted, totalBlocks, findings, readAs } = reading;
  tellFindings(findings, Infinity);
  if (refusal !== undefined) return { result: refusal, edits: [] };
  const isDone = interrupted === undefined && parseErrors.length === 0 && results.every((result) => result.success);
  await markFailed(await project.finish(isDone));
  if (signal?.aborted !== true) await warnOfSyntax();
  const checks = signal?.aborted === true || approver.isStopped ? [] : await environment.runChecks();
  return {
    result: {
      success: isDone && results.every((result) => result.success),
      totalBlocks,
      executedActions: results.filter(isExecuted).length,
      results: environment.shown.atEnd(results),
      parseErrors,
      ...(readAs !== undefined && { readAs }),
      ...(findings.length > 0 && { findings }),
      ...(interrupted !== undefined && { interrupted }),
      ...(checks.length > 0 && { checks }),
      ...(eventError !== undefined && { eventError }),
    },
    edits: results.flatMap(({ seq, success }) => (success ? (hashes.get(seq) ?? []) : [])),
    words: reading.words,
  };

  async function rehearsed(group: Parameters<typeof placeGroup>[0]): Promise<ReturnType<typeof placeGroup>> {
    return rehearse(placeGroup(group, (action) => tails.place(action)), project.rehearsal().contextFor);
  }

  /**
   * Marks actions as failed whose changes did not reach the disk. An action that already failed keeps its own reason.
   */
  async function markFailed(failures: ReadonlyMap<number, Failure>): Promise<void> {
    for (const [seq, failure] of failures) {
      const result = results[seq - 1];
      if (result?.success !== true) continue;
      const failed = withoutEffect(result, failure);
      results[seq - 1] = failed;
      await notify(failed);
    }
  }

  async function warnOfSyntax(): Promise<void> {
    for (const [seq, added] of await project.syntaxWarnings()) {
      const result = results[seq - 1];
      if (result === undefined) continue;
      const warned = withWarnings(result, added);
      results[seq - 1] = warned;
      await notify(warned);
    }
  }

  /** Tells of the findings above a line, once each. */
  function tellFindings(findings: readonly Finding[], line: number): void {
    for (let next = findings[found]; next !== undefined && next.line < line; next = findings[found]) {
      onProgress?.({ kind: "finding", finding: next });
      found += 1;
    }
  }

  /** A throwing listener stops nothing, because what was done must be in the result. */
  async function notify(result: ActionResult, lines?: LineCounts): Promise<void> {
    onProgress?.({ kind: "ended", result, ...(lines && { lines }) });
    if (eventError !== undefined) return;
    try {
      await onEvent?.(result);
    } catch (thrown) {
      eventError = `onEvent failed: ${messageOf(thrown)}`;
    }
  }

  function resolveItem(item: ReadBlock, { answer, advise, position }: ItemPlace): Action | readonly ParseError[] {
    const resolved = resolve(item, answer, { ...resolving, advise });
    if (!("definition" in resolved) || signal?.aborted === true) return resolved;
    const chosen = withChosenHunks(resolved, environment.only, position);
    // What was left out of a part may still come, so only a whole edit counts as applied.
    if (chosen !== resolved || resolved.definition.effect === undefined) return chosen;
    const hash = hashOfBlock(item, answer);
    return { ...resolved, hash, appliedIn: environment.applied?.take(hash) };
  }

  async function performNext(action: Action): Promise<ActionResult> {
    const seq = results.length + 1;
    const performed = (decided: Action): Promise<ActionResult> => perform(decided, seq, project.contextFor, hintOn);
    if (action.appliedIn !== undefined) return performed(action);
    if (action.hash !== undefined) hashes.set(seq, action.hash);
    await yieldToEventLoopWhenDue();
    if (signal?.aborted === true || approver.isStopped)
      return performed({ ...action, refusal: { failure: { code: "skip/stopped" } } });
    onProgress?.({
      kind: "started",
      action: { seq, blockId: action.block.id, action: action.definition.name, params: action.params },
    });
    return performed(await approver.approve(tails.place(action)));
  }
}

function lineOf(item: Item | undefined): number {
  return item === undefined ? 0 : isBlock(item) ? item.block.startLine : item.line;
}

function isExecuted({ code, appliedIn }: ActionResult): boolean {
  return appliedIn === undefined && code !== "skip/stopped" && code !== "skip/refused";
}

interface ItemPlace {
  readonly answer: string;
  readonly advise: Advise | undefined;
  /** In the whole text. */
  readonly position: number;
}

/** Aborted when no further action should start. */
export function stopSignal({
  signal,
  stop,
}: {
  readonly signal?: AbortSignal;
  readonly stop?: AbortSignal;
}): AbortSignal | undefined {
  return signal === undefined || stop === undefined ? (signal ?? stop) : AbortSignal.any([signal, stop]);
}

function isList(input: Input): input is readonly StructuredAction[] {
  return Array.isArray(input);
}

/** Starts to read an answer. Returns a sentence if nothing of it can run. */
function open(input: Input, environment: RunEnvironment): Reading | string {
  const { settings, format, only, signal } = environment;
  const options = { settings, format, wants: only && ((position: number) => only.has(position)) };
  if (isList(input)) return readStructured(input, options);
  if (typeof input === "string")
    return readUntilSignal(input, options) ?? "Stopped before the text was read: nothing was run";
  // A program without type checks may pass anything.
  if (input?.[Symbol.asyncIterator] !== undefined) return new ArrivingText(input, options, signal);
  return `The text must be a string, not ${input === null ? "null" : typeof input}: nothing was run`;
}

/** Returns undefined if Ctrl-C ended it. */
function readUntilSignal(text: string, options: ReadingOptions): Reading | undefined {
  const read = () => readWhole(text, options);
  return text.length < LONG ? read() : untilSignal(read);
}

/** UTF-16 units above which reading may take more than half a second. */
const LONG = 1_000_000;

/**
 * Further errors are only counted, because a text can have millions. The limit exceeds the maximum number of blocks.
 */
const MAX_PARSE_ERRORS = 20_000;

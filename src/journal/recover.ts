import * as fs from "node:fs";
import { dirname } from "node:path";
import { explain } from "../core/explain.ts";
import type { Refused } from "../core/history.ts";
import { removeLeftovers } from "./apply.ts";
import { type Attempted, Attempts, type Entry, isConflict } from "./attempts.ts";
import { carryOut, outcomeOf, type Ready } from "./carry-out.ts";
import { choosePins } from "../disk/choose-pins.ts";
import { commit, type CommitOptions, takeBack } from "./commit.ts";
import { doneIn, doneOperations, wholeBefore } from "./inverse.ts";
import type { IntentRecord, LoggedOutcome, MovedRecord, MovingRecord } from "./log-record.ts";
import { LogWriter } from "./log-writer.ts";
import type { Recovered } from "./recovered.ts";
import { PathMap } from "../paths/path-map.ts";
import type { Pins } from "../disk/pin.ts";
import { isUnfinished, listSequences, type Log, type LoggedGroup, logPath, readLog } from "./read-log.ts";
import { SharedNames } from "./shared-names.ts";
import { pathsOf } from "./split-groups.ts";
import { type Standing, standingOf } from "./standing.ts";
import { Syncing } from "./sync.ts";
import { refusalsOf, undoLog } from "./undo-log.ts";
import type { Staged } from "../disk/operation.ts";
import { attempt, systemError } from "../disk/system-error.ts";

/**
 * Finishes the run that a crash has interrupted, or takes it back; can itself be interrupted and run again. It looks only at the newest
 * log: whoever began a newer one has seen to the others. Throws a system error where it cannot; the next one tries again.
 *
 * @param folder of the project's logs
 */
export async function recover(folder: string, { pins = choosePins(), sequences = listSequences(folder), settle }: RecoverOptions = {}): Promise<Recovered[]> {
  for (const sequence of sequences.toReversed()) {
    const path = logPath(folder, sequence);
    const log = readLog(path);
    if (log !== undefined) {
      tidy(log, pins);
      return isUnfinished(log) ? [await recoverLog(log, pins, settle)] : [];
    }
    // Killed before it could say anything, and so before it did anything.
    if (fs.statSync(path).size === 0) attempt(() => fs.unlinkSync(path));
  }
  return [];
}

export interface RecoverOptions {
  readonly pins?: Pins;
  /** Of the logs, oldest first, where they were looked up. */
  readonly sequences?: readonly number[];
  /** Ends an interrupted undo, whose files are back, with what else belongs to it. */
  readonly settle?: Settle | undefined;
}

export type Settle = (begun: Log, note: (record: MovingRecord | MovedRecord) => void) => Promise<void>;

/** Removes what a run had no time to clean up after its last change. */
function tidy({ groups, end }: Log, pins: Pins): void {
  const last = groups.at(-1);
  if (end === undefined && last !== undefined) removeUnused(last, pins);
}

/** What is not in its place once a group is over is not needed any more. */
function removeUnused({ intents, outcomes, isDropped }: Pick<LoggedGroup, "intents" | "outcomes" | "isDropped">, pins: Pins): void {
  for (const [index, intent] of intents.entries()) {
    const isNotMade = isDropped || outcomes?.[index]?.failure !== undefined;
    if (isNotMade || (outcomes !== undefined && intent.aside !== undefined)) removeLeftovers(pins, intent);
  }
}

async function recoverLog(log: Log, pins: Pins, settle: Settle | undefined): Promise<Recovered> {
  const writer = LogWriter.resume(log);
  try {
    const { header } = log;
    const last = log.groups.at(-1) as LoggedGroup;
    const options: CommitOptions = { pins, log: writer, versions: new PathMap(), isAtomic: last.isAtomic, isReversal: header.kind === "undo", takesBack: false };
    const { outcomes, conflicts } = last.outcomes !== undefined || last.isDropped ? { ...last, conflicts: [] } : await resume(last, options);
    const groups = [...log.groups.slice(0, -1), { ...last, outcomes, isDropped: outcomes === undefined }];
    const goesOn = isUnfinished({ ...log, groups });
    const stayed = !goesOn ? conflicts.map(changedSince) : header.kind === "undo" ? await undoRest(readLog(log.file) ?? log, options, settle) : [...conflicts.map(changedSince), ...(await takeBackAll(groups, options))];
    const stands = doneOperations(readLog(log.file) ?? log);
    return {
      sequence: header.sequence,
      kind: header.kind,
      ...(header.of !== undefined && { of: header.of }),
      state: stands.length > 0 ? "done" : "undone",
      operations: stands.length,
      conflicts: [...new Map(stayed.map((one) => [one.path, one])).values()],
    };
  } finally {
    writer.close();
  }
}

/** Takes back the last group, and with it those that belong to it, or goes on with that. Yields what stays. */
async function takeBackAll(groups: readonly LoggedGroup[], options: CommitOptions): Promise<readonly Refused[]> {
  const first = groups.findLastIndex(({ takesBack }) => !takesBack) + 1;
  const back = groups.slice(first);
  const isAgain = back.at(-1)?.outcomes?.some(({ failure }) => failure !== undefined && !isConflict(failure)) === true;
  const failed = await takeBack(wholeBefore(groups, first).flatMap(doneIn), options, isAgain ? (back.at(-1)?.number ?? 0) : nextAfter(back), isAgain);
  throwTrouble(failed);
  return refusalsOf(failed, options.log.path);
}

/** What undo has to go on with somebody may have deleted. Throws a system error where it is there and cannot be read. */
function logIfThere(path: string): Log | undefined {
  return fs.existsSync(path) ? readLog(path) : undefined;
}

/** Goes on with an undo. Yields what stays. */
async function undoRest(begun: Log, options: CommitOptions, settle: Settle | undefined): Promise<readonly Refused[]> {
  const { root, of = 0 } = begun.header;
  const log = logIfThere(logPath(dirname(begun.file), of));
  const commitRest = async (staged: readonly Staged[]): Promise<readonly Entry[]> => {
    const entries = staged.map((one) => ({ ...one }));
    await commit(entries, options);
    return entries;
  };
  const { refused } = log === undefined ? lostWith(root, of) : await undoLog(log, { pins: options.pins, begun, commit: commitRest });
  const note = (record: MovingRecord | MovedRecord): void => {
    options.log.append(record);
    options.log.flush();
  };
  if (log !== undefined) await settle?.(begun, note);
  options.log.append({ type: "end", duration: 0, ...(log !== undefined && refused.length > 0 && { kept: refused.map(({ path }) => path) }) });
  options.log.flush();
  return refused;
}

function lostWith(root: string, run: number): { readonly refused: readonly Refused[] } {
  return { refused: [{ path: root, reason: `the log of run ${run} is gone, so that the rest of it cannot be taken back` }] };
}

function changedSince(path: string): Refused {
  return { path, reason: "it was changed since" };
}

/** Throws the first error that may have gone the next time. */
function throwTrouble(attempted: readonly Attempted[]): void {
  for (const { failure } of attempted) {
    if (failure !== undefined && !isConflict(failure)) throw "errno" in failure ? systemError(failure.errno, failure.syscall, failure.path) : new Error(explain(failure));
  }
}

/** The number of the group that comes next. */
function nextAfter(groups: readonly LoggedGroup[]): number {
  const last = groups.at(-1);
  return last === undefined ? 0 : last.number + (last.outcomes === undefined ? 0 : 1);
}

interface Resumed {
  /** Undefined where nothing of it was begun, and nothing is done. */
  readonly outcomes: readonly LoggedOutcome[] | undefined;
  readonly conflicts: readonly string[];
}

/** Goes on with a group: where it was begun, all that it takes is safe on the disk. */
async function resume(group: LoggedGroup, options: CommitOptions): Promise<Resumed> {
  const { pins, log } = options;
  const standings = group.intents.map((intent) => standingOf(pins, intent));
  if (!group.isPrepared && !isBegun(group.intents, standings)) {
    log.append({ type: "dropped" });
    log.flush();
    removeUnused({ ...group, isDropped: true }, pins);
    return { outcomes: undefined, conflicts: [] };
  }
  const ready = new Map<IntentRecord, Ready>();
  for (const standing of standings) {
    if (standing.is !== "pending") continue;
    const { operation, authors } = standing.step.intent;
    ready.set(standing.step.intent, { entry: { operation, authors }, step: standing.step });
  }
  await secure(group.intents, [...ready.keys()], options);
  const { unsafe } = await carryOut([...ready.values()], { ...options, isAtomic: group.isAtomic, names: new SharedNames(pins), attempts: new Attempts(), group: [...ready.values()].map(({ entry }) => entry) });
  if (unsafe !== undefined) throw unsafe;
  if (!group.isAtomic) throwTrouble([...ready.values()].map(({ entry }) => entry));
  const outcomes = group.intents.map((intent, index) => outcomeAfter(standings[index], group.isPrepared, intent, ready.get(intent)));
  log.append({ type: "done", outcomes });
  log.flush();
  removeUnused({ ...group, outcomes }, pins);
  return { outcomes, conflicts: outcomes.flatMap(({ failure }) => (failure?.code === "file/changed" ? [failure.path] : [])) };
}

/**
 * Whether an operation was made, though the log does not tell: by its new file, which nobody else puts in place. What is only gone or
 * somewhere else the user may have deleted or moved; had Loaf come to that, all that waits would be there, but for what a power cut took
 * with a directory that was made for it.
 */
function isBegun(intents: readonly IntentRecord[], standings: readonly Standing[]): boolean {
  const done = intents.filter((_, index) => isCertainlyDone(standings[index]));
  const isMissing = intents.some(({ operation }, index) => standings[index]?.is === "lost" && pathsOf(operation).every((path) => fs.existsSync(dirname(path))));
  return done.some(({ temporary }) => temporary !== undefined) || (done.length > 0 && !isMissing);
}

function isCertainlyDone(standing: Standing | undefined): boolean {
  return standing?.is === "done" && standing.isCertain;
}

/** The crash may have come before anything of the group was safe on the disk: what waits, and what is done already. */
async function secure(intents: readonly IntentRecord[], pending: readonly IntentRecord[], { pins, log }: CommitOptions): Promise<void> {
  const temporaries = pending.flatMap(({ temporary }) => temporary ?? []);
  const paths = [...temporaries, ...intents.flatMap(({ operation }) => pathsOf(operation))];
  const syncing = new Syncing(pins);
  await syncing.trees(temporaries);
  await syncing.directoriesOf(paths);
  await Promise.all([syncing.finished(), log.sync()]);
}

function outcomeAfter(standing: Standing | undefined, isPrepared: boolean, { operation }: IntentRecord, ready: Ready | undefined): LoggedOutcome {
  if (ready !== undefined) return outcomeOf(ready);
  if (standing?.is === "done") return standing.outcome;
  if (standing?.is !== "changed") return { failure: { code: "run/not-whole" } };
  const [path = ""] = pathsOf(operation);
  return standing.isMade && isPrepared ? {} : { failure: { code: "file/changed", path } };
}

import * as fs from "node:fs";
import { basename, dirname } from "node:path";
import type { Failure } from "../core/failure.ts";
import { apply, removeLeftovers } from "./apply.ts";
import type { Attempted, Attempts } from "./attempts.ts";
import type { LoggedOutcome } from "./log-record.ts";
import type { LogWriter } from "./log-writer.ts";
import type { PathMap } from "../paths/path-map.ts";
import type { Pins } from "../disk/pin.ts";
import type { Step } from "./prepare.ts";
import { pathsOf } from "./split-groups.ts";
import type { SharedNames } from "./shared-names.ts";
import { Syncing } from "./sync.ts";
import { attempt, isSystemError } from "../disk/system-error.ts";
import type { Version } from "../disk/volume.ts";

/** An operation that is prepared, and its outcome. */
export interface Ready<One extends Attempted = Attempted> {
  readonly entry: One;
  step: Step;
  outcome?: LoggedOutcome;
}

export interface CarryOutOptions {
  readonly pins: Pins;
  readonly attempts: Attempts;
  readonly versions: PathMap<Version | null>;
  readonly isAtomic: boolean;
  readonly names: SharedNames;
  /** The whole group, including operations that could not be prepared. */
  readonly group: readonly Attempted[];
}

export interface CarriedOut<One> {
  /** Renames that turned out to cross file systems. */
  readonly crossDevice: readonly One[];
  /** The first error of syncing the directories: the changes may not survive a power cut. */
  readonly syncError?: unknown;
}

/**
 * Makes prepared operations whose log records are already on the disk. An atomic group stops at the first failure. Otherwise operations
 * that do not depend on the failed one are still made.
 */
export async function carryOut<One extends Attempted>(ready: ReadonlyArray<Ready<One>>, { pins, attempts, versions, isAtomic, names, group }: CarryOutOptions): Promise<CarriedOut<One>> {
  const crossDevice: One[] = [];
  for (const one of ready) {
    const isDone = attempts.make(one.entry, () => {
      try {
        one.step = names.withCurrentVersions(one.step);
        one.outcome = apply(pins, one.step, versions);
        names.recordChange(one.step);
      } catch (thrown) {
        if (!isSystemError(thrown) || thrown.code !== "EXDEV" || one.step.intent.aside !== undefined) throw thrown;
        crossDevice.push(one.entry);
      }
    });
    if (isAtomic && !isDone) break;
  }
  if (!isAtomic) removeUnneededDirectories(ready, group, pins);
  const syncError = await syncDirectories(ready, pins);
  return { crossDevice, ...(syncError !== undefined && { syncError }) };
}

/** Logs the outcomes and removes temporary files. If the log cannot be written, recovery inspects the files instead. */
export function recordOutcomes(ready: readonly Ready[], { pins, log }: { readonly pins: Pins; readonly log: LogWriter }, continues: boolean): void {
  log.append({ type: "done", outcomes: ready.map(outcomeOf), ...(continues && { goesOn: continues }) });
  attempt(() => log.flush());
  for (const { step, outcome } of ready) if (outcome === undefined || step.intent.aside !== undefined) removeLeftovers(pins, step.intent);
}

export function outcomeOf({ entry, outcome }: Ready): LoggedOutcome {
  return outcome ?? { failure: entry.failure ?? NOT_MADE };
}

const NOT_MADE: Failure = { code: "run/not-whole" };

/** Removes directories that were made for an operation that failed. */
function removeUnneededDirectories(ready: readonly Ready[], group: readonly Attempted[], pins: Pins): void {
  const failures = new Map(group.flatMap(({ authors, failure }) => (failure === undefined ? [] : authors.map((author) => [author, failure] as const))));
  if (failures.size === 0) return;
  for (const one of ready.toReversed()) {
    const { operation, authors } = one.entry;
    const failure = authors.map((author) => failures.get(author)).find((found) => found !== undefined);
    if (operation.kind !== "makeDirectory" || one.outcome === undefined || failure === undefined) continue;
    const isGone = attempt(() => pins.inDirectory(dirname(operation.path), (at) => fs.rmdirSync(at(basename(operation.path)))));
    if (!isGone) continue;
    delete one.outcome;
    one.entry.failure = failure;
  }
}

async function syncDirectories(ready: readonly Ready[], pins: Pins): Promise<unknown> {
  const done = ready.filter(({ outcome }) => outcome !== undefined).map(({ step }) => step.intent);
  const paths = done.flatMap(({ operation, temporary }) => [...pathsOf(operation), ...(temporary === undefined ? [] : [temporary])]);
  const syncing = new Syncing(pins);
  await syncing.directoriesOf(paths);
  try {
    await syncing.finished();
    return undefined;
  } catch (thrown) {
    return thrown;
  }
}

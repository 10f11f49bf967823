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

/** An operation that can be made, and what came of it. */
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
  /** The whole group, with what could not be prepared. */
  readonly group: readonly Attempted[];
}

export interface CarriedOut<One> {
  /** Lead to another file system, which only the attempt has shown. */
  readonly elsewhere: readonly One[];
  /** The first error of bringing the directories to the disk: what was done may not last. */
  readonly unsafe?: unknown;
}

/**
 * Makes what is prepared, safely on the disk and in the log. All or nothing stops at the first failure; otherwise what does not depend
 * on it goes on.
 */
export async function carryOut<One extends Attempted>(ready: ReadonlyArray<Ready<One>>, { pins, attempts, versions, isAtomic, names, group }: CarryOutOptions): Promise<CarriedOut<One>> {
  const elsewhere: One[] = [];
  for (const one of ready) {
    const isDone = attempts.make(one.entry, () => {
      try {
        one.step = names.renewed(one.step);
        one.outcome = apply(pins, one.step, versions);
        names.noteMade(one.step);
      } catch (thrown) {
        if (!isSystemError(thrown) || thrown.code !== "EXDEV" || one.step.intent.aside !== undefined) throw thrown;
        elsewhere.push(one.entry);
      }
    });
    if (isAtomic && !isDone) break;
  }
  if (!isAtomic) takeAwayUnused(ready, group, pins);
  const unsafe = await syncDirectories(ready, pins);
  return { elsewhere, ...(unsafe !== undefined && { unsafe }) };
}

/** Notes in the log what came of it, and removes what is not needed any more. Should the log refuse, recovery can tell by looking. */
export function conclude(ready: readonly Ready[], { pins, log }: { readonly pins: Pins; readonly log: LogWriter }, goesOn: boolean): void {
  log.append({ type: "done", outcomes: ready.map(outcomeOf), ...(goesOn && { goesOn }) });
  attempt(() => log.flush());
  for (const { step, outcome } of ready) if (outcome === undefined || step.intent.aside !== undefined) removeLeftovers(pins, step.intent);
}

export function outcomeOf({ entry, outcome }: Ready): LoggedOutcome {
  return outcome ?? { failure: entry.failure ?? NOT_MADE };
}

const NOT_MADE: Failure = { code: "run/not-whole" };

/** Removes the directories that were made for something that failed. */
function takeAwayUnused(ready: readonly Ready[], group: readonly Attempted[], pins: Pins): void {
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

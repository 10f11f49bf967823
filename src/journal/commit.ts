import { Attempts, type Entry, failureAt, isConflict } from "./attempts.ts";
import { removeLeftovers } from "./apply.ts";
import { carryOut, conclude, outcomeOf, type Ready } from "./carry-out.ts";
import { type DoneOperation, doneIn, inverses } from "./inverse.ts";
import { withMissingFolders } from "./missing-folders.ts";
import type { LogWriter } from "./log-writer.ts";
import type { PathMap } from "../paths/path-map.ts";
import type { Pins } from "../disk/pin.ts";
import { temporaryName } from "../disk/place-file.ts";
import { prepare } from "./prepare.ts";
import { SharedNames } from "./shared-names.ts";
import { splitGroups } from "./split-groups.ts";
import { settled, Syncing } from "./sync.ts";
import { attempt } from "../disk/system-error.ts";
import type { Version } from "../disk/volume.ts";

export interface CommitOptions {
  readonly pins: Pins;
  readonly log: LogWriter;
  /** Of what is changed, null for what is removed. */
  readonly versions: PathMap<Version | null>;
  /** All is done or nothing. */
  readonly isAtomic: boolean;
  /** It goes back to what was before: every group has its place in the log, also one that was back already. */
  readonly isReversal: boolean;
  /** It takes back what stands in the log before it. */
  readonly takesBack: boolean;
  /** All or nothing is not over with it. */
  readonly goesOn?: boolean;
  /** What was done before and is all or nothing together with it. */
  readonly earlier?: readonly DoneOperation[];
}

/**
 * Brings operations to the disk, group by group: whatever happens, each is made or not, and the log tells how to go on or back.
 *
 *     what is going to be made, and what that destroys, in the log ─┐
 *     new files beside their places ────────────────────────────────┴─ all safe on the disk ─► renames ─► directories safe ─► done
 *
 * Never rejects: what fails is told at its entry.
 *
 * @param first the number of the group to begin with: those before it were made already
 * @returns false where something has to be taken back that could not be: recovery will try again
 */
export async function commit(entries: readonly Entry[], options: CommitOptions, first = 0): Promise<boolean> {
  const { isAtomic, takesBack, earlier = [] } = options;
  const attempts = new Attempts();
  const names = new SharedNames(options.pins);
  const groups = splitGroups(entries).map((group, number) => ({ group, number })).slice(first);
  let done: DoneOperation[] = [...earlier];
  for (let next = groups.shift(); next !== undefined; next = groups.shift()) {
    const { group, number } = next;
    let goesOn = options.goesOn === true || ((isAtomic || takesBack) && groups.length > 0);
    const ready = await makeReady(group, { number, goesOn }, attempts, { ...options, names });
    if (!isAtomic) done = [];
    if (ready.length > 0) {
      const { elsewhere, unsafe } = await carryOut(ready, { ...options, names, attempts, group });
      for (const entry of elsewhere) entry.isAcross = true;
      if (elsewhere.length > 0) groups.unshift({ group: [...elsewhere], number });
      goesOn ||= isAtomic && elsewhere.length > 0;
      conclude(ready, options, goesOn);
      done.push(...doneIn({ intents: ready.map(({ step }) => step.intent), outcomes: ready.map(outcomeOf) }));
      if (unsafe !== undefined && !takesBack) {
        for (const { entry } of ready) attempts.fail(entry, failureAt(entry.operation, unsafe));
        if (!isAtomic && (await takeBack(done, options)).some(isTrouble)) return false;
      }
    }
    if (takesBack && group.some(isTrouble)) return false;
    if (isAtomic && entries.some(({ failure }) => failure !== undefined)) {
      const left = await takeBack(done, options);
      for (const entry of entries) entry.failure ??= { code: "run/not-whole" };
      return !left.some(isTrouble);
    }
  }
  return true;
}

/**
 * Takes back what was done; what somebody else has changed meanwhile stays. Yields what could not be taken back.
 *
 * @param first the number of the group to begin with; `isAgain` if a part of it may be back already
 */
export async function takeBack(done: readonly DoneOperation[], options: CommitOptions, first = 0, isAgain = false): Promise<Entry[]> {
  const { log, pins } = options;
  const entries: Entry[] = withMissingFolders(inverses(done, log.path), pins).map((staged) => ({ ...staged }));
  if (isAgain) for (const entry of splitGroups(entries)[first] ?? []) entry.isRepeatable = true;
  await commit(entries, { ...options, isAtomic: false, isReversal: true, takesBack: true, goesOn: false, earlier: [] }, first);
  const failed = entries.filter(({ failure }) => failure !== undefined);
  // The next recovery tries again.
  if (!failed.some(isTrouble)) {
    log.append({ type: "undone" });
    attempt(() => log.flush());
  }
  return failed;
}

function isTrouble({ failure }: Entry): boolean {
  return failure !== undefined && !isConflict(failure);
}

interface GroupOptions extends CommitOptions {
  /** Files of which groups before have changed a name. */
  readonly names: SharedNames;
}

/** Everything that the operations of a group need, safe on the disk. What fails here has changed nothing. */
async function makeReady(group: readonly Entry[], place: { readonly number: number; readonly goesOn: boolean }, attempts: Attempts, options: GroupOptions): Promise<Array<Ready<Entry>>> {
  const { pins, log, isAtomic, isReversal, takesBack } = options;
  const forget = log.mark();
  log.append({ type: "group", ...place, isAtomic, takesBack });
  const syncing = new Syncing(pins);
  const ready = await prepareAll(group, syncing, attempts, options);
  const isRefused = (isAtomic && group.some(({ failure }) => failure !== undefined)) || (takesBack && group.some(isTrouble));
  if (ready.length === 0) {
    await settled([syncing.finished()]).catch((thrown: unknown) => group.forEach((entry) => attempts.fail(entry, failureAt(entry.operation, thrown))));
    if (isReversal) log.append({ type: "done", outcomes: [] });
    else forget();
    return [];
  }
  try {
    // What is taken back is in the log already, safely: that has to work even where the log can take no more.
    const logged = isRefused ? Promise.resolve() : takesBack ? log.sync().catch(() => {}) : log.sync();
    await settled([logged, syncing.finished()]);
    if (!isRefused) {
      log.attempt(() => {
        log.append({ type: "prepared" });
        log.flush();
      });
      if (isAmbiguous(ready)) await log.sync();
      return ready;
    }
  } catch (thrown) {
    for (const { entry } of ready) attempts.fail(entry, failureAt(entry.operation, thrown));
  }
  log.append({ type: "dropped" });
  attempt(() => log.flush());
  for (const { step } of ready) removeLeftovers(pins, step.intent);
  return [];
}

/**
 * Whether a power cut could leave what tells nothing by itself: a file is gone, as the user may have deleted it, and the new ones that would show that the
 * group was begun have not come to their places.
 */
function isAmbiguous(ready: readonly Ready[]): boolean {
  const isTold = ready.map(({ step }) => step.intent.temporary !== undefined);
  return isTold.includes(true) && ready.some(({ step: { intent } }, index) => isTold[index] !== true && intent.operation.kind !== "makeDirectory");
}

async function prepareAll(group: readonly Entry[], syncing: Syncing, attempts: Attempts, options: GroupOptions): Promise<Array<Ready<Entry>>> {
  const { isAtomic } = options;
  const ready: Array<Ready<Entry>> = [];
  const made = new Set<string>();
  const directories = new Set<string>();
  const trees = new Set<string>();
  const sync = ({ file, tree, directory }: { readonly file?: number; readonly tree?: string; readonly directory: string }): void => {
    directories.add(directory);
    if (file !== undefined) syncing.file(file);
    if (tree !== undefined) trees.add(tree);
  };
  for (const entry of group) {
    attempts.make(entry, () => {
      const step = prepare(entry, { ...options, made, temporaryName, sync }, entry.isAcross);
      if (step === undefined) return;
      ready.push({ entry, step });
      if (entry.operation.kind === "makeDirectory") made.add(entry.operation.path);
    });
    if (isAtomic && entry.failure !== undefined) break;
    await syncing.room();
  }
  await syncing.trees(trees);
  await syncing.directories(directories);
  return ready;
}

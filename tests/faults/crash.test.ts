/**
 * A run, an undo and a recovery are killed at each of their calls that change a file, and get each of these calls refused. Whatever
 * happens: after recovery every action is done or not, nothing is left over, and all that was done can be undone.
 */
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listLogs } from "../../src/journal/log.ts";
import { recoverRuns as recover } from "../../src/history/recover.ts";
import { bundle } from "../support/bundle.ts";
import { snapshot } from "../support/sandbox.ts";
import { actions, before, outcomes, runActions, undoRun } from "./crash-scenario.ts";
import { type Call, changingCalls, hasInjector, type Program, runWithFault, untilHit } from "./injector.ts";
import { isComplete } from "../support/complete.ts";

const ERRORS = ["ENOSPC", "EIO", "EACCES", "EROFS", "EMFILE", "EDQUOT"];
const isLong = process.env["LOAF_LONG"] === "yes";

const MOST_TIME = isLong ? 3_600_000 : 300_000;

type Command = "keep" | "all-or-nothing" | "undo" | "recover";

let tools = "";
let worker = "";
beforeAll(async () => {
  tools = realpathSync(mkdtempSync(join(tmpdir(), "loaf-crash-")));
  worker = join(tools, "worker.mjs");
  writeFileSync(worker, await bundle('import "./tests/faults/crash-worker.ts";'));
});
afterAll(() => rmSync(tools, { recursive: true }));

/** The state that a command begins with, in a folder of its own. */
interface Scene {
  readonly command: Command;
  prepare(folder: string): Promise<void>;
}

const program = (folder: string, command: Command): Program => ({ file: worker, arguments: [command, folder], folder });

async function stage({ prepare }: Scene): Promise<string> {
  const folder = mkdtempSync(join(tools, "scene-"));
  for (const [name, content] of Object.entries(before)) {
    const path = join(folder, "project", name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  mkdirSync(join(folder, "runs"));
  await prepare(folder);
  return folder;
}

const nothing = async (): Promise<void> => {};

/** Kills the run in the middle of its renames. */
function killedRun(command: "keep" | "all-or-nothing"): Scene["prepare"] {
  let call: Call | undefined;
  return async (folder) => {
    call ??= (await changingCalls(program(await stage({ command, prepare: nothing }), command))).filter(({ name }) => name === "rename" || name === "unlink")[2];
    expect(await runWithFault(program(folder, command), call as Call, "kill")).toMatchObject({ isHit: true });
  };
}

const scenes: Readonly<Record<string, Scene>> = {
  "a run": { command: "keep", prepare: nothing },
  "a run that is all or nothing": { command: "all-or-nothing", prepare: nothing },
  "an undo": { command: "undo", prepare: async (folder) => expect(await runActions(folder, "keep")).toEqual([]) },
  "the recovery of a run": { command: "recover", prepare: killedRun("keep") },
  "the recovery of a run that is all or nothing": { command: "recover", prepare: killedRun("all-or-nothing") },
};

// In CI it has to be there.
describe.runIf(hasInjector || isComplete).each(Object.entries(scenes))("%s", (_, scene) => {
  test("71, 72: killed at each call that changes a file, every action is done or not, and what is done can be undone", async () => {
    expect(await problemsAtEachCall(scene, () => ["kill"])).toEqual([]);
  }, MOST_TIME);

  test("68, 69, 70, 75: refused at each call that changes a file, every action is done or not, as it says, and nothing leaks", async () => {
    expect(await problemsAtEachCall(scene, (index) => (isLong ? ERRORS : [ERRORS[index % ERRORS.length] as string]))).toEqual([]);
  }, MOST_TIME);
});

async function problemsAtEachCall(scene: Scene, faultsAt: (index: number) => string[]): Promise<string[]> {
  const calls = await changingCalls(program(await stage(scene), scene.command));
  expect(calls.length).toBeGreaterThan(5);
  const found: string[] = [];
  await twoAtATime(calls.flatMap((call, index) => faultsAt(index).map((fault) => ({ call, fault }))), async ({ call, fault }) => {
    const problems = await problemsAfter(scene, call, fault);
    if (problems.length > 0) found.push(`${fault} at ${call.name} ${call.ordinal} (${call.arguments}): ${JSON.stringify(problems)}`);
  });
  return found;
}

/** What is wrong after one fault: also that it did not hit the call. */
async function problemsAfter(scene: Scene, call: Call, fault: string): Promise<unknown[]> {
  const { folder, ended } = await untilHit(call, async (tried) => {
    const staged = await stage(scene);
    return { folder: staged, ended: await runWithFault(program(staged, scene.command), tried, fault) };
  });
  const runs = join(folder, "runs");
  const problems: unknown[] = ended.isHit ? [] : [{ notHit: ended }];
  const told = ended.output.startsWith("{") ? (JSON.parse(ended.output) as { failed: number[]; leaked: readonly string[] }) : undefined;
  if (told === undefined && !ended.isKilled && scene.command !== "recover") problems.push({ crashed: ended.output });
  if (ended.isKilled && fault !== "kill") problems.push({ doesNotEnd: ended.output });
  if (told !== undefined && told.leaked.length > 0) problems.push({ leaked: told.leaked });

  await recover(runs);
  const again = await recover(runs);
  if (again.length > 0) problems.push({ recoveredTwice: again });
  const found = snapshot(join(folder, "project"));
  // What an undo could not take back is told by its path, not by action.
  if (scene.command === "undo" && told !== undefined && told.failed.length > 0) problems.push(...between(found));
  else problems.push(...wholeActions(found, { isAtomic: listLogs(runs)[0]?.groups[0]?.isAtomic === true, isUndo: scene.command === "undo" }, scene.command === "recover" ? undefined : told));
  if (scene.command !== "undo" || told === undefined) {
    const stayed = isDeepStrictEqual(found, START) ? [] : await undoRun(folder);
    const left = snapshot(join(folder, "project"));
    if (stayed.length > 0 || !isDeepStrictEqual(left, START)) problems.push({ stayed, left });
  }
  const strange = readdirSync(runs).filter((entry) => !/^\d+\.log$/.test(entry));
  if (strange.length > 0) problems.push({ strange });
  rmSync(folder, { recursive: true });
  return problems;
}

/** Whether every action is done or not, and, where that was told, as it was told. */
function wholeActions(found: Snapshot, { isAtomic, isUndo }: { readonly isAtomic: boolean; readonly isUndo: boolean }, told: { readonly failed: readonly number[] } | undefined): unknown[] {
  const state = outcomes(START).find((one) => isDeepStrictEqual(one.snapshot, found));
  if (state === undefined) return [{ torn: found }];
  const { done } = state;
  if (isAtomic && done.length % actions.length !== 0) return [{ half: done }];
  const claimed = isUndo ? [] : [...actions.keys()].filter((action) => told?.failed.includes(action) === false);
  return told === undefined || isDeepStrictEqual(done, claimed) ? [] : [{ claimed, done }];
}

/** Whether every file is wholly old or wholly new, and nothing else is there. */
function between(found: Snapshot): unknown[] {
  const known = outcomes(START).flatMap(({ snapshot }) => Object.entries(snapshot));
  const [paths, contents] = [new Set(known.map(([path]) => path)), new Set(known.map(([, content]) => content))];
  const strange = Object.entries(found).filter(([path, content]) => !paths.has(path) || !contents.has(content));
  return strange.length === 0 ? [] : [{ strange }];
}

type Snapshot = Readonly<Record<string, string>>;

const START = Object.fromEntries([...Object.entries(before).map(([path, content]) => [path, `644 ${content}`] as const), ["directory", "755 directory"] as const].toSorted());

async function twoAtATime<One>(all: readonly One[], act: (one: One) => Promise<void>): Promise<void> {
  const rest = [...all];
  const work = async (): Promise<void> => {
    for (let one = rest.shift(); one !== undefined; one = rest.shift()) await act(one);
  };
  await Promise.all([work(), work()]);
}

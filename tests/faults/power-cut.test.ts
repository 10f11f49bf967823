/**
 * 73: What a run does to its files is recorded, and every disk is built that a power cut can leave after each of its steps, if the
 * disk writes what is not synced when it likes. On each of them recovery runs, and every action has to be done or not.
 */
import type * as Fs from "node:fs";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test, vi } from "vitest";
import { makeFolders } from "../../src/state/places.ts";
import { Disk } from "../../src/disk/disk.ts";
import { Journal } from "../../src/journal/journal.ts";
import { Overlay } from "../../src/disk/overlay.ts";
import { recoverRuns as recover } from "../../src/history/recover.ts";
import { createFolder } from "../support/folder.ts";
import { type Disk as Model, disksAfter, type Event, type Ordering, type Recorder } from "./recorder.ts";

const recorder = vi.hoisted(() => ({ current: undefined as Recorder | undefined }));
vi.mock("node:fs", async (original) => {
  const { Recorder } = await import("./recorder.ts");
  recorder.current = new Recorder();
  return recorder.current.wrap(await original<typeof Fs>());
});

const isLong = process.env["LOAF_LONG"] === "yes";
const orderings: readonly Ordering[] = ["ordered", "any order"];
const transactions = ["keep", "all-or-nothing"] as const;
type Transaction = (typeof transactions)[number];

const RUNS = "state/project/runs";

/** What a run leaves, action by action: two files of one, a new file in new directories, a deletion. */
const START = { "one/a.txt": "old a", "two/b.txt": "old b", "gone.txt": "gone" };
const ACTIONS: ReadonlyArray<Readonly<Record<string, string | undefined>>> = [{ "one/a.txt": "new a", "two/b.txt": "new b" }, { "new/deep/c.txt": "new c" }, { "gone.txt": undefined }];

interface Recording {
  readonly root: string;
  readonly start: Model;
  readonly events: readonly Event[];
}

/** @param isFirst whether the folders of the log are made by this run, too */
async function record(transaction: Transaction, isFirst = false): Promise<Recording> {
  const folder = createFolder(Object.fromEntries(Object.entries(START).map(([name, content]) => [`project/${name}`, content])));
  const [root, runs] = [join(folder, "project"), join(folder, RUNS)];
  if (!isFirst) mkdirSync(runs, { recursive: true });
  const start = read(folder);
  const overlay = new Overlay(new Disk());
  const at = (name: string): string => join(root, name);
  overlay.author = 0;
  overlay.writeFile(at("one/a.txt"), Buffer.from("new a"));
  overlay.writeFile(at("two/b.txt"), Buffer.from("new b"));
  overlay.author = 1;
  overlay.makeDirectory(at("new"));
  overlay.makeDirectory(at("new/deep"));
  overlay.writeFile(at("new/deep/c.txt"), Buffer.from("new c"));
  overlay.author = 2;
  overlay.unlink(at("gone.txt"));
  recorder.current?.start();
  makeFolders(runs);
  const journal = new Journal(runs, { kind: "run", root });
  const { outcomes } = await journal.commit(overlay.take(), { atomic: transaction === "all-or-nothing" });
  const { events } = recorder.current as Recorder;
  (recorder.current as Recorder).isOn = false;
  expect(outcomes.every(({ failure }) => failure === undefined)).toBe(true);
  journal.finish();
  return { root: folder, start, events };
}

/** The disks that are wrong after recovery; stops at the first where one is enough. */
async function violations({ root, start, events }: Recording, transaction: Transaction, ordering: Ordering, { most, isOneEnough = false }: { readonly most: number; readonly isOneEnough?: boolean }): Promise<{ states: number; wrong: string[] }> {
  let states = 0;
  const wrong: string[] = [];
  // Before the first rename nothing of the project is changed.
  for (let cut = isOneEnough ? events.findIndex(({ kind }) => kind === "rename") : 0; cut <= events.length; cut++) {
    for (const disk of disksAfter(start, events.slice(0, cut), ordering, most)) {
      states += 1;
      write(root, disk);
      await recover(join(root, RUNS));
      const problem = problemOf(join(root, "project"), transaction, cut === events.length);
      if (problem !== undefined) wrong.push(`after ${cut} of ${events.length}: ${problem}`);
      if (problem !== undefined && isOneEnough) return { states, wrong };
    }
  }
  return { states, wrong };
}

function problemOf(project: string, transaction: Transaction, isToldDone: boolean): string | undefined {
  const found = new Map([...read(project)].map(([path, bytes]) => [path.slice(project.length + 1), bytes?.toString()]));
  const done = ACTIONS.map((files) => Object.entries(files).map(([path, content]) => (found.get(path) === content ? "new" : found.get(path) === START[path as keyof typeof START] ? "old" : "torn")));
  if (done.some((states) => new Set(states).size > 1 || states.includes("torn"))) return `torn: ${JSON.stringify(done)}`;
  if (transaction === "all-or-nothing" && new Set(done.flat()).size > 1) return `half: ${JSON.stringify(done)}`;
  return isToldDone && done.flat().includes("old") ? `lost: ${JSON.stringify(done)}` : undefined;
}

function read(folder: string): Model {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
  return new Map([[folder, null] as const, ...paths.map((path) => [path, statSync(path).isDirectory() ? null : readFileSync(path)] as const)]);
}

function write(folder: string, disk: Model): void {
  rmSync(folder, { recursive: true });
  for (const [path, bytes] of disk) {
    mkdirSync(bytes === null ? path : dirname(path), { recursive: true });
    if (bytes !== null) writeFileSync(path, bytes);
  }
}

const kinds = transactions.flatMap((transaction) => orderings.flatMap((ordering) => [[transaction, ordering, "first"], [transaction, ordering, "later"]] as const));

test.each(kinds)("73: %s, %s, a %s run: no power cut leaves anything half done", async (transaction, ordering, which) => {
  const { states, wrong } = await violations(await record(transaction, which === "first"), transaction, ordering, { most: isLong ? 5_000 : 20 });
  expect(wrong).toEqual([]);
  expect(states).toBeGreaterThan(300);
}, 600_000);

/** Each barrier, by what it syncs. Without it some power cut does harm. */
const barriers: ReadonlyArray<readonly [string, Transaction, (event: Event, index: number, events: readonly Event[]) => boolean]> = [
  ["the new files", "keep", (event) => event.kind === "sync" && event.path.includes(".loaf-")],
  ["the log", "all-or-nothing", (event) => event.kind === "sync" && event.path.endsWith(".log")],
  ["the log's folder", "all-or-nothing", (event) => event.kind === "syncDirectory" && event.path.endsWith("/runs")],
  ["the names of the new files", "keep", (event, index, events) => event.kind === "syncDirectory" && !event.path.endsWith("/runs") && isBeforeRenames(index, events)],
  ["the folders above the first log", "all-or-nothing", (event) => event.kind === "syncDirectory" && /\/state(\/project)?$/.test(event.path)],
  ["the folder of those", "all-or-nothing", (event, _, events) => event.kind === "syncDirectory" && events.some((other) => other.kind === "mkdir" && other.path === join(event.path, "state"))],
  ["the directories in the end", "keep", (event, index, events) => event.kind === "syncDirectory" && !isBeforeRenames(index, events)],
];

function isBeforeRenames(index: number, events: readonly Event[]): boolean {
  return events.findIndex(({ kind }) => kind === "rename") > index;
}

test.each(barriers)("73: to leave out the syncing of %s would be found", async (_, transaction, isDropped) => {
  const recording = await record(transaction, true);
  const events = recording.events.filter((event, index, all) => !isDropped(event, index, all));
  expect(events.length).toBeLessThan(recording.events.length);
  const { wrong } = await violations({ ...recording, events }, transaction, "any order", { most: 200, isOneEnough: true });
  expect(wrong).toHaveLength(1);
}, 120_000);

/**
 * A run is killed, recovery begins, and the power is cut: what the run wrote may not have reached the disk by then, though recovery saw
 * it. `meanwhile` is what the user does in between.
 */
async function cutsInRecovery(killedAt: number, { root, start, events }: Recording, meanwhile: () => unknown): Promise<{ states: number; wrong: string[] }> {
  const [seen = start] = [...disksAfter(start, events.slice(0, killedAt), "any order", 2)].slice(-1);
  write(root, seen);
  const running = recorder.current as Recorder;
  running.resume(events.slice(0, killedAt));
  meanwhile();
  const begun = running.events.length;
  await recover(join(root, RUNS));
  running.isOn = false;
  const all = [...running.events];
  const wrong: string[] = [];
  let states = 0;
  for (let cut = begun; cut <= all.length; cut++) {
    for (const disk of disksAfter(start, all.slice(0, cut), "any order", isLong ? 100 : 6)) {
      states += 1;
      write(root, disk);
      await recover(join(root, RUNS));
      const problem = problemOf(join(root, "project"), "keep", false);
      if (problem !== undefined) wrong.push(`killed after ${killedAt}, cut after ${cut - begun} of ${all.length - begun}: ${problem}`);
    }
  }
  return { states, wrong };
}

test.each([
  ["nothing", () => {}],
  // So recovery takes the run to have begun, though it was killed before all it needs was on the disk.
  ["the deletion that the run was to make", (root: string) => existsSync(join(root, "project/gone.txt")) && unlinkSync(join(root, "project/gone.txt"))],
])("73: killed at any step, and the power is cut while recovery goes on after %s: nothing is half done", async (_, meanwhile) => {
  const recording = await record("keep");
  let states = 0;
  for (let killedAt = 1; killedAt <= recording.events.length; killedAt += isLong ? 1 : 2) {
    const found = await cutsInRecovery(killedAt, recording, () => meanwhile(recording.root));
    expect(found.wrong).toEqual([]);
    states += found.states;
  }
  expect(states).toBeGreaterThan(300);
}, 600_000);

/**
 * Random pairs of trees. A run makes one of the other, an undo and a redo take it back and bring it back. Each is killed, refused a call,
 * or killed while it takes back what a refused call spoilt, at many of its calls that change a file; then recovery runs. Whatever happens:
 * no path is anything but as before or as after, an action is made whole or not at all, a run that is all or nothing, too, nothing is left
 * over, what was told is so, what a user has changed since is there, and the rest of it can be undone and redone as if nothing had happened.
 *
 * LOAF_TORTURE=20000 tries that many points of failure; LOAF_SEED repeats one.
 */
import type * as Fs from "node:fs";
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { expect, test, vi } from "vitest";
import { look } from "../../src/disk/look.ts";
import type { Planned } from "../../src/disk/planned.ts";
import { Journal } from "../../src/journal/journal.ts";
import { isUnfinished } from "../../src/journal/recover.ts";
import { type Log, logPath, readLog } from "../../src/journal/log.ts";
import { recoverRuns as recover } from "../../src/history/recover.ts";
import { undoLog, type Undone } from "../../src/history/undo.ts";
import { createFolder } from "../support/folder.ts";
import { isLong } from "../support/tries.ts";

type Fault = "kill" | "ENOSPC" | "EIO" | "EACCES";

/** `left`: calls until the fault. Everything fails after a kill, one call after an error, and then perhaps there is a kill. */
const life = vi.hoisted(() => ({ left: Infinity, fault: "kill" as string, next: undefined as number | undefined, isHit: false, isOver: false }));
vi.mock("node:fs", async (original) => {
  const fs = await original<typeof Fs>();
  const fault = (name: string): Error | undefined => {
    if (life.isOver) return new Error("killed");
    if (--life.left >= 0) return undefined;
    life.isHit = true;
    if (life.fault === "kill") {
      life.isOver = true;
      return new Error("killed");
    }
    const code = life.fault;
    [life.left, life.fault, life.next] = [life.next ?? Infinity, "kill", undefined];
    return Object.assign(new Error(`${code}: refused, ${name}`), { code, syscall: name.replace("Sync", "") });
  };
  const mortal = (name: keyof typeof Fs): unknown => {
    const call = fs[name] as (...args: unknown[]) => unknown;
    return (...args: unknown[]): unknown => {
      const isReading = name === "openSync" && typeof args[1] === "number" && (args[1] & (fs.constants.O_WRONLY | fs.constants.O_CREAT)) === 0;
      const thrown = isReading ? undefined : fault(name);
      if (thrown !== undefined) throw thrown;
      return call(...args);
    };
  };
  const names = ["openSync", "writeSync", "renameSync", "unlinkSync", "mkdirSync", "rmdirSync", "symlinkSync", "chmodSync", "fchmodSync"] as const;
  const fsync = (_: number, done: (error: Error | null) => void): void => void setImmediate(() => done(fault("fsync") ?? null));
  return { ...fs, ...Object.fromEntries(names.map((name) => [name, mortal(name)])), fsync };
});

const wanted = Number(process.env["LOAF_TORTURE"] ?? (isLong ? 20_000 : 600));
const start = Number(process.env["LOAF_SEED"] ?? (isLong ? Date.now() % 2 ** 31 : 20_261_128));

/** What is at each path, in words that can be compared: `-644 text`, `> target`, `/755`. */
type Tree = ReadonlyMap<string, string>;

class Random {
  #seed: number;
  constructor(seed: number) {
    this.#seed = seed;
  }
  /** Returns a number below `limit`. */
  below(limit: number): number {
    this.#seed = (Math.imul(this.#seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (this.#seed >>> 8) % limit;
  }
}

const NAMES = ["a", "b", "c"];

function randomTree(random: Random): Tree {
  const tree = new Map<string, string>();
  const fill = (folder: string, depth: number): void => {
    for (const name of NAMES) {
      const kind = random.below(10);
      if (kind < 3) tree.set(folder + name, `-${random.below(4) === 0 ? "755" : "644"} ${`${random.below(6)}\n`.repeat(3)}`);
      else if (kind < 4) tree.set(folder + name, `> t${random.below(3)}`);
      else if (kind < 7 && depth < 3) {
        tree.set(folder + name, "/755");
        fill(`${folder}${name}/`, depth + 1);
      }
    }
  };
  fill("", 1);
  return tree;
}

function write(root: string, tree: Tree): void {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  for (const [name, state] of tree) {
    const [path, text] = [join(root, name), state.slice(5)];
    if (state.startsWith("/")) mkdirSync(path);
    else if (state.startsWith(">")) symlinkSync(state.slice(2), path);
    else {
      writeFileSync(path, text);
      chmodSync(path, Number.parseInt(state.slice(1, 4), 8));
    }
  }
}

function read(root: string): Tree {
  const tree = new Map<string, string>();
  for (const name of readdirSync(root, { recursive: true, encoding: "utf8" }).toSorted()) {
    const path = join(root, name);
    const stats = lstatSync(path);
    const mode = (stats.mode & 0o777).toString(8);
    const state = stats.isSymbolicLink() ? `> ${readlinkSync(path)}` : stats.isDirectory() ? `/${mode}` : `-${mode} ${readFileSync(path, "utf8")}`;
    tree.set(name.split(sep).join("/"), state);
  }
  return tree;
}

/** Returns the changes that make one tree of another, by three actions. Some files move. */
function planOf(root: string, before: Tree, after: Tree, random: Random): Planned[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].filter((name) => before.get(name) !== after.get(name));
  const isNoDirectory = (state: string | undefined): boolean => state !== undefined && !state.startsWith("/");
  const gone = names.filter((name) => !after.has(name) && isNoDirectory(before.get(name)));
  const moved = new Map<string, string>();
  for (const name of names) {
    const from = before.has(name) ? undefined : gone.find((one) => before.get(one) === after.get(name) && ![...moved.values()].includes(one));
    if (from !== undefined && random.below(4) > 0) moved.set(name, from);
  }
  const authors = new Map(names.map((name) => [name, [1 + random.below(3)]]));
  for (const [name, from] of moved) authors.set(from, authors.get(name) ?? []);
  return names.map((name): Planned => {
    const state = look(join(root, name))?.state ?? null;
    if (state?.kind === "other") throw new Error(name);
    const [path, wish, from] = [join(root, name), after.get(name), moved.get(name)];
    const planned = { path, basis: state, authors: authors.get(name) ?? [] };
    if (from !== undefined) return { ...planned, from: join(root, from), after: { kind: "moved", origin: join(root, from) } };
    if (wish === undefined) return { ...planned, after: null };
    if (wish.startsWith("/")) return { ...planned, after: { kind: "directory", mode: 0o755 } };
    if (wish.startsWith(">")) return { ...planned, after: { kind: "link", target: wish.slice(2) } };
    return { ...planned, after: { kind: "file", content: Buffer.from(wish.slice(5)), mode: Number.parseInt(wish.slice(1, 4), 8) } };
  });
}

class Project {
  readonly root: string;
  readonly runs: string;
  constructor(folder: string) {
    [this.root, this.runs] = [join(folder, "project"), join(folder, "runs")];
  }

  /** Begins anew with a tree, without a log. */
  reset(tree: Tree): void {
    write(this.root, tree);
    rmSync(this.runs, { recursive: true, force: true });
    mkdirSync(this.runs);
  }

  log(sequence: number): Log | undefined {
    try {
      return readLog(logPath(this.runs, sequence));
    } catch {
      return undefined;
    }
  }

  /** Returns whether each change was made, in order. */
  async run(planned: readonly Planned[], atomic: boolean): Promise<boolean[]> {
    const journal = new Journal(this.runs, { kind: "run", root: this.root });
    const { outcomes } = await journal.commit(planned, { atomic });
    journal.finish({ summary: "run" });
    return outcomes.map(({ failure }) => failure === undefined);
  }

  async undo(of: number): Promise<Undone> {
    const journal = new Journal(this.runs, { kind: "undo", of, root: this.root });
    const undone = await undoLog(this.log(of) as Log, { commit: async (planned) => (await journal.commit(planned, { atomic: false })).outcomes });
    journal.finish({ summary: "undo", kept: undone.refused.map(({ path }) => path) });
    return undone;
  }

  /** Returns the logs' newest number. */
  newest(): number {
    return Math.max(0, ...readdirSync(this.runs).map((name) => Number.parseInt(name, 10)));
  }
}

interface Point {
  readonly fault: Fault;
  /** Calls until the fault. */
  readonly calls: number;
  /** Calls from there until a kill. */
  readonly next?: number;
}

/** Returns the value of `act`, or undefined if it was killed, and whether the fault was met. */
async function under<Value>({ fault, calls, next }: Point, act: () => Promise<Value>): Promise<{ readonly value: Value | undefined; readonly isHit: boolean; readonly isKilled: boolean }> {
  Object.assign(life, { left: calls, fault, next, isHit: false, isOver: false });
  let value: Value | undefined;
  try {
    value = await act();
  } catch (thrown) {
    // A killed process throws nothing; a refused call may end an undo with its error.
    if (!life.isHit) throw thrown;
  }
  const { isHit, isOver: isKilled } = life;
  Object.assign(life, { left: Infinity, fault: "kill", next: undefined, isHit: false, isOver: false });
  return { value: isKilled ? undefined : value, isHit, isKilled };
}

function differences(one: Tree, other: Tree): string[] {
  return [...new Set([...one.keys(), ...other.keys()])].filter((name) => one.get(name) !== other.get(name));
}

/** Names what is neither as in one tree nor as in the other. */
function tornIn(now: Tree, before: Tree, after: Tree): string[] {
  return differences(now, before).filter((name) => now.get(name) !== after.get(name));
}

/** Here a part of an action that failed stayed. */
const ONCE_FAILED = [20_261_128, 166_300];

const FAULTS: readonly Fault[] = ["kill", "kill", "ENOSPC", "EIO", "EACCES"];

test(`72, 75: at any point of failure everything is old or new, and nothing is lost (LOAF_SEED=${start})`, { timeout: 7_200_000 }, async () => {
  const project = new Project(createFolder());
  const told = { pairs: 0, points: 0, hit: 0, killed: 0, half: 0, undone: 0 };
  for (let seed = start; told.points < wanted; seed += 7_919) {
    const random = new Random(ONCE_FAILED[told.pairs] ?? seed);
    const [before, after] = [randomTree(random), randomTree(random)];
    if (differences(before, after).length === 0) continue;
    told.pairs += 1;
    for (const atomic of [false, true])
      for (const stage of ["run", "undo", "redo"] as const) {
        const stride = 1 + random.below(9);
        for (let calls = random.below(stride + 1), isHit = true; isHit && told.points < wanted; calls += stride) {
          const fault = FAULTS[random.below(FAULTS.length)] as Fault;
          const point: Point = { fault, calls, ...(fault !== "kill" && random.below(2) === 0 && { next: random.below(12) }) };
          told.points += 1;
          isHit = await attempt({ project, before, after, atomic, stage, point, random, told, what: JSON.stringify({ seed: ONCE_FAILED[told.pairs - 1] ?? seed, atomic, stage, point }) });
        }
      }
  }
  expect(told.pairs).toBeGreaterThan(wanted / 91);
  expect(Math.min(told.hit, told.killed, told.undone, 10 * told.half)).toBeGreaterThan(wanted / 10);
});

interface Attempt {
  readonly project: Project;
  readonly before: Tree;
  readonly after: Tree;
  readonly atomic: boolean;
  readonly stage: "run" | "undo" | "redo";
  readonly point: Point;
  readonly random: Random;
  readonly told: { hit: number; killed: number; half: number; undone: number };
  /** To find it again. */
  readonly what: string;
}

/** Returns whether the fault was met. */
async function attempt({ project, before, after, atomic, stage, point, random, told, what }: Attempt): Promise<boolean> {
  const { root, runs } = project;
  project.reset(before);
  const planned = planOf(root, before, after, random);
  let met: { readonly isHit: boolean; readonly isKilled: boolean };
  let [from, to] = [before, after];
  if (stage === "run") {
    const ran = await under(point, () => project.run(planned, atomic));
    met = ran;
    await recover(runs);
    const now = read(root);
    // A directory may be there for others.
    const isDirectory = ({ basis, after: wish }: Planned): boolean => wish?.kind === "directory" || (typeof basis === "object" && basis?.kind === "directory");
    const parts = planned.flatMap((one, index) => {
      const name = one.path.slice(root.length + 1);
      return isDirectory(one) ? [] : [{ name, author: one.authors[0], isMade: now.get(name) === after.get(name), isTold: ran.value?.[index] }];
    });
    if (ran.value !== undefined) expect(parts.filter(({ isMade, isTold }) => isMade !== isTold), `told: ${what}`).toEqual([]);
    for (const author of [1, 2, 3]) expect(new Set(parts.filter((one) => one.author === author).map(({ isMade }) => isMade)).size, `half an action: ${what}`).toBeLessThan(2);
    if (differences(now, before).length > 0 && differences(now, after).length > 0) {
      told.half += 1;
      expect(atomic, `half a run: ${what}`).toBe(false);
    }
  } else {
    expect(await project.run(planned, atomic), what).not.toContain(false);
    if (stage === "redo") expect((await project.undo(1)).refused, what).toEqual([]);
    else [from, to] = [after, before];
    met = await under(point, () => project.undo(stage === "undo" ? 1 : 2));
    await recover(runs);
  }
  told.hit += Number(met.isHit);
  told.killed += Number(met.isKilled);
  const now = read(root);
  expect(tornIn(now, from, to), `torn: ${what}`).toEqual([]);
  expect(readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => name.includes(".loaf-")), `left over: ${what}`).toEqual([]);
  const newest = project.log(project.newest());
  expect(newest !== undefined && isUnfinished(newest), `unfinished: ${what}`).toBe(false);
  await takeAllBack(project, before, random, what);
  told.undone += 1;
  return met.isHit;
}

/** What is there of the run can be taken back, the user's own edit stays, and a second try restores what a first had to leave. */
async function takeAllBack(project: Project, before: Tree, random: Random, what: string): Promise<void> {
  const { root } = project;
  const logs = project.newest();
  const isDone = differences(read(root), before).length > 0;
  if (!isDone || logs === 0) return;
  const files = [...read(root)].filter(([, state]) => state.startsWith("-"));
  const [edited, state = ""] = random.below(3) > 0 ? [] : (files[random.below(Math.max(1, files.length))] ?? []);
  if (edited !== undefined) {
    writeFileSync(join(root, edited), "the user's\nother\n");
    await project.undo(1);
    expect([...read(root).values()].some((one) => one.includes("the user's\n")), `the user's: ${what}`).toBe(true);
    const place = [...read(root)].find(([, one]) => one.includes("the user's\n"))?.[0] ?? "";
    writeFileSync(join(root, place), state.slice(5));
    chmodSync(join(root, place), Number.parseInt(state.slice(1, 4), 8));
  }
  expect((await project.undo(1)).refused, `refused: ${what}`).toEqual([]);
  expect(differences(read(root), before), `undone: ${what}`).toEqual([]);
}

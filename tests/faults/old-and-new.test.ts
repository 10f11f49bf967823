/**
 * Random steps through the command: runs in several syntaxes, a user's edits, undo and redo by number, recover, back
 * and forward, dry runs, all or nothing, with and without git. A plain model of the tree says what each step may do.
 *
 * With LOAF_OLD=path of a frozen dist/loaf.cjs, that build takes the same steps in a project of its own. After each
 * step both must agree on the tree, what was printed, the exit code, `log`, `diff`, the index and HEAD.
 * The seed is free and in the test's name; LOAF_SEED repeats it.
 */
import { chmodSync, rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createFolder } from "../support/folder.ts";
import { action, applied, blockOf, differences, isFolder, isWithin, marksIn, textWith, type Tree } from "../support/plain-model.ts";
import { change, edit } from "../support/random-steps.ts";
import { repositoryAt, type TestRepository } from "../support/repository.ts";
import { program, runLoaf } from "../support/run-loaf.ts";
import { snapshot } from "../support/sandbox.ts";
import { isLong } from "../support/tries.ts";

const old = process.env["LOAF_OLD"];
const seed = Number(process.env["LOAF_SEED"] ?? Date.now() % 2 ** 31);

/** Which of the runs an undo or a redo names by its number; none at 0. */
const which = fc.nat(5);
const run = fc.record({ kind: fc.constant("run" as const), actions: fc.array(action, { minLength: 1, maxLength: 5 }), isRehearsed: fc.boolean() });
const step = fc.oneof(
  { weight: 3, arbitrary: run },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("edits" as const), edits: fc.array(edit, { minLength: 1, maxLength: 2 }) }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constantFrom("undo" as const, "redo" as const), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("recover" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("back" as const) }) },
);
const project = fc.record({
  hasGit: fc.boolean(),
  isAtomic: fc.boolean(),
  // Each ends with a rehearsed run that nothing follows but its undo.
  steps: fc.tuple(run, run, fc.array(step, { minLength: 6, maxLength: 6 }), run).map(([first, second, others, last]) => [
    first,
    second,
    ...others,
    { ...last, isRehearsed: true },
    { kind: "undo" as const, which: 0 },
  ]),
});
type Project = typeof project extends fc.Arbitrary<infer Value> ? Value : never;
type Step = Project["steps"][number];

/** How often the laws held for something: the generated steps must have exercised them. */
const told = { whole: 0, dryRuns: 0 };

test(`each step does what the model says${old === undefined ? "" : `, and the same as ${old}`} (LOAF_SEED=${seed})`, { timeout: 3_600_000 }, async () => {
  const law = fc.asyncProperty(project, async (given) => {
    const world = new World(program, given);
    const frozen = old === undefined ? undefined : new World(old, given);
    const model = new Model(world, frozen, given.isAtomic);
    for (const [index, one] of given.steps.entries()) {
      await model.take(one, index);
      if (frozen !== undefined) expect(world.state()).toEqual(frozen.state());
    }
    for (const one of [world, frozen]) if (one !== undefined) rmSync(one.folder, { recursive: true });
  });
  const numRuns = isLong ? 500 : 3;
  // In parallel, since most of the time is waiting for a process.
  await Promise.all([0, 1].map((part) => fc.assert(law, { numRuns, seed: seed + part, endOnFailure: true })));
  expect(Math.min(told.whole, told.dryRuns)).toBeGreaterThan(1);
});

interface Printed {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A project, and the build that changes it. */
class World {
  readonly folder = createFolder();
  readonly root: string;
  readonly #build: string;
  readonly #repository: TestRepository | undefined;

  constructor(build: string, { hasGit, isAtomic }: Project) {
    const configuration = `relative_paths: true\nedits: {match: exact, final_newline: as-is}\ntransaction: ${isAtomic ? "all-or-nothing" : "keep"}\n`;
    const files = ["x/a", "x/d/a", "x/d/e/a", "y/a", "y/d/a"].map((name) => [name, textWith(`mark-${name.replaceAll("/", "-")}`)]);
    this.root = createFolder({ "loaf.yml": configuration, ...Object.fromEntries(files) }, this.folder);
    chmodSync(join(this.root, "x/a"), 0o755);
    chmodSync(join(this.root, "y/d/a"), 0o600);
    this.#build = build;
    if (!hasGit) return;
    this.#repository = repositoryAt(this.root);
    for (const line of ["init -q -b main", "config user.name A", "config user.email a@example.org", "add -A", "commit -q -m begin"])
      this.#repository.git(...line.split(" "));
  }

  async loaf(args: readonly string[], input = ""): Promise<Printed> {
    const { code, stdout, stderr } = await runLoaf(args, { cwd: this.root, input, build: this.#build, env: { XDG_STATE_HOME: join(this.folder, "state") } });
    return { code, stdout: this.#neutral(stdout), stderr: this.#neutral(stderr) };
  }

  tree(): Tree {
    return Object.fromEntries(Object.entries(snapshot(this.root)).filter(([name]) => !isWithin(name, ".git")));
  }

  state(): unknown {
    const asked = [["log", "--format=%T %s%n%b"], ["ls-files", "-s"], ["status", "--porcelain", "--branch"]];
    const git = asked.map((args) => this.#repository && this.#neutral(this.#repository.git(...args)));
    return { tree: this.tree(), git };
  }

  /** Without what differs between two equal projects. */
  #neutral(text: string): string {
    return text
      .replaceAll(this.root, "/project")
      .replaceAll(this.folder, "/folder")
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
      .replaceAll(/\b(?=[0-9a-f]*\d)[0-9a-f]{7,64}\b/g, "ID")
      .replaceAll(/\b\d+(\.\d+)? ?m?s\b/g, "TIME");
  }
}

/** A run or its undo: what it changed, and the paths that its actions name. */
interface Made {
  readonly before: Tree;
  readonly after: Tree;
  readonly named: readonly string[];
}

interface PastRun extends Made {
  readonly run: number;
  state: "done" | "undone" | "redone";
  undone?: Made;
}

class Model {
  readonly #world: World;
  readonly #frozen: World | undefined;
  readonly #isAtomic: boolean;
  readonly #runs: PastRun[] = [];

  constructor(world: World, frozen: World | undefined, isAtomic: boolean) {
    [this.#world, this.#frozen, this.#isAtomic] = [world, frozen, isAtomic];
  }

  async take(one: Step, index: number): Promise<void> {
    const now = this.#world.tree();
    if (one.kind === "edits") {
      for (const [each, given] of one.edits.entries())
        for (const world of [this.#world, this.#frozen]) if (world !== undefined) change(world.root, given, textWith(`mark-user-${index}-${each}`));
      return;
    }
    if (one.kind === "run") await this.#run(one, index, now);
    else if (one.kind === "recover") {
      expect(await this.#loaf(["recover"])).toEqual({ code: 0, stdout: "", stderr: "Nothing was left unfinished\n" });
      expect(this.#world.tree()).toEqual(now);
    } else if (one.kind === "back") {
      const { code } = await this.#loaf(["back", "--yes"]);
      if (code === 0) await this.#loaf(["forward"]);
      expect(this.#world.tree()).toEqual(now);
    } else await this.#reverse(one.kind, one.which, now);
    const { runs } = JSON.parse((await this.#loaf(["log", "--json"])).stdout) as { runs: ReadonlyArray<Pick<PastRun, "run" | "state">> };
    expect(runs.map(({ run, state }) => [run, state])).toEqual(this.#runs.toReversed().map(({ run, state }) => [run, state]));
  }

  async #run({ actions, isRehearsed }: Step & { kind: "run" }, index: number, before: Tree): Promise<void> {
    const marks = actions.map((_, each) => `mark-run-${index}-${each}`);
    const answer = actions.map((each, at) => blockOf(each, marks[at] ?? "")).join("\n\n");
    const dry = isRehearsed ? (JSON.parse((await this.#loaf(["run", "--dry-run", "--json"], answer)).stdout) as Result) : undefined;
    expect(this.#world.tree()).toEqual(before);
    const { code, stdout } = await this.#loaf(["run", "--json"], answer);
    const { success, results, run } = JSON.parse(stdout) as Result;
    const after = this.#world.tree();
    expect(results).toHaveLength(actions.length);
    expect(code).toBe(success ? 0 : 1);
    const isKept = success || !this.#isAtomic;
    const done = actions.map((each, at) => ({ each, mark: marks[at] ?? "", ...results[at] })).filter((each) => isKept && each.success && each.appliedIn === undefined);
    expect(after).toEqual(done.reduce((tree, { each, mark }) => applied(tree, each, mark), before));
    expect(run !== undefined).toBe(differences(before, after).length > 0);
    if (run === undefined) return;
    this.#runs.push({ run, state: "done", before, after, named: actions.flatMap(({ path, other }) => [path, other]) });
    const diff = (await this.#loaf(["diff", String(run)])).stdout;
    const changed = differences(before, after).filter((name) => ![before[name], after[name]].every((entry) => entry === undefined || isFolder(entry))).toSorted();
    expect(filesIn(diff, changed)).toEqual(changed);
    if (dry?.diff === undefined) return;
    told.dryRuns += 1;
    expect(filesIn(dry.diff, changed)).toEqual(changed);
  }

  async #reverse(kind: "undo" | "redo", which: number, now: Tree): Promise<void> {
    const open = this.#runs.filter(({ state }) => (state === "undone") === (kind === "redo"));
    const named = which === 0 ? undefined : open[which % open.length]?.run;
    const { code, stdout } = await this.#loaf([kind, ...(named === undefined ? [] : [String(named)]), "--json"]);
    const left = this.#world.tree();
    const [reversed] = code === 2 ? [] : (JSON.parse(stdout) as { runs: readonly Reversed[] }).runs;
    if (reversed === undefined) return expect(left).toEqual(now);
    const run = this.#runs.find((one) => one.run === reversed.run) as PastRun;
    const made = (kind === "undo" ? run : run.undone) as Made;
    expect(code).toBe(reversed.refused.length === 0 && reversed.isReversed ? 0 : 1);
    this.#checkReversal(made, now, left);
    if (!reversed.isReversed) return expect(left).toEqual(now);
    if (kind === "undo") run.undone = { before: now, after: left, named: run.named };
    run.state = kind === "undo" ? "undone" : "redone";
  }

  /** Where nobody has touched what a run changed, its changes are taken back exactly. Elsewhere nothing of others is lost. */
  #checkReversal({ before, after, named }: Made, now: Tree, left: Tree): void {
    const touched = differences(before, after);
    const since = differences(after, now);
    const isApart = since.every((one) => [...touched, ...named].every((other) => !isWithin(one, other) && !isWithin(other, one)));
    if (isApart) {
      told.whole += 1;
      const restored = new Map(touched.map((name) => [name, before[name]]));
      expect(left).toEqual(Object.fromEntries(Object.entries({ ...now, ...Object.fromEntries(restored) }).filter(([, entry]) => entry !== undefined)));
    }
    const own = marksIn(after);
    const kept = marksIn(left);
    for (const mark of marksIn(now)) if (!own.has(mark)) expect([mark, kept.has(mark)]).toEqual([mark, true]);
  }

  /** Both builds must print the same. */
  async #loaf(args: readonly string[], input?: string): Promise<Printed> {
    const printed = await this.#world.loaf(args, input);
    if (this.#frozen !== undefined) expect([args, await this.#frozen.loaf(args, input)]).toEqual([args, printed]);
    return printed;
  }
}

/** Returns the names that a diff shows, and those that moved with a directory that it shows. */
function filesIn(diff: string, names: readonly string[]): string[] {
  const shown = [...diff.matchAll(/^diff --git a\/(.*) b\/(.*)$/gm)].flatMap(([, from = "", to = ""]) => [from, to]);
  const moved = [...diff.matchAll(/^Moved directory (.*) to (.*)$/gm)].flatMap(([, from = "", to = ""]) => [from, to]);
  const along = names.filter((name) => moved.some((folder) => isWithin(name, folder)));
  return [...new Set([...shown, ...along])].toSorted();
}

interface Result {
  readonly success: boolean;
  readonly results: ReadonlyArray<{ readonly success: boolean; readonly appliedIn?: number }>;
  readonly run?: number;
  readonly diff?: string;
}

interface Reversed {
  readonly run: number;
  readonly isReversed: boolean;
  readonly refused: readonly unknown[];
}


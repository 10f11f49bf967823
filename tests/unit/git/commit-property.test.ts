/**
 * Random runs, undos and redos in a repository, and in between whatever the user does to files, index and HEAD: what a run has changed is committed whole, what the user had
 * changed in these files before is in the commit before it, and all else stays as it was, in HEAD, in the index and in the files. A run and its undo are the identity on branch,
 * index and files, and a redo brings all of it back. LOAF_LONG=yes tries 4,000 times.
 */
import { appendFileSync, chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { Loaf } from "../../../src/index.ts";
import { printBlock } from "../../../src/syntaxes/nesl/teach.ts";
import { DIRECTORY, fileIn, filesIn, parentsOf, type Tree, treeOfCommit, treeOfIndex } from "../../support/git-trees.ts";
import { createRepository, type TestRepository } from "../../support/repository.ts";
import { move, prepare, remove, replace, write } from "./running.ts";
import { isLong, tries } from "../../support/tries.ts";

const path = fc.constantFrom("a", "b", "d", "d/a", "d/e", "d/e/a", "f", "f/a", "f/b.tmp", "d/x.log", "ig", "ig/a", "n");
const action = fc.record({ kind: fc.constantFrom("write", "append", "replace", "delete", "move", "move", "move", "make", "remove"), path, other: path });
const edit = fc.record({
  kind: fc.constantFrom("write", "write", "write", "append", "chmod", "delete", "delete", "make", "rename", "link", "add", "add", "add", "force-add", "intend", "reset", "uncache", "commit", "commit-all", "amend", "step-back"),
  path,
  other: path,
});
const turn = fc.record({
  edits: fc.array(edit, { maxLength: 7 }),
  run: fc.array(action, { minLength: 1, maxLength: 6 }),
  reversals: fc.constantFrom<ReadonlyArray<"undo" | "redo">>([], ["undo"], ["undo", "redo"], ["undo", "redo", "undo"]),
});
/** Other forms of the index, by which Loaf goes other ways. */
const setUp = fc.constantFrom<readonly string[]>([], [], ["index.version", "4"], ["core.splitIndex", "true"], ["feature.manyFiles", "true"]);
type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never;
type Edit = typeof edit extends fc.Arbitrary<infer Value> ? Value : never;

interface State {
  readonly files: Tree;
  readonly index: Tree;
  readonly head: Tree;
  /** The commit, and its parents. */
  readonly commits: readonly string[];
}

beforeEach(prepare);

test("of what a run has changed, files, index and HEAD say the same, all else stays, and undo takes all of it back", { timeout: isLong ? 14_400_000 : 180_000 }, async () => {
  const told = { committed: 0, before: 0, undone: 0, redone: 0 };
  const law = fc.asyncProperty(setUp, fc.array(turn, { minLength: 1, maxLength: 3 }), async (settings, turns) => {
    const repository = newRepository(settings);
    const loaf = await Loaf.create({ repoPath: repository.root, config: { relative_paths: true } });
    let after = stateOf(repository);
    for (const { edits, run: actions, reversals } of turns) {
      for (const given of edits) change(repository, given);
      const before = stateOf(repository);
      const { run, commit, notices, modifiedFiles = [], fatalError } = await loaf.execute(actions.map(blockOf).join("\n"));
      after = stateOf(repository);
      // A link was moved to where it points below itself.
      if (notices?.some((one) => one.includes("ELOOP")) === true) return;
      expect([fatalError, notices]).toEqual([undefined, undefined]);
      expect(run !== undefined).toBe(unequal(before.files, after.files).length > 0);
      if (run !== undefined) expect((await loaf.history()).runs[0]).toMatchObject({ run, state: "done" });
      checkModified(modifiedFiles, before, after);
      const hasBefore = checkCommitted(repository.root, before, after, commit);
      told.committed += commit === undefined ? 0 : 1;
      told.before += hasBefore ? 1 : 0;
      const left = after;
      for (const reversal of run === undefined ? [] : reversals) {
        const { runs, notices: said } = await loaf[reversal]();
        after = stateOf(repository);
        expect([said, runs.map(({ refused }) => refused), runs[0]?.commit]).toEqual([[], [[]], undefined]);
        expect(after).toEqual(reversal === "undo" ? before : left);
        if (left.commits[0] !== before.commits[0]) told[reversal === "undo" ? "undone" : "redone"] += 1;
      }
    }
    expect(seenByGit(repository)).toEqual(toBeSeen(after));
    expect(repository.git("fsck", "--strict", "--no-dangling")).toBe("");
    rmSync(repository.root, { recursive: true });
  });
  // Two at a time, since part of it is waiting.
  await Promise.all([0, 1].map((part) => fc.assert(law, { ...tries(30, 2_000, part), examples: part === 0 ? FOUND : [] })));
  // The laws were put to the test.
  expect(told.before).toBeGreaterThan(told.committed / 20);
  expect(told.undone).toBeGreaterThan(told.committed / 4);
  expect(told.redone).toBeGreaterThan(told.committed / 10);
});

/** Counterexamples that long runs found. */
const FOUND: Array<[readonly string[], Array<typeof turn extends fc.Arbitrary<infer Value> ? Value : never>]> = [
  [[], [{ edits: [], run: [{ kind: "move", path: "d/e/a", other: "f/a" }, { kind: "move", path: "f", other: "d/e" }, { kind: "write", path: "a", other: "a" }], reversals: [] }]],
];

function checkModified(modified: readonly string[], before: State, after: State): void {
  const changed = changedFiles(before, after);
  const isWithin = (name: string, other: string) => name === other || name.startsWith(`${other}/`);
  expect(changed.filter((name) => !modified.some((one) => isWithin(name, one)))).toEqual([]);
  // One that was moved to the place of another, both of them empty, is told as well.
  const isMoved = (one: string) => [before, after].every(({ files }) => files.get(one) === DIRECTORY);
  expect(modified.filter((one) => !isMoved(one) && !unequal(before.files, after.files).some((name) => isWithin(name, one)))).toEqual([]);
}

/** HEAD, the commits on top of what it was, and the index, against the files. Yields whether there is one of what the user had changed. */
function checkCommitted(root: string, before: State, after: State, commit: string | undefined): boolean {
  const all = changedFiles(before, after);
  // A file that was ignored before the run is the user's, even if the run moved its ignore file away.
  const wasIgnored = (name: string) => isFile(before.files.get(name)) && isIgnored(name, before.files);
  const changed = all.filter((name) => isTracked(name, before) || !(isIgnored(name, after.files) || wasIgnored(name)));
  const changedBefore = all.filter((name) => isTracked(name, before) || !(isIgnored(name, before.files) || (after.files.has(name) && isIgnored(name, after.files))));
  expect(changed.filter((name) => fileIn(after.files, name) !== after.head.get(name))).toEqual([]);
  expect(changed.filter((name) => after.index.get(name) !== after.head.get(name))).toEqual([]);
  // What stands in the way of something that is committed cannot stay.
  const isApart = (name: string) => ![...changed, ...changedBefore].some((one) => one === name || one.startsWith(`${name}/`) || name.startsWith(`${one}/`));
  for (const tree of ["head", "index"] as const) expect([tree, unequal(before[tree], after[tree]).filter(isApart)]).toEqual([tree, []]);
  expect(readdirSync(join(root, ".git")).filter((name) => /loaf|lock/.test(name))).toEqual([]);
  const [head, parent = ""] = after.commits;
  expect(head).toBe(commit ?? before.commits[0]);
  if (commit === undefined) return false;
  const hasBefore = parent !== before.commits[0];
  if (hasBefore) expect(parentsOf(root, parent)).toEqual([before.commits[0]]);
  const base = treeOfCommit(root, parent);
  expect(changedBefore.filter((name) => fileIn(before.files, name) !== base.get(name))).toEqual([]);
  expect(unequal(before.head, base).filter(isApart)).toEqual([]);
  return hasBefore;
}

function seenByGit({ git }: TestRepository): string[] {
  return [...new Set(git("status", "--porcelain", "-z", "-uall", "--no-renames").split("\0").slice(0, -1).map((line) => line.slice(3)))].toSorted();
}

function toBeSeen(state: State): string[] {
  const { files, index, head } = state;
  const inFiles = [...files.keys(), ...index.keys()].filter((name) => fileIn(files, name) !== index.get(name) && (isTracked(name, state) || !isIgnored(name, files)));
  return [...new Set([...unequal(head, index), ...inFiles])].toSorted();
}

function isTracked(name: string, { head, index }: State): boolean {
  return head.has(name) || index.has(name);
}

/** By the ignore file at the top, or by the one that is moved about with its folder. */
function isIgnored(name: string, files: Tree): boolean {
  const segments = name.split("/");
  const own = segments.findIndex((_, index) => index > 0 && files.has(`${segments.slice(0, index).join("/")}/.gitignore`));
  return /\.log(\/|$)|^ig\/|\/ig\//.test(name) || (own !== -1 && segments.slice(own).some((segment) => segment.endsWith(".tmp")));
}

function changedFiles(before: State, after: State): string[] {
  return unequal(before.files, after.files).filter((name) => isFile(before.files.get(name)) || isFile(after.files.get(name)));
}

function isFile(entry: string | undefined): boolean {
  return entry !== undefined && entry !== DIRECTORY;
}

function unequal(one: Tree, other: Tree): string[] {
  return [...new Set([...one.keys(), ...other.keys()])].filter((name) => one.get(name) !== other.get(name));
}

function stateOf(repository: TestRepository): State {
  const { root } = repository;
  const commit = readFileSync(join(root, ".git/refs/heads/main"), "utf8").trim();
  return { files: filesIn(root), index: treeOfIndex(repository), head: treeOfCommit(root, commit), commits: [commit, ...parentsOf(root, commit)] };
}

let count = 0;
const text = () => `alpha ${count++}\nbeta\n`;

function newRepository(settings: readonly string[]): TestRepository {
  const repository = createRepository({ a: text(), b: text(), "d/a": text(), "d/e/a": text(), "f/a": text(), "f/.gitignore": "*.tmp\n", ".gitignore": "*.log\nig/\n" });
  const [name, value] = settings;
  if (name !== undefined && value !== undefined) {
    repository.git("config", name, value);
    repository.git("update-index", "--force-write-index");
  }
  for (const ignored of ["f/b.tmp", "ig/a", "d/x.log"]) {
    mkdirSync(dirname(join(repository.root, ignored)), { recursive: true });
    writeFileSync(join(repository.root, ignored), text());
  }
  return repository;
}

function blockOf({ kind, path: name, other }: Action): string {
  switch (kind) {
    case "write":
      return write(name, text());
    case "append":
      return printBlock("abc", { action: "file_append", path: name, content: text() });
    case "replace":
      return replace(name, "beta", `beta ${count++}`);
    case "delete":
      return remove(name);
    case "move":
      return move(name, other);
    case "make":
      return printBlock("abc", { action: "dir_create", path: name });
    case "remove":
      return printBlock("abc", { action: "dir_delete", path: name });
  }
}

/** What a user does. What cannot be done is left. */
function change({ root, git }: TestRepository, { kind, path: name, other }: Edit): void {
  const at = join(root, name);
  try {
    if (kind === "write") writeFileSync(at, text());
    else if (kind === "append") appendFileSync(at, text());
    else if (kind === "chmod") chmodSync(at, 0o755);
    else if (kind === "delete") rmSync(at, { recursive: true });
    else if (kind === "make") mkdirSync(at, { recursive: true });
    else if (kind === "rename") renameSync(at, join(root, other));
    // What git says of the files below a link to itself is "too many levels of symbolic links".
    else if (kind === "link" && !`${other}/`.startsWith(`${name}/`)) symlinkSync(other, at);
    else if (kind === "link") return;
    else if (kind === "add") git("add", "-A", "--", name);
    else if (kind === "force-add") git("add", "-f", "--", name);
    else if (kind === "intend") git("add", "-N", "--", name);
    else if (kind === "reset") git("reset", "-q", "--", name);
    else if (kind === "uncache") git("rm", "-rq", "--cached", "--", name);
    else if (kind === "commit") git("commit", "-qm", "mine");
    else if (kind === "commit-all") git("commit", "-qam", "mine");
    else if (kind === "amend") git("commit", "-q", "--amend", "--allow-empty", "--no-edit");
    else git("reset", "-q", "--soft", "HEAD~");
  } catch (thrown) {
    if (!(thrown instanceof Error && ("code" in thrown || "status" in thrown))) throw thrown;
  }
}

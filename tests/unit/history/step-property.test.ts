/**
 * Random repositories whose commits change files, links, folders and ignore files, with random changes, staged and not, in random work trees: `back`, then `forward`, is the
 * identity on each byte and mode of the work tree and on the index, also several at a time; what git ignored is never touched and never stored; a step that is refused changes
 * nothing. LOAF_LONG=yes tries 2,000 times.
 */
import { createHash } from "node:crypto";
import { appendFileSync, chmodSync, cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { createFolder } from "../../support/folder.ts";
import { createRepository, repositoryAt, type TestRepository } from "../../support/repository.ts";
import { isLong, tries } from "../../support/tries.ts";
import { linesIn, stateOf } from "../../support/work-tree-state.ts";
import { open, prepare } from "../git/running.ts";

const path = fc.constantFrom("a", "b", "d/a", "d/e/b", "d/k.log", "f", "f/x", "ig", "ig/a", "ig/b", "k.log", "s/a", "s/t/b", "w.txt", "\u00fc x");
const rules = fc.constantFrom("", "*.log\n", "ig/\n", "/a\nf\n", "*\n", "d/\n!k.log\n", "/s/t\n*.log\n", "*.txt\n");
const change = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constantFrom("write", "write", "write", "crlf", "exec", "private", "link", "delete", "folder"), path }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("ignore"), path: fc.constantFrom(".gitignore", ".gitignore", "d/.gitignore", "s/.gitignore"), rules }) },
);
const edit = fc.oneof(
  { weight: 5, arbitrary: change },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("add", "add", "force-add", "intend", "uncache", "assume", "skip", "close-folder"), path }) },
);
const setting = fc.constantFrom<readonly string[]>([], [], [], ["index.version", "4"], ["core.splitIndex", "true"], ["core.autocrlf", "input"], ["sparse", "/*\n!/s/\n"], ["sparse", "/*\n!/d/e/\n!/k.log\n"], ["attributes", "*.txt text\n* filter=strip\n"]);
const story = fc.record({
  setting,
  commits: fc.array(fc.array(change, { minLength: 1, maxLength: 6 }), { minLength: 2, maxLength: 4 }),
  edits: fc.array(edit, { maxLength: 7 }),
  excluded: fc.constantFrom("", "", "b\n", "w.txt\nig\n"),
  steps: fc.constantFrom(1, 1, 1, 1, 2, 2, 3),
  between: fc.array(fc.record({ kind: fc.constantFrom("write", "crlf", "private", "delete"), path }), { maxLength: 2 }),
});
type Edit = typeof edit extends fc.Arbitrary<infer Value> ? Value : never;

beforeEach(prepare);

test("101: back, then forward, is the identity on work tree and index, and ignored files stay what and where they are", { timeout: isLong ? 14_400_000 : 120_000 }, async () => {
  const told = { there: 0, refused: 0, ignored: 0 };
  const template = newTemplate();
  const law = fc.asyncProperty(story, async ({ setting: [name = "", value = ""], commits, edits, excluded, steps, between }) => {
    const repository = copyOf(template);
    prepareRepository(repository, name, value);
    for (const changes of commits) {
      for (const one of changes) apply(repository, one);
      repository.git("commit-all");
    }
    if (name === "sparse") {
      writeFileSync(join(repository.root, ".git/info/sparse-checkout"), value);
      repository.git("config", "core.sparseCheckout", "true");
      attempt(() => repository.git("read-tree", "-m", "-u", "HEAD"));
    }
    writeFileSync(join(repository.root, ".git/info/exclude"), excluded);
    // In a sparse checkout, git sets skip-worktree anew with each checkout.
    for (const one of edits) if (name !== "sparse" || one.kind !== "skip") apply(repository, one);

    const ignored = ignoredIn(repository);
    const storedBefore = storedOf(repository, ignored);
    told.ignored += ignored.size > 0 ? 1 : 0;
    const loaf = await open(repository);
    const passed: string[] = [];
    let now = stateOf(repository);
    for (let step = 0; step < steps; step++) {
      const before = now;
      const known = linesIn(repository.root);
      try {
        await loaf.back();
        passed.push(before);
      } catch (thrown) {
        expect(String(thrown)).toMatch(/Nothing was checked out: /);
        told.refused++;
        expect(stateOf(repository)).toBe(before);
        break;
      }
      expect(stillThere(repository, ignored)).toEqual([]);
      if (step === 0) for (const one of between) {
        if (!isAsGitMadeIt(repository, one.path)) continue;
        apply(repository, one);
        // Git removes a folder that it made with its last file, but not one that the user emptied.
        removeEmptyFolders(repository.root, dirname(one.path), (folder) => known.some((line) => line.startsWith(`${folder}/ `)));
      }
      now = stateOf(repository);
    }
    while (passed.length > 0) {
      const before = now;
      try {
        const { conflicts } = await loaf.forward();
        expect(conflicts).toEqual([]);
      } catch (thrown) {
        // What was made between may be in the way of what was not there.
        expect([between.length > 0, String(thrown)]).toEqual([true, expect.stringMatching(/Nothing was checked out: /)]);
        expect(stateOf(repository)).toBe(before);
        break;
      }
      expect(stillThere(repository, ignored)).toEqual([]);
      now = stateOf(repository);
      expect(now).toBe(passed.pop());
      told.there++;
      if (passed.length === 0) expect([readFileSync(join(repository.root, ".git/HEAD"), "utf8"), readdirSync(join(repository.root, ".git")).filter((one) => /lock|loaf-(step|commit|lock)/.test(one))]).toEqual(["ref: refs/heads/main\n", []]);
    }
    expect(repository.git("fsck", "--strict", "--no-dangling")).toBe("");
    expect(storedOf(repository, ignored)).toEqual(storedBefore);
    rmSync(repository.root, { recursive: true });
  });
  await Promise.all([0, 1, 2, 3].map((part) => fc.assert(law, { ...tries(4, 500, part), examples: part === 0 ? FOUND : [] })));
  // The law was put to the test.
  expect(told.there).toBeGreaterThan(told.refused);
  expect(told.ignored).toBeGreaterThan(2);
});

/** Counterexamples that long runs found. */
const FOUND: Array<[typeof story extends fc.Arbitrary<infer Value> ? Value : never]> = [
  [{ setting: ["sparse", "/*\n!/d/e/\n!/k.log\n"], commits: [[{ kind: "write", path: "f" }, { kind: "ignore", path: ".gitignore", rules: "" }], [{ kind: "ignore", path: ".gitignore", rules: "" }]], edits: [{ kind: "write", path: "f/x" }, { kind: "ignore", path: ".gitignore", rules: "*\n" }], excluded: "", steps: 1, between: [] }],
  [{ setting: [], commits: [[{ kind: "write", path: "a" }], [{ kind: "write", path: "ig" }, { kind: "ignore", path: ".gitignore", rules: "" }]], edits: [{ kind: "ignore", path: ".gitignore", rules: "ig/\n" }, { kind: "write", path: "ig/b" }], excluded: "", steps: 1, between: [] }],
  [{ setting: ["sparse", "/*\n!/s/\n"], commits: [[{ kind: "write", path: "s/t/b" }, { kind: "write", path: "a" }], [{ kind: "delete", path: "s/t/b" }, { kind: "write", path: "a" }]], edits: [], excluded: "", steps: 3, between: [] }],
  [{ setting: [], commits: [[{ kind: "write", path: "k.log" }, { kind: "write", path: "a" }], [{ kind: "write", path: "a" }], [{ kind: "write", path: "a" }]], edits: [{ kind: "delete", path: "k.log" }, { kind: "assume", path: "k.log" }], excluded: "", steps: 3, between: [] }],
  [{ setting: [], commits: [[{ kind: "write", path: "ig/b" }, { kind: "write", path: "a" }], [{ kind: "write", path: "ig/a" }], [{ kind: "write", path: "a" }]], edits: [{ kind: "close-folder", path: "ig/a" }], excluded: "", steps: 2, between: [{ kind: "delete", path: "ig/b" }] }],
];

/** Starting git takes longer than what it does here: each repository is a copy, and what comes in a row is one call. */
function newTemplate(): TestRepository {
  const repository = createRepository({ keep: "" });
  repository.git("config", "filter.strip.clean", "sed /^out/d");
  repository.git("config", "alias.commit-all", "!git add -A && git commit -q --allow-empty -m some");
  rmSync(join(repository.root, ".git/hooks"), { recursive: true });
  return repository;
}

function copyOf(template: TestRepository): TestRepository {
  const root = createFolder();
  cpSync(template.root, root, { recursive: true });
  return repositoryAt(root);
}

function prepareRepository({ root }: TestRepository, name: string, value: string): void {
  if (name === "attributes") writeFileSync(join(root, ".git/info/attributes"), value);
  else if (name !== "" && name !== "sparse") appendFileSync(join(root, ".git/config"), `[${name.split(".")[0]}]\n\t${name.split(".")[1]} = ${value}\n`);
}

/** Contents are all different, so that an object tells whose bytes it has. */
let count = 0;

function apply({ root, git }: TestRepository, given: Edit): void {
  const file = join(root, given.path);
  const text = `${count++} one\ntwo ${given.path}\nout ${Math.random()}\n`;
  switch (given.kind) {
    case "write": return put(root, given.path, text);
    case "crlf": return put(root, given.path, text.replaceAll("\n", "\r\n"));
    case "ignore": return put(root, given.path, `${"rules" in given ? given.rules : ""}# ${count++}\n`);
    case "exec": return put(root, given.path, text, 0o755);
    case "private": return put(root, given.path, text, 0o600);
    case "link": return put(root, given.path, undefined);
    case "delete": return void attempt(() => rmSync(file, { recursive: true, force: true }));
    case "folder": return void attempt(() => mkdirSync(join(file, "empty"), { recursive: true }));
    case "close-folder": return void attempt(() => chmodSync(dirname(file), dirname(file) === root ? 0o755 : 0o750));
    case "add": return void attempt(() => git("add", "-A", "--", given.path));
    case "force-add": return void attempt(() => git("add", "-f", "--", given.path));
    case "intend": return void attempt(() => git("add", "-N", "--", given.path));
    case "uncache": return void attempt(() => git("rm", "-rq", "--cached", "--", given.path));
    case "assume": return void attempt(() => git("update-index", "--assume-unchanged", given.path));
    case "skip": return void attempt(() => git("update-index", "--skip-worktree", given.path));
    default: throw new Error("no such edit");
  }
}

function removeEmptyFolders(root: string, folder: string, wasThere: (folder: string) => boolean): void {
  const isEmpty = (path: string) => existsSync(join(root, path)) && readdirSync(join(root, path)).length === 0;
  for (let current = folder; current !== "." && !wasThere(current) && isEmpty(current); current = dirname(current)) rmdirSync(join(root, current));
}

/** Whatever is in the way goes. @param text undefined for a link */
function put(root: string, name: string, text: string | undefined, mode = 0o644): void {
  const segments = name.split("/");
  for (const [index] of segments.slice(1).entries()) {
    const folder = join(root, ...segments.slice(0, index + 1));
    if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === false) rmSync(folder);
  }
  const file = join(root, name);
  rmSync(file, { recursive: true, force: true });
  mkdirSync(dirname(file), { recursive: true });
  if (text === undefined) return symlinkSync(`to ${count++}`, file);
  writeFileSync(file, text);
  chmodSync(file, mode);
}

function attempt(act: () => unknown): void {
  try {
    act();
  } catch {
    // There is nothing there, or git does not want to.
  }
}

/** By path: what it is. */
function ignoredIn({ root, git }: TestRepository): ReadonlyMap<string, string> {
  const paths = git("ls-files", "-z", "--others", "--ignored", "--exclude-standard").split("\0").slice(0, -1);
  return new Map(paths.map((one) => [one, linesIn(root).find((line) => line.startsWith(`${one} `)) ?? ""]));
}

function stillThere({ root }: TestRepository, ignored: ReadonlyMap<string, string>): string[] {
  const found = new Set(linesIn(root));
  return [...ignored.values()].filter((line) => !found.has(line));
}

/** What somebody overwrites elsewhere, Loaf cannot bring back unless git has it; and of a file that git is told not to look at it stays, as with git. */
function isAsGitMadeIt({ root, git }: TestRepository, name: string): boolean {
  const [, id] = /^H 100644 (\w+) 0\t/.exec(git("ls-files", "--stage", "-v", "--", name)) ?? [];
  return linesIn(root).some((line) => line.startsWith(`${name} 644 `)) && objectOf(readFileSync(join(root, name))) === id;
}

/** Ignored files whose bytes are in git's objects. */
function storedOf({ root, git }: TestRepository, ignored: ReadonlyMap<string, string>): string[] {
  const files = [...ignored.keys()].filter((one) => lstatSync(join(root, one)).isFile());
  if (files.length === 0) return [];
  const objects = new Set(git("cat-file", "--batch-all-objects", "--batch-check=%(objectname)").split("\n"));
  return files.filter((one) => objects.has(objectOf(readFileSync(join(root, one)))));
}

/** The name that git would give to these bytes. */
function objectOf(bytes: Buffer): string {
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

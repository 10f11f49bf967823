/**
 * Random commands, as the shell would do them, and random changes by the user after them, or by Loaf between them, then undo and redo: every byte and permission that the
 * run changed is back, but for what the user has changed since, and none of the user's bytes is lost. LOAF_LONG=yes tries 2,000 to 10,000 times.
 */
import { appendFileSync, chmodSync, linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { Loaf } from "../../../src/index.ts";
import type { Session } from "../../../src/run/session.ts";
import { isSystemError } from "../../../src/disk/system-error.ts";
import type { ViewMaker } from "../../../src/programs/view/view.ts";
import { mountBtrfs } from "../../support/btrfs.ts";
import { runCommands, type Step } from "../../support/command-run.ts";
import { createFolder } from "../../support/folder.ts";
import { isLong, tries } from "../../support/tries.ts";

const name = fc.constantFrom("a", "b", "d/a", "d/b", "d/e/a", "it's\nhere", 'd/"q"', "d", "d/e", "g", "ÿ\u0301");
const mutation = fc.record({ kind: fc.constantFrom("write", "append", "same-size", "crlf", "binary", "empty", "delete", "chmod", "link", "hard-link", "move", "move", "mkdir", "replace", "odd-name"), at: name, other: name });
type Mutation = typeof mutation extends fc.Arbitrary<infer Value> ? Value : never;

/** Clones need a file system of their own for project and state; only root can mount one. */
const btrfs = process.geteuid?.() === 0 && process.platform === "linux" ? mountBtrfs() : undefined;
const cloning = btrfs !== undefined && "path" in btrfs ? btrfs : undefined;
const makers: readonly ViewMaker[] = ["overlay", "copy", ...(cloning === undefined ? [] : (["clone"] as const))];
const maker = fc.constantFrom(...makers);
const usual = process.env["XDG_STATE_HOME"] ?? "";
afterAll(() => {
  process.env["XDG_STATE_HOME"] = usual;
  cloning?.remove();
});

let count = 0;
const text = (): string => `text ${String(count++).padStart(8, "0")}\n`;

test("undo of what commands changed, and redo, are exact, and nothing of the user's is lost", { timeout: isLong ? 7_200_000 : 240_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(maker, fc.array(fc.array(mutation, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 2 }), fc.array(mutation, { maxLength: 2 }), async (view, commands, edits) => {
      const root = newProject(view);
      const before = filesIn(root);
      const { commands: observed, modifiedFiles } = await runCommands(root, commands.map((all) => ({ command: (files) => all.forEach((one) => mutate(files, one)) })), { view });
      expect(observed.flatMap(({ warnings }) => warnings).filter((warning) => !warning.includes(String.raw`\xff`) && !warning.includes("permissions of existing folders"))).toEqual([]);
      const after = filesIn(root);
      const empty = emptyDirectories(root);
      const isInTheWay = (path: string): boolean => empty.some((directory) => directory === path || directory.startsWith(`${path}/`));
      const isTold = (path: string): boolean => modifiedFiles.includes(path) || path.includes("\ufffd");
      expect(changedBetween(before, after).filter((path) => !isTold(path))).toEqual([]);
      for (const edit of edits) mutate(root, edit);
      const now = filesIn(root);
      const touched = new Set(changedBetween(after, now));
      const isUntouched = touched.size === 0 && String(emptyDirectories(root)) === String(empty) && edits.every(({ kind }) => kind !== "chmod");
      const loaf = await Loaf.create({ repoPath: root });
      const undone = modifiedFiles.length === 0 ? [] : (await loaf.undo()).runs;
      const left = filesIn(root);
      if (isUntouched) {
        // An empty directory, of which no log tells, stays, and may be in the way of what a command before had moved away.
        const refused = undone.flatMap((one) => one.refused.map(({ path }) => relative(root, path)));
        expect(refused.filter((path) => !isInTheWay(path))).toEqual([]);
        if (refused.length === 0) expect(withoutOdd(left)).toEqual(withoutOdd(before));
        if (modifiedFiles.length > 0) await loaf.redo();
        expect(withoutOdd(filesIn(root))).toEqual(withoutOdd(after));
      }
      // What the user has changed stays, of bytes and permissions each by itself; what only the run has changed goes back.
      const merged = (path: string): string => [0, 1].map((part) => (partOf(after, path, part) === partOf(now, path, part) ? partOf(before, path, part) : partOf(now, path, part))).join(" ");
      for (const path of touched) if (now[path] !== undefined && now[path] !== before[path]) expect([now[path], merged(path)]).toContain(left[path]);
      for (const [path, content] of Object.entries(left)) expect([before[path], after[path], now[path], merged(path)]).toContain(content);
      for (const [path, content] of Object.entries(now)) if (path.includes("\ufffd")) expect(left[path]).toBe(content);
    }),
    tries(100, 10_000),
  );
});

test("whatever somebody else does while a command runs stays, is not told as the command's, and undo leaves it alone", { timeout: isLong ? 7_200_000 : 240_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(maker, fc.array(mutation, { minLength: 1, maxLength: 4 }), fc.array(mutation, { minLength: 1, maxLength: 2 }), async (view, command, meanwhile) => {
      const root = newProject(view);
      const before = filesIn(root);
      let theirs: Files = {};
      const work = (files: string): void => {
        command.forEach((one) => mutate(files, one));
        meanwhile.forEach((one) => mutate(root, one));
        theirs = filesIn(root);
      };
      const { modifiedFiles } = await runCommands(root, [{ command: work }], { view });
      const after = filesIn(root);
      const touched = changedBetween(before, theirs);
      const written = touched.filter((path) => theirs[path] !== undefined);
      const stays = (files: Files) => written.filter((path) => files[path] !== theirs[path]);
      expect([stays(after), modifiedFiles.filter((path) => written.includes(path))]).toEqual([[], []]);
      const told = (path: string): boolean => modifiedFiles.includes(path) || path.includes("\ufffd");
      expect(changedBetween(theirs, after).filter((path) => !told(path))).toEqual([]);
      if (modifiedFiles.length === 0) return;
      const { runs } = await (await Loaf.create({ repoPath: root })).undo();
      const left = filesIn(root);
      expect(stays(left)).toEqual([]);
      // What they have deleted may come back, as the command had changed it; all else is as they left it.
      if (runs.every(({ refused }) => refused.length === 0)) expect(changedBetween(withoutOdd(theirs), withoutOdd(left)).filter((path) => !touched.includes(path))).toEqual([]);
    }),
    tries(60, 2_000),
  );
});

const own = fc.record({ kind: fc.constantFrom("write", "unlink", "rename", "rename", "mkdir", "rmdir"), at: name, other: name });
const steps = fc.array(fc.oneof(fc.record({ command: fc.array(mutation, { minLength: 1, maxLength: 4 }) }), fc.record({ own: fc.array(own, { minLength: 1, maxLength: 3 }) })), { minLength: 1, maxLength: 6 });

test("of each command just what it has changed is told, whatever Loaf does between them, and all of it goes back and forth", { timeout: isLong ? 7_200_000 : 240_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(maker, steps, async (view, all) => {
      const root = newProject(view);
      const seen = [filesIn(root)];
      const changed: string[][] = [];
      const run = all.map((step): Step => {
        if ("own" in step) return (session) => step.own.forEach((one) => act(session, root, one));
        return {
          command: (files) => {
            const [before, directories] = [filesIn(files), directoriesIn(files)];
            step.command.forEach((one) => mutate(files, one));
            const after = filesIn(files);
            seen.push(before, after);
            changed.push([...changedBetween(before, after), ...directoriesTold(before, directories, after, directoriesIn(files))].toSorted());
          },
        };
      });
      const { commands, run: number } = await runCommands(root, run, { view });
      const isTold = (path: string): boolean => !path.includes("\ufffd");
      expect(commands.map((one) => one.changed.map(({ path }) => path).toSorted())).toEqual(changed.map((paths) => paths.filter(isTold)));
      const after = filesIn(root);
      if (number === undefined) return;
      const loaf = await Loaf.create({ repoPath: root });
      const refused = (await loaf.undo()).runs.flatMap((one) => one.refused);
      // Where a command has made an empty directory, of which no log tells, it stays in the way.
      const isInTheWay = emptyDirectories(root).some((path) => seen.some((files) => Object.keys(files).some((name) => name === path || name.startsWith(`${path}/`))));
      if (!isInTheWay) expect([refused, withoutOdd(filesIn(root))]).toEqual([[], withoutOdd(seen[0] ?? {})]);
      await loaf.redo();
      expect(filesIn(root)).toEqual(after);
    }),
    tries(50, 10_000),
  );
});

/** What it cannot do fails, as an action would. */
function act({ overlay }: Session, root: string, { kind, at: name, other }: typeof own extends fc.Arbitrary<infer Value> ? Value : never): void {
  const [at, to] = [join(root, name), join(root, other)];
  overlay.author = ++count;
  const make = (directory: string): void => {
    if (overlay.entry(directory) !== undefined) return;
    make(dirname(directory));
    overlay.makeDirectory(directory);
  };
  try {
    if (kind === "write" || kind === "mkdir") make(dirname(at));
    if (kind === "rename") make(dirname(to));
    if (kind === "write") overlay.writeFile(at, Buffer.from(text()));
    else if (kind === "unlink") overlay.unlink(at);
    else if (kind === "rename") overlay.rename(at, to);
    else if (kind === "mkdir") overlay.makeDirectory(at);
    else overlay.removeDirectory(at);
  } catch (thrown) {
    if (!isSystemError(thrown)) throw thrown;
  }
}

function newProject(view: ViewMaker): string {
  const isClone = view === "clone" && cloning !== undefined;
  process.env["XDG_STATE_HOME"] = isClone ? join(cloning.path, "state") : usual;
  const root = createFolder({ a: text(), "d/a": `${text()}\r\n`, "d/e/a": Buffer.from(`\xff${text()}`, "latin1"), b: "" }, isClone ? cloning.path : undefined);
  for (const path of ["d/a", "d/e/a", "b"]) chmodSync(join(root, path), 0o640);
  chmodSync(join(root, "a"), 0o750);
  return root;
}

/** The permissions of a file, or its bytes. */
function partOf(files: Files, path: string, part: number): string | undefined {
  const text = files[path];
  const end = text?.indexOf(" ") ?? 0;
  return part === 0 ? text?.slice(0, end) : text?.slice(end + 1);
}

const MODES = [0o600, 0o640, 0o644, 0o750];

/** What it cannot do it leaves, as a line of the shell that fails. */
function mutate(root: string, { kind, at: name, other }: Mutation): void {
  const [at, to] = [join(root, name), join(root, other)];
  const mask = process.umask(0o027);
  try {
    if (kind !== "delete" && kind !== "append" && kind !== "chmod" && kind !== "same-size") mkdirSync(dirname(kind === "move" || kind.endsWith("link") ? to : at), { recursive: true });
    if (kind === "write") writeFileSync(at, text());
    else if (kind === "append") appendFileSync(at, text());
    else if (kind === "same-size") writeFileSync(at, readFileSync(at).toReversed());
    else if (kind === "crlf") writeFileSync(at, `${text()}\r\n\n\r`);
    else if (kind === "binary") writeFileSync(at, Buffer.from([0, 255, 13, 10, count++]));
    else if (kind === "empty") writeFileSync(at, "");
    else if (kind === "delete") rmSync(at, { recursive: true });
    else if (kind === "chmod") chmodSync(at, lstatSync(at).isDirectory() ? 0o750 : (MODES[other.length % MODES.length] ?? 0));
    else if (kind === "link") symlinkSync(name, to);
    else if (kind === "hard-link") linkSync(at, to);
    else if (kind === "mkdir") mkdirSync(at);
    else if (kind === "move") renameSync(at, to);
    else if (kind === "odd-name") writeFileSync(Buffer.concat([Buffer.from(`${root}/odd`), Buffer.of(255)]), text());
    else {
      rmSync(at, { recursive: true, force: true });
      writeFileSync(at, text());
    }
  } catch (thrown) {
    if (!(thrown instanceof Error && "code" in thrown)) throw thrown;
  } finally {
    process.umask(mask);
  }
}

type Files = Readonly<Record<string, string>>;

/** Bytes and permissions of files, and where links lead; no directories, which git does not know. */
function filesIn(root: string, below = ""): Files {
  const entries = readdirSync(join(root, below), { withFileTypes: true }).flatMap((entry): Array<[string, string]> => {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) return Object.entries(filesIn(root, path));
    if (entry.isSymbolicLink()) return [[path, `link ${readlinkSync(join(root, path))}`]];
    const at = path.includes("\ufffd") ? Buffer.concat([Buffer.from(`${root}/odd`), Buffer.of(255)]) : join(root, path);
    return [[path, `${(lstatSync(at).mode & 0o777).toString(8)} ${readFileSync(at, "latin1")}`]];
  });
  return Object.fromEntries(entries);
}

function emptyDirectories(root: string, below = ""): string[] {
  const entries = readdirSync(join(root, below), { withFileTypes: true });
  if (entries.length === 0) return [below];
  return entries.filter((entry) => entry.isDirectory()).flatMap(({ name }) => emptyDirectories(root, below === "" ? name : `${below}/${name}`));
}

function directoriesIn(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true }).filter((one) => one.isDirectory()).map((one) => relative(root, join(one.parentPath, one.name)));
}

/** Those made or removed that no file tells of, with a slash: one below it that was made or removed with it. One in place of a file is told as that. */
function directoriesTold(before: Files, old: readonly string[], after: Files, now: readonly string[]): string[] {
  const alone = (some: readonly string[], others: readonly string[]): string[] =>
    some.filter((path) => ![...others, ...some].some((other) => other.startsWith(`${path}/`))).map((path) => `${path}/`);
  const made = now.filter((path) => !old.includes(path) && before[path] === undefined);
  const gone = old.filter((path) => !now.includes(path));
  return [...alone(made, Object.keys(after)), ...alone(gone, Object.keys(before))];
}

/** Names that are not UTF-8 are not covered, and said to be. */
function withoutOdd(files: Files): Files {
  return Object.fromEntries(Object.entries(files).filter(([path]) => !path.includes("\ufffd")));
}

function changedBetween(one: Files, other: Files): string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((path) => one[path] !== other[path]);
}

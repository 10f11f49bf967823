/**
 * Does each action twice in many layouts of links, files and directories: by Loaf, and by plain `node:fs` in a twin. If
 * Loaf succeeds, both results are equal. If the plain way touches anything outside the project, Loaf refuses and
 * changes nothing. If it stays inside, Loaf refuses only for the reasons listed here. LOAF_LONG=yes does every action
 * in every layout.
 */
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { explain, Failed } from "../../../src/core/failure.ts";
import { createGuard } from "../../../src/guard/guard.ts";
import { Journal } from "../../../src/journal/journal.ts";
import { ProjectFiles } from "../../../src/files/project-files.ts";
import { Disk } from "../../../src/disk/disk.ts";
import { Overlay } from "../../../src/disk/overlay.ts";
import type { Files } from "../../../src/files/workspace.ts";
import { createFolder } from "../../support/folder.ts";
import { snapshot } from "../../support/sandbox.ts";

/** Makes the directory `spot` in the root. `base` holds the root and the outside. */
const parents: Readonly<Record<string, (spot: string, base: string) => void>> = {
  "a directory": (spot) => fs.mkdirSync(spot),
  "a closed directory": (spot) => fs.mkdirSync(spot, { mode: 0o700 }),
  "a link to a directory": (spot) => fs.symlinkSync("real", spot),
  "an absolute link to a directory": (spot, base) => fs.symlinkSync(join(base, "project/real"), spot),
  "a link to a link": (spot) => (fs.symlinkSync("real", `${spot}-link`), fs.symlinkSync("spot-link", spot)),
  "a link through what is outside and back": (spot) => fs.symlinkSync("../outside/back/real", spot),
  "a link outside": (spot) => fs.symlinkSync("../outside/real", spot),
  "an absolute link outside": (spot, base) => fs.symlinkSync(join(base, "outside/real"), spot),
  "a link that leads nowhere": (spot) => fs.symlinkSync("nowhere", spot),
  "a link to itself": (spot) => fs.symlinkSync("spot", spot),
  "a file": (spot) => fs.writeFileSync(spot, "file"),
  nothing: () => {},
};

/** Makes the entry `t` in `spot`. */
const leaves: Readonly<Record<string, (path: string, base: string) => void>> = {
  nothing: () => {},
  "a file": (path) => fs.writeFileSync(path, "aaa"),
  "an empty file": (path) => fs.writeFileSync(path, ""),
  "a program": (path) => (fs.writeFileSync(path, "aaa"), fs.chmodSync(path, 0o750)),
  "an empty directory": (path) => fs.mkdirSync(path),
  "a full directory": (path) => (fs.mkdirSync(path), fs.writeFileSync(join(path, "in"), "in")),
  "a link to a file": (path, base) => fs.symlinkSync(join(base, "project/kept"), path),
  "a link to a directory": (path, base) => fs.symlinkSync(join(base, "project/real"), path),
  "a link to a file outside": (path, base) => fs.symlinkSync(join(base, "outside/secret"), path),
  "a link to a directory outside": (path, base) => fs.symlinkSync(join(base, "outside/real"), path),
  "a link that leads nowhere": (path) => fs.symlinkSync("nowhere", path),
  "a link that leads nowhere outside": (path, base) => fs.symlinkSync(join(base, "outside/nowhere"), path),
  "a link to itself": (path) => fs.symlinkSync("t", path),
  "a second name of a file": (path, base) => fs.linkSync(join(base, "project/kept"), path),
  "a second name of a file outside": (path, base) => fs.linkSync(join(base, "outside/secret"), path),
  "a pipe": (path) => execFileSync("mkfifo", [path]),
};

function build(parent: string, leaf: string): string {
  const base = createFolder({ "project/kept": "aaa kept", "project/real/in": "in", "project/folder/in": "in", "outside/secret": "aaa secret", "outside/real/in": "aaa secret too", "outside/real/secret": "" });
  fs.symlinkSync("../project", join(base, "outside/back"));
  const spot = join(base, "project/spot");
  parents[parent]?.(spot, base);
  if (parent !== "a link to itself" && fs.statSync(spot, { throwIfNoEntry: false })?.isDirectory() === true) leaves[leaf]?.(join(spot, "t"), base);
  return base;
}

interface Action {
  readonly byLoaf: (files: Files, path: string, root: string) => unknown;
  readonly plainly: (path: string, root: string) => unknown;
}

/** Writes to the target of links through a temporary file and a rename, so that other hard links keep their content. */
function put(path: string, change: (old: string) => string): void {
  const real = fs.lstatSync(path, { throwIfNoEntry: false }) === undefined ? path : fs.realpathSync(path);
  const stats = fs.statSync(real, { throwIfNoEntry: false });
  if (stats?.isFile() === false) throw new Error("no file");
  const bytes = change(stats === undefined ? "" : fs.readFileSync(real, "utf8"));
  if (stats !== undefined) fs.unlinkSync(real);
  fs.writeFileSync(real, bytes);
  if (stats !== undefined) fs.chmodSync(real, stats.mode);
}

function move(from: string, to: string): void {
  const { ino } = fs.lstatSync(from);
  fs.mkdirSync(dirname(to), { recursive: true });
  const isOwnName = fs.lstatSync(to, { throwIfNoEntry: false })?.ino === ino;
  fs.renameSync(from, to);
  // A rename between two hard links of one file does nothing.
  if (isOwnName) fs.unlinkSync(from);
}

const read = (path: string): string => {
  if (!fs.statSync(path).isFile()) throw new Error("no file");
  return fs.readFileSync(path, "utf8");
};
const inMade = (path: string, act: () => void): void => (fs.mkdirSync(dirname(path), { recursive: true }), act());

const actions: Readonly<Record<string, Action>> = {
  read: { byLoaf: (files, path) => files.read(path), plainly: read },
  "read beside": { byLoaf: (files, path) => files.read(`${path}/../in`), plainly: (path) => read(`${path}/../in`) },
  list: { byLoaf: (files, path) => files.list(path).map(({ name }) => name), plainly: (path) => fs.readdirSync(path).toSorted() },
  write: { byLoaf: (files, path) => void files.write(path, "new"), plainly: (path) => inMade(path, () => put(path, () => "new")) },
  append: { byLoaf: (files, path) => void files.append(path, "new"), plainly: (path) => inMade(path, () => put(path, (old) => `${old}new`)) },
  replace: {
    byLoaf: (files, path) => void files.edit(path, (bytes) => ({ splices: [{ start: 0, end: bytes.length, text: "new" }] })),
    plainly: (path) => (read(path), put(path, () => "new")),
  },
  delete: { byLoaf: (files, path) => files.remove(path), plainly: (path) => fs.unlinkSync(path) },
  "move away": { byLoaf: (files, path, root) => void files.move(path, join(root, "moved")), plainly: (path, root) => move(path, join(root, "moved")) },
  "move a file there": { byLoaf: (files, path, root) => void files.move(join(root, "kept"), path), plainly: (path, root) => move(join(root, "kept"), path) },
  "move a directory there": { byLoaf: (files, path, root) => void files.move(join(root, "folder"), path), plainly: (path, root) => move(join(root, "folder"), path) },
  "make a directory": { byLoaf: (files, path) => void files.createDirectory(path), plainly: (path) => void fs.mkdirSync(path, { recursive: true }) },
  "make directories": { byLoaf: (files, path) => void files.createDirectory(`${path}/x/y`), plainly: (path) => void fs.mkdirSync(`${path}/x/y`, { recursive: true }) },
  "remove a directory": { byLoaf: (files, path) => files.removeDirectory(path), plainly: (path) => fs.rmdirSync(path) },
};

type Tree = Readonly<Record<string, string>>;

interface Outcome {
  /** Undefined if refused. */
  readonly value?: unknown;
  readonly refusal?: string;
  readonly tree: Tree;
}

async function byLoaf(base: string, { byLoaf: act }: Action): Promise<Outcome> {
  const root = join(base, "project");
  const volume = new Overlay(new Disk());
  const guard = createGuard({ volume, root, home: "/nowhere", rules: [{ read: {}, write: {} }], sealed: [], readOnly: [], platform: "linux" });
  const files = new ProjectFiles({ volume, guard, maxFileSize: 1_000, finalNewline: "as-is" });
  try {
    const value = act(files, join(root, "spot/t"), root);
    const journal = new Journal(createFolder(), { kind: "run", root });
    const { outcomes } = await journal.commit(volume.take(), { atomic: true });
    journal.finish();
    const failure = outcomes.find((outcome) => outcome.failure !== undefined)?.failure;
    return { ...(failure === undefined ? { value } : { refusal: explain(failure) }), tree: treeOf(base) };
  } catch (thrown) {
    if (!(thrown instanceof Failed)) throw thrown;
    return { refusal: explain(thrown.failure), tree: treeOf(base) };
  }
}

function plainly(base: string, { plainly: act }: Action): Outcome {
  try {
    return { value: act(join(base, "project/spot/t"), join(base, "project")), tree: treeOf(base) };
  } catch (thrown) {
    return { refusal: String(thrown), tree: treeOf(base) };
  }
}

const treeOf = (base: string): Tree => JSON.parse(JSON.stringify(snapshot(base)).replaceAll(base, "BASE")) as Tree;
function outsideOf(tree: Tree): unknown {
  // Node also lists directories through links.
  const isBelowLink = (path: string): boolean => path !== "." && (tree[dirname(path)]?.startsWith("link ") === true || isBelowLink(dirname(path)));
  return Object.entries(tree).filter(([path]) => path.startsWith("outside") && !isBelowLink(path));
}

/**
 * Documented reasons for which Loaf refuses an action that would stay inside. Links that lead outside are refused even
 * if nothing would be done there.
 */
const isReason = (refusal: string, ...layout: readonly string[]): boolean => /the link leads nowhere|not a regular file/.test(refusal) || layout.some((part) => / link .*outside$/.test(part));

const isLong = process.env["LOAF_LONG"] === "yes";
const layouts = Object.keys(parents).flatMap((parent) => Object.keys(leaves).map((leaf) => [parent, leaf] as const));
const counts = { done: 0, kept: 0, refused: 0 };

test("there are at least 150 layouts and 12 actions", () => {
  expect(layouts.length).toBeGreaterThanOrEqual(150);
  expect(Object.keys(actions).length).toBeGreaterThanOrEqual(12);
});

test.runIf(process.platform === "linux").each(Object.keys(parents))("4 to 9, 16, 19: with the directory being %s, Loaf does the same as the plain way inside, and refuses what it does outside", async (parent) => {
  const wrong: unknown[] = [];
  for (const [index, leaf] of Object.keys(leaves).entries()) {
    for (const [which, [name, action]] of Object.entries(actions).entries()) {
      if (!isLong && (index + which) % 4 !== 0) continue;
      const base = build(parent, leaf);
      const before = treeOf(base);
      const [loaf, plain] = [await byLoaf(base, action), plainly(build(parent, leaf), action)];
      const isOutside = JSON.stringify(outsideOf(plain.tree)) !== JSON.stringify(outsideOf(before)) || JSON.stringify(plain.value ?? "").includes("secret");
      const problem = (what: string): unknown => wrong.push({ what, leaf, name, loaf: loaf.refusal ?? loaf.value, plain: plain.refusal ?? plain.value });
      const isUnchanged = JSON.stringify(loaf.tree) === JSON.stringify(before);
      if (loaf.refusal !== undefined) {
        counts[isOutside ? "kept" : "refused"] += 1;
        if (!isUnchanged) problem("refused, and changed something");
        if (plain.refusal === undefined && !isOutside && !isReason(loaf.refusal, parent, leaf)) problem("refused what stays inside");
        continue;
      }
      counts.done += 1;
      // Another name of this file is in the project, so Loaf reads it with a warning.
      if (isOutside && leaf !== "a second name of a file outside") problem("not refused");
      if (plain.refusal !== undefined) problem("done, though the plain way cannot");
      else if (JSON.stringify([loaf.value, loaf.tree]) !== JSON.stringify([plain.value, plain.tree])) problem("done otherwise");
    }
  }
  expect(wrong).toEqual([]);
}, 600_000);

test.runIf(process.platform === "linux")("each kind of result came up often enough", () => {
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(20);
});

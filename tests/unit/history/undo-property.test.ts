/**
 * Random runs with random user changes in between and after them, then undo. Bytes that Loaf did not write stay. Bytes
 * that it wrote are restored, unless the user has changed them since. Text files whose edits are apart are merged:
 * merge-property.test.ts tests the merge, here it is the oracle. LOAF_LONG=yes tries 10,000 times.
 */
import { rmSync } from "node:fs";
import { dirname } from "node:path";
import fc from "fast-check";
import { beforeEach, expect, test, vi } from "vitest";
import type { Reversal } from "../../../src/core/history.ts";
import { Loaf } from "../../../src/index.ts";
import { mergeBytes } from "../../../src/edit/merge.ts";
import { journalFolder } from "../../../src/history/turn.ts";
import { createFolder } from "../../support/folder.ts";
import { areas, blockOf, change, edit, newProject, step } from "../../support/random-steps.ts";
import { snapshot } from "../../support/sandbox.ts";
import { isLong, tries } from "../../support/tries.ts";

type Tree = Readonly<Record<string, string>>;

beforeEach(() => void vi.stubEnv("XDG_STATE_HOME", createFolder()));

test("undo reverts the runs and nothing else; redo restores them", { timeout: isLong ? 3_600_000 : 180_000 }, async () => {
  const told = { undone: 0, refused: 0, entangled: 0, redone: 0 };
  const law = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), fc.array(edit, { maxLength: 3 }), async (steps, last) => {
    const root = newProject();
    const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true } });
    const runs: Array<{ readonly before: Tree; readonly after: Tree; readonly moved: readonly string[] }> = [];
    for (const one of [...steps, { edits: last }]) {
      if ("edits" in one) one.edits.forEach((given) => change(root, given));
      else {
        const before = snapshot(root);
        const { results, run } = await loaf.execute(one.run.map(blockOf).join("\n"));
        const moved = results.flatMap(({ action: name, success, params }) => (name === "file_move" && success ? [String(params["old_path"]), String(params["new_path"])] : []));
        if (run !== undefined) runs.push({ before, after: snapshot(root), moved });
      }
    }
    // Runs that cannot be undone at all remain, so the next undo meets them again.
    let stuck = 0;
    for (const { before, after, moved } of runs.toReversed()) {
      const now = snapshot(root);
      const reversal = await loaf.undo({ last: stuck + 1 });
      const [undone] = reversal.runs.slice(stuck);
      const left = snapshot(root);
      for (const one of areas) {
        told.entangled += checkArea({ before: within(before, one), after: within(after, one), now: within(now, one), left: within(left, one) }, moved.filter((name) => name.startsWith(`${one}/`)), refusedIn(reversal, stuck, root, one));
      }
      told.undone += 1;
      told.refused += undone?.refused.length === 0 ? 0 : 1;
      if (undone?.isReversed === false) {
        expect(left).toEqual(now);
        stuck += 1;
        continue;
      }
      const redone = await loaf.redo();
      expect(redone.runs.map(({ refused }) => refused)).toEqual([[]]);
      expect(snapshot(root)).toEqual(now);
      told.redone += 1;
      await loaf.undo({ last: stuck + 1 });
      expect(snapshot(root)).toEqual(left);
    }
    expect((await loaf.undo({ last: stuck + 1 })).missing).toBe(1);
    for (const folder of [root, dirname(journalFolder(root))]) rmSync(folder, { recursive: true });
  });
  // In parallel, since most of the time is waiting for the disk.
  await Promise.all([0, 1, 2, 3].map((part) => fc.assert(law, tries(80, 2_500, part))));
  // The generated histories must have exercised the property.
  expect(told.refused).toBeGreaterThan(told.undone / 20);
  expect(told.entangled).toBeLessThan(told.undone);
  expect(told.redone).toBeGreaterThan(told.undone / 2);
});

interface Trees {
  /** Before and after the run, before and after its undo. */
  readonly before: Tree;
  readonly after: Tree;
  readonly now: Tree;
  readonly left: Tree;
}

/** Returns 1 if the user changed something among the moved files. Then only checks that nothing is lost. */
function checkArea({ before, after, now, left }: Trees, moved: readonly string[], refused: readonly string[]): 0 | 1 {
  const touched = new Set(pathsOf(before, after).filter((name) => before[name] !== after[name]));
  const changed = new Set(pathsOf(now, after).filter((name) => now[name] !== after[name]));
  // A file moved twice leaves no trace at the path in between.
  const isApart = [...changed].every((name) => [...touched, ...moved].every((other) => !isRelated(name, other)));
  if (moved.length === 0 || isApart) {
    const { tree, kept } = expected({ before, after, now }, touched, changed);
    expect(left).toEqual(tree);
    for (const name of kept) expect(refused).toContain(name);
    for (const name of refused) expect(changed.has(name) || kept.includes(name)).toBe(true);
    return 0;
  }
  for (const name of [...changed].filter((one) => isFile(now[one]))) {
    const possible = [now[name], ...[name, ...moved].map((origin) => mergedEntry(before[origin], after[name], now[name]))];
    expect([name, possible.filter((one) => one !== undefined && Object.values(left).includes(one))]).not.toEqual([name, []]);
  }
  for (const name of pathsOf(now, left)) {
    if (!touched.has(name) && ![...changed, ...moved].some((other) => isRelated(name, other))) expect([name, left[name]]).toEqual([name, now[name]]);
  }
  return 1;
}

/**
 * Returns the expected tree and the refused paths after an undo, if the run moved nothing or the user did not touch the
 * moved files.
 */
function expected({ before, after, now }: Omit<Trees, "left">, touched: ReadonlySet<string>, changed: ReadonlySet<string>): { tree: Tree; kept: string[] } {
  const tree: Record<string, string> = { ...now };
  const kept: string[] = [];
  for (const name of [...touched].toSorted()) {
    const old = before[name];
    // Parent directories are restored too, unless something occupies their place.
    const missing = missingAbove(name, tree);
    const isInTheWay = [...missing, dirname(missing[0] ?? name)].some((one) => isFile(tree[one]));
    if (now[name] === old) continue;
    if (isDirectory(now[name]) && (old === undefined || isDirectory(old))) continue;
    // A directory made by the run is removed whatever its mode, unless it has other entries. Somebody may have removed
    // it already.
    const isOther = (one: string): boolean => changed.has(one) && !(isDirectory(after[one]) && !isFile(now[one]));
    const isInUse = isFile(old) && isDirectory(now[name]) && Object.keys(now).some((one) => one.startsWith(`${name}/`) && isOther(one));
    const merged = mergedEntry(before[name], after[name], now[name]);
    if (merged !== undefined && isOther(name)) tree[name] = merged;
    else if (isOther(name) || isInUse || (old !== undefined && isInTheWay)) kept.push(name);
    else if (old !== undefined) Object.assign(tree, Object.fromEntries(missing.map((one) => [one, touched.has(one) ? (before[one] ?? NEW_DIRECTORY) : NEW_DIRECTORY])), { [name]: old });
    else if (isFile(after[name])) delete tree[name];
  }
  // Empty directories are removed.
  for (const name of [...touched].toSorted().toReversed()) {
    const isMade = before[name] === undefined && isDirectory(after[name]) && isDirectory(tree[name]);
    if (isMade && !Object.keys(tree).some((other) => other.startsWith(`${name}/`))) delete tree[name];
  }
  return { tree, kept };
}

/** Returns mode and bytes of a file that both run and user edited, after undo. Undefined if undo refuses it. */
function mergedEntry(...entries: ReadonlyArray<string | undefined>): string | undefined {
  const [before, after, now] = entries.map((entry) => (isFile(entry) ? /^(\d+) (.*)$/s.exec(entry ?? "")?.slice(1) : undefined));
  if (before === undefined || after === undefined || now === undefined) return undefined;
  const [mode, content] = [0, 1].map((part) => {
    const [was, one, two] = [after[part] ?? "", now[part] ?? "", before[part] ?? ""];
    if (part === 1 && was !== two) return mergeBytes(...([was, one, two].map((text) => Buffer.from(text, "latin1")) as [Buffer, Buffer, Buffer]))?.toString("latin1");
    return was === two ? one : was === one || one === two ? two : undefined;
  });
  return mode === undefined || content === undefined ? undefined : `${mode} ${content}`;
}

/** Returns the missing parents, outermost first. */
function missingAbove(name: string, tree: Tree): string[] {
  const directory = dirname(name);
  return directory === "." || tree[directory] !== undefined ? [] : [...missingAbove(directory, tree), directory];
}

const NEW_DIRECTORY = "755 directory";

function refusedIn({ runs }: Reversal, index: number, root: string, one: string): string[] {
  return (runs[index]?.refused ?? []).map((refused) => refused.path.slice(root.length + 1)).filter((name) => name.startsWith(`${one}/`));
}

function within(tree: Tree, one: string): Tree {
  return Object.fromEntries(Object.entries(tree).filter(([name]) => name === one || name.startsWith(`${one}/`)));
}

function pathsOf(...trees: readonly Tree[]): string[] {
  return [...new Set(trees.flatMap((tree) => Object.keys(tree)))];
}

function isFile(entry: string | undefined): boolean {
  return entry !== undefined && !isDirectory(entry);
}

function isDirectory(entry: string | undefined): boolean {
  return entry?.endsWith(" directory") === true;
}

function isRelated(name: string, other: string): boolean {
  return name === other || name.startsWith(`${other}/`) || other.startsWith(`${name}/`);
}

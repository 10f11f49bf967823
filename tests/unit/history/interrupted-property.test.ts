/**
 * Random runs with random user changes in between. Kills their undos and redos at any system call, and the recovery
 * too. Files and reports must end as if nothing had been killed. LOAF_LONG=yes tries 1,000 times.
 */
import type * as Fs from "node:fs";
import { rmSync } from "node:fs";
import { dirname } from "node:path";
import fc from "fast-check";
import { beforeEach, expect, test, vi } from "vitest";
import type { ReversedRun } from "../../../src/core/history.ts";
import { Loaf } from "../../../src/index.ts";
import { journalFolder } from "../../../src/history/turn.ts";
import { createFolder } from "../../support/folder.ts";
import { blockOf, change, edit, newProject, step } from "../../support/random-steps.ts";
import { snapshot } from "../../support/sandbox.ts";
import { isLong, tries } from "../../support/tries.ts";

/** `left`: calls until the process is killed. Later calls have no effect. */
const life = vi.hoisted(() => ({ left: Infinity, isOver: false }));
vi.mock("node:fs", async (original) => {
  const fs = await original<typeof Fs>();
  const mortal = (name: keyof typeof Fs): unknown => {
    const call = fs[name] as (...args: unknown[]) => unknown;
    return (...args: unknown[]): unknown => {
      // A killed process releases its lock. Here the thrown error does.
      if (!String(args[0]).includes("/lock")) life.isOver ||= life.left-- <= 0;
      if (life.isOver && !String(args[0]).includes("/lock")) throw new Error("killed");
      return call(...args);
    };
  };
  const names = ["openSync", "writeSync", "renameSync", "unlinkSync", "mkdirSync", "rmdirSync", "symlinkSync", "appendFileSync", "writeFileSync"] as const;
  return { ...fs, ...Object.fromEntries(names.map((name) => [name, mortal(name)])) };
});

beforeEach(() => void vi.stubEnv("XDG_STATE_HOME", createFolder()));

/** Returns whether the process was killed before it finished. */
async function isKilled(left: number, act: () => Promise<unknown>): Promise<boolean> {
  Object.assign(life, { left, isOver: false });
  try {
    await act();
    return life.isOver;
  } catch (thrown) {
    if (life.isOver) return true;
    throw thrown;
  } finally {
    Object.assign(life, { left: Infinity, isOver: false });
  }
}

test("72: killed undos, redos and recoveries end as if they had not been killed", { timeout: isLong ? 3_600_000 : 180_000 }, async () => {
  const told = { undone: 0, killed: 0, finished: 0 };
  const cut = fc.record({ undo: fc.nat(60), recover: fc.nat(60), redo: fc.nat(60) });
  const law = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), fc.array(edit, { maxLength: 3 }), fc.array(cut, { minLength: 2, maxLength: 2 }), async (steps, last, cuts) => {
    const root = newProject();
    const open = (): Promise<Loaf> => Loaf.create({ repoPath: root, config: { relative_paths: true } });
    let runs = 0;
    for (const one of [...steps, { edits: last }]) {
      if ("edits" in one) one.edits.forEach((given) => change(root, given));
      else if ((await (await open()).execute(one.run.map(blockOf).join("\n"))).run !== undefined) runs += 1;
    }
    const stateOf = async (wanted: number): Promise<string | undefined> => (await (await open()).history()).runs.find(({ run }) => run === wanted)?.state;
    for (; runs > 0; runs -= 1) {
      const now = snapshot(root);
      const [undone] = (await (await open()).undo()).runs;
      if (undone === undefined || undone.restored.length === 0) break;
      const left = snapshot(root);
      await (await open()).redo();
      for (const { undo, recover, redo } of cuts) {
        if (await isKilled(undo, async () => (await open()).undo())) {
          told.killed += 1;
          await isKilled(recover, async () => (await open()).recover());
          // Only the end of its log may have been missing.
          if ((await stateOf(undone.run)) === "undone") told.finished += 1;
          else expect(namedBy((await (await open()).undo()).runs)).toEqual(namedBy([undone]));
        }
        expect(snapshot(root)).toEqual(left);
        const isRedoKilled = await isKilled(redo, async () => (await open()).redo());
        if (isRedoKilled && (await stateOf(undone.run)) !== "redone") await (await open()).redo();
        expect(snapshot(root)).toEqual(now);
      }
      await (await open()).undo();
      expect(snapshot(root)).toEqual(left);
      told.undone += 1;
    }
    for (const folder of [root, dirname(journalFolder(root))]) rmSync(folder, { recursive: true, force: true });
  });
  await fc.assert(law, tries(40, 1_000));
  // The generated histories must have exercised the property.
  expect(told.killed).toBeGreaterThan(told.undone / 2);
  expect(told.finished).toBeGreaterThan(0);
});

/** The run, and the paths that it refused. */
function namedBy(runs: readonly ReversedRun[]): unknown {
  return runs.map(({ run, refused }) => [run, refused.map(({ path }) => path).toSorted()]);
}

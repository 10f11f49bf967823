/** What the run does that the crash tests interrupt: every kind of operation, and actions that build upon others. */
import { join } from "node:path";
import { Disk } from "../../src/disk/disk.ts";
import { planReversal } from "../../src/history/undo.ts";
import { Journal } from "../../src/journal/journal.ts";
import type { Planned } from "../../src/disk/planned.ts";
import { Overlay } from "../../src/disk/overlay.ts";
import { donePuts } from "../../src/journal/change-set.ts";
import { logPath, readLog } from "../../src/journal/log.ts";

export const before: Readonly<Record<string, string>> = {
  "edited.txt": "old ".repeat(20),
  "moved.txt": "moved",
  "replaced.txt": "replaced",
  "deleted.txt": "deleted",
  "directory/inside.txt": "inside",
  "untouched.txt": "untouched",
};

type Act = (overlay: Overlay, at: (name: string) => string) => void;

const edit: Act = (overlay, at) => overlay.writeFile(at("edited.txt"), Buffer.from("new ".repeat(20)));
const unlink: Act = (overlay, at) => overlay.unlink(at("deleted.txt"));
const create: Act = (overlay, at) => {
  overlay.makeDirectory(at("new"));
  overlay.makeDirectory(at("new/deep"));
  overlay.writeFile(at("new/deep/file.txt"), Buffer.from("created"));
};
const move: Act = (overlay, at) => overlay.rename(at("moved.txt"), at("replaced.txt"));
const moveDirectory: Act = (overlay, at) => overlay.rename(at("directory"), at("elsewhere"));
const editInside: Act = (overlay, at) => overlay.writeFile(at("elsewhere/inside.txt"), Buffer.from("edited inside"));

export const actions: readonly Act[] = [edit, unlink, create, move, moveDirectory, editInside];

/** Which actions build upon which. */
const NEEDS: ReadonlyMap<Act, Act> = new Map([[editInside, moveDirectory]]);

const file = (content: string): string => `644 ${content}`;
const DIRECTORY = "755 directory";

/** What an action puts into a snapshot, or takes out of it. */
const EFFECTS: ReadonlyMap<Act, Readonly<Record<string, string | null>>> = new Map([
  [edit, { "edited.txt": file("new ".repeat(20)) }],
  [unlink, { "deleted.txt": null }],
  [create, { new: DIRECTORY, "new/deep": DIRECTORY, "new/deep/file.txt": file("created") }],
  [move, { "moved.txt": null, "replaced.txt": file("moved") }],
  [moveDirectory, { directory: null, "directory/inside.txt": null, elsewhere: DIRECTORY, "elsewhere/inside.txt": file("inside") }],
  [editInside, { "elsewhere/inside.txt": file("edited inside") }],
]);

/** The snapshots after each set of actions that can have been done, by the positions of those. */
export function outcomes(start: Readonly<Record<string, string>>): Array<{ readonly done: readonly number[]; readonly snapshot: Readonly<Record<string, string>> }> {
  const all = [];
  for (let set = 0; set < 1 << actions.length; set++) {
    const done = actions.filter((_, index) => (set >> index) & 1);
    if (done.some((act) => NEEDS.has(act) && !done.includes(NEEDS.get(act) as Act))) continue;
    const snapshot = new Map(Object.entries(start));
    for (const act of done) {
      for (const [path, state] of Object.entries(EFFECTS.get(act) ?? {})) {
        if (state === null) snapshot.delete(path);
        else snapshot.set(path, state);
      }
    }
    all.push({ done: done.map((act) => actions.indexOf(act)), snapshot: Object.fromEntries(snapshot) });
  }
  return all;
}

/** Runs it in a folder, and yields the positions of the actions that failed. */
export function runActions(folder: string, transaction: "keep" | "all-or-nothing"): Promise<number[]> {
  const overlay = new Overlay(new Disk());
  for (const [index, act] of actions.entries()) {
    overlay.author = index;
    act(overlay, (name) => join(folder, "project", name));
  }
  return commit(folder, overlay.take(), { kind: "run", transaction });
}

/** Takes back the first run, as far as there was one. */
export async function undoRun(folder: string): Promise<number[]> {
  const log = readLog(logPath(join(folder, "runs"), 1));
  return log === undefined ? [] : commit(folder, planReversal(donePuts(log), log.file).planned, { kind: "undo", of: 1, transaction: "keep" });
}

async function commit(folder: string, staged: readonly Planned[], options: { readonly kind: "run" | "undo"; readonly of?: number; readonly transaction: "keep" | "all-or-nothing" }): Promise<number[]> {
  const { transaction, ...header } = options;
  const journal = new Journal(join(folder, "runs"), { root: join(folder, "project"), ...header });
  const { outcomes } = await journal.commit(staged, { atomic: transaction === "all-or-nothing" });
  journal.finish();
  return [...new Set(staged.flatMap(({ authors }, index) => (outcomes[index]?.failure === undefined ? [] : authors)))];
}

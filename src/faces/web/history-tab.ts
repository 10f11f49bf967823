/** The history tab: runs, what each changed, and their undo and redo. */
import { type Foreseen, foresee, nameWithin, visibleInLines } from "../../index.ts";
import { Colours } from "./colours.ts";
import type { Environment } from "./environment.ts";
import { fileViews } from "./files-of-change.ts";
import type { FileView, PastRunView, ReversalView } from "./protocol.ts";
import type { RequestBody } from "./requests.ts";

/** Returns the runs, newest first. */
export async function listRuns(environment: Environment): Promise<PastRunView[]> {
  const { runs } = await (await environment.open({ commands: false })).history();
  return runs.map(({ run, started, summary, state, commit, lines, answer, isStep = false }) => ({
    run,
    started,
    summary: visibleInLines(summary),
    state,
    commit,
    ...lines,
    answer: answer && visibleInLines(answer),
    isStep,
  }));
}

/** Returns what a run changed. Throws `Error` if the log no longer has it. */
export async function filesOfRun(environment: Environment, run: number): Promise<FileView[]> {
  const loaf = await environment.open({ commands: false });
  const past = await loaf.changesOf(run);
  if (past === undefined) throw new Error(`The log no longer has run ${run}`);
  return new Colours().colour(fileViews(past.changes, { root: loaf.root }), past.changes);
}

/** Returns what an undo or a redo would do, with the conflicts. */
export async function foreseeReversal({ root }: Environment, { run, kind }: Reversal): Promise<ReversalView> {
  const sentence = `${kind === "undo" ? "Undo" : "Redo"} run ${run}?`;
  return { isDone: false, sentence, ...named(root, await foresee(root, kind, run)), notices: [] };
}

export async function reverse(environment: Environment, { run, kind }: Reversal): Promise<ReversalView> {
  const loaf = await environment.open({ commands: false });
  const { runs, notices } = await (kind === "undo" ? loaf.undo({ run }) : loaf.redo({ run }));
  const { isReversed = false, restored = [], refused = [] } = runs.find((reversed) => reversed.run === run) ?? {};
  const past = kind === "undo" ? "undone" : "redone";
  const except = refused.length > 0 ? ", except the files below" : "";
  return {
    isDone: true,
    sentence: isReversed ? `Run ${run} is ${past}${except}` : `Run ${run} could not be ${past}`,
    ...named(loaf.root, { restored, refused }),
    notices: notices.map(visibleInLines),
  };
}

type Reversal = RequestBody<"reverse">;

function named(root: string, { restored, refused }: Foreseen): Pick<ReversalView, "restored" | "refused"> {
  const name = (path: string): string => visibleInLines(nameWithin(root, path));
  return {
    restored: restored.map(({ path, how }) => ({ path: name(path), how })),
    refused: refused.map(({ path, reason }) => ({ path: name(path), reason: visibleInLines(reason) })),
  };
}

/** The history tab: runs, what each changed, and their undo and redo. */
import { type Foreseen, foresee, nameWithin, visibleInLines } from "../../index.ts";
import { Colours } from "./colours.ts";
import type { Environment } from "./environment.ts";
import { fileViews } from "./files-of-change.ts";
import type { FileView, PastRunView, ReversalView } from "./protocol.ts";
import type { RequestBody } from "./requests.ts";

export class HistoryTab {
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** Newest first. */
  async list(): Promise<PastRunView[]> {
    const { runs } = await (await this.#open()).history();
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

  async diff(run: number): Promise<FileView[]> {
    const loaf = await this.#open();
    const past = await loaf.changesOf(run);
    if (past === undefined) throw new Error(`The log no longer has run ${run}`);
    return new Colours().colour(fileViews(past.changes, { root: loaf.root }), past.changes);
  }

  /** Returns what an undo or a redo would do, with the conflicts. */
  async foresee({ run, kind }: RequestBody<"foresee">): Promise<ReversalView> {
    const foreseen = await foresee(this.#environment.root, kind, run);
    return { sentence: `${kind === "undo" ? "Undo" : "Redo"} run ${run}?`, ...this.#named(foreseen), notices: [] };
  }

  async reverse({ run, kind }: RequestBody<"reverse">): Promise<ReversalView> {
    const loaf = await this.#open();
    const { runs, notices } = await (kind === "undo" ? loaf.undo({ run }) : loaf.redo({ run }));
    const done = runs.find((reversed) => reversed.run === run);
    const past = kind === "undo" ? "undone" : "redone";
    const sentence =
      done?.isReversed === true
        ? `Run ${run} is ${past}${done.refused.length > 0 ? ", except the files below" : ""}`
        : `Run ${run} could not be ${past}`;
    return {
      sentence,
      ...this.#named({ restored: done?.restored ?? [], refused: done?.refused ?? [] }),
      notices: notices.map(visibleInLines),
    };
  }

  #named({ restored, refused }: Foreseen): Pick<ReversalView, "restored" | "refused"> {
    const name = (path: string): string => visibleInLines(nameWithin(this.#environment.root, path));
    return {
      restored: restored.map(({ path, how }) => ({ path: name(path), how })),
      refused: refused.map(({ path, reason }) => ({ path: name(path), reason: visibleInLines(reason) })),
    };
  }

  #open() {
    return this.#environment.open({ commands: false });
  }
}

import { basename } from "node:path";
import type { ExecutionResult } from "../../core/outcome.ts";
import { cellsOf } from "../../report/cells.ts";
import { terminalReport } from "../../report/terminal.ts";
import { visibleOnOneLine } from "../../core/visible.ts";
import type { ExecuteOptions } from "../../run/options.ts";
import type { WatchedRun, WatchView } from "../watch/watcher.ts";
import { HOW_TO_GET_BLOCKS } from "./answer.ts";
import { readsKeys } from "./keys.ts";
import { LiveLine } from "./live-line.ts";
import { complain, paint, print, printProse, terminalWidth } from "./output.ts";
import { RunScreen, screenOf } from "./run-screen.ts";
import { Stopping } from "./stopping.ts";
import type { OnCopying } from "../../programs/view/view.ts";

/** Milliseconds after which the end of a run rings a bell. */
const LONG = 10_000;

/** The output of `loaf watch`: on a terminal, the runs and a status line below them, elsewhere plain lines. */
export class WatchScreen implements WatchView {
  readonly line = new LiveLine();
  /** The last report, for the clipboard. */
  report: string | undefined;
  readonly #root: string;
  readonly #input: string;
  readonly #hasKeys = readsKeys();
  /** The key or command that undoes a run. */
  readonly #undo = this.#hasKeys ? "u" : "loaf undo";
  /** A command that is being typed. */
  #typed: string | undefined;
  readonly #onFinished: (run: WatchedRun) => Promise<void>;
  #stopping: Stopping | undefined;
  #run: RunScreen | undefined;

  constructor(root: string, input: string, onFinished: (run: WatchedRun) => Promise<void>) {
    this.#root = root;
    this.#input = basename(input);
    this.#onFinished = onFinished;
    if (this.line.isLive) process.stdout.on("resize", () => this.#fit());
  }

  idle(): void {
    const cells = (terminalWidth() ?? 80) - 1;
    this.line.show(
      this.#typed ?? (this.#hasKeys ? idleSentence(this.#input, cells) : `Watching ${this.#input} · Ctrl-C quits`),
    );
  }

  typing(text: string | undefined): void {
    this.#typed = text;
    this.idle();
  }

  #fit(): void {
    this.line.eraseBroken();
    if (this.#run === undefined) this.idle();
  }

  /** Stops the current run, if there is one. */
  get stopping(): Stopping | undefined {
    return this.#stopping;
  }

  readonly onCopying: OnCopying = (copied) => this.#run?.onCopying(copied);

  starting(): Pick<ExecuteOptions, "signal" | "stop" | "onProgress"> {
    this.#stopping = new Stopping();
    // Locale functions take 20 ms to load.
    this.line.print(["", paint("dim", `── ${new Date().toTimeString().slice(0, 8)} ──`)]);
    this.line.draw("");
    this.#run = new RunScreen(this.#root, this.line);
    return { ...this.#stopping.signals, onProgress: this.#run.onProgress };
  }

  async finished(run: WatchedRun): Promise<void> {
    this.#stopping = undefined;
    this.report = run.report;
    const { result, loaf } = run;
    const durationMs = this.#run?.elapsed ?? 0;
    this.#run?.stop();
    for (const notice of result.notices ?? []) complain(notice);
    await this.#run?.finish(result, loaf, { undo: this.#undo });
    this.#run = undefined;
    if (durationMs >= LONG) this.line.bell();
    await this.#onFinished(run);
    this.idle();
  }

  nothingToRun(result: ExecutionResult): void {
    this.line.above(() => print(terminalReport(result, { changes: [], undo: this.#undo }, screenOf(this.#root))));
    if (result.totalBlocks === 0 && result.findings === undefined) this.tell(HOW_TO_GET_BLOCKS);
  }

  tell(sentence: string): void {
    this.line.above(() =>
      printProse(
        sentence
          .split("\n")
          .map((line) => visibleOnOneLine(line, Infinity))
          .join("\n"),
      ),
    );
  }
}

/** Returns the longest sentence that fits. */
export function idleSentence(input: string, cells: number): string {
  const short = `Watching ${input} · h help · q quit`;
  const all = [
    `Watching ${input}: save an answer into it · r run again · u undo · c copy the report · h help · q quit`,
    `Watching ${input} · r run again · u undo · c copy report · h help · q quit`,
  ];
  return all.find((sentence) => cellsOf(sentence) <= cells) ?? short;
}

import { basename } from "node:path";
import type { ExecutionResult } from "../../core/outcome.ts";
import { terminalReport } from "../../report/terminal.ts";
import { visibleOnOneLine } from "../../core/visible.ts";
import type { ExecuteOptions } from "../../run/options.ts";
import type { Starting } from "../../run/run.ts";
import type { WatchedRun, WatchView } from "../watch/watcher.ts";
import type { Aside } from "./late-person.ts";
import { LiveLine, WorkTime } from "./live-line.ts";
import { complain, paint, print, usesColor } from "./output.ts";
import { Stopping } from "./stopping.ts";
import { copyingSentence, type OnCopying } from "./project.ts";

/** Milliseconds after which the end of a run rings a bell. */
const LONG = 10_000;

/** The output of `loaf watch`: on a terminal, the runs and a status line below them, elsewhere plain lines. */
export class WatchScreen implements WatchView {
  readonly line = new LiveLine();
  /** The last report, for the clipboard. */
  report: string | undefined;
  readonly #idle: string;
  readonly #onFinished: (run: WatchedRun) => Promise<void>;
  #stopping: Stopping | undefined;
  #copying: string | undefined;
  #tick: NodeJS.Timeout | undefined;
  #time = new WorkTime();

  constructor(input: string, onFinished: (run: WatchedRun) => Promise<void>) {
    this.#idle = `Watching ${basename(input)}: save an answer into it · r run again · u undo · c copy the report · h help · q quit`;
    this.#onFinished = onFinished;
  }

  idle(): void {
    this.line.show(this.#idle);
  }

  typing(text: string | undefined): void {
    this.line.show(text ?? this.#idle);
  }

  /** Leaves the terminal to a question or a command, whose time does not count towards the run. */
  readonly aside: Aside = (act) => this.line.aside(() => this.#time.aside(act));

  /** Stops the current run, if there is one. */
  get stopping(): Stopping | undefined {
    return this.#stopping;
  }

  readonly onCopying: OnCopying = (copied) => {
    this.#copying = copied && copyingSentence(copied);
  };

  starting(blocks: number): Pick<ExecuteOptions, "signal" | "stop" | "onStart"> {
    this.#stopping = new Stopping();
    const time = (this.#time = new WorkTime());
    let action: Starting | undefined;
    const show = (): void => {
      const seconds = Math.floor(time.elapsed / 1_000);
      const what = action === undefined ? "starting" : `${action.seq} of ${blocks}: ${action.action} ${String(action.params["path"] ?? action.params["lang"] ?? "")}`;
      this.line.show(`${this.#copying ?? `Running ${what}`}${seconds === 0 ? "" : ` · ${seconds} s · Ctrl-C stops`}`);
    };
    // Delayed, since a short run would only flicker.
    if (this.line.isLive) this.#tick = setInterval(show, 500);
    return { ...this.#stopping.signals, onStart: (next) => void (action = next) };
  }

  async finished(run: WatchedRun): Promise<void> {
    clearInterval(this.#tick);
    this.#stopping = undefined;
    this.report = run.report;
    const { result } = run;
    const durationMs = this.#time.elapsed;
    this.line.above(() => {
      // Locale functions take 20 ms to load.
      print(`\n${paint("dim", `── ${new Date().toTimeString().slice(0, 8)} ──`)}\n${terminalReport(result, { color: usesColor(), durationMs })}`);
      for (const notice of result.notices ?? []) complain(notice);
    });
    if (durationMs >= LONG) this.line.bell();
    await this.#onFinished(run);
    this.idle();
  }

  nothingToRun(result: ExecutionResult): void {
    this.line.above(() => print(terminalReport(result, { color: usesColor(), durationMs: 0 })));
  }

  tell(sentence: string): void {
    this.line.above(() => print(sentence.split("\n").map((line) => visibleOnOneLine(line, Infinity)).join("\n")));
  }
}

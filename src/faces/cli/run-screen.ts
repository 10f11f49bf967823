/** Shows a run at a terminal as it happens: a list of its blocks, and below it a line that says what is running. */
import type { ExecutionResult, Progress } from "../../core/outcome.ts";
import type { Loaf } from "../../loaf.ts";
import type { Screen } from "../../report/cells.ts";
import { endLines, FRAME_MS, RunView } from "../../report/terminal.ts";
import type { LiveLine } from "./live-line.ts";
import { terminalWidth, usesColor } from "./output.ts";
import type { OnCopying } from "../../programs/view/view.ts";
import { copyingSentence } from "./project.ts";
import { useTerminal } from "./terminal.ts";

export class RunScreen {
  readonly #line: LiveLine;
  readonly #root: string;
  #start = performance.now();
  readonly #view: RunView;
  readonly #tick: NodeJS.Timeout | undefined;
  readonly #leave: () => void;
  /** Shown instead of the status: how far the project is copied. */
  #note: string | undefined;

  constructor(root: string, line: LiveLine) {
    [this.#root, this.#line] = [root, line];
    this.#view = new RunView(
      () => screenOf(root),
      () => this.elapsed,
    );
    this.#tick = line.isLive ? setInterval(() => this.#draw(), FRAME_MS).unref() : undefined;
    this.#leave = useTerminal(() => {
      const start = performance.now();
      return () => void (this.#start += performance.now() - start);
    });
  }

  /** Milliseconds, without the time for questions. */
  get elapsed(): number {
    return performance.now() - this.#start;
  }

  readonly onProgress = (event: Progress): void => this.#line.print(this.#view.on(event));

  readonly onCopying: OnCopying = (copied) => void (this.#note = copied && copyingSentence(copied));

  /** Ends the status line. */
  stop(): void {
    clearInterval(this.#tick);
    this.#leave();
    this.#line.draw("");
  }

  /**
   * Prints the end of the list. The outcome is its last line.
   *
   * @param before lines above the outcome
   * @param undo the command or key that undoes the run
   */
  async finish(
    result: ExecutionResult,
    loaf: Loaf,
    { undo, before = [] }: { readonly undo: string; readonly before?: readonly string[] },
  ): Promise<void> {
    this.stop();
    this.#line.print([
      ...before,
      ...endLines(result, { changes: await changesIn(result, loaf), undo }, screenOf(this.#root)),
    ]);
  }

  #draw(): void {
    if (this.#note === undefined) this.#line.draw(this.#view.status());
    else this.#line.show(this.#note);
  }
}

export function screenOf(root: string): Screen {
  return { root, color: usesColor(), width: terminalWidth() ?? 80 };
}

async function changesIn({ dryRun, run }: ExecutionResult, loaf: Loaf) {
  if (dryRun === true) return loaf.changes();
  return run === undefined ? [] : (await loaf.changesOf(run))?.changes;
}

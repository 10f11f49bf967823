import { onEndSignal } from "../../run/end-signals.ts";
import { complain } from "./output.ts";

/** Ends a run, further with each step: after the action that is going on; a command that is running, at once, while the run still tells what it has done. */
export class Stopping {
  readonly #stop = new AbortController();
  readonly #kill = new AbortController();
  /** For `execute`. */
  readonly signals = { stop: this.#stop.signal, signal: this.#kill.signal };

  /** One step further. What is going to happen, as a sentence; undefined where all steps are taken. */
  next(): string | undefined {
    if (!this.#stop.signal.aborted) {
      this.#stop.abort();
      return "Stopping after the action that is going on; Ctrl-C again ends a command that is running";
    }
    if (this.#kill.signal.aborted) return undefined;
    this.#kill.abort();
    return "Ending what is running; Ctrl-C again stops Loaf at once";
  }

  /** Both steps: nobody is there any more who would take the second. */
  end(): void {
    this.#stop.abort();
    this.#kill.abort();
  }
}

/** Lets Ctrl-C end a run cleanly while it is going on. A third one ends Loaf itself at once, which the next run or `loaf recover` puts right. What the operating system sends to end a program takes both steps. */
export async function stoppable<Value>(act: (signals: Stopping["signals"]) => Promise<Value>): Promise<Value> {
  const stopping = new Stopping();
  const onInterrupt = (): void => complain(stopping.next() ?? process.exit(130));
  const offEnd = onEndSignal(() => stopping.end());
  process.on("SIGINT", onInterrupt);
  try {
    return await act(stopping.signals);
  } finally {
    process.off("SIGINT", onInterrupt);
    offEnd();
  }
}

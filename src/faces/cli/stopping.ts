import { onEndSignal } from "../../run/end-signals.ts";
import { complain } from "./output.ts";

/**
 * Stops a run in two steps: first after the current action, then by killing the running command. Both still give a
 * report.
 */
export class Stopping {
  readonly #stop = new AbortController();
  readonly #kill = new AbortController();
  /** For `execute`. */
  readonly signals = { stop: this.#stop.signal, signal: this.#kill.signal };

  /** Takes the next step. Returns what will happen as a sentence, or undefined after the last step. */
  next(): string | undefined {
    if (!this.#stop.signal.aborted) {
      this.#stop.abort();
      return "Stopping after the current action; Ctrl-C again kills a running command";
    }
    if (this.#kill.signal.aborted) return undefined;
    this.#kill.abort();
    return "Stopping the running command; Ctrl-C again stops Loaf at once";
  }

  /** Takes both steps, for signals that cannot be followed by a second one from the user. */
  end(): void {
    this.#stop.abort();
    this.#kill.abort();
  }
}

/**
 * Lets Ctrl-C stop a run step by step. The third one ends Loaf itself, and the next run or `loaf recover` finishes the
 * interrupted one. Other termination signals take both steps at once.
 */
export async function stoppable<Value>(
  act: (signals: Stopping["signals"]) => Promise<Value>,
  say: (sentence: string) => void = complain,
): Promise<Value> {
  const stopping = new Stopping();
  const onInterrupt = (): void => say(stopping.next() ?? process.exit(130));
  const offEnd = onEndSignal(() => stopping.end());
  process.on("SIGINT", onInterrupt);
  try {
    return await act(stopping.signals);
  } finally {
    process.off("SIGINT", onInterrupt);
    offEnd();
  }
}

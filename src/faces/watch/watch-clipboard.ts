import { ClipboardError } from "./clipboard.ts";
import { Copies } from "./copies.ts";

export interface ClipboardWatch {
  /** The text that is on the clipboard. Throws `ClipboardError`. */
  readonly read: () => Promise<string>;
  /** Resolves after so many milliseconds, or sooner when it is all over. */
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Milliseconds, of a clock that goes on evenly. */
  readonly now: () => number;
  readonly onText: (text: string) => void;
  readonly tell: (sentence: string) => void;
  /** What Loaf itself has put there last. */
  readonly own: () => string | undefined;
}

/** Milliseconds between two looks, and where a second copy may complete a pair. */
const PAUSE = 150;
const SHORT_PAUSE = 60;
/** A look must not cost more than a part of the time; PowerShell takes its time to start. */
const SHARE = 12;
/** After one that failed. */
const LONG_PAUSE = 5_000;

/** Looks at the clipboard until the signal is aborted, and hands on what is copied to be run. That it cannot be read is told once. */
export async function watchClipboard({ read, sleep, now, onText, tell, own }: ClipboardWatch, signal: AbortSignal): Promise<void> {
  let copies: Copies | undefined;
  let isTold = false;
  while (!signal.aborted) {
    const start = now();
    try {
      const text = await read();
      const seen = now();
      if (copies === undefined) copies = new Copies(text);
      const wanted = text === own() ? copies.ignore(text) : copies.see(text, seen);
      if (wanted !== undefined) onText(wanted);
      const pause = copies.isAwaiting(seen) ? SHORT_PAUSE : PAUSE;
      await sleep(process.platform === "win32" ? Math.max(pause, (seen - start) * SHARE) : pause);
    } catch (thrown) {
      if (!(thrown instanceof ClipboardError)) throw thrown;
      if (!isTold) tell(thrown.message);
      isTold = true;
      await sleep(LONG_PAUSE);
    }
  }
}

import { ClipboardError } from "./clipboard.ts";
import { Copies } from "./copies.ts";

export interface ClipboardWatch {
  /** Returns the text on the clipboard. Throws `ClipboardError`. */
  readonly read: () => Promise<string>;
  /** Resolves after a time, or sooner on abort. */
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  readonly onText: (text: string) => void;
  readonly tell: (sentence: string) => void;
  /** Returns the last text that Loaf itself has copied. */
  readonly own: () => string | undefined;
}

/** Milliseconds between reads, usually and while a second copy may complete a pair. */
const PAUSE_MS = 150;
const SHORT_PAUSE_MS = 60;
/** A pause is at least so many times as long as a read on Windows, where PowerShell starts slowly. */
const SHARE = 12;
/** After a failed read. */
const LONG_PAUSE_MS = 5_000;

/** Polls the clipboard until abort, and passes on texts copied to be run. Reports a read error once. */
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
      const pause = copies.isAwaiting(seen) ? SHORT_PAUSE_MS : PAUSE_MS;
      await sleep(process.platform === "win32" ? Math.max(pause, (seen - start) * SHARE) : pause);
    } catch (thrown) {
      if (!(thrown instanceof ClipboardError)) throw thrown;
      if (!isTold) tell(thrown.message);
      isTold = true;
      await sleep(LONG_PAUSE_MS);
    }
  }
}

import { ClipboardError } from "./clipboard.ts";

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

/**
 * Recognises the gesture that runs a copied text: nobody copies a block and the answer around it within two seconds by
 * accident.
 */

/** Maximum time between the two copies, in milliseconds. */
const WINDOW_MS = 1_800;

interface Copy {
  readonly text: string;
  readonly at: number;
}

/** Recent copies. */
export class Copies {
  #recent: readonly Copy[] = [];
  #last: string | undefined;

  /** @param initial the clipboard's text at the start, which never counts */
  constructor(initial?: string) {
    this.#last = initial;
  }

  /**
   * Takes the clipboard's current text. Returns the text to run: the shorter of two different copies with the same end
   * marker.
   *
   * @param at milliseconds of a monotonic clock
   */
  see(text: string, at: number): string | undefined {
    if (text === this.#last) return undefined;
    this.#last = text;
    const ids = endMarkersIn(text);
    const near = this.#recent.filter((copy) => at - copy.at <= WINDOW_MS);
    const partner = near.findLast((copy) => copy.text !== text && [...endMarkersIn(copy.text)].some((id) => ids.has(id)));
    // A pair is one gesture: a third copy begins a new one.
    this.#recent = partner === undefined ? [...near, { text, at }] : [];
    if (partner === undefined) return undefined;
    return text.length < partner.text.length ? text : partner.text;
  }

  /** Excludes a text that Loaf itself has copied. */
  ignore(text: string): void {
    this.#last = text;
  }

  /** Returns whether another copy could still complete a pair. */
  isAwaiting(at: number): boolean {
    return this.#recent.some((copy) => at - copy.at <= WINDOW_MS && endMarkersIn(copy.text).size > 0);
  }
}

/** Returns the IDs of end markers that are alone on an unindented line. */
function endMarkersIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(/^#!end_([A-Za-z0-9]{2,8})[ \t\r]*$/gm)].map(([, id]) => id ?? ""));
}

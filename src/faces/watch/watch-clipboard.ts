import { ClipboardError } from "./clipboard.ts";

export interface ClipboardWatch {
  /** Which copies are meant to be run. */
  readonly gesture: Gesture;
  /** Returns the text on the clipboard. Throws `ClipboardError`. */
  readonly read: () => Promise<string>;
  /** Resolves after a time, or sooner on abort. */
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  readonly onText: (text: string) => void;
  readonly tell: (sentence: string) => void;
  /** Returns the last text that Loaf itself has copied. */
  readonly lastCopied: () => string | undefined;
}

/** Decides which copied texts are meant to be run. */
export interface Gesture {
  /**
   * Takes the clipboard's current text, which may be the same as before. Returns the text to run.
   *
   * @param at milliseconds of a monotonic clock
   */
  see(text: string, at: number): string | undefined;
  /** Excludes a text: it was there at the start, or Loaf itself has copied it. */
  ignore(text: string): void;
  /** Returns whether another copy within a moment could complete the gesture. */
  isAwaiting(at: number): boolean;
}

/** Milliseconds between reads, usually and while a second copy may complete a pair. */
const PAUSE_MS = 150;
const SHORT_PAUSE_MS = 60;
/** A pause is at least so many times as long as a read on Windows, where PowerShell starts slowly. */
const SHARE = 12;
/** After a failed read. */
const LONG_PAUSE_MS = 5_000;

/** Polls the clipboard until abort, and passes on texts copied to be run. Reports a read error once. */
export async function watchClipboard(
  { gesture, read, sleep, now, onText, tell, lastCopied }: ClipboardWatch,
  signal: AbortSignal,
): Promise<void> {
  let [isFirst, isTold] = [true, false];
  while (!signal.aborted) {
    const start = now();
    try {
      const text = await read();
      const seen = now();
      const wanted = isFirst || text === lastCopied() ? gesture.ignore(text) : gesture.see(text, seen);
      isFirst = false;
      if (wanted !== undefined) onText(wanted);
      const pause = gesture.isAwaiting(seen) ? SHORT_PAUSE_MS : PAUSE_MS;
      await sleep(process.platform === "win32" ? Math.max(pause, (seen - start) * SHARE) : pause);
    } catch (thrown) {
      if (!(thrown instanceof ClipboardError)) throw thrown;
      if (!isTold) tell(thrown.message);
      isTold = true;
      await sleep(LONG_PAUSE_MS);
    }
  }
}

/** Every copy counts, since the user is asked about it. */
export class SingleCopies implements Gesture {
  #last: string | undefined;

  see(text: string): string | undefined {
    if (text === this.#last) return undefined;
    this.#last = text;
    return text;
  }

  ignore(text: string): void {
    this.#last = text;
  }

  isAwaiting(): boolean {
    return false;
  }
}

/** Maximum time between the two copies, in milliseconds. */
const WINDOW_MS = 1_800;

interface Copy {
  readonly text: string;
  readonly marks: ReadonlySet<string>;
  readonly at: number;
}

/**
 * Two different copies that share a block, of which the shorter one is run: nobody copies a block and the answer around
 * it within two seconds by accident. Blocks of NESL are known by their end markers.
 */
export class PairsOfCopies implements Gesture {
  readonly #blocksIn: (text: string) => readonly string[];
  #recent: readonly Copy[] = [];
  #last: string | undefined;

  /** @param blocksIn returns what identifies the blocks of a text whose syntax has no end markers */
  constructor(blocksIn: (text: string) => readonly string[] = () => []) {
    this.#blocksIn = blocksIn;
  }

  see(text: string, at: number): string | undefined {
    if (text === this.#last) return undefined;
    this.#last = text;
    const marks = new Set([...endMarkersIn(text), ...this.#blocksIn(text)]);
    const near = this.#recent.filter((copy) => at - copy.at <= WINDOW_MS);
    const partner = near.findLast((copy) => copy.text !== text && [...copy.marks].some((mark) => marks.has(mark)));
    // A pair is one gesture: a third copy begins a new one.
    this.#recent = partner === undefined ? [...near, { text, marks, at }] : [];
    if (partner === undefined) return undefined;
    return text.length < partner.text.length ? text : partner.text;
  }

  ignore(text: string): void {
    this.#last = text;
  }

  isAwaiting(at: number): boolean {
    return this.#recent.some((copy) => at - copy.at <= WINDOW_MS && copy.marks.size > 0);
  }
}

/** Returns end markers of NESL and SHAM that are alone on an unindented line, as `end_k7m`. */
function endMarkersIn(text: string): string[] {
  return [...text.matchAll(/^#!(?:end|END_SHAM)_([A-Za-z0-9]{2,8})[ \t\r]*$/gm)].map(([, id]) => `end_${id}`);
}

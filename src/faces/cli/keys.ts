/** Reads the keys of a terminal: for questions and the picker, or with lines that begin with a slash, for watch. */
import { createInterface, emitKeypressEvents, type Key } from "node:readline";
import { PassThrough, type Readable } from "node:stream";
import type { ReadStream } from "node:tty";
import { isTerminal } from "./output.ts";
import { useTerminal } from "./terminal.ts";

export interface KeyHandlers {
  readonly onKey: (key: string) => void;
  /** A whole line, without its slash. */
  readonly onLine: (line: string) => void;
  /** Receives the unfinished line, or undefined when it ends. */
  readonly onTyping: (line: string | undefined) => void;
  /** Called instead of `onKey` when text is pasted. */
  readonly onPaste: () => void;
}

/** Returns whether the user can press keys: both standard input and output are a terminal. */
export function readsKeys(): boolean {
  return isTerminal() && process.stdin.isTTY;
}

/** Reads keys from the terminal, except while something else, such as a question, needs it. Returns a function that stops. */
export function readKeyCommands(handlers: KeyHandlers): () => void {
  let stop = readTerminal(handlers);
  const leave = useTerminal(() => {
    stop();
    return () => (stop = readTerminal(handlers));
  });
  return () => {
    leave();
    stop();
  };
}

/** Turns bracketed paste on, in which terminals mark a pasted text. Returns a function that stops. */
function readTerminal(handlers: KeyHandlers): () => void {
  const { stdin, stdout } = process;
  const stop = readKeys(stdin, new KeyReader(handlers).take);
  stdin.resume();
  stdout.write("\u001b[?2004h");
  return () => {
    stdout.write("\u001b[?2004l");
    stop();
    stdin.pause();
  };
}

/**
 * Reads keys from a terminal in raw mode, and passes on those that arrive at once. Returns a function that stops, and
 * leaves raw mode.
 */
export function readKeys(
  stream: Readable & Partial<Pick<ReadStream, "setRawMode">>,
  take: (keys: readonly Key[]) => void,
): () => void {
  const keys: Key[] = [];
  const add = (_: string | undefined, key: Key): void => {
    // All keys of one chunk of input arrive before the microtask runs.
    if (keys.push(key) === 1) queueMicrotask(() => take(keys.splice(0)));
  };
  stream.setRawMode?.(true);
  emitKeypressEvents(stream, TIMING);
  stream.on("keypress", add);
  return () => {
    stream.off("keypress", add);
    if (!stream.destroyed) stream.setRawMode?.(false);
  };
}

/** Only its timeout counts: after so many milliseconds an escape character is the key, not the start of a sequence. */
const TIMING = createInterface({ input: new PassThrough(), escapeCodeTimeout: 50 });

/** Tells typed keys from pasted text and from what terminals themselves send. */
export class KeyReader {
  readonly #handlers: KeyHandlers;
  #line: string | undefined;
  #isPasting = false;

  constructor(handlers: KeyHandlers) {
    this.#handlers = handlers;
  }

  /** @param burst keys that have arrived at once */
  readonly take = (burst: readonly Key[]): void => {
    const typed = this.#withoutPasted(burst);
    const [first] = typed;
    if (first === undefined) return;
    if (typed.length > 1) {
      // What a terminal reports, such as a mouse position, begins with an escape sequence.
      if (isSequence(first)) return;
      // Nobody types that fast. A pasted answer must not trigger keys.
      if (typed.length > MAX_TYPED_LENGTH || (this.#line === undefined && first.sequence !== "/"))
        return this.#handlers.onPaste();
    }
    for (const key of typed) this.#takeKey(key);
  };

  #withoutPasted(burst: readonly Key[]): Key[] {
    return burst.filter((key) => {
      if (key.name === "paste-start" || key.name === "paste-end") {
        this.#isPasting = key.name === "paste-start";
        if (!this.#isPasting) this.#handlers.onPaste();
        return false;
      }
      // If the end of a paste got lost, Ctrl-C must still work.
      if (burst.length === 1 && isControl(key, "c")) this.#isPasting = false;
      return !this.#isPasting;
    });
  }

  #takeKey(key: Key): void {
    const { sequence = "", name } = key;
    const [line, isEscape] = [this.#line, name === "escape"];
    // Ignores arrows, function keys, and keys with Alt.
    if (isSequence(key) && !isEscape) return;
    if (line === undefined) {
      if (sequence === "/") this.#type("/");
      else if (isControl(key, "c")) this.#handlers.onKey("ctrl-c");
      else this.#handlers.onKey(isControl(key, "d") ? "q" : sequence.toLowerCase());
    } else if (isEscape || isControl(key, "c", "d", "u")) this.#type(undefined);
    else if (name === "return" || name === "enter") {
      this.#type(undefined);
      if (line.slice(1).trim() !== "") this.#handlers.onLine(line.slice(1).trim());
    } else if (name === "backspace") this.#type(line.length > 1 ? line.slice(0, -1) : undefined);
    else if (sequence >= " ") this.#type(line + sequence);
  }

  #type(line: string | undefined): void {
    this.#line = line;
    this.#handlers.onTyping(line);
  }
}

const MAX_TYPED_LENGTH = 200;

export function isSequence({ sequence = "" }: Key): boolean {
  return sequence.length > 1 && sequence.startsWith("\u001b");
}

export function isControl({ ctrl = false, name = "" }: Key, ...names: readonly string[]): boolean {
  return ctrl && names.includes(name);
}

/** Reads single keys, and lines that begin with a slash, while a program runs. */

export interface KeyHandlers {
  readonly onKey: (key: string) => void;
  /** A whole line, without its slash. */
  readonly onLine: (line: string) => void;
  /** Receives the unfinished line, or undefined when it ends. */
  readonly onTyping: (line: string | undefined) => void;
  /** Called instead of `onKey` when text is pasted. */
  readonly onPaste: () => void;
}

const [CTRL_C, CTRL_D, ESCAPE, BACKSPACE, DELETE, CTRL_U] = ["\u0003", "\u0004", "\u001b", "\b", "\u007f", "\u0015"];
/** Terminals with bracketed paste put these around pasted text. */
const [PASTE_BEGINS, PASTE_ENDS] = ["\u001b[200~", "\u001b[201~"];

/** Reads keys from the terminal. Returns a function that stops. */
function readKeys(handlers: KeyHandlers): () => void {
  const { stdin, stdout } = process;
  const reader = new KeyReader(handlers);
  const take = (chunk: string): void => reader.take(chunk);
  stdin.setRawMode(true);
  stdin.setEncoding("utf8");
  stdin.on("data", take);
  stdin.resume();
  stdout.write("\u001b[?2004h");
  return () => {
    stdout.write("\u001b[?2004l");
    stdin.off("data", take);
    stdin.setRawMode(false);
    stdin.pause();
  };
}

/** Reads keys, except while something else, such as a question, needs the terminal. */
export class Keyboard {
  readonly #handlers: KeyHandlers;
  #release: (() => void) | undefined;

  constructor(handlers: KeyHandlers) {
    this.#handlers = handlers;
  }

  start(): void {
    this.#release ??= readKeys(this.#handlers);
  }

  stop(): void {
    this.#release?.();
    this.#release = undefined;
  }

  async aside<Value>(act: () => Promise<Value>): Promise<Value> {
    const wasReading = this.#release !== undefined;
    this.stop();
    try {
      return await act();
    } finally {
      if (wasReading) this.start();
    }
  }
}

/** Splits a terminal's input into keys and lines, whatever the chunks. */
export class KeyReader {
  readonly #handlers: KeyHandlers;
  #line: string | undefined;
  #isPasting = false;

  constructor(handlers: KeyHandlers) {
    this.#handlers = handlers;
  }

  take(chunk: string): void {
    let rest = chunk;
    if (this.#isPasting || rest.startsWith(PASTE_BEGINS)) {
      const end = rest.indexOf(PASTE_ENDS);
      this.#isPasting = end === -1;
      if (end === -1) return;
      this.#handlers.onPaste();
      rest = rest.slice(end + PASTE_ENDS.length);
    }
    // Ignores arrows and function keys.
    if (rest === "" || (rest.startsWith(ESCAPE) && rest.length > 1)) return;
    // Nobody types that fast. A pasted answer must not trigger keys.
    if (rest.length > MAX_TYPED_LENGTH || (rest.length > 1 && this.#line === undefined && !rest.startsWith("/"))) return this.#handlers.onPaste();
    for (const character of rest) this.#takeCharacter(character);
  }

  #takeCharacter(character: string): void {
    if (character === CTRL_C || character === CTRL_D) {
      if (this.#line === undefined) this.#handlers.onKey(character === CTRL_C ? "ctrl-c" : "q");
      else this.#type(undefined);
    } else if (this.#line === undefined) {
      if (character === "/") this.#type("/");
      else this.#handlers.onKey(character.toLowerCase());
    } else if (character === "\r" || character === "\n") {
      const line = this.#line.slice(1).trim();
      this.#type(undefined);
      if (line !== "") this.#handlers.onLine(line);
    } else if (character === BACKSPACE || character === DELETE) this.#type(this.#line.length > 1 ? this.#line.slice(0, -1) : undefined);
    else if (character === ESCAPE || character === CTRL_U) this.#type(undefined);
    else if (character >= " ") this.#type(this.#line + character);
  }

  #type(line: string | undefined): void {
    this.#line = line;
    this.#handlers.onTyping(line);
  }
}

const MAX_TYPED_LENGTH = 200;

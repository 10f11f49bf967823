/** Asks at the user's terminal, and reads the key that answers. */
import { constants, readSync, writeSync } from "node:fs";
import { ReadStream } from "node:tty";
import { isControl, isSequence, readKeys } from "./keys.ts";
import { INPUT, openDevice, OUTPUT } from "./terminal.ts";

/**
 * The user's terminal, whatever standard input and output are: the answer may come through a pipe. Does not keep the
 * process alive. Creating one throws if there is no terminal.
 */
export class Terminal {
  readonly #output = openDevice(OUTPUT);

  write(text: string): void {
    writeSync(this.#output, text);
  }

  /**
   * Shows a question, and returns the next key, without Enter: `y`; "" for Enter itself. Returns what arrives with the
   * key too, so that a pasted text is no answer. Undefined on end of input (Ctrl-D, a closed window) or interruption
   * (Ctrl-C). Reads only meanwhile, since other readers of the terminal would miss these keys.
   */
  async ask(question: string): Promise<string | undefined> {
    return this.#read(question, (stream, done) => {
      const again = (): void => {
        stream.setRawMode(true);
        this.write(question);
      };
      const stop = readKeys(stream, (keys) => {
        const [key = {}] = keys;
        if (isControl(key, "z")) return suspend(stream, again);
        if (isControl(key, "c", "d")) done(undefined);
        // Ignores arrows and function keys.
        else if (key.name !== "escape" && !isSequence(key))
          done(
            keys
              .map(({ sequence }) => sequence)
              .join("")
              .trim(),
          );
      });
      return () => {
        process.off("SIGCONT", again);
        stop();
      };
    });
  }

  /** Reads a line, which the terminal lets the user edit and shows itself. Undefined as in `ask`. */
  async line(prompt: string): Promise<string | undefined> {
    return this.#read(prompt, (stream, done) => {
      stream.setEncoding("utf8").once("data", (line: string) => done(line.trim()));
      return () => {};
    });
  }

  /** @param start begins to read, and returns a function that stops */
  async #read(
    question: string,
    start: (stream: ReadStream, done: Answered) => () => void,
  ): Promise<string | undefined> {
    const input = openDevice(INPUT, constants.O_NONBLOCK);
    const stream = new ReadStream(input);
    // Here Ctrl-C answers the question, and stops nothing else.
    const others = process.listeners("SIGINT");
    for (const listener of others) process.off("SIGINT", listener);
    let [interrupt, stop] = [(): void => {}, (): void => {}];
    try {
      return await new Promise<string | undefined>((resolve) => {
        interrupt = () => resolve(undefined);
        process.once("SIGINT", interrupt);
        stop = start(stream, resolve);
        dropTyped(input);
        // A closed window.
        stream.once("error", interrupt).once("end", interrupt);
        // Last, so that even a quick answer is received.
        this.write(question);
      });
    } finally {
      for (const listener of others) process.on("SIGINT", listener);
      process.off("SIGINT", interrupt);
      stop();
      stream.destroy();
    }
  }
}

type Answered = (answer: string | undefined) => void;

/** Stops the process as Ctrl-Z does outside of raw mode. The shell's `fg` continues it. */
function suspend(stream: ReadStream, onContinue: () => void): void {
  stream.setRawMode(false);
  process.once("SIGCONT", onContinue);
  process.kill(process.pid, "SIGTSTP");
}

/** Drops input typed before the question. Only raw mode returns unfinished lines. */
function dropTyped(input: number): void {
  // A Windows console cannot be read without blocking.
  if (process.platform === "win32") return;
  try {
    while (readSync(input, Buffer.alloc(4_096)) > 0);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "EAGAIN") throw thrown;
  }
}

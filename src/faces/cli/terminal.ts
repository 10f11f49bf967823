import { closeSync, constants, openSync, readSync, writeSync } from "node:fs";
import { ReadStream } from "node:tty";
import { tryOr } from "../../core/errors.ts";
import { statFields } from "../../state/process-identity.ts";

export const [INPUT, OUTPUT] = process.platform === "win32" ? ["\\\\.\\CONIN$", "\\\\.\\CONOUT$"] : ["/dev/tty", "/dev/tty"];

/** Also returns false if Loaf runs in the background. */
export function hasTerminal(): boolean {
  return tryOr(() => (closeSync(openDevice(INPUT)), isInForeground()), false);
}

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
    const input = openDevice(INPUT, constants.O_NONBLOCK);
    const stream = new ReadStream(input);
    stream.setRawMode(true);
    dropTyped(input);
    // Here Ctrl-C answers the question, and stops nothing else.
    const others = process.listeners("SIGINT");
    for (const listener of others) process.off("SIGINT", listener);
    let interrupt = (): void => {};
    const again = (): void => {
      stream.setRawMode(true);
      this.write(question);
    };
    try {
      const typed = await new Promise<string | undefined>((resolve) => {
        interrupt = () => resolve(undefined);
        process.once("SIGINT", interrupt);
        stream.setEncoding("utf8").on("data", (text: string) => {
          if (text === CTRL_Z) return suspend(stream, again);
          if (text === CTRL_C || text === CTRL_D) interrupt();
          // Ignores arrows and function keys.
          else if (!text.startsWith(ESCAPE)) resolve(text.trim());
        });
        // A closed window.
        stream.once("error", interrupt).once("end", interrupt);
        // Last, so that even a quick answer is received.
        this.write(question);
      });
      return typed;
    } finally {
      for (const listener of others) process.on("SIGINT", listener);
      process.off("SIGINT", interrupt);
      process.off("SIGCONT", again);
      if (!stream.destroyed) stream.setRawMode(false);
      stream.destroy();
    }
  }
}

const [CTRL_C, CTRL_D, CTRL_Z, ESCAPE] = ["\u0003", "\u0004", "\u001a", "\u001b"];

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

function openDevice(path: string, more = 0): number {
  return openSync(path, constants.O_RDWR | (constants.O_NOCTTY ?? 0) | more);
}

/** The system stops background processes that read from a terminal. */
function isInForeground(): boolean {
  const [, , group, , , foreground] = statFields("self") ?? [];
  // Elsewhere than on Linux, both are unknown.
  return group === foreground;
}

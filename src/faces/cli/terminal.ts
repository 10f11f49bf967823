import { closeSync, constants, openSync, readSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";
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
   * Shows a question, and returns the next line typed after that. Undefined on end of input (Ctrl-D, a closed window)
   * or interruption (Ctrl-C). Reads only meanwhile, since other readers of the terminal would miss these keys.
   */
  async ask(question: string): Promise<string | undefined> {
    const input = openDevice(INPUT, constants.O_NONBLOCK);
    const stream = new ReadStream(input);
    dropTyped(stream, input);
    const lines = createInterface({ input: stream, terminal: false });
    // Here Ctrl-C answers the question, and stops nothing else.
    const others = process.listeners("SIGINT");
    for (const listener of others) process.off("SIGINT", listener);
    let interrupt = (): void => {};
    try {
      return await new Promise<string | undefined>((resolve) => {
        interrupt = () => resolve(undefined);
        process.once("SIGINT", interrupt);
        lines.once("line", resolve);
        lines.once("close", interrupt);
        // A closed window.
        stream.once("error", interrupt);
        // Last, so that even a quick answer is received.
        this.write(question);
      });
    } finally {
      for (const listener of others) process.on("SIGINT", listener);
      process.off("SIGINT", interrupt);
      lines.close();
      stream.destroy();
    }
  }
}

/** Drops input typed before the question, whether a whole line or only part of one. */
function dropTyped(stream: ReadStream, input: number): void {
  // A Windows console cannot be read without blocking.
  if (process.platform === "win32") return;
  // Only raw mode returns unfinished lines.
  stream.setRawMode(true);
  try {
    while (readSync(input, Buffer.alloc(4_096)) > 0);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "EAGAIN") throw thrown;
  } finally {
    stream.setRawMode(false);
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

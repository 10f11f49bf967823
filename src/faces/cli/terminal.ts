import { closeSync, constants, openSync, readFileSync, readSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { ReadStream } from "node:tty";

/** The terminal of the person who started Loaf, wherever standard input and output lead: an answer may well come by a pipe. */
export interface Terminal {
  write(text: string): void;
  /** Shows a question, and gives the next line that is typed from then on, without its end; undefined where it was ended (Ctrl-D, a closed window) or interrupted (Ctrl-C). */
  ask(question: string): Promise<string | undefined>;
}

const [INPUT, OUTPUT] = process.platform === "win32" ? ["\\\\.\\CONIN$", "\\\\.\\CONOUT$"] : ["/dev/tty", "/dev/tty"];

/** False also where somebody else is using it, as when Loaf runs in the background. */
export function hasTerminal(): boolean {
  try {
    closeSync(openDevice(INPUT));
    return isInForeground();
  } catch {
    return false;
  }
}

/** Loaf can end all the same. Throws where there is none. */
export function openTerminal(): Terminal {
  return new Opened();
}

class Opened implements Terminal {
  readonly #output = openDevice(OUTPUT);

  write(text: string): void {
    writeSync(this.#output, text);
  }

  /** Reads for the length of a question: whoever else reads keys from this terminal would miss those that came here. */
  async ask(question: string): Promise<string | undefined> {
    const input = openDevice(INPUT, constants.O_NONBLOCK);
    const stream = new ReadStream(input);
    dropTyped(stream, input);
    const lines = createInterface({ input: stream, terminal: false });
    let interrupt = (): void => {};
    try {
      return await new Promise<string | undefined>((resolve) => {
        interrupt = () => resolve(undefined);
        process.once("SIGINT", interrupt);
        lines.once("line", resolve);
        lines.once("close", interrupt);
        // A window that is closed is an end, too.
        stream.once("error", interrupt);
        // Only now: whoever is quick has to find somebody listening.
        this.write(question);
      });
    } finally {
      process.off("SIGINT", interrupt);
      lines.close();
      stream.destroy();
    }
  }
}

/** Whatever was typed before a question was shown is no answer to it, be it a whole line or only a beginning. */
function dropTyped(stream: ReadStream, input: number): void {
  // A console of Windows cannot be read without waiting.
  if (process.platform === "win32") return;
  // Beginnings of lines are handed out in raw mode only.
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

/** Whoever reads from a terminal in the background is stopped by the system, and would hang there. */
function isInForeground(): boolean {
  try {
    const status = readFileSync("/proc/self/stat", "latin1");
    const [, , group, , , foreground] = status.slice(status.lastIndexOf(")") + 2).split(" ");
    return group === foreground;
  } catch {
    // Only Linux tells.
    return true;
  }
}

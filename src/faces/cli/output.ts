/** The only code that prints. */
import { fstatSync, writeSync } from "node:fs";
import { visibleOnOneLine } from "../../core/visible.ts";
import { type Paint, painter, wrapText } from "../../report/cells.ts";

/** Prints to standard output. Foreign text in it must be escaped already. */
export function print(text: string): void {
  write(1, text.endsWith("\n") ? text : `${text}\n`);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, undefined, 2));
}

/** Prints sentences and tables to standard output. At a terminal, breaks lines between words. */
export function printProse(text: string): void {
  print(wrapText(text, terminalWidth() ?? Infinity));
}

/** Prints a sentence to standard error, escaped so that it stays one paragraph. */
export function complain(sentence: string): void {
  try {
    write(2, `${wrapText(visibleOnOneLine(sentence, Infinity), terminalWidth(2) ?? Infinity)}\n`);
  } catch {
    // No stream is left for a message, only the exit code.
  }
}

/** Returns a function that says each sentence only the first time. */
export function sayingOnce(say: (sentence: string) => void, said = new Set<string>()): typeof say {
  return (sentence) => {
    if (said.has(sentence)) return;
    say(sentence);
    // A client of a server may send nonsense for days.
    if (said.add(sentence).size > MAX_SAID) said.clear();
  };
}

const MAX_SAID = 1_000;

/** Returns whether standard output, or error, is a terminal. */
export function isTerminal(stream: StandardStream = 1): boolean {
  return isDevice(stream) && (stream === 1 ? process.stdout : process.stderr).isTTY;
}

/** Undefined if it is unknown, as on a terminal that tells 0. */
export function terminalWidth(stream: StandardStream = 1): number | undefined {
  return isTerminal(stream) ? (stream === 1 ? process.stdout : process.stderr).columns || undefined : undefined;
}

/** Returns the cells of a line of the user's terminal, also if standard output is a pipe. Infinite if unknown. */
export function readerWidth(): number {
  return terminalWidth() ?? terminalWidth(2) ?? Infinity;
}

/** Returns the rows of the user's terminal. Undefined if unknown. */
export function readerHeight(): number | undefined {
  const stream = isTerminal() ? process.stdout : isTerminal(2) ? process.stderr : undefined;
  return stream?.rows || undefined;
}

/** Returns whether to use colours: on a terminal that is not dumb, unless NO_COLOR or FORCE_COLOR say otherwise. */
export function usesColor(): boolean {
  const { NO_COLOR: never, FORCE_COLOR: always, TERM: terminal } = process.env;
  if (always !== undefined && always !== "") return always !== "0";
  return isTerminal() && terminal !== "dumb" && (never === undefined || never === "");
}

export const paint: Paint = (style, text) => painter(usesColor())(style, text);

function write(stream: StandardStream, text: string): void {
  if (!isTerminal(stream)) writeWhole(stream, text);
  else if (stream === 1) process.stdout.write(text);
  else process.stderr.write(text);
}

/**
 * Descriptor of standard output or error. A pipe or file is written without Node's streams: creating them takes a tenth
 * of the time of a short run. A terminal needs them for its width and encoding.
 */
export type StandardStream = 1 | 2;

/** Returns true for a terminal or another device, false for a pipe or a file. */
function isDevice(stream: StandardStream): boolean {
  return fstatSync(stream).isCharacterDevice();
}

/**
 * Writes the whole text before it returns. Drops the rest if the reader has closed the pipe, as in `| head -1`.
 *
 * @param stream a descriptor
 */
export function writeWhole(stream: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length;) {
    try {
      written += writeSync(stream, bytes, written);
    } catch (thrown) {
      const { code } = thrown as NodeJS.ErrnoException;
      if (code === "EPIPE") return;
      if (code !== "EAGAIN") throw thrown;
      // The pipe is full, and its creator made it non-blocking.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

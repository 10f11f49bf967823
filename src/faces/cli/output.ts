/** The only code that prints. */
import { styleText } from "node:util";
import { isDevice, writeWhole, type StandardStream } from "./standard-stream.ts";
import { visibleOnOneLine } from "../../core/visible.ts";

type Style = Parameters<typeof styleText>[0];

/** Prints to standard output. Foreign text in it must be escaped already. */
export function print(text: string): void {
  write(1, text.endsWith("\n") ? text : `${text}\n`);
}

/** Prints a sentence to standard error, escaped so that it stays one line. */
export function complain(sentence: string): void {
  try {
    write(2, `${visibleOnOneLine(sentence, Infinity)}\n`);
  } catch {
    // No stream is left for a message, only the exit code.
  }
}

/** Returns whether standard output, or error, is a terminal. */
export function isTerminal(stream: StandardStream = 1): boolean {
  return isDevice(stream) && (stream === 1 ? process.stdout : process.stderr).isTTY;
}

export function terminalWidth(): number | undefined {
  return isTerminal() ? process.stdout.columns : undefined;
}

/** Returns whether to use colours: on a terminal, unless NO_COLOR or FORCE_COLOR say otherwise. */
export function usesColor(): boolean {
  const { NO_COLOR: never, FORCE_COLOR: always } = process.env;
  if (always !== undefined && always !== "") return always !== "0";
  return isTerminal() && (never === undefined || never === "");
}

export function paint(style: Style, text: string): string {
  return usesColor() ? styleText(style, text, { validateStream: false }) : text;
}

function write(stream: StandardStream, text: string): void {
  if (!isTerminal(stream)) writeWhole(stream, text);
  else if (stream === 1) process.stdout.write(text);
  else process.stderr.write(text);
}

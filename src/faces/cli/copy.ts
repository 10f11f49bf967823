/** Puts texts on the clipboard: through a program, or where none works, through the terminal. */
import { closeSync, openSync } from "node:fs";
import { messageOf } from "../../core/errors.ts";
import type { Loaf } from "../../loaf.ts";
import { ClipboardError, copyToClipboard, readClipboard } from "../watch/clipboard.ts";
import { publishReport } from "../watch/publish.ts";
import { complain, isTerminal, print, writeWhole } from "./output.ts";
import { hasTerminal } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";

/**
 * Puts a text on the clipboard, and prints one sentence about that. On failure, sets exit code 1 and returns false: the
 * work before it is done.
 *
 * @param keepIn the project of a report. A terminal may ignore the text without a word, so then the report is also
 *   written to the project's output file
 */
export async function copy(text: string, keepIn?: Pick<Loaf, "root" | "settings">): Promise<boolean> {
  try {
    const way = await putOnClipboard(text);
    const keptIn = way === "terminal" && keepIn !== undefined ? keepReport(text, keepIn) : undefined;
    complain(
      way === "program"
        ? "Copied to the clipboard."
        : keptIn === undefined
          ? THROUGH_TERMINAL
          : `${THROUGH_TERMINAL}; the report is also in ${keptIn}`,
    );
    return true;
  } catch (thrown) {
    if (!(thrown instanceof ClipboardError)) throw thrown;
    complain(thrown.message);
    process.exitCode ||= 1;
    return false;
  }
}

/** Prints a text and copies it. At a terminal, prints it only if copying failed, since it would scroll all else away. */
export async function copyAndPrint(text: string): Promise<void> {
  const isPrinted = !isTerminal();
  if (isPrinted) print(text);
  if (!(await copy(text)) && !isPrinted) print(text);
}

export const THROUGH_TERMINAL =
  "Sent to the clipboard through the terminal (OSC 52): if pasting gives something else, allow that in the terminal's settings";

/** Returns how it was copied. Throws `ClipboardError`. */
export async function putOnClipboard(text: string): Promise<"program" | "terminal"> {
  try {
    await copyToClipboard(text);
    return "program";
  } catch (thrown) {
    if (!(thrown instanceof ClipboardError) || !canCopyThroughTerminal()) throw thrown;
    const bytes = Buffer.from(text);
    if (bytes.length > MAX_BYTES)
      throw new ClipboardError(
        `${thrown.message}. The terminal takes at most ${MAX_BYTES / 1_000} KB, and this is ${Math.ceil(bytes.length / 1_000)} KB`,
      );
    writeToTerminal(copySequence(bytes));
    return "terminal";
  }
}

/** Returns the text on the clipboard. Throws `UsageError`, with the advice, if it cannot be read. */
export async function readCopied(advice: string): Promise<string> {
  try {
    return await readClipboard();
  } catch (thrown) {
    throw thrown instanceof ClipboardError ? new UsageError(`${thrown.message}. ${advice}`) : thrown;
  }
}

/** Many terminals ignore longer ones: a sequence of 100,000 characters holds this much in base64. */
const MAX_BYTES = 74_000;

/** Returns whether there is a terminal that reads the sequence, or at least ignores it. */
export function canCopyThroughTerminal(): boolean {
  const { TERM = "", TMUX } = process.env;
  // The Linux console prints it, and screen drops it.
  const isUnfit =
    TERM === "" || TERM === "dumb" || TERM === "linux" || (TERM.startsWith("screen") && TMUX === undefined);
  return process.platform !== "win32" && !isUnfit && hasTerminal();
}

/**
 * Returns the escape sequence OSC 52. In tmux, returns it twice: for tmux itself (`set-clipboard on`), and for the
 * terminal around it (`allow-passthrough on`).
 */
export function copySequence(bytes: Buffer, isInTmux = process.env["TMUX"] !== undefined): string {
  const sequence = `\u001b]52;c;${bytes.toString("base64")}\u0007`;
  return isInTmux ? `${sequence}\u001bPtmux;\u001b${sequence}\u001b\\` : sequence;
}

/** Writes to the terminal itself, so that nothing of it gets into a pipe or a file. */
function writeToTerminal(text: string): void {
  try {
    const terminal = openSync("/dev/tty", "w");
    try {
      writeWhole(terminal, text);
    } finally {
      closeSync(terminal);
    }
  } catch (thrown) {
    throw new ClipboardError(
      `Loaf cannot write to the terminal (${(thrown as NodeJS.ErrnoException).code ?? String(thrown)})`,
    );
  }
}

/** Returns the file's name. Throws `ClipboardError` if the report could be lost. */
function keepReport(report: string, { root, settings: { watch } }: Pick<Loaf, "root" | "settings">): string {
  try {
    publishReport(root, watch.output, report);
    return watch.output;
  } catch (thrown) {
    throw new ClipboardError(`${THROUGH_TERMINAL}. ${messageOf(thrown)}`);
  }
}

import { readInput, streamInput } from "../../state/input.ts";
import { UsageError } from "./usage-error.ts";

/** Returns the text of a file or standard input. */
export async function readAnswerText(
  file: string | undefined,
  { limit, command }: { readonly limit: number; readonly command: "run" | "parse" },
): Promise<string> {
  const source = sourceOf(file, command);
  const text = await readInput(source, limit);
  if (source === "-" && process.stdin.isTTY) refuseCutLines(text);
  return text;
}

/** A terminal passes on only so many bytes of a line, and drops the rest without a word. */
const MAX_LINE_BYTES = process.platform === "darwin" ? 1_023 : 4_095;

function refuseCutLines(text: string): void {
  const cut = text.split("\n").findIndex((line) => Buffer.byteLength(line) >= MAX_LINE_BYTES);
  if (cut !== -1)
    throw new UsageError(
      `Line ${cut + 1} is so long that the terminal may have cut it off, so nothing was run: save the answer into a file, and run that`,
    );
}

/** Yields the text as it arrives. */
export function streamAnswer(file: string | undefined): AsyncIterable<string> {
  return streamInput(sourceOf(file, "run"));
}

/** Throws instead of waiting silently for input at a terminal. */
function sourceOf(file: string | undefined, command: string): string {
  if (file === undefined && process.stdin.isTTY) {
    throw new UsageError(
      `Name the file that holds the answer, or pipe it in: loaf ${command} answer.md (- reads what you type)`,
    );
  }
  return file ?? "-";
}

/** Exit code for a text with nothing to run. */
export const NOTHING_FOUND = 3;

/** Describes a text without blocks. */
export function nothingFound(text: string | AsyncIterable<string>): string {
  return typeof text === "string" && text.trim() === "" ? "The text is empty" : "Nothing to run found";
}

/** The next step after a text without blocks. */
export const HOW_TO_GET_BLOCKS =
  "loaf instructions prints what tells the model how to write blocks. Of an answer with code fences, Loaf takes those with the path of their file in the line above";

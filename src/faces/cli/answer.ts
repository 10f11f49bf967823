import { readInput, streamInput } from "../../state/input.ts";
import { UsageError } from "./usage-error.ts";

/** The text that a command is given: a file's, or that of standard input. */
export async function readAnswer(file: string | undefined, { limit, command }: { readonly limit: number; readonly command: "run" | "parse" }): Promise<string> {
  return readInput(sourceOf(file, command), limit);
}

/** The same as it arrives. */
export function streamAnswer(file: string | undefined): AsyncIterable<string> {
  return streamInput(sourceOf(file, "run"));
}

/** Nobody is left to wonder why nothing happens at a terminal. */
function sourceOf(file: string | undefined, command: string): string {
  if (file === undefined && process.stdin.isTTY) {
    throw new UsageError(`Name the file that holds the answer, or pipe it in: loaf ${command} answer.md (- reads what you type)`);
  }
  return file ?? "-";
}

/** The exit code where a text holds nothing to run. */
export const NOTHING_FOUND = 3;

/** What to say about a text in which nothing was found. */
export function nothingFound(text: string | AsyncIterable<string>): string {
  return typeof text === "string" && text.trim() === "" ? "The text is empty" : "No NESL blocks found";
}

import { readInput } from "../host/input.ts";
import { UsageError } from "./usage-error.ts";

/** The text that a command is given: a file's, or that of standard input. Nobody is left to wonder why nothing happens at a terminal. */
export async function readAnswer(file: string | undefined, { limit, command }: { readonly limit: number; readonly command: "run" | "parse" }): Promise<string> {
  if (file === undefined && process.stdin.isTTY) {
    throw new UsageError(`Name the file that holds the answer, or pipe it in: loaf ${command} answer.md (- reads what you type)`);
  }
  return readInput(file ?? "-", limit);
}

/** What to say about a text in which nothing was found. */
export function nothingFound(text: string): string {
  return text.trim() === "" ? "The text is empty" : "No NESL blocks found";
}

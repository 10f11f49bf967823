import { CommanderError } from "commander";
import { ConfigError } from "../../config/problem.ts";
import { messageOf } from "../../core/errors.ts";
import { Refusal } from "../../core/failure.ts";
import { InputError } from "../../state/input.ts";
import { complain } from "./output.ts";

/** The command cannot be carried out. The message is the sentence for the user. */
export class UsageError extends Error {
  override readonly name: string = "UsageError";
}

/** The user ended the command at a question, by Ctrl-C or the end of input. That is no answer. */
export class Unanswered extends UsageError {
  override readonly name = "Unanswered";

  constructor() {
    super("Stopped at the question: nothing was run or changed");
  }
}

/**
 * Prints a sentence and sets exit code 2 for a command that failed to run. Keeps 0 for help and version, which
 * commander also throws.
 */
export function explainEnd(thrown: unknown): void {
  if (thrown instanceof CommanderError) {
    // Commander has already printed its message.
    process.exitCode = thrown.exitCode === 0 ? 0 : 2;
    return;
  }
  process.exitCode = 2;
  for (const sentence of sentencesOn(thrown)) complain(sentence);
}

function sentencesOn(thrown: unknown): string[] {
  if (thrown instanceof ConfigError) return thrown.message.split("\n");
  if (
    thrown instanceof UsageError ||
    thrown instanceof InputError ||
    thrown instanceof Refusal ||
    isSystemError(thrown)
  )
    return [messageOf(thrown)];
  return `Loaf has a bug: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}`.split("\n");
}

/** Errors of the operating system: `EACCES: permission denied, open '/x'`. */
function isSystemError(thrown: unknown): thrown is Error {
  return thrown instanceof Error && "syscall" in thrown;
}

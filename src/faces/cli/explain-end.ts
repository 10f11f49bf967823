import { CommanderError } from "commander";
import { ConfigError } from "../../config/problem.ts";
import { messageOf } from "../../core/errors.ts";
import { Refusal } from "../../core/failure.ts";
import { InputError } from "../../state/input.ts";
import { complain } from "./output.ts";
import { UsageError } from "./usage-error.ts";

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

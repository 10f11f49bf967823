import { CommanderError } from "commander";
import { ConfigError } from "../../config/problem.ts";
import { Refusal } from "../../core/refusal.ts";
import { InputError } from "../../state/input.ts";
import { complain } from "./output.ts";
import { UsageError } from "./usage-error.ts";

/** Nothing ran, or not to its end: exit code 2 and a sentence, but for the help and the version, which commander ends in the same way. */
export function explainEnd(thrown: unknown): void {
  if (thrown instanceof CommanderError) {
    // Its sentence was printed already.
    process.exitCode = thrown.exitCode === 0 ? 0 : 2;
    return;
  }
  process.exitCode = 2;
  for (const sentence of sentencesOn(thrown)) complain(sentence);
}

function sentencesOn(thrown: unknown): string[] {
  if (thrown instanceof ConfigError) return thrown.message.split("\n");
  if (thrown instanceof UsageError || thrown instanceof InputError || thrown instanceof Refusal || isSystemError(thrown)) return [thrown.message];
  return `Loaf has a bug: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}`.split("\n");
}

/** A refusal by the operating system: `EACCES: permission denied, open '/x'`. */
function isSystemError(thrown: unknown): thrown is Error {
  return thrown instanceof Error && "syscall" in thrown;
}

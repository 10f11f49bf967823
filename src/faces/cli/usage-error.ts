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

/** Reads an option's number, which is at least 1. Throws `UsageError`. */
export function readNumber(option: string, text: string, digits: number): number {
  if (!/^[1-9][0-9]*$/.test(text) || text.length > digits)
    throw new UsageError(`${option} '${text}' is not a number from 1 to ${"9".repeat(digits)}`);
  return Number(text);
}

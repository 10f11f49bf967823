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

/** The command cannot do what it was asked to; its message is the sentence for the user. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UsageError";
  }
}

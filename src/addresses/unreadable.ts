/** Thrown if a file's parts cannot be determined. The message is half a sentence. */
export class Unreadable extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "Unreadable";
  }
}

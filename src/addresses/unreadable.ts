/** Why a file's parts cannot be told, as half a sentence. */
export class Unreadable extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "Unreadable";
  }
}

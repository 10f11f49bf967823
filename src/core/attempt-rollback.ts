/**
 * Rolls back changes in memory when an attempt is interrupted. Objects with state of a run record the inverse of each
 * change before making it. An inverse restores the old value, so it is harmless if the change was never made.
 */
export class AttemptRollback {
  #inverses: Array<() => void> | undefined;

  /** Starts an attempt. Earlier changes are final. */
  begin(): void {
    this.#inverses = [];
  }

  /** Ends the attempt. Changes between attempts are not recorded. */
  end(): void {
    this.#inverses = undefined;
  }

  note(inverse: () => void): void {
    this.#inverses?.push(inverse);
  }

  /** Reverts all changes of the attempt, newest first. */
  rewind(): void {
    for (const inverse of this.#inverses?.splice(0).toReversed() ?? []) inverse();
  }
}

/**
 * What one attempt has changed in memory, so that an attempt that was ended half-way can be taken back. Whoever keeps state of a run notes the inverse of each
 * change before making it; an inverse restores what was there before, so it does no harm where the change was never made.
 */
export class UndoLog {
  #inverses: Array<() => void> | undefined;

  /** Starts anew: what came before is settled. */
  begin(): void {
    this.#inverses = [];
  }

  /** Nothing is kept between attempts. */
  end(): void {
    this.#inverses = undefined;
  }

  note(inverse: () => void): void {
    this.#inverses?.push(inverse);
  }

  /** Takes back everything since the beginning, newest first. */
  rewind(): void {
    for (const inverse of this.#inverses?.splice(0).toReversed() ?? []) inverse();
  }
}

/** A move of HEAD that Loaf has made: a run's commits, or an undo that takes them back. It has all that the way back takes. */
export interface HeadMove {
  /** The branch's full name; absent where HEAD was detached. */
  readonly branch?: string;
  /** The commit before; absent on a branch without one. */
  readonly from?: string;
  /** The commit after; absent on a branch without one, and until it is known. */
  readonly to?: string;
  readonly index: readonly IndexChange[];
  /** HEAD was moved by making commits: the index has what `to` has, at every path that they changed and at those of `index`. */
  readonly isCommit?: true;
}

/** What the user's index had at a path before, and after; absent for nothing. */
export interface IndexChange {
  /** From the top of the work tree on, as a string of bytes. */
  readonly path: string;
  readonly before?: IndexEntry | undefined;
  readonly after?: IndexEntry | undefined;
}

export interface IndexEntry {
  /** As git writes it: `100644`. */
  readonly mode: string;
  /** The object's name. */
  readonly id: string;
  /** Git has been told that the file will be added, and has nothing of it yet. */
  readonly isIntended?: true;
}

/** A move of HEAD by Loaf: the commits of a run, or an undo of them. Holds everything needed to revert it. */
export interface HeadMove {
  /** Full name of the branch. Absent if HEAD was detached. */
  readonly branch?: string;
  /** The commit before. Absent if the branch had none. */
  readonly from?: string;
  /** The commit after. Absent if the branch has none, and until it is known. */
  readonly to?: string;
  readonly index: readonly IndexChange[];
  /** HEAD moved by new commits. The index equals `to` at every path that they changed, and at those of `index`. */
  readonly isCommit?: true;
}

/** The user's index entry before and after. Absent if there is none. */
export interface IndexChange {
  /** Relative to the top of the work tree, as a binary string. */
  readonly path: string;
  readonly before?: IndexEntry | undefined;
  readonly after?: IndexEntry | undefined;
}

export interface IndexEntry {
  /** As git writes it: `100644`. */
  readonly mode: string;
  /** Object ID. */
  readonly id: string;
  /** `git add --intent-to-add`: the index has no content yet. */
  readonly isIntended?: true;
}

/** A move of HEAD by Loaf: the commits of a run, or an undo of them. Holds everything needed to revert it. */
export interface HeadMove {
  /** Full name of the branch. Absent if HEAD was detached. */
  readonly branch?: string;
  /** The commit before. Absent if the branch had none. */
  readonly from?: string;
  /** The commit after. Absent if the branch has none, and until it is known. */
  readonly to?: string;
  readonly index: readonly IndexChange[];
  /** A step between commits. `branch` is that of HEAD before it. */
  readonly step?: StepMove;
  /** HEAD moved by new commits. The index equals `to` at every path that they changed, and at those of `index`. */
  readonly isCommit?: true;
}

export interface StepMove extends SteppingSession {
  /** Full name of the branch that HEAD is on afterwards. Absent if it is detached. */
  readonly toBranch?: string;
  /** Changed and untracked files that the step set aside, relative to the top of the work tree. */
  readonly setAside: readonly string[];
  /** Name of the saved index, in the state folder. */
  readonly index: string;
  /** Tree of what was staged, which a reference protects. Absent if nothing was. */
  readonly staged?: string;
  /** HEAD is where stepping began. */
  readonly isOver?: true;
}

/** Where stepping began. */
export interface SteppingSession {
  /** Full name of the branch. Absent if HEAD was detached. */
  readonly from?: string;
  readonly tip: string;
  /**
   * Paths that git ignored at any commit since then. They are left alone, whatever the ignore files of other commits
   * say: an older `.gitignore` may not name `.env`.
   */
  readonly ignored: readonly string[];
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

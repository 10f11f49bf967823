/** The two spellings of one syntax: NESL and the older SHAM. They differ in these words and in nothing else. */
export interface Spelling {
  /** What a header begins with. */
  readonly header: string;
  /** What stands before the ID in a heredoc's delimiter. */
  readonly heredoc: string;
  /** What stands before the ID in an end marker. */
  readonly end: string;
}

export const NESL: Spelling = { header: "#!nesl ", heredoc: "EOT_", end: "#!end_" };
export const SHAM: Spelling = { header: "#!SHAM ", heredoc: "EOT_SHAM_", end: "#!END_SHAM_" };

export const SPELLINGS: readonly Spelling[] = [NESL, SHAM];

/** The two spellings of one syntax: NESL and the older SHAM. They differ only in these words. */
export interface Spelling {
  /** Start of a header. */
  readonly header: string;
  /** Prefix of the ID in a heredoc's delimiter. */
  readonly heredoc: string;
  /** Prefix of the ID in an end marker. */
  readonly end: string;
}

export const NESL: Spelling = { header: "#!nesl ", heredoc: "EOT_", end: "#!end_" };
export const SHAM: Spelling = { header: "#!SHAM ", heredoc: "EOT_SHAM_", end: "#!END_SHAM_" };

export const SPELLINGS: readonly Spelling[] = [NESL, SHAM];

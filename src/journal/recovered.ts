import type { Refused } from "../core/history.ts";
import type { LogHeader } from "./log-record.ts";

/** What became of a run that was interrupted. */
export interface Recovered extends Pick<LogHeader, "sequence" | "kind" | "of"> {
  /** Whether what it did stands now, or nothing of what was interrupted. */
  readonly state: "done" | "undone";
  /** Changes of it that stand. */
  readonly operations: number;
  /** Left as they are, mostly since somebody else has changed them. */
  readonly conflicts: readonly Refused[];
}

import type { Refused } from "../core/history.ts";
import type { LogHeader } from "./log-record.ts";

/** The result of recovering an interrupted run. */
export interface Recovered extends Pick<LogHeader, "sequence" | "kind" | "of"> {
  /** Whether the run's changes are on the disk, or none of them. */
  readonly state: "done" | "undone";
  /** Number of changes that are on the disk. */
  readonly operations: number;
  /** Files left as they are, mostly because somebody else changed them. */
  readonly conflicts: readonly Refused[];
}

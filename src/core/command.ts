import type { ChangedPath } from "./changed-path.ts";

/** The languages that commands may be written in, in the order documents list them. */
export const LANGUAGES = ["bash", "python", "javascript", "ruby"] as const;

export type Language = (typeof LANGUAGES)[number];

/** What a command that was run has written, and how it ended: the data of `exec`. */
export interface CommandData {
  readonly stdout: string;
  readonly stderr: string;
  /** Null where it was ended; absent where it was not started. */
  readonly exit_code?: number | null;
  /** What it changed, if anything; relative to the root. */
  readonly changed?: readonly ChangedPath[];
  /** What it changed on its view and may not change in the project: paths relative to the root, and the rule or the kind of reason. */
  readonly refused?: ReadonlyArray<{ readonly path: string; readonly reason: string }>;
}

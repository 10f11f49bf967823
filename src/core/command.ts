import type { ChangedPath } from "./change-set.ts";

/** Languages of commands, in the order of the documentation. */
export const LANGUAGES = ["bash", "python", "javascript", "ruby"] as const;

/** Other names for them, in small letters. */
export const LANGUAGE_NAMES: { readonly [Name in ScriptLanguage]: string } = {
  bash: "sh shell",
  python: "python3 py",
  javascript: "js node nodejs",
  ruby: "rb",
};

export type ScriptLanguage = (typeof LANGUAGES)[number];

/** Output and exit of a command: the data of `exec`. */
export interface CommandData {
  readonly stdout: string;
  readonly stderr: string;
  /** Null if it was killed. Absent if it was not started. */
  readonly exit_code?: number | null;
  /** Paths that it changed, if any. */
  readonly changed?: readonly ChangedPath[];
  /**
   * Changes on its view that are not allowed in the project: paths relative to the root, and the rule or kind of
   * reason.
   */
  readonly refused?: ReadonlyArray<{ readonly path: string; readonly reason: string }>;
}

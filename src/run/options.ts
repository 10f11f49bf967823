import type { Config } from "../config/schema.ts";
import type { Hooks } from "../config/hook-schema.ts";
import type { Approve } from "../core/approval.ts";
import type { OnCopying } from "../commands/view/view.ts";
import type { ConfigFiles } from "../state/config-files.ts";
import type { Holder } from "../state/lock.ts";
import type { Format } from "../syntaxes/format.ts";
import type { Listener, Starting } from "./run.ts";

export interface LoafOptions {
  /** The project's root; without it the nearest folder upwards from the current one with a loaf.yml or .git, else the current one. */
  readonly repoPath?: string;
  /** Settings in the shape of loaf.yml. They count as the user's own and go before those in files. */
  readonly config?: Config;
  /** Commands around each run, in place of those in files; `enableHooks: false` runs none at all. */
  readonly hooks?: Hooks;
  readonly enableHooks?: boolean;
  /** False: actions that run commands fail. */
  readonly enableCommands?: boolean;
  /** Write a commented loaf.yml where the root has none. */
  readonly createConfigIfMissing?: boolean;
  /** Whether a run that changed something ends in a commit, where the project is in a git repository; else `git.commit` says so. */
  readonly gitCommit?: boolean;
  /** Change nothing; `changes()` tells what would have changed. */
  readonly dryRun?: boolean;
  /** Whether the project's loaf.yml may open more than the defaults do, or what decides that once it was read. True unless said otherwise. */
  readonly trustProject?: boolean | ((root: string, files: ConfigFiles) => boolean | Promise<boolean>);
  /** Called once when a run, undo or redo has waited for another one on this project for a second. */
  readonly onWait?: (holder: Holder) => void;
  /** Called about once a second while the project is copied for a command, where this machine makes no better view, and with undefined once that is over. */
  readonly onCopying?: OnCopying;
  /** Asked what somebody has to decide: commands that are new, or cannot be kept in a sandbox; with `approveEach` every action. Without it those are refused. */
  readonly approve?: Approve;
  readonly approveEach?: boolean;
  /** Called with each result as it happens, and waited for before the next block. When it fails it is not called again. */
  readonly onEvent?: Listener;
}

export interface ExecuteOptions {
  /** The syntax to read; without it the text tells. */
  readonly format?: Format;
  /** Aborted, no further action is begun, and a command that is running is ended; actions that are left are in the result, as not run. */
  readonly signal?: AbortSignal;
  /** The same, but that a command which is running goes on to its end. */
  readonly stop?: AbortSignal;
  /** Positions of what is to be run of a text that is whole, as `items` tells them. */
  readonly only?: ReadonlySet<number>;
  /** Edits that an earlier run made, and that were not undone since, are not made again: they are in the result with `appliedIn`. */
  readonly skipApplied?: boolean;
  /** Called before each action. Must not throw. */
  readonly onStart?: (action: Starting) => void;
}

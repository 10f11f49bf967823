import type { ActionContext } from "../actions/define.ts";
import type { CommandSite } from "../programs/sandbox/confinement.ts";
import type { OnCopying } from "../programs/view/view.ts";
import type { Config, Hooks } from "../config/schema.ts";
import type { Approve } from "../core/approval.ts";
import type { Change } from "../core/change-set.ts";
import type { ActionResult, Progress } from "../core/outcome.ts";
import type { Policy } from "../guard/policy.ts";
import type { ConfigFiles } from "../state/config-files.ts";
import type { Holder } from "../state/lock.ts";
import type { Format } from "../syntaxes/index.ts";
import type { Volume } from "../disk/volume.ts";
import type { LineMoves } from "../files/line-moves.ts";
import type { Journal } from "../journal/journal.ts";
import type { Consent } from "./consent.ts";
import type { InTime } from "./limits.ts";

export interface LoafOptions {
  /** The project's root. Defaults to the nearest folder upwards with a loaf.yml or .git, or else the current folder. */
  readonly repoPath?: string;
  /** Settings in the form of loaf.yml. They count as the user's own and override those in files. */
  readonly config?: Config;
  /** Commands around each run, replacing those in files. `enableHooks: false` runs none at all. */
  readonly hooks?: Hooks;
  readonly enableHooks?: boolean;
  /** If false, actions that run commands fail. */
  readonly enableCommands?: boolean;
  /** Gives a project without a loaf.yml the settings that `loaf init` would write, below the user's own. */
  readonly assumeInit?: boolean;
  /** Writes a commented loaf.yml if the root has none. */
  readonly createConfigIfMissing?: boolean;
  /** Whether to commit a run that changed something, in a git repository. Defaults to `git.commit`. */
  readonly gitCommit?: boolean;
  /** Changes nothing; `changes()` returns what would have changed. */
  readonly dryRun?: boolean;
  /**
   * Whether the project's loaf.yml may open more than the defaults, or a function that decides after reading it.
   * Defaults to true.
   */
  readonly trustProject?: boolean | ((root: string, files: ConfigFiles) => boolean | Promise<boolean>);
  /** Called once if a run, undo or redo has waited a second for another one on this project. */
  readonly onWait?: (holder: Holder) => void;
  /**
   * Called about once a second while the project is copied for a command, if this machine has no better view. Called
   * with undefined at the end.
   */
  readonly onCopying?: OnCopying;
  /**
   * Asked for decisions: on new commands, on commands without a sandbox, and with `approveEach` on every action. If
   * absent, these are refused.
   */
  readonly approve?: Approve;
  readonly approveEach?: boolean;
  /**
   * Whether a person answers `approve`. Only a person is asked whether a file that a default rule protects may be
   * written, and whether one may lose what its whole new text lacks. Otherwise both are refused.
   */
  readonly isPerson?: boolean;
  /**
   * Called with each result as it happens, and awaited before the next block. The changes may not be on the disk yet;
   * if they cannot be written, it is called again with the failure, and if they break a file's syntax, with a warning.
   * Not called again after it throws.
   */
  readonly onEvent?: Listener;
}

/**
 * Receives each result as it happens, perhaps before its changes are on the disk; and once more if it changed at the
 * end of the run: as failed if its changes could not be written, or with a warning of broken syntax. A returned promise
 * is awaited.
 */
export type Listener = (result: ActionResult) => unknown;

/** Positions of the items to run. As a map, with the IDs of the hunks to take of each. */
export type Selection = ReadonlySet<number> | ReadonlyMap<number, "all" | ReadonlySet<string>>;

export interface ExecuteOptions {
  /** Syntax to read; detected if undefined. */
  readonly format?: Format;
  /** On abort, starts no more actions and kills the running command. Remaining actions are reported as not run. */
  readonly signal?: AbortSignal;
  /** Like `signal`, but lets the running command finish. */
  readonly stop?: AbortSignal;
  /**
   * Positions of the items to run, as in `items` and `preview`; as a map, with `all` or the IDs of the hunks to take of
   * each. The result tells which hunks were left out. Only for a complete text.
   */
  readonly only?: Selection;
  /** Skips edits that an earlier run made and that were not undone since. They are in the result with `appliedIn`. */
  readonly skipApplied?: boolean;
  /** Called with each step as it happens, and not awaited. Must not throw. */
  readonly onProgress?: (step: Progress) => void;
}

export interface SessionOptions
  extends
    Pick<CommandSite, "root" | "settings" | "rules" | "executed">,
    Pick<LoafOptions, "dryRun" | "approveEach" | "enableCommands" | "onCopying">,
    Pick<ExecuteOptions, "onProgress"> {
  /** Rehearses actions in a dry run: checks commands without starting them. */
  readonly isRehearsal?: boolean;
  /** Asks somebody about commands. Defaults to nobody. */
  readonly consent?: Consent;
  /** Receives the changes of each command on a view before they land. */
  readonly onCommandChanges?: (changes: readonly Change[]) => void;
  /** Kills a running command. */
  readonly signal?: AbortSignal | undefined;
  /** Whether no more actions should start. */
  readonly isStopped?: (() => boolean) | undefined;
}

/** An action given as data has no syntax. */
export type PerformOptions = Omit<ExecuteOptions, "format">;

/** As in `ExecuteOptions`. */
export type PreviewOptions = Pick<ExecuteOptions, "format" | "only">;

/** What an action may use, and the clock that its handler runs by. */
export interface TimedContext extends ActionContext {
  readonly inTime: InTime;
}

/** What lies below a session. */
export interface SessionBase {
  /** Takes the changes to the disk. None for a dry run or a rehearsal. */
  readonly journal?: Journal;
  /** Where the project is. Defaults to the disk. */
  readonly volume?: Volume;
  /** A rehearsal is judged as the action itself will be. */
  readonly policy?: Policy;
  /** How lines have moved so far. */
  readonly lineMoves?: LineMoves;
}

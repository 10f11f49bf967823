/** Outcomes of runs and of their actions, and the events that a run reports before it ends. */
import type { DiagnosticCode } from "./block.ts";
import type { Failure, FailureCode, FileLines } from "./failure.ts";
import type { Finding } from "./finding.ts";

/** A handler's result. A failure may come with data about the part that succeeded. */
export interface Outcome<Data = unknown> {
  readonly data?: Data;
  readonly failure?: Failure;
  /** Advice for the reader of the report, usually the model. */
  readonly hint?: string;
  /** Where a refused edit fits, or nearly does. */
  readonly near?: readonly FileLines[];
  readonly warnings?: readonly string[];
}

/** One executed action of a run, as the library returns it. */
export interface ActionResult {
  /** 1-based position among the executed actions. */
  readonly seq: number;
  readonly blockId: string;
  /** 1-based line of the block's header. */
  readonly blockStartLine: number;
  readonly action: string;
  /** Its name in the text, if the syntax has its own names: `WRITE`. */
  readonly operation?: string;
  /** Set if its syntax has no names of actions. */
  readonly namesNoAction?: true;
  /** As converted by the action's schema. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly success: boolean;
  /** The run that made this edit before, and whose effect is still there. The block was not executed again. */
  readonly appliedIn?: number;
  /** Set if only some hunks of the edit were taken. */
  readonly hunks?: PartTaken;
  readonly data?: unknown;
  /** One exact sentence. */
  readonly error?: string;
  /** Names the failure: `text/not-found`. */
  readonly code?: FailureCode;
  /** The facts of the error. Not in the JSON of `loaf run --json`. */
  readonly failure?: Failure;
  readonly hint?: string;
  /** Where a refused edit fits, or nearly does, at the time of the edit. Not in the JSON of `loaf run --json`. */
  readonly near?: readonly FileLines[];
  readonly warnings?: readonly string[];
  /** Tags of the files that it shows, by their path in `params`. An edit may carry the tag as `base`. */
  readonly bases?: Readonly<Record<string, string>>;
}

/** A file, or an addressed part of one, as it is now. */
export interface Peeked {
  /** With links resolved. */
  readonly path: string;
  readonly text: string;
  /** 1-based number of the part's first line in the file. Absent for a whole file. */
  readonly firstLine?: number | undefined;
}

/** Returns whether an action wrote what the file already held. */
export function isUnchanged(data: unknown): boolean {
  return (data as { readonly unchanged?: boolean } | undefined)?.unchanged === true;
}

/** A place that an edit changes, in whole lines. */
export interface EditHunk {
  /** Names it for `ExecuteOptions.only`, as long as the file is the same there. */
  readonly id: string;
  /** As the block names it, without an address. */
  readonly path: string;
  /** 1-based line of the file before the edit. Of added lines, the one that they are put before. */
  readonly oldStart: number;
  /** Without their endings. */
  readonly oldLines: readonly string[];
  /** 1-based line of the file after the whole edit. */
  readonly newStart: number;
  readonly newLines: readonly string[];
}

/** Which hunks of an edit were taken. */
export interface PartTaken {
  readonly taken: number;
  readonly of: number;
  readonly leftOut: readonly EditHunk[];
}

/** What the user says to the model about a block. */
export interface UserComment {
  readonly text: string;
  /** ID of the hunk that it is about: the reason, if that was left out. */
  readonly hunk?: string | undefined;
  /** The line that it is about. */
  readonly about?: { readonly path: string; readonly line: number; readonly text: string };
}

export interface BlockComment extends UserComment {
  readonly blockId: string;
  /** 1-based line of the block's header. */
  readonly blockStartLine: number;
}

/** Why a block was not executed. */
export interface ParseError {
  /** `unknown` if the error is in no block with an ID. */
  readonly blockId: string;
  readonly action?: string;
  /** As in `ActionResult`. */
  readonly operation?: string;
  /** As in `ActionResult`. */
  readonly namesNoAction?: true;
  readonly errorType: "syntax" | "validation" | "type";
  /** Names the error: `params/path`, or `UNCLOSED_BLOCK` in the syntax. Absent for a count of further errors. */
  readonly code?: FailureCode | DiagnosticCode;
  readonly message: string;
  /** What to write instead, if known. */
  readonly hint?: string;
  /** 1-based line of the block's header. */
  readonly blockStartLine: number;
  /** The block's text. Truncated, with a notice, above 16 KB, or earlier if the block has many errors. */
  readonly neslContent: string;
}

/** A hook that failed. */
export interface FailedHook {
  /** As the configuration writes it. */
  readonly command: string;
  /** `Command failed with exit code 1` */
  readonly error: string;
  /** Its output. Only the beginning and the end if long. */
  readonly stdout: string;
  readonly stderr: string;
}

/** A check of the configuration that ran after the actions. */
export interface CheckResult {
  /** As the configuration writes it. */
  readonly command: string;
  readonly success: boolean;
  /** Set if it could not run here, so that it says nothing about the project. `success` is false then. */
  readonly notRun?: true;
  /** Why it failed, or did not run. */
  readonly error?: string;
  readonly hint?: string;
  /** Its output. Only the beginning and the end if long. */
  readonly stdout: string;
  readonly stderr: string;
}

/** The result of a run. */
export interface ExecutionResult {
  /** Every action succeeded, no block had an error and no hook failed. */
  readonly success: boolean;
  readonly totalBlocks: number;
  readonly executedActions: number;
  readonly results: readonly ActionResult[];
  readonly parseErrors: readonly ParseError[];
  /** Other damage in the text, or edits not written for Loaf, by line. Absent if there is none. */
  readonly findings?: readonly Finding[];
  /** The syntax of the answer, as a sentence calls it, if other tools defined it: `Codex's patch format`. */
  readonly readAs?: string;
  /** Why nothing was run. */
  readonly fatalError?: string;
  /** Why a streamed text was not read to its end. The blocks before that have run. */
  readonly interrupted?: string;
  /** `command: error` of each hook that failed. */
  readonly hookErrors?: { readonly before?: readonly string[]; readonly after?: readonly string[] };
  /** The same hooks, with their output. */
  readonly failedHooks?: readonly FailedHook[];
  /**
   * The checks that were due, because a file of theirs had changed. A failed one does not make the run fail. Absent if
   * none were.
   */
  readonly checks?: readonly CheckResult[];
  /** The first error of `onEvent`. Does not affect the actions. */
  readonly eventError?: string;
  /** The run's number in the log, for undo. Absent if it changed nothing. */
  readonly run?: number;
  /**
   * Files that actions and commands changed, relative to the root, in the order of their first change. Absent if there
   * are none.
   */
  readonly modifiedFiles?: readonly string[];
  /**
   * The changed files that run code, or instruct an agent, when the project is used: `package.json scripts.test`.
   * Absent if there are none.
   */
  readonly runsCode?: readonly string[];
  /** ID of the run's commit. Absent if none was made. */
  readonly commit?: string;
  /**
   * Files that somebody else changed during the run, relative to the root. The run's changes of them were not made, or
   * not committed.
   */
  readonly externalChanges?: readonly string[];
  /** Other events that the user should know, such as a finished interrupted run or dropped logs. Sentences. */
  readonly notices?: readonly string[];
  /** Set for a run that was all or nothing and failed: whatever its actions tell, nothing of it is left. */
  readonly rolledBack?: true;
  /** Set for a dry run: this is what would happen. */
  readonly dryRun?: true;
  /** What the user said when asked. Absent if nothing. */
  readonly comments?: readonly BlockComment[];
  /**
   * The changes of a dry run, as a patch. Only in the JSON of `loaf run --dry-run`. The library has
   * `unifiedDiff(loaf.changes(), loaf.root)`.
   */
  readonly diff?: string;
  /** True in the first result after `createConfigIfMissing` wrote a loaf.yml. */
  readonly configCreated?: true;
}

/** What happens in a run, in order, for somebody who watches it. */
export type Progress =
  /** An action is about to run. */
  | { readonly kind: "started"; readonly action: Starting }
  /** The running command or check has written a piece of output, cut anywhere. */
  | { readonly kind: "output"; readonly piece: Uint8Array }
  /**
   * An action has ended, perhaps before its changes are on the disk. Told again, as failed, if they could not be
   * written. `lines` is absent if it changed no lines, or too many to count.
   */
  | { readonly kind: "ended"; readonly result: ActionResult; readonly lines?: LineCounts }
  /** A block that cannot run, or an error outside blocks. */
  | { readonly kind: "invalid"; readonly errors: readonly ParseError[] }
  /** Damage in the text, before the block that follows it. In a text that arrives in pieces, at its end. */
  | { readonly kind: "finding"; readonly finding: Finding }
  /** A check of the configuration is about to run, after all actions. */
  | { readonly kind: "checking"; readonly command: string }
  | { readonly kind: "checked"; readonly check: CheckResult };

export type Starting = Pick<ActionResult, "seq" | "blockId" | "action" | "params">;

/** Numbers of lines, as a line diff counts them. */
export interface LineCounts {
  readonly added: number;
  readonly removed: number;
}

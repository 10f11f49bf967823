import type { Failure, FailureCode } from "./failure.ts";
import type { Finding } from "./finding.ts";

/** What became of an action, told by its handler. A failure may come with data: what could be done or read. */
export interface Outcome<Data = unknown> {
  readonly data?: Data;
  readonly failure?: Failure;
  /** Advice for the reader of the report, usually the model. */
  readonly hint?: string;
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
  /** What the text itself calls it, where its syntax has names of its own: `WRITE`. */
  readonly operation?: string;
  /** As converted by the action's schema. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly success: boolean;
  /** The run that made this edit before, and still stands: the block was not executed again. */
  readonly appliedIn?: number;
  readonly data?: unknown;
  /** One exact sentence. */
  readonly error?: string;
  /** Names the failure: `text/not-found`. */
  readonly code?: FailureCode;
  readonly hint?: string;
  readonly warnings?: readonly string[];
}

/** Why a block was not executed. */
export interface ParseError {
  /** `unknown` where the text has no block with an ID. */
  readonly blockId: string;
  readonly action?: string;
  /** As in `ActionResult`. */
  readonly operation?: string;
  readonly errorType: "syntax" | "validation" | "type";
  readonly message: string;
  /** What to write instead, where that can be told. */
  readonly hint?: string;
  /** 1-based line of the block's header. */
  readonly blockStartLine: number;
  /** The block's own text. It is cut short, with a mark, where it is longer than 16 KB, and sooner where the block has many errors. */
  readonly neslContent: string;
}

/** A hook that failed. */
export interface FailedHook {
  /** As the configuration writes it. */
  readonly command: string;
  /** `Command failed with exit code 1` */
  readonly error: string;
  /** What it wrote: the beginning and the end of it, where it is much. */
  readonly stdout: string;
  readonly stderr: string;
}

/** What a run did. */
export interface ExecutionResult {
  /** Every action succeeded, no block had an error and no hook failed. */
  readonly success: boolean;
  readonly totalBlocks: number;
  readonly executedActions: number;
  readonly results: readonly ActionResult[];
  readonly parseErrors: readonly ParseError[];
  /** What else is damaged in the text, or was not written for Loaf, by line; absent where nothing is. */
  readonly findings?: readonly Finding[];
  /** Why nothing was run at all. */
  readonly fatalError?: string;
  /** Why a text that came in pieces was not read to its end; what had come before has been run. */
  readonly interrupted?: string;
  /** `command: error` of each hook that failed. */
  readonly hookErrors?: { readonly before?: readonly string[]; readonly after?: readonly string[] };
  /** The same hooks, with what they wrote. */
  readonly failedHooks?: readonly FailedHook[];
  /** That `onEvent` failed, the first time it did. The actions are not concerned. */
  readonly eventError?: string;
  /** The run's number in the log, by which it can be undone; absent where it changed nothing. */
  readonly run?: number;
  /** The files that actions and commands changed, from the root on, in the order of their first change; absent where there are none. */
  readonly modifiedFiles?: readonly string[];
  /** The name of the commit that the run ended in; absent where none was made. */
  readonly commit?: string;
  /** Files that somebody else changed during the run, relative to the root: what the run wanted of them was not done, or is not in the commit. */
  readonly externalChanges?: readonly string[];
  /** What happened besides and the user should know: that an interrupted run was finished, what the log has dropped. Sentences. */
  readonly notices?: readonly string[];
  /** There where nothing was changed: all this is what would happen. */
  readonly dryRun?: true;
  /** What a dry run would change, as a patch. Only in the JSON of `loaf run --dry-run`; the library has `unifiedDiff(loaf.changes(), loaf.root)`. */
  readonly diff?: string;
  /** True in the first result after `createConfigIfMissing` wrote a loaf.yml. */
  readonly configCreated?: true;
}

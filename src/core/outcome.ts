import type { Failure } from "./failure.ts";

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
  /** As converted by the action's schema. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly success: boolean;
  readonly data?: unknown;
  /** One exact sentence. */
  readonly error?: string;
  /** Names the failure: `text/not-found`. */
  readonly code?: string;
  readonly hint?: string;
  readonly warnings?: readonly string[];
}

/** Why a block was not executed. */
export interface ParseError {
  /** `unknown` where the text has no block with an ID. */
  readonly blockId: string;
  readonly action?: string;
  readonly errorType: "syntax" | "validation" | "type";
  readonly message: string;
  /** 1-based line of the block's header. */
  readonly blockStartLine: number;
  /** The block's own text. */
  readonly neslContent: string;
}

/** What a run did. `success`: every action succeeded and no block had an error. */
export interface ExecutionResult {
  readonly success: boolean;
  readonly totalBlocks: number;
  readonly executedActions: number;
  readonly results: readonly ActionResult[];
  readonly parseErrors: readonly ParseError[];
  /** Why nothing was run at all. */
  readonly fatalError?: string;
  /** The path of the loaf.yml that `createConfigIfMissing` wrote. */
  readonly configCreated?: string;
}

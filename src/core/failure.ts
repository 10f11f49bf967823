/**
 * Everything that can go wrong with an action, as facts. `explain.ts` holds the one sentence for each.
 * Handlers and what they call throw `Failed`; `run/perform.ts` catches it once.
 */
export type Access = "read" | "write";

/** A refusal by the operating system, or by an overlay that stands in for it. */
export interface SystemFailure {
  readonly code: "file/not-found" | "file/permission" | "file/system";
  /** `ENOENT`, `EACCES`, … */
  readonly errno: string;
  /** The system's own words: `no such file or directory`. */
  readonly text: string;
  /** The operation that was refused: `open`. */
  readonly syscall: string;
  /** As the block wrote it. */
  readonly path: string;
  /** Second path of a rename. */
  readonly to?: string;
}

export type Failure =
  | { readonly code: "action/missing" }
  | { readonly code: "action/unknown"; readonly action: string }
  | { readonly code: "action/user-only"; readonly action: string }
  | { readonly code: "action/not-allowed"; readonly action: string; readonly allowed: readonly string[] }
  | { readonly code: "params/missing"; readonly parameter: string }
  | { readonly code: "params/path"; readonly value: string }
  | { readonly code: "params/integer"; readonly value: string }
  | { readonly code: "params/boolean"; readonly value: string }
  | { readonly code: "params/enum"; readonly value: string; readonly allowed: readonly string[] }
  /** A path that was looked up as the end of one file's path. `candidates` are relative to the root, sorted, and not all where there are many. */
  | { readonly code: "path/ambiguous"; readonly path: string; readonly count: number; readonly candidates: readonly string[] }
  | { readonly code: "path/outside"; readonly path: string }
  | { readonly code: "guard/denied"; readonly access: Access; readonly path: string; readonly rule: string }
  /** With what would be written, git takes a directory for a repository of its own. */
  | { readonly code: "guard/repository"; readonly path: string; readonly directory: string }
  | SystemFailure
  | { readonly code: "file/source-not-found"; readonly path: string }
  /** Somebody else changed it since it was read, or while it was written. */
  | { readonly code: "file/changed"; readonly path: string }
  | { readonly code: "file/too-large"; readonly path: string; readonly size: number; readonly limit: number }
  /** `limit` in UTF-16 units. */
  | { readonly code: "file/read-budget"; readonly path: string; readonly limit: number }
  | { readonly code: "file/not-text"; readonly path: string; readonly reason: "binary" | "utf-16" | "not-utf-8" }
  | { readonly code: "text/not-ascii"; readonly path: string }
  | { readonly code: "text/lone-surrogate"; readonly path: string }
  | { readonly code: "text/empty"; readonly parameter: string }
  /** `part` is the address within which it was looked for. */
  | { readonly code: "text/not-found"; readonly parameter: string; readonly part?: string }
  | { readonly code: "text/ambiguous"; readonly parameter: string; readonly count: number }
  /** `line` is trimmed; `number` is 1-based, in the parameter. */
  | { readonly code: "text/placeholder"; readonly parameter: string; readonly line: string; readonly number: number }
  /** `mask` is what reports show in place of a secret. */
  | { readonly code: "text/masked"; readonly parameter: string; readonly mask: string }
  | { readonly code: "text/count"; readonly expected: number; readonly found: number }
  | { readonly code: "text/end-not-found" }
  /** The beginning of a range holds its end, so that nobody knows whether it ends there or further on. */
  | { readonly code: "text/end-overlaps" }
  | { readonly code: "text/end-ambiguous"; readonly count: number }
  | { readonly code: "lines/invalid"; readonly lines: string }
  | { readonly code: "lines/reversed"; readonly lines: string }
  | { readonly code: "lines/out-of-bounds"; readonly lines: string; readonly count: number }
  /** The file separates its lines by CR alone, which numbers no lines. */
  | { readonly code: "lines/lone-cr" }
  | { readonly code: "lines/beyond-end"; readonly lines: string; readonly count: number }
  /**
   * An earlier action of the run moved or changed these lines. `now`: where they are, or what replaces them. `count`: the lines that the file had before.
   */
  | { readonly code: "lines/moved"; readonly lines: string; readonly change: "moved" | "replaced" | "added" | "unknown"; readonly now?: string; readonly count?: number }
  /** An address names the part of the file from line `first` to line `last`. */
  | { readonly code: "lines/outside-part"; readonly lines: string; readonly first: number; readonly last: number }
  /** `address` is what comes after the file's path, `candidates` are such addresses, `omitted` says how many more there are. */
  | { readonly code: "address/not-found"; readonly path: string; readonly address: string; readonly candidates: readonly string[]; readonly omitted: number }
  | { readonly code: "address/ambiguous"; readonly path: string; readonly address: string; readonly candidates: readonly string[]; readonly omitted: number }
  | { readonly code: "address/uncertain"; readonly path: string; readonly address: string }
  /** `known` names the languages whose files have addresses. */
  | { readonly code: "address/no-language"; readonly path: string; readonly known: readonly string[] }
  | { readonly code: "address/unreadable"; readonly path: string; readonly language: string; readonly reason: string }
  | { readonly code: "address/not-taken"; readonly path: string }
  /** The action took longer than `limit` milliseconds. */
  | { readonly code: "limit/time"; readonly limit: number }
  /** What is to be written would take more than `limit` bytes of memory: of the action, or where nothing is written before its end of the whole run. */
  | { readonly code: "limit/memory"; readonly limit: number; readonly of: "action" | "run" }
  | { readonly code: "pattern/lines" }
  /** No path can match the glob in `parameter`. `base` is the parameter that it is relative to. */
  | { readonly code: "pattern/impossible"; readonly parameter: string; readonly base: string }
  | { readonly code: "context/no-files"; readonly path: string }
  | { readonly code: "paths/none" }
  | { readonly code: "paths/unread"; readonly failures: readonly PathFailure[] }
  | { readonly code: "paths/unchanged"; readonly failures: readonly PathFailure[] }
  /** The run is all or nothing, and something in it failed. */
  | { readonly code: "run/not-whole" }
  /** Another action that it builds upon failed when that one's changes were brought to the disk. */
  | { readonly code: "run/depends"; readonly path: string }
  /** A line of commands that is no command Loaf can start without a shell. */
  | { readonly code: "command/unreadable"; readonly command: string; readonly problem: string }
  /** The other block that kept it from running. */
  | { readonly code: "skip/group"; readonly obstacle: string }
  /** A command that was not used before, and nobody could be asked, or said no. */
  | { readonly code: "skip/command"; readonly command: string; readonly isRefused: boolean }
  | { readonly code: "exec/cwd"; readonly path: string }
  | { readonly code: "exec/not-found"; readonly program: string }
  /** The version of a language is empty. */
  | { readonly code: "exec/empty-version" }
  | { readonly code: "exec/language"; readonly lang: string }
  /** `timeout` in milliseconds. `command` where it is one of several. */
  | { readonly code: "exec/timeout"; readonly timeout: number; readonly command?: string }
  /** It was running when the user wanted it ended. */
  | { readonly code: "exec/stopped"; readonly command?: string }
  /** `limit` in bytes. */
  | { readonly code: "exec/output"; readonly limit: number; readonly command?: string }
  | { readonly code: "exec/signal"; readonly signal: string; readonly command?: string }
  | { readonly code: "exec/exit"; readonly exitCode: number; readonly command?: string }
  /** No sandbox can be had, and there has to be one. `reason` is a clause, `remedy` says what to do. */
  | { readonly code: "exec/no-sandbox"; readonly reason: string; readonly remedy: string }
  /** A sandbox can be had on this machine, but not for this command. `reason` is what it said. */
  | { readonly code: "exec/sandbox-failed"; readonly reason: string }
  /** No view of the project can be made for a command to work on. `reason` names each maker with what the system said. */
  | { readonly code: "exec/no-view"; readonly reason: string }
  /** The view on which a command worked could not be read when it had ended. `reason` is what the system said. */
  | { readonly code: "exec/view-lost"; readonly reason: string }
  /** The user has stopped the run before it. */
  | { readonly code: "skip/stopped" }
  /** Whoever started the run wants no commands in it. */
  | { readonly code: "skip/no-exec" }
  /** Somebody was asked, and said no. */
  | { readonly code: "skip/refused" }
  | { readonly code: "bug"; readonly message: string; readonly stack?: string };

export interface PathFailure {
  readonly path: string;
  readonly failure: Failure;
}

export type FailureCode = Failure["code"];

/** How a failure travels through code that returns something else. */
export class Failed extends Error {
  readonly failure: Failure;
  /** Advice for the reader of the report. */
  readonly hint: string | undefined;

  constructor(failure: Failure, hint?: string) {
    super(failure.code);
    this.name = "Failed";
    this.failure = failure;
    this.hint = hint;
  }
}

/** What was thrown, as a failure: `Failed` carries its own, anything else is a bug of Loaf's. */
export function failureOf(thrown: unknown): Failure {
  if (thrown instanceof Failed) return thrown.failure;
  if (thrown instanceof Error) return { code: "bug", message: thrown.message, ...(thrown.stack !== undefined && { stack: thrown.stack }) };
  return { code: "bug", message: String(thrown) };
}

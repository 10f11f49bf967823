/**
 * Everything that can go wrong with an action, as facts. `explain.ts` has one sentence for each.
 * Handlers and their callees throw `Failed`, and `run/perform.ts` catches it once.
 */
export type Access = "read" | "write";

/** An error of the operating system, or of an overlay in its place. */
export interface SystemFailure {
  readonly code: "file/not-found" | "file/permission" | "file/system";
  /** `ENOENT`, `EACCES`, … */
  readonly errno: string;
  /** The system's own words: `no such file or directory`. */
  readonly text: string;
  /** The failed system call: `open`. */
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
  | { readonly code: "params/path"; readonly parameter: string; readonly value: string }
  | { readonly code: "params/integer"; readonly parameter: string; readonly value: string }
  | { readonly code: "params/boolean"; readonly parameter: string; readonly value: string }
  | {
      readonly code: "params/enum";
      readonly parameter: string;
      readonly value: string;
      readonly allowed: readonly string[];
    }
  /**
   * The path is the end of several files' paths; or of at least one, and it is unclear whether a new file is meant.
   * `candidates` are relative to the root, sorted, and limited in number.
   */
  | {
      readonly code: "path/ambiguous" | "path/elsewhere";
      readonly path: string;
      readonly count: number;
      readonly candidates: readonly string[];
    }
  | { readonly code: "path/outside"; readonly path: string }
  | { readonly code: "guard/denied"; readonly access: Access; readonly path: string; readonly rule: string }
  /** The write would make git treat a directory as a repository. */
  | { readonly code: "guard/repository"; readonly path: string; readonly directory: string }
  | SystemFailure
  /** A file is to be created where another one is. */
  | { readonly code: "file/exists"; readonly path: string }
  /** A text for a whole file has `kept` of the `of` lines that the file has now, so it is probably an excerpt. */
  | { readonly code: "file/excerpt"; readonly path: string; readonly kept: number; readonly of: number }
  /** A text in a code fence that several lines may end. */
  | { readonly code: "file/unclear-end"; readonly path: string }
  /** What an answer shows of a file, and that has no place in it. `reason` completes "The file …". */
  | { readonly code: "file/unplaced"; readonly path: string; readonly reason: string }
  /** A text for a whole file that lacks declarations of it which no sentence removes; or all imports, without names. */
  | { readonly code: "file/loses"; readonly path: string; readonly names: readonly string[] }
  /** The same of a text that is as long as the file and shares few words with it, so it is probably another file's. */
  | { readonly code: "file/unlike"; readonly path: string; readonly kept: number; readonly of: number }
  /** A text for a whole file is the one that the file had before an earlier action of the run replaced it. */
  | { readonly code: "file/original"; readonly path: string }
  /** An edit that may not be meant as one, and nobody can be asked. `syntax` is its name in the settings. */
  | { readonly code: "skip/uncertain"; readonly syntax: string }
  | { readonly code: "file/source-not-found"; readonly path: string }
  /** Somebody else changed the file after it was read, or while it was written. */
  | { readonly code: "file/changed"; readonly path: string }
  | { readonly code: "file/too-large"; readonly path: string; readonly size: number; readonly limit: number }
  /** `limit` in UTF-16 units. */
  | { readonly code: "file/read-budget"; readonly path: string; readonly limit: number }
  | { readonly code: "file/not-text"; readonly path: string; readonly reason: "binary" | "utf-16" | "not-utf-8" }
  | { readonly code: "text/not-ascii"; readonly path: string }
  | { readonly code: "text/lone-surrogate"; readonly path: string }
  | { readonly code: "text/empty"; readonly parameter: string }
  /** `part` is the address that was searched. */
  | { readonly code: "text/not-found"; readonly parameter: string; readonly part?: string }
  | { readonly code: "text/ambiguous"; readonly parameter: string; readonly count: number }
  /** `line` is trimmed; `number` is 1-based, in the parameter. */
  | { readonly code: "text/placeholder"; readonly parameter: string; readonly line: string; readonly number: number }
  /** `mask` is the text that reports show in place of a secret. */
  | { readonly code: "text/masked"; readonly parameter: string; readonly mask: string }
  | { readonly code: "text/count"; readonly expected: number; readonly found: number }
  /** Lines are only added, and nothing tells where. */
  | { readonly code: "hunk/no-place" }
  /** A diff deletes a file, but does not show all of it. */
  | { readonly code: "hunk/remainder" }
  /** An edit between conflict marks for a file that has these marks itself, so that it may only show them. */
  | { readonly code: "hunk/conflict" }
  /** A hunk that was chosen in a preview is not in the edit any more. */
  | { readonly code: "hunk/changed"; readonly path: string }
  | { readonly code: "text/end-not-found" }
  /** The beginning of a range contains its end, so it may end there or later. */
  | { readonly code: "text/end-overlaps" }
  | { readonly code: "text/end-ambiguous"; readonly count: number }
  | { readonly code: "lines/invalid"; readonly lines: string }
  | { readonly code: "lines/reversed"; readonly lines: string }
  | { readonly code: "lines/out-of-bounds"; readonly lines: string; readonly count: number }
  /** The file has only CR as line separator, so its lines have no numbers. */
  | { readonly code: "lines/lone-cr" }
  | { readonly code: "lines/beyond-end"; readonly lines: string; readonly count: number }
  /**
   * An earlier action of the run moved or changed these lines, or somebody has since the version with the tag `base`.
   * `now` gives their new numbers, or those of their replacement. `count` is the number of lines before that.
   */
  | {
      readonly code: "lines/moved";
      readonly lines: string;
      readonly change: "moved" | "replaced" | "added" | "unknown";
      readonly base?: string;
      readonly now?: string;
      readonly count?: number;
    }
  /** The address covers lines `first` to `last` of the file. */
  | { readonly code: "lines/outside-part"; readonly lines: string; readonly first: number; readonly last: number }
  /** `address` is without the file's path, and so are the `candidates`. `omitted` counts further candidates. */
  | {
      readonly code: "address/not-found";
      readonly path: string;
      readonly address: string;
      readonly candidates: readonly string[];
      readonly omitted: number;
    }
  | {
      readonly code: "address/ambiguous";
      readonly path: string;
      readonly address: string;
      readonly candidates: readonly string[];
      readonly omitted: number;
    }
  | { readonly code: "address/uncertain"; readonly path: string; readonly address: string }
  /** `known` names the languages whose files have addresses. */
  | { readonly code: "address/no-language"; readonly path: string; readonly known: readonly string[] }
  | { readonly code: "address/unreadable"; readonly path: string; readonly language: string; readonly reason: string }
  | { readonly code: "address/not-taken"; readonly path: string }
  /** The action took longer than `limit` milliseconds. */
  | { readonly code: "limit/time"; readonly limit: number }
  /**
   * The writes of an action, or of a run that is flushed only at its end, would take more than `limit` bytes of memory.
   */
  | { readonly code: "limit/memory"; readonly limit: number; readonly of: "action" | "run" }
  | { readonly code: "pattern/lines" }
  /** `problem` is a clause or a noun phrase. `at` counts characters of the pattern from 1. */
  | { readonly code: "pattern/regex"; readonly problem: string; readonly at?: number }
  /** No path can match the glob in `parameter`. It is relative to the parameter `base`. */
  | { readonly code: "pattern/impossible"; readonly parameter: string; readonly base: string }
  | { readonly code: "context/no-files"; readonly path: string }
  | { readonly code: "paths/none" }
  | { readonly code: "paths/unread"; readonly failures: readonly PathFailure[] }
  | { readonly code: "paths/unchanged"; readonly failures: readonly PathFailure[] }
  /** The run is all or nothing, and something in it failed. */
  | { readonly code: "run/not-whole" }
  /** The action depends on another one whose changes could not be written to the disk. */
  | { readonly code: "run/depends"; readonly path: string }
  /** Taking back an atomic change failed too. `reason` is why the change failed. */
  | { readonly code: "run/torn"; readonly reason: string }
  /** A line of commands that Loaf cannot start without a shell. */
  | { readonly code: "command/unreadable"; readonly command: string; readonly problem: string }
  /** `obstacle` is the block of the same group that cannot run. */
  | { readonly code: "skip/group"; readonly obstacle: string }
  /** A command that is not allowed yet, and the user refused it or could not be asked. */
  | { readonly code: "skip/command"; readonly command: string; readonly isRefused: boolean }
  | { readonly code: "exec/cwd"; readonly path: string }
  | { readonly code: "exec/not-found"; readonly program: string }
  /** The version of a language is empty. */
  | { readonly code: "exec/empty-version" }
  | { readonly code: "exec/language"; readonly lang: string }
  /** `timeout` in milliseconds. `command` is set if it is one of several. */
  | { readonly code: "exec/timeout"; readonly timeout: number; readonly command?: string }
  /** The user stopped the run while the command was running. */
  | { readonly code: "exec/stopped"; readonly command?: string }
  /** `limit` in bytes. */
  | { readonly code: "exec/output"; readonly limit: number; readonly command?: string }
  | { readonly code: "exec/signal"; readonly signal: string; readonly command?: string }
  | { readonly code: "exec/exit"; readonly exitCode: number; readonly command?: string }
  /** A sandbox is required and none is available. `reason` is a clause, `remedy` a sentence. */
  | { readonly code: "exec/no-sandbox"; readonly reason: string; readonly remedy: string }
  /** A sandbox is available, but failed for this command. `reason` is its error message. */
  | { readonly code: "exec/sandbox-failed"; readonly reason: string }
  /** No view of the project can be made. `reason` names each kind of view with the system's error. */
  | { readonly code: "exec/no-view"; readonly reason: string }
  /** The view of a command could not be read after it ended. `reason` is the system's error. */
  | { readonly code: "exec/view-lost"; readonly reason: string }
  /** The user stopped the run before this action. */
  | { readonly code: "skip/stopped" }
  /** The run was started with commands turned off. */
  | { readonly code: "skip/no-exec" }
  /** The user was asked and refused. */
  | { readonly code: "skip/refused" }
  | { readonly code: "bug"; readonly message: string; readonly stack?: string };

export interface PathFailure {
  readonly path: string;
  readonly failure: Failure;
}

export type FailureCode = Failure["code"];

/** Failures of edits that found no place in the file, or not exactly one. The model then needs the current file. */
export const MISSES: ReadonlySet<FailureCode | undefined> = new Set<FailureCode>([
  "text/not-found",
  "text/ambiguous",
  "text/count",
  "hunk/no-place",
  "hunk/remainder",
  "hunk/conflict",
  "text/end-not-found",
  "text/end-ambiguous",
]);

/** Carries a failure through code that returns something else. */
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

/** Returns the value of `act`, or a fallback if it throws `Failed`. */
export function unlessFailed<Value, Fallback>(act: () => Value, fallback: Fallback): Value | Fallback {
  try {
    return act();
  } catch (thrown) {
    if (thrown instanceof Failed) return fallback;
    throw thrown;
  }
}

/** Returns the failure of a `Failed`. Anything else thrown is a bug of Loaf. */
export function failureOf(thrown: unknown): Failure {
  if (thrown instanceof Failed) return thrown.failure;
  if (thrown instanceof Error)
    return { code: "bug", message: thrown.message, ...(thrown.stack !== undefined && { stack: thrown.stack }) };
  return { code: "bug", message: String(thrown) };
}

/** An expected reason why a whole command was not carried out, as a sentence for the user. */
export class Refusal extends Error {
  override readonly name = "Refusal";
}

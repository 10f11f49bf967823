import type { Change } from "./change-set.ts";
import type { CommandData } from "./command.ts";
import type { EditHunk, UserComment } from "./outcome.ts";

/** A question to the user. Its texts come from the answer: escape hidden characters before showing them. */
export type ApprovalRequest =
  /** One action, if the user approves each. */
  | ActionRequest
  /** A block that cannot run, if the user approves each action. Only shown: all answers but `quit` are ignored. */
  | FailedBlock
  /** A command that is used for the first time. `cwd` is absolute. */
  | { readonly kind: "command"; readonly command: string; readonly cwd: string }
  /** A file is to be written that a default rule protects: `deny .npmrc`. `path` is canonical. */
  | { readonly kind: "protected"; readonly path: string; readonly rule: string; readonly changes: readonly Change[] }
  /** A whole new text of a file would lose what no sentence removes. `reason` is a sentence. */
  | { readonly kind: "loss"; readonly reason: string; readonly changes: readonly Change[] }
  /** Commands would run without a sandbox, because this machine has none. `reason` is a clause without a full stop. */
  | { readonly kind: "no-sandbox"; readonly reason: string };

export interface ActionRequest {
  readonly kind: "action";
  readonly blockId: string;
  /** 1-based line of the block's header. */
  readonly blockStartLine: number;
  readonly action: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** What it would change. Empty for a command that has not run yet. */
  readonly changes: readonly Change[];
  /** The places of an edit, each of which can be taken alone. Absent if only the whole action can be. */
  readonly hunks?: readonly EditHunk[];
  /** What it would do, if its parameters do not tell: `login replaced (lines 4-7)`. */
  readonly does?: string;
  /** How it was read, and syntax that it would break: sentences. */
  readonly warnings?: readonly string[];
  /**
   * Output and exit of commands that have run on a view. A yes lets their changes land, and their output into the
   * report.
   */
  readonly ran?: CommandData | undefined;
  /** Whether `kind` is accepted: never for actions that delete, replace one file by another, or run a program. */
  readonly mayRepeat: boolean;
  /**
   * Canonical paths that `file` and `not-file` apply to. Empty if the action is not an edit inside files, so that they
   * mean `once` and `no`.
   */
  readonly files: readonly string[];
}

export interface FailedBlock {
  readonly kind: "failed";
  readonly blockId: string;
  readonly blockStartLine: number;
  /** Absent if the block names none. */
  readonly action?: string | undefined;
  /** Absent if unreadable. */
  readonly params?: Readonly<Record<string, unknown>>;
  /** Sentences. */
  readonly errors: readonly string[];
  readonly hint?: string | undefined;
}

/**
 * - `yes`: runs the action; permanent for a command, a protected file, and for running without a sandbox.
 * - `once`: yes to this request only; for running without a sandbox, until the end of the run.
 * - `file`: yes to this, and to all later edits inside the same files.
 * - `not-file`: no to this, and to all later edits inside the same files.
 * - `kind`: yes to this, and to all later actions of the same name.
 * - `quit`: no to this, and runs nothing after it.
 *
 * `file` and `kind` mean `once` if the request does not accept them, and `not-file` means `no`.
 */
export type Approval = "yes" | "once" | "file" | "not-file" | "kind" | "no" | "quit";

/** An answer about an action, with what belongs to it. */
export interface Decision {
  readonly approval: Approval;
  /** IDs of the hunks that a yes takes. Absent if all. */
  readonly hunks?: ReadonlySet<string>;
  readonly comments?: readonly UserComment[];
}

/** Decides on a request while the run waits. A thrown error counts as `no`. */
export type Approve = (request: ApprovalRequest) => Approval | Decision | Promise<Approval | Decision>;

import type { Change } from "./change.ts";
import type { CommandData } from "./command.ts";

/** What somebody is asked before it is done. Texts in it come from the answer: they are to be made visible before they are shown. */
export type ApprovalRequest =
  /** One action of the text, where each is asked for. */
  | ActionRequest
  /** A block that cannot run, where each action is asked for. It is only shown: of the answers, `quit` counts. */
  | FailedBlock
  /** A command that is used for the first time; `cwd` is absolute. */
  | { readonly kind: "command"; readonly command: string; readonly cwd: string }
  /** Commands would run without a sandbox, since there is none here; `reason` is a clause without a full stop. */
  | { readonly kind: "no-sandbox"; readonly reason: string };

export interface ActionRequest {
  readonly kind: "action";
  readonly blockId: string;
  /** 1-based line of the block's header. */
  readonly blockStartLine: number;
  readonly action: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** What it would change. Of a command that was not run yet, nothing can be told. */
  readonly changes: readonly Change[];
  /** Of commands that have run on a view: what they wrote and how the last of them ended. A yes lets their changes land, and their output into the report. */
  readonly ran?: CommandData | undefined;
  /** Whether `kind` counts: never for what deletes, replaces a file by another one, or runs a program. */
  readonly mayRepeat: boolean;
  /** The files that `file` counts for: canonical paths. Empty where it does not, since this is no edit inside of files. */
  readonly files: readonly string[];
}

export interface FailedBlock {
  readonly kind: "failed";
  readonly blockId: string;
  readonly blockStartLine: number;
  /** Absent where the block does not name one. */
  readonly action?: string | undefined;
  /** Absent where they could not be read. */
  readonly params?: Readonly<Record<string, unknown>>;
  /** Sentences. */
  readonly errors: readonly string[];
  readonly hint?: string | undefined;
}

/**
 * - `yes`: of a command, and of having no sandbox, from now on.
 * - `once`: yes to this, and nothing is kept; of having no sandbox, for the rest of the run.
 * - `file`: yes to this, and to all further edits inside the same files.
 * - `kind`: yes to this, and to all further actions of the same name.
 * - `quit`: no to this, and nothing after it runs.
 *
 * Where a request rules `file` or `kind` out, it is a yes to this alone.
 */
export type Approval = "yes" | "once" | "file" | "kind" | "no" | "quit";

/** Decides on a request; a run waits for it. Where it fails, that is a no. */
export type Approve = (request: ApprovalRequest) => Approval | Promise<Approval>;

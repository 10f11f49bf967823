import type { Change } from "./change.ts";

/** What somebody is asked before it is done. Texts in it come from the answer: they are to be made visible before they are shown. */
export type ApprovalRequest =
  /** One action of the text, where each is asked for. */
  | ActionRequest
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
  /** What it would change, as far as that can be told beforehand; nothing of what a command does can. */
  readonly changes: readonly Change[];
}

/**
 * `yes`: of a command, and of having no sandbox, from now on. `all`: yes to this and to whatever else of its kind is asked in the run, and none of it is kept.
 * `quit`: no to this, and nothing after it runs.
 */
export type Approval = "yes" | "no" | "all" | "quit";

/** Decides on a request; a run waits for it. Where it fails, that is a no. */
export type Approve = (request: ApprovalRequest) => Approval | Promise<Approval>;

import type { Finding } from "./finding.ts";
import type { ActionResult, CheckResult, ParseError } from "./outcome.ts";

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

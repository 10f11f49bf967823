import type { CommandSite } from "../commands/sandbox/confinement.ts";
import type { GuardRules } from "../config/guard-rules.ts";
import type { Settings } from "../config/schema.ts";
import type { createPolicy } from "../guard/policy.ts";
import type { Consent } from "./consent.ts";

export interface SessionOptions extends Pick<CommandSite, "onCopying"> {
  /** Absolute, with links resolved. */
  readonly root: string;
  readonly settings: Settings;
  /** Access is granted only where every one of these grants it. */
  readonly rules: readonly GuardRules[];
  /** What git would run or read as configuration: not written unless a rule opens it by name. Absolute. */
  readonly executed?: readonly string[];
  /** Remembers what the rules mean from one run to the next. */
  readonly makePolicy?: typeof createPolicy;
  /** Nothing is kept, neither changes nor the context set. */
  readonly isDry: boolean;
  /** Actions are only tried out: a command is looked at, and not started. */
  readonly isRehearsal?: boolean;
  /** Who is asked about commands; nobody unless given. */
  readonly consent?: Consent;
  /** They are asked about each action that runs commands. */
  readonly asksEach?: boolean;
  /** False: commands are refused. */
  readonly runsCommands?: boolean | undefined;
  /** Ends a command that is running. */
  readonly signal?: AbortSignal | undefined;
  /** Whether no further action is to begin. */
  readonly isStopped?: (() => boolean) | undefined;
}

import type { CommandSite } from "../commands/sandbox/confinement.ts";
import type { GuardRules } from "../config/guard-rules.ts";
import type { Settings } from "../config/schema.ts";
import type { Change } from "../core/change.ts";
import type { createPolicy } from "../guard/policy.ts";
import type { Consent } from "./consent.ts";

export interface SessionOptions extends Pick<CommandSite, "onCopying"> {
  /** Absolute, with links resolved. */
  readonly root: string;
  readonly settings: Settings;
  /** Access needs the permission of every one of them. */
  readonly rules: readonly GuardRules[];
  /** Absolute paths that git would run or read as configuration. Not writable unless a rule opens them by name. */
  readonly executed?: readonly string[];
  /** Caches compiled rules from one run to the next. */
  readonly makePolicy?: typeof createPolicy;
  /** Discards all changes, including those of the context set. */
  readonly isDry: boolean;
  /** Rehearses actions: checks commands without starting them. */
  readonly isRehearsal?: boolean;
  /** Asks somebody about commands. Defaults to nobody. */
  readonly consent?: Consent;
  /** Whether to ask about each action that runs commands. */
  readonly asksEach?: boolean;
  /** Receives the changes of each command on a view before they land. */
  readonly onCommandChanges?: (changes: readonly Change[]) => void;
  /** If false, commands are refused. */
  readonly runsCommands?: boolean | undefined;
  /** Kills a running command. */
  readonly signal?: AbortSignal | undefined;
  /** Whether no more actions should start. */
  readonly isStopped?: (() => boolean) | undefined;
}

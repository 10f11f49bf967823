import { relative } from "node:path";
import type { Settings } from "../../config/schema.ts";
import type { ChangedPath } from "../../core/changed-path.ts";
import { explain } from "../../core/explain.ts";
import { Failed, type Failure } from "../../core/failure.ts";
import { configDigest, dropTrust } from "../../host/trust.ts";
import type { Journal } from "../../workspace/journal/journal.ts";
import type { Staged } from "../../workspace/volume/operation.ts";
import { attempt } from "../../workspace/volume/system-error.ts";
import type { Consent } from "../consent.ts";
import { Checkpoints } from "./checkpoints.ts";

/** What came of a command, or a hook, and what it changed. */
export interface ObservedCommand<Value> {
  readonly value: Value;
  /** Sorted by path. */
  readonly changed: readonly ChangedPath[];
  /** What of it cannot be undone: sentences for the report. */
  readonly warnings: readonly string[];
  /** It did what no command may, so that the run has failed whatever the command says. */
  readonly failure?: Failure;
}

interface Project {
  readonly root: string;
  readonly settings: Pick<Settings, "history">;
  /** Who is asked about commands. */
  readonly consent?: Pick<Consent, "questions">;
}

/** Of hooks, which are the user's own programs: all that is to be told of what they changed. */
export function noticesOf({ warnings, failure }: Pick<ObservedCommand<unknown>, "warnings" | "failure">): string[] {
  return [...warnings, ...(failure === undefined ? [] : [explain(failure)])];
}

/** Sees to it that what a command changes is in the run's log. */
export class CommandObserver {
  readonly #root: string;
  readonly #journal: Journal;
  readonly #checkpoints: Checkpoints;
  /** What Loaf itself has written since the last command; undefined where that cannot be told by paths. */
  #written: { readonly there: Set<string>; readonly gone: Set<string> } | undefined;
  readonly #consent: Project["consent"];
  /** Asked before the last command. */
  #questions = 0;

  constructor({ root, settings, consent }: Project, journal: Journal) {
    [this.#root, this.#journal, this.#consent, this.#checkpoints] = [root, journal, consent, new Checkpoints(root, settings.history)];
  }

  /** Is to be told of all that is brought to the disk. */
  noteWritten(staged: readonly Staged[]): void {
    for (const { operation } of staged) {
      if (operation.kind === "rename") this.#written = undefined;
      else if (operation.kind === "unlink") this.#note(operation.path, "gone", "there");
      else if (operation.kind === "write" || operation.kind === "link") this.#note(operation.path, "there", "gone");
    }
  }

  /**
   * Runs a command between two checkpoints, and notes what it has changed as if the run had. Throws `Failed`, and has not started it, where the first of
   * them cannot be made; what `act` throws comes after the second.
   *
   * @param author position of the action; 0 for a hook
   * @param goesOn the run is all or nothing
   */
  async observe<Value>(author: number, act: () => Promise<Value>, goesOn: boolean): Promise<ObservedCommand<Value>> {
    await this.#begin(author);
    const config = configDigest(this.#root);
    const [settled] = await Promise.allSettled([this.#checkpoints.during(act)]);
    const { changed, warnings } = await this.#end(author, goesOn);
    const hasConfigChanged = configDigest(this.#root) !== config;
    if (hasConfigChanged) attempt(() => dropTrust(this.#root));
    if (settled.status === "rejected") throw settled.reason;
    return { value: settled.value, changed, warnings, ...(hasConfigChanged && { failure: { code: "command/config-changed" } }) };
  }

  /** After the last command. */
  async tidy(): Promise<void> {
    await this.#checkpoints.tidy();
  }

  async #begin(author: number): Promise<void> {
    const questions = this.#consent?.questions ?? 0;
    const written = questions === this.#questions ? this.#written : undefined;
    this.#questions = questions;
    this.#written = { there: new Set(), gone: new Set() };
    const bytes = (paths: ReadonlySet<string>): Buffer[] => [...paths].map((path) => Buffer.from(path));
    try {
      const checkpoint = await this.#checkpoints.before(written && { there: bytes(written.there), gone: bytes(written.gone) });
      await this.#journal.beginCommand(author, checkpoint);
    } catch (thrown) {
      throw new Failed({ code: "command/no-checkpoint", reason: reasonOf(thrown) });
    }
  }

  async #end(author: number, goesOn: boolean): Promise<Omit<ObservedCommand<unknown>, "value">> {
    try {
      const { changed, uncovered } = await this.#journal.endCommand(author, await this.#checkpoints.after(), { goesOn });
      const named = uncovered.map((path) => this.#relative(path));
      const warning = `${named.slice(0, MOST_NAMED).join(", ")}${named.length > MOST_NAMED ? ` and ${named.length - MOST_NAMED} more` : ""}`;
      return {
        changed: changed.map(({ path, change }) => ({ path: this.#relative(path), change })),
        warnings: named.length === 0 ? [] : [`Not covered by undo, and changed while the command ran: ${warning}`],
      };
    } catch (thrown) {
      return { changed: [], warnings: [`NOTHING that the command changed is covered by undo: ${reasonOf(thrown)}`] };
    }
  }

  #note(path: string, now: "there" | "gone", before: "there" | "gone"): void {
    const name = this.#relative(path);
    this.#written?.[before].delete(name);
    this.#written?.[now].add(name);
  }

  #relative(path: string): string {
    return relative(this.#root, path).replaceAll("\\", process.platform === "win32" ? "/" : "\\");
  }
}

const MOST_NAMED = 10;

function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

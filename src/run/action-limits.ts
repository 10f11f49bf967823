import { resolve } from "node:path";
import { Failed } from "../core/failure.ts";
import type { UndoLog } from "../core/undo-log.ts";
import { attempt } from "../disk/system-error.ts";
import type { Volume } from "../disk/volume.ts";
import type { AddressedFiles } from "../files/addressed-files.ts";
import type { Workspace } from "../files/workspace.ts";
import type { Action } from "../answer/resolve.ts";
import { type InTime, type TimeLimit, timeLimit } from "./in-time.ts";

export interface ActionTimeOptions extends Omit<TimeLimit, "restore"> {
  readonly root: string;
  /** Maximum bytes that one action may write. Beyond it, the action is rolled back, as after a timeout. */
  readonly memory: number;
  readonly volume: Pick<Volume, "entry">;
  readonly workspace: AddressedFiles;
}

/** Creates the clocks that limit the time of a session's actions. */
export class ActionTime {
  readonly #options: ActionTimeOptions;
  #current: InTime = unlimited;

  constructor(options: ActionTimeOptions) {
    this.#options = options;
  }

  /**
   * Returns the clock of one action, which is the current one while it runs. Commands have a limit of their own.
   *
   * @param paths that the action names
   */
  of({ definition, params }: Pick<Action, "definition" | "params">, paths: readonly string[]): InTime {
    const isShort =
      definition.ofContext === undefined && this.#options.memory >= MAX_SMALL_BYTES && this.#isSmall(params, paths);
    const clock = definition.runs !== undefined || isShort ? unlimited : this.start();
    return async (act) => {
      const outer = this.#current;
      this.#current = clock;
      try {
        return await clock(act);
      } finally {
        this.#current = outer;
      }
    };
  }

  /** Returns a clock for work outside a run. */
  start(): InTime {
    const { limit, undo, isStopped, workspace } = this.#options;
    return timeLimit({ limit, undo, isStopped, restore: () => workspace.restore() });
  }

  readonly current: InTime = (act) => this.#current(act);

  /**
   * Returns whether an action reads so little that it cannot take long. The limit needs a thread, which would slow down
   * a run of thousands of small actions.
   */
  #isSmall(params: Action["params"], paths: readonly string[]): boolean {
    const { root, volume, workspace } = this.#options;
    if (paths.length === 0 || paths.some((path) => path.length > LONG_PATH || workspace.mayBeAddress(path)))
      return false;
    let size = 0;
    for (const value of Object.values(params)) if (typeof value === "string") size += value.length;
    for (const path of size > SMALL ? [] : paths) {
      // The action itself reports a path that cannot be read.
      attempt(() => {
        const entry = volume.entry(resolve(root, path));
        if (entry !== undefined) size += entry.kind === "file" ? entry.size : Infinity;
      });
    }
    return size <= SMALL;
  }
}

const unlimited: InTime = async (act) => await act();

/** UTF-16 units and bytes together. */
const SMALL = 16_384;
/** Bytes that a small action may write, if it replaces each unit of its files by its whole text. */
const MAX_SMALL_BYTES = 2 ** 28;
const LONG_PATH = 256;

interface MemoryBudgetOptions {
  /** Bytes. */
  readonly limit: number;
  readonly undo: UndoLog;
  /** Returns the bytes that the run keeps in memory until its end. Undefined if it flushes earlier. */
  waiting(): number | undefined;
}

/**
 * Limits the bytes that one action writes, and those that a run keeps in memory. A file written twice counts twice,
 * because its first content is kept for a rollback.
 */
export class MemoryBudget {
  readonly #options: MemoryBudgetOptions;
  #held = 0;

  constructor(options: MemoryBudgetOptions) {
    this.#options = options;
  }

  /** Starts a new action. */
  begin(): void {
    this.#held = 0;
  }

  /** Adds bytes. Throws `limit/memory` beyond a limit. */
  readonly hold = (bytes: number): void => {
    const { limit, undo, waiting } = this.#options;
    const before = this.#held;
    undo.note(() => (this.#held = before));
    this.#held += bytes;
    if (this.#held > limit) throw new Failed({ code: "limit/memory", limit, of: "action" });
    if ((waiting() ?? 0) + bytes > limit) throw new Failed({ code: "limit/memory", limit, of: "run" });
  };
}

/**
 * UTF-16 units. The text stays in memory for the report, and may grow sixfold in JSON, where string length is limited
 * too.
 */
const MAX_READ = 2 ** 26;

/** Limits what all actions of one run read together, each through a workspace wrapped here. */
export function createReadBudget(undo: UndoLog): (workspace: Workspace) => Workspace {
  let left = MAX_READ;
  return (workspace) => ({
    ...workspace,
    read(path) {
      // Once the budget is used up, nothing more is read, because reading alone could take hours.
      const text = left < 0 ? "" : workspace.read(path);
      const before = left;
      undo.note(() => (left = before));
      left -= text.length;
      if (left < 0) throw new Failed({ code: "file/read-budget", path, limit: MAX_READ });
      return text;
    },
  });
}

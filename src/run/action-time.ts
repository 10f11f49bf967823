import { resolve } from "node:path";
import type { UndoLog } from "../core/undo-log.ts";
import type { AddressedFiles } from "../files/addressed-files.ts";
import { attempt } from "../disk/system-error.ts";
import type { Volume } from "../disk/volume.ts";
import type { Action } from "./answer/resolve.ts";
import { type InTime, timeLimit } from "./in-time.ts";

export interface ActionTimeOptions {
  readonly root: string;
  /** Milliseconds. */
  readonly limit: number;
  /** Bytes that one action may write: what goes beyond is taken back as what takes too long. */
  readonly memory: number;
  readonly volume: Pick<Volume, "entry">;
  readonly workspace: AddressedFiles;
  readonly undo: UndoLog;
  /** Whether no further action is to begin. */
  isStopped(): boolean;
}

/** How long each action of a session may take. */
export class ActionTime {
  readonly #options: ActionTimeOptions;
  #current: InTime = atLeisure;

  constructor(options: ActionTimeOptions) {
    this.#options = options;
  }

  /** The clock of one action. Commands have a limit of their own. @param paths all that it names */
  of({ definition, params }: Pick<Action, "definition" | "params">, paths: readonly string[]): InTime {
    const isShort = definition.isOfContext !== true && this.#options.memory >= MAX_SMALL_BYTES && this.#isSmall(params, paths);
    return definition.runs !== undefined || isShort ? atLeisure : this.start();
  }

  /** A clock for work outside of a run. */
  start(): InTime {
    const { limit, undo, isStopped, workspace } = this.#options;
    return timeLimit({ limit, undo, isStopped, restore: () => workspace.restore() });
  }

  /** Does an action's work, and everything that asks for `current` meanwhile, by one clock. */
  during(inTime: InTime): InTime {
    return async (act) => {
      this.#current = inTime;
      try {
        return await inTime(act);
      } finally {
        this.#current = atLeisure;
      }
    };
  }

  readonly current: InTime = (act) => this.#current(act);

  /** Whether an action has so little to look at that nothing it does is long. To keep the limit takes a thread, which a run of thousands of small actions would feel. */
  #isSmall(params: Action["params"], paths: readonly string[]): boolean {
    const { root, volume, workspace } = this.#options;
    if (paths.length === 0 || paths.some((path) => path.length > LONG_PATH || workspace.mayBeAddress(path))) return false;
    let size = 0;
    for (const value of Object.values(params)) if (typeof value === "string") size += value.length;
    for (const path of size > SMALL ? [] : paths) {
      // What cannot be looked at is for the action to say.
      attempt(() => {
        const entry = volume.entry(resolve(root, path));
        if (entry !== undefined) size += entry.kind === "file" ? entry.size : Infinity;
      });
    }
    return size <= SMALL;
  }
}

const atLeisure: InTime = async (act) => await act();

/** UTF-16 units and bytes together. */
const SMALL = 16_384;
/** Bytes that a small action may write: each unit of its files is replaced by all that it has. */
const MAX_SMALL_BYTES = 2 ** 28;
const LONG_PATH = 256;

import { basename, dirname } from "node:path";
import type { UndoLog } from "../core/undo-log.ts";
import { foldName } from "../paths/fold-name.ts";
import { joinPath } from "../paths/path-segments.ts";
import { heldBy, type Slot } from "./overlay-slot.ts";

/**
 * The changed paths of an overlay. A path that is not among them is as the lower volume has it, unless something above
 * it was made or removed.
 */
export class Slots {
  readonly #slots = new Map<string, Slot>();
  /** Names of the changed entries, by directory. */
  readonly #names = new Map<string, Set<string>>();
  /** Changed paths that differ only in the spelling of their last names. */
  readonly #spellings = new Map<string, Set<string>>();
  readonly #undo: UndoLog;
  #held = 0;

  constructor(undo: UndoLog) {
    this.#undo = undo;
  }

  get count(): number {
    return this.#slots.size;
  }

  /** Bytes held for files to be written. */
  get held(): number {
    return this.#held;
  }

  get(path: string): Slot | undefined {
    return this.#slots.get(path);
  }

  all(): Array<[path: string, slot: Slot]> {
    return [...this.#slots];
  }

  namesIn(directory: string): ReadonlySet<string> | undefined {
    return this.#names.get(directory);
  }

  /** Returns the path of another entry that was changed, in the same directory and with the same folded name. */
  spelledOtherwise(path: string): string | undefined {
    const isThere = (one: string): boolean => (this.#slots.get(one)?.node ?? null) !== null;
    return isThere(path) ? undefined : [...(this.#spellings.get(foldedPath(path)) ?? [])].find(isThere);
  }

  /** Returns the nearest change above a path. */
  above(path: string): Slot | undefined {
    if (this.#slots.size === 0) return undefined;
    for (let at = dirname(path); ; at = dirname(at)) {
      const slot = this.#slots.get(at);
      if (slot !== undefined || at === dirname(at)) return slot;
    }
  }

  /** Drops a slot for a path where nothing was and nothing is. */
  put(path: string, slot: Slot): void {
    const [known, held] = [this.#slots.get(path), this.#held];
    const isNothing = slot.node === null && slot.basis === null;
    this.#undo.note(() => {
      this.#store(path, known);
      this.#held = held;
    });
    this.#held += heldBy(slot) - heldBy(known);
    this.#store(path, isNothing ? undefined : slot);
  }

  clear(): void {
    this.#slots.clear();
    this.#names.clear();
    this.#spellings.clear();
    this.#held = 0;
  }

  #store(path: string, slot: Slot | undefined): void {
    if (slot === undefined) this.#slots.delete(path);
    else this.#slots.set(path, slot);
    note(this.#names, dirname(path), basename(path), slot !== undefined);
    note(this.#spellings, foldedPath(path), path, slot !== undefined);
  }
}

/** Adds a value to the set at a key, or takes it out. */
function note(sets: Map<string, Set<string>>, key: string, value: string, isIn: boolean): void {
  const values = sets.get(key) ?? new Set();
  if (isIn) values.add(value);
  else values.delete(value);
  if (values.size === 0) sets.delete(key);
  else sets.set(key, values);
}

function foldedPath(path: string): string {
  return joinPath(dirname(path), foldName(basename(path)));
}

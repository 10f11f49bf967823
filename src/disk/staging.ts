import { UndoLog } from "../core/undo-log.ts";
import type { Operation, Staged } from "./operation.ts";

/** The pending operations of an overlay, in order, with the actions that requested them. */
export class Staging {
  /** Position of the action that requests the following operations. */
  author = 0;
  readonly #undo: UndoLog;
  #staged: Array<Staged & { readonly authors: number[] }> = [];
  #size = 0;
  /** Index of a file's write in the list. Valid until something is moved or removed, because only the last write must be made. */
  readonly #writes = new Map<string, number>();

  constructor(undo = new UndoLog()) {
    this.#undo = undo;
  }

  /** Bytes in memory of all files to be written. */
  get size(): number {
    return this.#size;
  }

  get count(): number {
    return this.#staged.length;
  }

  add(operation: Operation): void {
    this.#noteInverse(operation);
    if (operation.kind === "write") {
      this.#size += heldOf(operation);
      const at = this.#writes.get(operation.path);
      const earlier = at === undefined ? undefined : this.#staged[at];
      if (at !== undefined && earlier?.operation.kind === "write") {
        this.#size -= heldOf(earlier.operation);
        this.#staged[at] = { operation: { ...operation, basis: earlier.operation.basis }, authors: earlier.authors };
        if (earlier.authors.at(-1) !== this.author) earlier.authors.push(this.author);
        return;
      }
      this.#writes.set(operation.path, this.#staged.length);
    } else if (operation.kind !== "makeDirectory") this.#writes.clear();
    if (operation.kind === "removeDirectory" && this.#dropMade(operation.path)) return;
    this.#staged.push({ operation, authors: [this.author] });
  }

  /** Drops a directory that was made just before and is removed again, as after a failed action. */
  #dropMade(path: string): boolean {
    const last = this.#staged.at(-1)?.operation;
    if (last?.kind !== "makeDirectory" || last.path !== path) return false;
    this.#staged.pop();
    return true;
  }

  /** Records how to revert an operation, which appends to the list, replaces the entry for its path, or removes the last entry. */
  #noteInverse(operation: Operation): void {
    const [staged, size] = [this.#staged, this.#size];
    const { length } = staged;
    const touched = [length - 1, operation.kind === "write" ? (this.#writes.get(operation.path) ?? -1) : -1].map((at) => ({ at, before: staged[at], authors: staged[at]?.authors.length ?? 0 }));
    this.#undo.note(() => {
      staged.length = length;
      for (const { at, before, authors } of touched) {
        if (before === undefined) continue;
        before.authors.length = authors;
        staged[at] = before;
      }
      this.#size = size;
      this.#writes.clear();
    });
  }

  take(): Staged[] {
    const staged = this.#staged;
    this.#staged = [];
    this.#size = 0;
    this.#writes.clear();
    return staged;
  }
}

function heldOf({ content }: Operation & { kind: "write" }): number {
  return Buffer.isBuffer(content) ? content.length : 0;
}

import type { Change, Content } from "../core/change.ts";
import { UndoLog } from "../core/undo-log.ts";
import { joinPath } from "../paths/path-segments.ts";
import type { Operation, Staged } from "./operation.ts";
import { unlessSystemError } from "./system-error.ts";
import type { Volume, WritableVolume } from "./volume.ts";

/** The pending operations of an overlay, in order, with the actions that requested them. */
export class Staging {
  /** Position of the action that requests the following operations. */
  author = 0;
  readonly #undo: UndoLog;
  #staged: Array<Staged & { readonly authors: number[] }> = [];
  #size = 0;
  /**
   * Index of a file's write in the list. Valid until something is moved or removed, because only the last write must be
   * made.
   */
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

  /**
   * Records how to revert an operation, which appends to the list, replaces the entry for its path, or removes the last
   * entry.
   */
  #noteInverse(operation: Operation): void {
    const [staged, size] = [this.#staged, this.#size];
    const { length } = staged;
    const touched = [length - 1, operation.kind === "write" ? (this.#writes.get(operation.path) ?? -1) : -1].map(
      (at) => ({ at, before: staged[at], authors: staged[at]?.authors.length ?? 0 }),
    );
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

/** A volume above another one that knows which entries come from there. */
export interface Derived extends WritableVolume {
  /** Returns the path in the lower volume if the entry is unchanged. Undefined for entries written or made here. */
  origin(path: string): string | undefined;
}

/** Maximum bytes shown over all changes. A file that exceeds the remaining budget is not read. */
const MAX_SHOWN = 32 * 2 ** 20;

/**
 * Returns the differences between two volumes at these paths and below, sorted by path. A file too large to show counts
 * as different if it was replaced, even by an equal one.
 *
 * @param mayShow whether the bytes of a file may be shown
 */
export function changesBetween(
  before: Volume, after: Derived, paths: readonly string[], mayShow: (path: string) => boolean
): Change[] {
  let left = MAX_SHOWN;
  const shown = (volume: Volume, path: string, content: Content | undefined): Content | undefined => {
    if (content?.kind !== "file" || !mayShow(path)) return content;
    const bytes = bytesOf(volume, path, content.size, left);
    if (bytes === undefined) return content;
    left -= bytes.length;
    return { ...content, bytes };
  };
  return paths
    .flatMap((path) => differencesAt(before, after, path))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .map((change) => ({
      path: change.path,
      before: shown(before, change.path, change.before),
      after: shown(after, change.path, change.after),
    }));
}

/** Returns differences without bytes. A volume is undefined if it has no such parent directory. */
function differencesAt(before: Volume | undefined, after: Derived | undefined, path: string): Change[] {
  const [old, current] = [before && contentOf(before, path), after && contentOf(after, path)];
  const [oldDirectory, currentDirectory] = [
    old?.kind === "directory" ? before : undefined, current?.kind === "directory" ? after : undefined
  ];
  const names = new Set(
    [oldDirectory, currentDirectory].flatMap((volume) => volume?.readDirectory(path) ?? []).map(({ name }) => name),
  );
  const below = [...names].flatMap((name) => differencesAt(oldDirectory, currentDirectory, joinPath(path, name)));
  const isSame =
    isAlike(old, current) &&
    (old?.kind !== "file" ||
      before === undefined ||
      after === undefined ||
      hasSameBytes(before, after, path, old.size));
  return isSame ? below : [{ path, before: old, after: current }, ...below];
}

function contentOf(volume: Volume, path: string): Content | undefined {
  const entry = volume.entry(path);
  switch (entry?.kind) {
    case "file":
      return { kind: "file", mode: entry.mode, size: entry.size };
    case "link":
      return { kind: "link", target: volume.readLink(path) };
    case "directory":
      return { kind: "directory" };
    default:
      return undefined;
  }
}

/** Compares everything but the bytes of files. */
function isAlike(a: Content | undefined, b: Content | undefined): boolean {
  if (a?.kind === "file" && b?.kind === "file") return a.mode === b.mode && a.size === b.size;
  if (a?.kind === "link" && b?.kind === "link") return a.target === b.target;
  return a?.kind === b?.kind;
}

function hasSameBytes(before: Volume, after: Derived, path: string, size: number): boolean {
  if (after.origin(path) === path) return true;
  const old = bytesOf(before, path, size, MAX_SHOWN);
  return old !== undefined && bytesOf(after, path, size, MAX_SHOWN)?.equals(old) === true;
}

/** Returns undefined if there are too many bytes, or on a system error: an unreadable file can still be deleted. */
function bytesOf(volume: Volume, path: string, size: number, most: number): Buffer | undefined {
  return size > most ? undefined : unlessSystemError(() => volume.readFile(path).bytes, undefined);
}

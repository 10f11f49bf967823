import { dirname } from "node:path";
import type { Operation, Staged } from "../disk/operation.ts";

/**
 * Splits operations, in order, into groups that touch each path only once. After a crash, a look at the path then tells whether its
 * operation was made. Keeps the operations of one action together where possible.
 */
export function splitGroups<One extends Staged>(staged: readonly One[]): One[][] {
  if (staged.length === 1) return [[...staged]];
  const groups: One[][] = [];
  let current = new Group<One>();
  for (const one of staged) {
    if (current.isTouchedBy(one.operation)) {
      const own = current.tailOf(one.authors);
      const next = Group.of(own);
      const isOwnTouched = next.isTouchedBy(one.operation) || own.length === current.staged.length;
      groups.push(isOwnTouched ? current.staged : current.staged.slice(0, current.staged.length - own.length));
      current = isOwnTouched ? new Group<One>() : next;
    }
    current.add(one);
  }
  return current.staged.length > 0 ? [...groups, current.staged] : groups;
}

/** Returns the paths that an operation touches. */
export function pathsOf(operation: Operation | { readonly path: string } | { readonly from: string; readonly to: string }): string[] {
  return "from" in operation ? [operation.from, operation.to] : [operation.path];
}

/** Returns a key that is equal for operations of one kind on the same paths. */
export function operationKey(operation: Pick<Operation, "kind"> & ({ readonly path: string } | { readonly from: string; readonly to: string })): string {
  return [operation.kind, ...pathsOf(operation)].join("\0");
}

class Group<One extends Staged> {
  readonly staged: One[] = [];
  readonly #touched = new Set<string>();
  /** Sources and targets of directory moves: anything below them changes its path. */
  readonly #moved = new Set<string>();
  /** Ancestors of touched paths. `#aboveKept` only counts paths that exist afterwards. */
  readonly #above = new Set<string>();
  readonly #aboveKept = new Set<string>();

  static of<One extends Staged>(staged: readonly One[]): Group<One> {
    const group = new Group<One>();
    for (const one of staged) group.add(one);
    return group;
  }

  add(one: One): void {
    const { operation } = one;
    this.staged.push(one);
    const isRemoval = operation.kind === "unlink" || operation.kind === "removeDirectory";
    for (const path of pathsOf(operation)) {
      this.#touched.add(path);
      if (movesDirectory(operation)) this.#moved.add(path);
      addAncestors(path, this.#above);
      if (!isRemoval) addAncestors(path, this.#aboveKept);
    }
  }

  isTouchedBy(operation: Operation): boolean {
    return pathsOf(operation).some((path) => {
      if (this.#touched.has(path) || this.#isBelowMoved(path)) return true;
      return movesDirectory(operation) ? this.#above.has(path) : operation.kind === "removeDirectory" && this.#aboveKept.has(path);
    });
  }

  /** Returns the last operations that were requested by exactly these actions. */
  tailOf(authors: readonly number[]): One[] {
    const key = authors.join();
    const before = this.staged.findLastIndex((one) => one.authors.join() !== key);
    return this.staged.slice(before + 1);
  }

  #isBelowMoved(path: string): boolean {
    if (this.#moved.size === 0) return false;
    for (let at = path; at !== dirname(at); at = dirname(at)) if (this.#moved.has(at)) return true;
    return false;
  }
}

function addAncestors(path: string, directories: Set<string>): void {
  for (let at = dirname(path); !directories.has(at); at = dirname(at)) directories.add(at);
}

/** Returns whether an operation moves a directory. For a file or link, the basis is a version. */
export function movesDirectory(operation: Operation): boolean {
  return operation.kind === "rename" && (operation.basis === undefined || (typeof operation.basis === "object" && operation.basis?.kind === "directory"));
}

import { dirname } from "node:path";
import type { Operation, Staged } from "../disk/operation.ts";

/**
 * Splits operations, in their order, into groups in which no path is touched twice. So of an operation that a crash has interrupted it
 * can be told by looking whether it was made. What one action wants stays together where that is possible.
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

/** The paths that an operation is about. */
export function pathsOf(operation: Operation | { readonly path: string } | { readonly from: string; readonly to: string }): string[] {
  return "from" in operation ? [operation.from, operation.to] : [operation.path];
}

/** The same for operations of one kind on the same paths. */
export function operationKey(operation: Pick<Operation, "kind"> & ({ readonly path: string } | { readonly from: string; readonly to: string })): string {
  return [operation.kind, ...pathsOf(operation)].join("\0");
}

class Group<One extends Staged> {
  readonly staged: One[] = [];
  readonly #touched = new Set<string>();
  /** Directories that are moved, and where to: what is below them is somewhere else afterwards. */
  readonly #moved = new Set<string>();
  /** Directories above a touched path; the second, above one at which something stands afterwards. */
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
    const isTakingAway = operation.kind === "unlink" || operation.kind === "removeDirectory";
    for (const path of pathsOf(operation)) {
      this.#touched.add(path);
      if (movesDirectory(operation)) this.#moved.add(path);
      addAllAbove(path, this.#above);
      if (!isTakingAway) addAllAbove(path, this.#aboveKept);
    }
  }

  isTouchedBy(operation: Operation): boolean {
    return pathsOf(operation).some((path) => {
      if (this.#touched.has(path) || this.#isBelowMoved(path)) return true;
      return movesDirectory(operation) ? this.#above.has(path) : operation.kind === "removeDirectory" && this.#aboveKept.has(path);
    });
  }

  /** The last operations, as far as they are for just these actions. */
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

function addAllAbove(path: string, directories: Set<string>): void {
  for (let at = dirname(path); !directories.has(at); at = dirname(at)) directories.add(at);
}

/** Of a file's or a link's renaming the version is known. */
export function movesDirectory(operation: Operation): boolean {
  return operation.kind === "rename" && (operation.basis === undefined || (typeof operation.basis === "object" && operation.basis?.kind === "directory"));
}

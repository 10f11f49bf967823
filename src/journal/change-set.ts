import { type ChangeSet, type FileState, isChange, type Put, type State } from "../core/change-set.ts";
import { targetOf } from "../disk/operation.ts";
import { PathMap } from "../paths/path-map.ts";
import { isWithin } from "../paths/path-segments.ts";
import type { DoneOperation } from "./read-log.ts";

interface Node {
  current: State | null;
  /** The path before the run. Undefined for an entry that the run made. */
  readonly origin: string | undefined;
}

/**
 * Returns the net change of each path, sorted by path. Skips paths that end as they began, and files that only moved
 * with their directory. If a directory replaced something else, reports both the removal and the move.
 */
export function compose(operations: readonly DoneOperation[]): ChangeSet {
  return touchedPaths(operations).filter(isChange);
}

/**
 * Like `compose`, with the paths that end as they began: such a path may lie in a directory that moved there, and
 * did not move with it.
 */
export function touchedPaths(operations: readonly DoneOperation[]): ChangeSet {
  const tree = new TouchedPaths();
  for (const operation of operations) tree.apply(operation);
  return tree.states().sort((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)));
}

/** The paths that a run touched. */
class TouchedPaths {
  readonly #now = new PathMap<Node>();
  /**
   * Lengths of the paths that moved, or lie in a moved directory. Only these can give the origin of an untouched path
   * below them.
   */
  readonly #movedLengths = new Set<number>();
  /** The state of each path before the run. */
  readonly #before = new Map<string, State | null>();

  apply({ intent: { operation, before, moved, after }, outcome: { mode } }: DoneOperation): void {
    const node = this.#touch(targetOf(operation), before);
    switch (operation.kind) {
      case "write":
        node.current = after === undefined ? null : { kind: "file", ...after, ...modeOf(mode, before) };
        break;
      case "link":
        node.current = { kind: "link", target: operation.target };
        break;
      case "makeDirectory":
        node.current = { kind: "directory" };
        break;
      case "unlink":
      case "removeDirectory":
        node.current = null;
        break;
      case "rename":
        this.#touch(operation.from, moved ?? null);
        this.#now.move(operation.from, operation.to);
        for (const [moved] of this.#now.entries())
          if (isWithin(moved, operation.to)) this.#movedLengths.add(moved.length);
    }
  }

  states(): Put[] {
    const current = [...this.#now.entries()].flatMap(([path, node]) =>
      node.current === null ? [] : [{ path, after: node.current, from: this.#movedFrom(path, node) }],
    );
    const away = new Set(current.map(({ from }) => from));
    // An entry replaced by a moved directory counts as removed.
    const here = new Set(
      current.flatMap(({ path, after, from }) => (after.kind === "directory" && from !== undefined ? [] : [path])),
    );
    const changes = current.map(({ path, after, from }): Put => {
      if (from !== undefined) return { path, from, before: this.#before.get(from) ?? null, after };
      return { path, before: away.has(path) ? null : (this.#before.get(path) ?? null), after };
    });
    const gone = [...this.#before].filter(([path]) => !here.has(path) && !away.has(path));
    return [...gone.map(([path, before]) => ({ path, before, after: null })), ...changes];
  }

  /**
   * Reports a file that replaced something as a change of that path. A directory stays a move, because its contents
   * moved with it.
   */
  #movedFrom(path: string, { current, origin }: Node): string | undefined {
    return origin === path || (current?.kind !== "directory" && (this.#before.get(path) ?? null) !== null)
      ? undefined
      : origin;
  }

  /** @param before the state that the operation found */
  #touch(path: string, before: State | null): Node {
    const known = this.#now.get(path);
    const origin = known === undefined ? this.#originOf(path) : known.origin;
    const place = origin ?? path;
    if (!this.#before.has(place)) this.#before.set(place, before);
    const node = known ?? { current: before, origin: before === null ? undefined : place };
    this.#now.set(path, node);
    return node;
  }

  /** Returns the path of an untouched entry before the run, which may have moved a directory above it. */
  #originOf(path: string): string {
    // Skips ancestors that cannot have moved: a path may have a thousand levels.
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      const above = this.#movedLengths.has(end) ? this.#now.get(path.slice(0, end)) : undefined;
      if (above?.origin !== undefined) return above.origin + path.slice(end);
    }
    return path;
  }
}

/** Returns the mode that a file was written with, or that of the file it replaced. */
function modeOf(written: number | undefined, before: State | null): Pick<FileState, "mode"> {
  const mode = written ?? (before?.kind === "file" ? before.mode : undefined);
  return mode === undefined ? {} : { mode };
}

import type { DoneOperation } from "./inverse.ts";
import type { Content, LinkState } from "../disk/operation.ts";
import { PathMap } from "../paths/path-map.ts";
import { isWithin } from "../paths/path-segments.ts";

/** The state of a path, as far as a diff shows it. */
export type VisibleState = VisibleFile | LinkState | { readonly kind: "directory" };

export interface VisibleFile extends Content {
  readonly kind: "file";
  /** Permission bits. */
  readonly mode?: number | undefined;
}

/** The combined effect of a run's operations on a path. */
export interface NetChange {
  readonly path: string;
  /** Its path before it was moved. */
  readonly movedFrom?: string;
  /** State before the run, at this path or at `movedFrom`. */
  readonly before: VisibleState | undefined;
  readonly after: VisibleState | undefined;
}

interface Node {
  standing: VisibleState | undefined;
  /** The path before the run. Undefined for an entry that the run made. */
  readonly origin: string | undefined;
}

/**
 * Returns the net change of each path, sorted by path. Skips paths that end as they began, and files that only moved with their directory.
 * If a directory replaced something else, reports both the removal and the move.
 */
export function netChanges(operations: readonly DoneOperation[]): NetChange[] {
  return touchedPaths(operations).filter(isChange);
}

/** Like `netChanges`, with the paths that end as they began: such a path may lie in a directory that moved there, and did not move with it. */
export function touchedPaths(operations: readonly DoneOperation[]): NetChange[] {
  const tree = new TouchedPaths();
  for (const operation of operations) tree.apply(operation);
  return tree.states().sort((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)));
}

/** The paths that a run touched. */
class TouchedPaths {
  readonly #now = new PathMap<Node>();
  /** Lengths of the paths that moved, or lie in a moved directory. Only these can give the origin of an untouched path below them. */
  readonly #movedLengths = new Set<number>();
  /** The state of each path before the run. */
  readonly #before = new Map<string, VisibleState | undefined>();

  apply({ intent: { operation, before, moved, after }, outcome: { mode } }: DoneOperation): void {
    const path = operation.kind === "rename" ? operation.to : operation.path;
    const node = this.#touch(path, before ?? undefined);
    switch (operation.kind) {
      case "write":
        node.standing = after && { kind: "file", ...after, mode: mode ?? (before?.kind === "file" ? before.mode : undefined) };
        break;
      case "link":
        node.standing = { kind: "link", target: operation.target };
        break;
      case "makeDirectory":
        node.standing = { kind: "directory" };
        break;
      case "unlink":
      case "removeDirectory":
        node.standing = undefined;
        break;
      case "rename":
        this.#touch(operation.from, moved);
        this.#now.move(operation.from, operation.to);
        for (const [moved] of this.#now.entries()) if (isWithin(moved, operation.to)) this.#movedLengths.add(moved.length);
    }
  }

  states(): NetChange[] {
    const standing = [...this.#now.entries()].flatMap(([path, node]) => (node.standing === undefined ? [] : [{ path, after: node.standing, movedFrom: this.#movedFrom(path, node) }]));
    const away = new Set(standing.map(({ movedFrom }) => movedFrom));
    // An entry replaced by a moved directory counts as removed.
    const here = new Set(standing.flatMap(({ path, after, movedFrom }) => (after.kind === "directory" && movedFrom !== undefined ? [] : [path])));
    const changes = standing.map(({ path, after, movedFrom }): NetChange => {
      if (movedFrom !== undefined) return { path, movedFrom, before: this.#before.get(movedFrom), after };
      return { path, before: away.has(path) ? undefined : this.#before.get(path), after };
    });
    const gone = [...this.#before].filter(([path]) => !here.has(path) && !away.has(path));
    return [...gone.map(([path, before]) => ({ path, before, after: undefined })), ...changes];
  }

  /** Reports a file that replaced something as a change of that path. A directory stays a move, because its contents moved with it. */
  #movedFrom(path: string, { standing, origin }: Node): string | undefined {
    return origin === path || (standing?.kind !== "directory" && this.#before.get(path) !== undefined) ? undefined : origin;
  }

  /** @param before the state that the operation found */
  #touch(path: string, before: VisibleState | undefined): Node {
    const known = this.#now.get(path);
    const origin = known === undefined ? this.#originOf(path) : known.origin;
    const place = origin ?? path;
    if (!this.#before.has(place)) this.#before.set(place, before);
    const node = known ?? { standing: before, origin: before && place };
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

/** Returns whether a touched path differs from before the run. */
export function isChange({ movedFrom, before, after }: NetChange): boolean {
  return movedFrom !== undefined || !isAlike(before, after);
}

/** Returns whether two states look the same: bytes, mode, link target. An unknown mode matches any. */
export function isAlike(one: VisibleState | undefined, other: VisibleState | undefined): boolean {
  if (one?.kind === "file" && other?.kind === "file") {
    return one.sha256 === other.sha256 && (one.mode === undefined || other.mode === undefined || one.mode === other.mode);
  }
  if (one?.kind === "link" && other?.kind === "link") return one.target === other.target;
  return one?.kind === other?.kind;
}

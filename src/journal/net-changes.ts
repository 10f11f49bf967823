import type { DoneOperation } from "./inverse.ts";
import type { Content, LinkState } from "../disk/operation.ts";
import { PathMap } from "../paths/path-map.ts";
import { isWithin } from "../paths/path-segments.ts";

/** What stands at a path, as far as a diff shows it. */
export type Standing = FileStanding | LinkState | { readonly kind: "directory" };

export interface FileStanding extends Content {
  readonly kind: "file";
  /** Permission bits. */
  readonly mode?: number | undefined;
}

/** What all operations of a run together made of a path. */
export interface NetChange {
  readonly path: string;
  /** Where it came from, when it was moved. */
  readonly movedFrom?: string;
  /** What stood there before the run, or where it came from. */
  readonly before: Standing | undefined;
  readonly after: Standing | undefined;
}

interface Node {
  standing: Standing | undefined;
  /** Where what stands here stood before the run; undefined for what the run made. */
  readonly origin: string | undefined;
}

/**
 * Sorted by path. What a run changed and changed back is left out, and so is what only moved along with its directory. Where a directory was moved to the place of
 * something else, both are told: that this is gone, and the move.
 */
export function netChanges(operations: readonly DoneOperation[]): NetChange[] {
  const tree = new Tree();
  for (const operation of operations) tree.apply(operation);
  return tree.changes().sort((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)));
}

/** The paths that a run touched, and nothing else. */
class Tree {
  readonly #now = new PathMap<Node>();
  /** Lengths of paths that moved, or lie in a directory that did: only these tell where an untouched path below them was. */
  readonly #movedLengths = new Set<number>();
  /** What stood at each path before the run. */
  readonly #before = new Map<string, Standing | undefined>();

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

  changes(): NetChange[] {
    const standing = [...this.#now.entries()].flatMap(([path, node]) => (node.standing === undefined ? [] : [{ path, after: node.standing, movedFrom: this.#movedFrom(path, node) }]));
    const away = new Set(standing.map(({ movedFrom }) => movedFrom));
    // What stood where a directory has moved to is gone by itself.
    const here = new Set(standing.flatMap(({ path, after, movedFrom }) => (after.kind === "directory" && movedFrom !== undefined ? [] : [path])));
    const changes = standing.map(({ path, after, movedFrom }): NetChange => {
      if (movedFrom !== undefined) return { path, movedFrom, before: this.#before.get(movedFrom), after };
      return { path, before: away.has(path) ? undefined : this.#before.get(path), after };
    });
    const gone = [...this.#before].filter(([path]) => !here.has(path) && !away.has(path));
    return [...gone.map(([path, before]) => ({ path, before, after: undefined })), ...changes].filter(isChange);
  }

  /** A file that replaced something else is told as a change of that. A directory is not, as what is in it has come with it. */
  #movedFrom(path: string, { standing, origin }: Node): string | undefined {
    return origin === path || (standing?.kind !== "directory" && this.#before.get(path) !== undefined) ? undefined : origin;
  }

  /** @param before what an operation found there */
  #touch(path: string, before: Standing | undefined): Node {
    const known = this.#now.get(path);
    const origin = known === undefined ? this.#originOf(path) : known.origin;
    const place = origin ?? path;
    if (!this.#before.has(place)) this.#before.set(place, before);
    const node = known ?? { standing: before, origin: before && place };
    this.#now.set(path, node);
    return node;
  }

  /** Where an untouched path stood before the run, which may have moved a directory above it. */
  #originOf(path: string): string {
    // Looking up every directory of a path of a thousand levels takes a while.
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      const above = this.#movedLengths.has(end) ? this.#now.get(path.slice(0, end)) : undefined;
      if (above?.origin !== undefined) return above.origin + path.slice(end);
    }
    return path;
  }
}

function isChange({ movedFrom, before, after }: NetChange): boolean {
  return movedFrom !== undefined || !isAlike(before, after);
}

/** Whether they are the same to see: bytes, mode, where a link leads. A mode that is not known makes no difference. */
export function isAlike(one: Standing | undefined, other: Standing | undefined): boolean {
  if (one?.kind === "file" && other?.kind === "file") {
    return one.sha256 === other.sha256 && (one.mode === undefined || other.mode === undefined || one.mode === other.mode);
  }
  if (one?.kind === "link" && other?.kind === "link") return one.target === other.target;
  return one?.kind === other?.kind;
}

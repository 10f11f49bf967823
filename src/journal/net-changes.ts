import { createHash, hash } from "node:crypto";
import { Disk } from "../disk/disk.ts";
import { MAX_HELD, readImage, readImageInPieces } from "../disk/images.ts";
import { type Content, type Image, type LinkState, targetOf } from "../disk/operation.ts";
import { unlessSystemError } from "../disk/system-error.ts";
import { PathMap } from "../paths/path-map.ts";
import { isWithin } from "../paths/path-segments.ts";
import type { IntentRecord } from "./log-record.ts";
import { type DoneOperation, doneOperations, type Log } from "./read-log.ts";

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
  current: VisibleState | undefined;
  /** The path before the run. Undefined for an entry that the run made. */
  readonly origin: string | undefined;
}

/**
 * Returns the net change of each path, sorted by path. Skips paths that end as they began, and files that only moved
 * with their directory. If a directory replaced something else, reports both the removal and the move.
 */
export function netChanges(operations: readonly DoneOperation[]): NetChange[] {
  return touchedPaths(operations).filter(isChange);
}

/**
 * Like `netChanges`, with the paths that end as they began: such a path may lie in a directory that moved there, and
 * did not move with it.
 */
export function touchedPaths(operations: readonly DoneOperation[]): NetChange[] {
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
  readonly #before = new Map<string, VisibleState | undefined>();

  apply({ intent: { operation, before, moved, after }, outcome: { mode } }: DoneOperation): void {
    const node = this.#touch(targetOf(operation), before ?? undefined);
    switch (operation.kind) {
      case "write":
        node.current = after && {
          kind: "file",
          ...after,
          mode: mode ?? (before?.kind === "file" ? before.mode : undefined),
        };
        break;
      case "link":
        node.current = { kind: "link", target: operation.target };
        break;
      case "makeDirectory":
        node.current = { kind: "directory" };
        break;
      case "unlink":
      case "removeDirectory":
        node.current = undefined;
        break;
      case "rename":
        this.#touch(operation.from, moved);
        this.#now.move(operation.from, operation.to);
        for (const [moved] of this.#now.entries())
          if (isWithin(moved, operation.to)) this.#movedLengths.add(moved.length);
    }
  }

  states(): NetChange[] {
    const current = [...this.#now.entries()].flatMap(([path, node]) =>
      node.current === undefined ? [] : [{ path, after: node.current, movedFrom: this.#movedFrom(path, node) }],
    );
    const away = new Set(current.map(({ movedFrom }) => movedFrom));
    // An entry replaced by a moved directory counts as removed.
    const here = new Set(
      current.flatMap(({ path, after, movedFrom }) =>
        after.kind === "directory" && movedFrom !== undefined ? [] : [path],
      ),
    );
    const changes = current.map(({ path, after, movedFrom }): NetChange => {
      if (movedFrom !== undefined) return { path, movedFrom, before: this.#before.get(movedFrom), after };
      return { path, before: away.has(path) ? undefined : this.#before.get(path), after };
    });
    const gone = [...this.#before].filter(([path]) => !here.has(path) && !away.has(path));
    return [...gone.map(([path, before]) => ({ path, before, after: undefined })), ...changes];
  }

  /**
   * Reports a file that replaced something as a change of that path. A directory stays a move, because its contents
   * moved with it.
   */
  #movedFrom(path: string, { current, origin }: Node): string | undefined {
    return origin === path || (current?.kind !== "directory" && this.#before.get(path) !== undefined)
      ? undefined
      : origin;
  }

  /** @param before the state that the operation found */
  #touch(path: string, before: VisibleState | undefined): Node {
    const known = this.#now.get(path);
    const origin = known === undefined ? this.#originOf(path) : known.origin;
    const place = origin ?? path;
    if (!this.#before.has(place)) this.#before.set(place, before);
    const node = known ?? { current: before, origin: before && place };
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
    return (
      one.sha256 === other.sha256 && (one.mode === undefined || other.mode === undefined || one.mode === other.mode)
    );
  }
  if (one?.kind === "link" && other?.kind === "link") return one.target === other.target;
  return one?.kind === other?.kind;
}

type Step = IntentRecord & { readonly log: Log };

/**
 * Finds the content of files at an earlier time. A file keeps its content until an operation destroys it, and that
 * operation's log has the pre-image.
 */
export class PastFiles {
  readonly #steps: readonly Step[];
  /** Steps by path, and all moves: avoids a scan of all steps for each file of a large run. */
  readonly #at = new Map<string, number[]>();
  readonly #moves: number[] = [];
  readonly #disk = new Disk();

  /** @param logs in order, without gaps up to the newest */
  constructor(logs: readonly Log[]) {
    this.#steps = logs.flatMap((log) => doneOperations(log).map(({ intent }) => ({ ...intent, log })));
    for (const [step, { operation }] of this.#steps.entries()) {
      if (operation.kind === "rename") this.#moves.push(step);
      const path = targetOf(operation);
      const before = this.#at.get(path);
      if (before === undefined) this.#at.set(path, [step]);
      else before.push(step);
    }
  }

  /**
   * Returns the bytes that a file had at a path. Undefined if they are not kept.
   *
   * @param start number of operations made up to then
   */
  find(path: string, content: Content, start: number): Buffer | undefined {
    const found = this.#locate(path, content, start);
    if (found === undefined) return undefined;
    return "place" in found ? this.#onDisk(found.place, content) : unlessSystemError(() => readImage(found), undefined);
  }

  /**
   * Like `find`, but passes the bytes on in pieces, whatever the size. Returns false if they are not kept; then the
   * pieces are incomplete. Rethrows errors of `take`.
   */
  read(path: string, content: Content, start: number, take: (piece: Buffer) => void): boolean {
    if (content.size <= MAX_HELD) {
      const bytes = this.find(path, content, start);
      if (bytes !== undefined) take(bytes);
      return bytes !== undefined;
    }
    const found = this.#locate(path, content, start);
    if (found === undefined) return false;
    let refused: { readonly thrown: unknown } | undefined;
    const forward = (piece: Buffer): void => {
      try {
        take(piece);
      } catch (thrown) {
        refused = { thrown };
        throw thrown;
      }
    };
    const isRead = unlessSystemError(
      () =>
        "place" in found ? this.#readOnDisk(found.place, content, forward) : (readImageInPieces(found, forward), true),
      false,
    );
    // An error of the receiver, such as a full disk, does not mean that the bytes are lost.
    if (refused !== undefined) throw refused.thrown;
    return isRead;
  }

  /** Finds the bytes: in a log or in a file. */
  #locate(path: string, content: Content, start: number): Image | { readonly place: string } | undefined {
    let place = path;
    for (let step = this.#next(place, start); step !== undefined; step = this.#next(place, step + 1)) {
      const { operation, before, after, log } = this.#steps[step] as Step;
      if (operation.kind === "rename" && isWithin(place, operation.from))
        place = operation.to + place.slice(operation.from.length);
      else {
        if (before?.kind !== "file" || before.sha256 !== content.sha256) return undefined;
        if ("image" in before) return { log: log.file, ...before.image, sha256: content.sha256 };
        // The run destroyed its own content, unless it wrote the same again.
        if (after?.sha256 !== content.sha256) return undefined;
      }
    }
    return { place };
  }

  /** Returns the first step from `start` on that touches a path. */
  #next(place: string, start: number): number | undefined {
    const here = this.#at.get(place)?.find((step) => step >= start);
    const away = this.#moves.find((step) => step >= start && isMoved(place, this.#steps[step] as Step));
    return here === undefined || away === undefined ? (here ?? away) : Math.min(here, away);
  }

  #onDisk(path: string, { size, sha256 }: Content): Buffer | undefined {
    return unlessSystemError(() => {
      if (this.#disk.entry(path)?.size !== size) return undefined;
      const { bytes } = this.#disk.readFile(path);
      return hash("sha256", bytes, "hex") === sha256 ? bytes : undefined;
    }, undefined);
  }

  #readOnDisk(path: string, { size, sha256 }: Content, take: (piece: Buffer) => void): boolean {
    if (this.#disk.entry(path)?.size !== size) return false;
    const digest = createHash("sha256");
    this.#disk.readPieces(path, (piece) => {
      digest.update(piece);
      take(piece);
      return true;
    });
    return digest.digest("hex") === sha256;
  }
}

function isMoved(place: string, { operation }: Step): boolean {
  return operation.kind === "rename" && isWithin(place, operation.from);
}

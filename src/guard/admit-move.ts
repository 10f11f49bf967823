import { dirname } from "node:path";
import type { Access } from "../core/failure.ts";
import { follow } from "../disk/follow.ts";
import { denied, type Guard, NOT_REGULAR, type Place } from "./guard.ts";
import { joinPath, splitPath } from "../paths/path-segments.ts";
import { asFailure } from "../disk/system-error.ts";
import type { Volume } from "../disk/volume.ts";

export interface Move {
  /** Already admitted by the guard, like `target`. */
  readonly source: Place;
  readonly target: Place;
  /** As the block wrote it, like `to`. */
  readonly from: string;
  readonly to: string;
}

/**
 * Asks the guard about everything that moves with a path: entries of a directory, and targets of links. Throws
 * `Failed`.
 */
export function admitMove(volume: Volume, guard: Guard, { source, target, from, to }: Move): void {
  if (source.entry?.kind === "directory") admitTree();
  else if (source.entry?.kind === "link") admitLink(source.path, target.path);

  /** Each entry needs the same access as the directory, at its old and at its new path. */
  function admitTree(): void {
    const pending = [source.path];
    let count = 0;
    for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
      const at = directory;
      for (const { name, kind } of asFailure("scandir", from, () => volume.readDirectory(at))) {
        count += 1;
        if (count > MAX_MOVED) throw denied(from, "write", `more than ${MAX_MOVED} entries in it`);
        if (kind === "other") throw denied(from, "read", NOT_REGULAR);
        const path = joinPath(at, name);
        const newPath = target.path + path.slice(source.path.length);
        check(path, "read", from);
        check(path, "write", from);
        check(newPath, "write", to);
        if (kind === "directory") pending.push(path);
        else if (kind === "link") admitLink(path, newPath);
      }
    }
  }

  /**
   * Moves a link only if its target may be read and written. An allow rule may begin at the link's new path, and would
   * then open the target in the next run.
   */
  function admitLink(link: string, newPath: string): void {
    const { root, segments } = splitPath(asFailure("readlink", from, () => volume.readLink(link)));
    const down = segments.findIndex((name) => name !== "..");
    const up = down === -1 ? segments.length : down;
    // The new parents may not exist yet, but will not be links.
    let at = root === "" ? dirname(newPath) : root;
    for (let level = 0; level < up; level++) at = dirname(at);
    const { path, errno } = follow(volume, segments.slice(up).reduce(joinPath, at), "follow");
    if (errno !== undefined) throw denied(from, "read", "the link leads nowhere");
    check(path, "read", from);
    check(path, "write", from);
  }

  /** @param shown the path to name in a refusal */
  function check(path: string, access: Access, shown: string): void {
    const rule = guard.refusal(path, access);
    if (rule !== undefined) throw denied(shown, access, rule);
  }
}

/** Maximum entries of a moved directory, since the guard judges each. */
const MAX_MOVED = 10_000;

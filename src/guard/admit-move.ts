import { dirname } from "node:path";
import type { Access } from "../core/failure.ts";
import { follow } from "../disk/follow.ts";
import { denied, type Guard, NOT_REGULAR, type Place } from "./guard.ts";
import { joinPath, splitPath } from "../paths/path-segments.ts";
import { asFailure } from "../disk/system-error.ts";
import type { Volume } from "../disk/volume.ts";

/** Two paths that are admitted as such, and as the block wrote them. */
export interface Move {
  readonly source: Place;
  readonly target: Place;
  readonly from: string;
  readonly to: string;
}

/** Judges what is moved along with a path: everything in a directory, and what a link leads to. Throws `Failed`. */
export function admitMove(volume: Volume, guard: Guard, { source, target, from, to }: Move): void {
  if (source.entry?.kind === "directory") admitTree();
  else if (source.entry?.kind === "link") admitLink(source.path, target.path);

  /** Everything in a directory that is moved needs what the directory itself needs, at its old and at its new place. */
  function admitTree(): void {
    const pending = [source.path];
    let count = 0;
    for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
      const at = directory;
      for (const { name, kind } of asFailure("scandir", from, () => volume.readDirectory(at))) {
        count += 1;
        if (count > MOST_MOVED) throw denied(from, "write", `more than ${MOST_MOVED} entries in it`);
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
   * A link is moved only where it leads to what may be read and written. Where an allow rule begins at its new place, the next
   * run would take the rule to be about what it leads to.
   */
  function admitLink(link: string, newPath: string): void {
    const { root, segments } = splitPath(asFailure("readlink", from, () => volume.readLink(link)));
    const down = segments.findIndex((name) => name !== "..");
    const up = down === -1 ? segments.length : down;
    // The new parents may not be there yet, but they will be no links.
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

/** Entries of a directory that can be moved together: each is judged. */
const MOST_MOVED = 10_000;

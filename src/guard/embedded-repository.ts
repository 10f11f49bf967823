/**
 * Keeps a directory from becoming a git repository without `.git`: git, started in it, would take it for a bare one and run what its
 * `config` names. A few ordinary files are enough for that, written in any order.
 */
import { basename, dirname } from "node:path";
import { Failed } from "../core/failure.ts";
import { undisguised } from "./built-in.ts";
import { namesIn } from "./seen.ts";
import { joinPath } from "../paths/path-segments.ts";
import { isSystemError } from "../disk/system-error.ts";
import type { Volume } from "../disk/volume.ts";

/** What tells whether an entry is a HEAD: a file's first bytes, or a link's target. */
export type Head = { readonly start: string } | { readonly target: string } | undefined;

/**
 * Whether git takes a directory for a repository's own, or would on a file system that is blind to case. As git's `is_git_directory`, but without asking what
 * `objects` and `refs` are, and where `commondir` leads: that can still change.
 */
export function isGitDirectory(names: readonly string[], headOf: (name: string) => Head): boolean {
  const parts = new Set(names.map(undisguised));
  if (!parts.has("commondir") && !(parts.has("objects") && parts.has("refs"))) return false;
  return names.some((name) => undisguised(name) === "head" && isHead(headOf(name)));
}

function isHead(head: Head): boolean {
  if (head === undefined) return false;
  return "target" in head ? head.target.startsWith("refs/") : /^(?:ref:\s*refs\/|[\da-f]{40})/i.test(head.start);
}

/** An entry that is about to be made or changed. Paths are canonical. */
export interface Made {
  readonly path: string;
  /** What it will hold, if it is a file. */
  readonly bytes?: Uint8Array;
  /** Where it is moved from. */
  readonly from?: string;
}

/**
 * Throws `Failed` where, with an entry, one of the directories above it is a git directory, whether it is one already or the entry completes it.
 *
 * @param root canonical; what is above it is not asked about
 * @param shown the entry's path as the refusal names it
 */
export function refuseRepository(volume: Volume, root: string, { path, bytes, from = path }: Made, shown: string): void {
  for (let at = path; at !== root && dirname(at) !== at; at = dirname(at)) {
    const directory = dirname(at);
    if (!isPart(basename(at)) && !isThere(volume, joinPath(directory, "HEAD"))) continue;
    const headOf = (name: string): Head => {
      const one = joinPath(directory, name);
      if (one !== path) return headAt(volume, one);
      return bytes === undefined ? headAt(volume, from) : { start: Buffer.from(bytes.subarray(0, LONGEST_HEAD)).toString("latin1") };
    };
    if (isGitDirectory([...(namesIn(volume, directory) ?? []).map(({ name }) => name), basename(at)], headOf)) throw new Failed({ code: "guard/repository", path: shown, directory });
  }
}

/** Whether an entry of this name can complete a git directory. */
export function isPart(name: string): boolean {
  return PARTS.has(undisguised(name));
}

const PARTS: ReadonlySet<string> = new Set(["head", "objects", "refs", "commondir"]);
/** Git reads no more of one. */
const LONGEST_HEAD = 256;

function isThere(volume: Volume, path: string): boolean {
  return unlessRefused(() => volume.entry(path) !== undefined, true);
}

/** What tells whether the entry at a path is a HEAD. */
export function headAt(volume: Volume, path: string): Head {
  return unlessRefused(() => {
    const kind = volume.entry(path)?.kind;
    if (kind === "link") return { target: volume.readLink(path) };
    if (kind !== "file") return undefined;
    let start = "";
    volume.readPieces(path, (piece) => {
      start = piece.subarray(0, LONGEST_HEAD).toString("latin1");
      return false;
    });
    return { start };
    // What cannot be read may be one.
  }, { target: "refs/" });
}

function unlessRefused<Value>(ask: () => Value, otherwise: Value): Value {
  try {
    return ask();
  } catch (thrown) {
    if (isSystemError(thrown)) return otherwise;
    throw thrown;
  }
}

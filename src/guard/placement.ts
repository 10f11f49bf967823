/**
 * Decides whether an entry may be placed at a path. Actions, moves and the landing of a command's changes ask here, so
 * that what the one may not place, no other can.
 */
import { basename, dirname } from "node:path";
import { Failed } from "../core/failure.ts";
import { follow } from "../disk/follow.ts";
import { unlessSystemError } from "../disk/system-error.ts";
import type { Volume } from "../disk/volume.ts";
import { foldName } from "../paths/names.ts";
import { isWithin, joinPath, segmentsOf, splitPath } from "../paths/path-segments.ts";
import { hooksNamedIn, type Looking, undisguised } from "./built-in.ts";
import type { Policy } from "./policy.ts";

export type PlacedEntry = { readonly kind: "file" | "directory" } | { readonly kind: "link"; readonly target: string };

interface Placing {
  readonly volume: Looking;
  /** Canonical. */
  readonly root: string;
  readonly policy: Policy;
}

/**
 * Returns the rule against placing an entry at a canonical path, or undefined.
 *
 * @param of `itself` if the entry there is replaced, not only its content
 */
export function mayPlace(
  { volume, root, policy }: Placing, path: string, placed: PlacedEntry, of: "target" | "itself"
): string | undefined {
  const rule = policy(path, "write", of) ?? nestedHooksRule(volume, root, path);
  if (rule !== undefined || placed.kind !== "link") return rule;
  // A write to the refused name would follow the link to another place.
  return policy.below(path) ?? (leadsOut(volume, root, path, placed.target) ? OUTSIDE : undefined);
}

/** What is written through such a link later, as by `npm install`, changes files that no rule has opened. */
const OUTSIDE = "links to places outside the project are not accepted";

/** Also refuses a target with `..` after a name, because another link in that name's place would change the meaning. */
function leadsOut(volume: Looking, root: string, path: string, target: string): boolean {
  const { root: top, segments } = splitPath(target);
  const down = segments.findIndex((name) => name !== "..");
  if (down !== -1 && segments.slice(down).includes("..")) return true;
  const start = segments.reduce((at, name) => (name === ".." ? dirname(at) : joinPath(at, name)), top || dirname(path));
  return !isWithin(follow(volume, start, "follow").path, root);
}

/** Returns the rule against writing hooks of a repository nested in the project, which its own configuration names. */
export function nestedHooksRule(volume: Looking, root: string, path: string): string | undefined {
  const names = (place: string): string[] => segmentsOf(place).map(foldName);
  for (let top = dirname(path); top !== root && isWithin(top, root); top = dirname(top)) {
    const at = top;
    if (unlessSystemError(() => volume.entry(joinPath(at, ".git")), undefined) === undefined) continue;
    const isIn = (place: string): boolean => names(place).every((name, index) => name === names(path)[index]);
    const obeyed = hooksNamedIn(volume, top).find((place) => !isWithin(root, place) && isIn(place));
    if (obeyed !== undefined) return `deny ${obeyed}`;
  }
  return undefined;
}

/**
 * What decides whether an entry is a HEAD: the first bytes of a file, or the target of a link. A directory must not
 * become a git repository without `.git`: git, started in it, would treat it as a bare repository and run commands from
 * its `config`. A few ordinary files, written in any order, are enough for that.
 */
export type HeadEntry = { readonly start: string } | { readonly target: string } | undefined;

/**
 * Returns whether git treats a directory as a git directory, or would on a case-insensitive file system.
 *
 * Like git's `is_git_directory`, but ignores the kinds of `objects` and `refs`, and the target of `commondir`: these
 * can still change.
 */
export function isGitDirectory(names: readonly string[], headOf: (name: string) => HeadEntry): boolean {
  const parts = new Set(names.map(undisguised));
  if (!parts.has("commondir") && !(parts.has("objects") && parts.has("refs"))) return false;
  return names.some((name) => undisguised(name) === "head" && isHead(headOf(name)));
}

function isHead(head: HeadEntry): boolean {
  if (head === undefined) return false;
  return "target" in head ? head.target.startsWith("refs/") : /^(?:ref:\s*(?:refs\/|$)|[\da-f]{40})/i.test(head.start);
}

/** An entry to be created or changed. Paths are canonical. */
export interface Made {
  readonly path: string;
  /** Content of a file. */
  readonly bytes?: Uint8Array;
  /** The source of a move. */
  readonly from?: string;
}

/**
 * Throws `Failed` if an entry makes, or keeps, one of the directories above it a git directory. A git directory may be
 * moved as a whole: its `config` is the user's.
 *
 * @param root canonical; directories above it are not checked
 * @param shown the path to name in the refusal
 */
export function refuseRepository(
  volume: Volume, root: string, { path, bytes, from = path }: Made, shown: string
): void {
  for (let at = path; at !== root && dirname(at) !== at; at = dirname(at)) {
    const directory = dirname(at);
    if (
      !isPart(basename(at)) &&
      !unlessSystemError(() => volume.entry(joinPath(directory, "HEAD")) !== undefined, true)
    )
      continue;
    const headOf = (name: string): HeadEntry => {
      const file = joinPath(directory, name);
      if (file !== path) return headAt(volume, file);
      return bytes === undefined
        ? headAt(volume, from)
        : { start: Buffer.from(bytes.subarray(0, MAX_HEAD_BYTES)).toString("latin1") };
    };
    if (isGitDirectory([...(listNames(volume, directory) ?? []).map(({ name }) => name), basename(at)], headOf))
      throw new Failed({ code: "guard/repository", path: shown, directory });
  }
}

/** Returns whether an entry of this name can complete a git directory. */
export function isPart(name: string): boolean {
  return PARTS.has(undisguised(name));
}

const PARTS: ReadonlySet<string> = new Set(["head", "objects", "refs", "commondir"]);
/** The first bytes decide, however long a HEAD is. Git skips any white space behind `ref:`. */
export const MAX_HEAD_BYTES = 256;

/** Reads what decides whether the entry at a path is a HEAD. */
export function headAt(volume: Volume, path: string): HeadEntry {
  return unlessSystemError(() => {
    const kind = volume.entry(path)?.kind;
    if (kind === "link") return { target: volume.readLink(path) };
    if (kind !== "file") return undefined;
    let start = "";
    volume.readPieces(path, (piece) => {
      start = piece.subarray(0, MAX_HEAD_BYTES).toString("latin1");
      return false;
    });
    return { start };
    // An unreadable entry may be a HEAD.
  }, { target: "refs/" });
}

/** Returns undefined if the directory cannot be listed. */
export function listNames(
  volume: Pick<Volume, "namesIn">, directory: string
): ReturnType<Volume["namesIn"]> | undefined {
  return unlessSystemError(() => volume.namesIn(directory), undefined);
}

/** Stages on an overlay what a work tree shall have at some paths. */
import { symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { imageOf, writeImage } from "../disk/images.ts";
import type { Overlay } from "../disk/overlay.ts";
import type { VersionedEntry } from "../disk/volume.ts";
import type { CheckedOut } from "../git/checkout.ts";

/** Null for nothing. */
export type Wanted =
  | (CheckedOut & {
      /** Set if its permissions count, not only whether it is executable. */
      readonly isExact?: true;
    })
  | { readonly kind: "directory"; readonly mode?: number }
  | null;

interface WantedTree {
  /** By path, relative to the top. */
  readonly wanted: ReadonlyMap<string, Wanted>;
  /** Whether a path returns to an earlier state: then only directories that are wanted gone are removed. */
  isReturn(path: string): boolean;
}

/** Like git, removes directories that lose their last file. Follows no link. */
export function stageTree(overlay: Overlay, top: string, { wanted, isReturn }: WantedTree): void {
  const paths = [...wanted.keys()].sort();
  const emptied: string[] = [];
  for (const path of paths.toReversed()) {
    const target = wanted.get(path) ?? null;
    const kind = entryIn(overlay, top, path)?.kind;
    if (target?.kind === "file" || target?.kind === "link" || kind === undefined || kind === "directory") continue;
    overlay.unlink(join(top, path));
    if (!isReturn(path)) emptied.push(path);
  }
  for (const path of paths) place(overlay, top, path, wanted.get(path) ?? null);
  for (const path of paths.toReversed()) if (wanted.get(path) === null) removeIfEmpty(overlay, top, path);
  for (const path of emptied)
    for (let above = dirname(path); above !== "." && removeIfEmpty(overlay, top, above); above = dirname(above));
}

function place(overlay: Overlay, top: string, path: string, wanted: Wanted): void {
  if (wanted === null) return;
  const at = join(top, path);
  const entry = entryIn(overlay, top, path);
  if (isAsWanted(overlay, at, entry, wanted)) return;
  for (const above of parentsOf(path))
    if (overlay.entry(join(top, above)) === undefined) overlay.makeDirectory(join(top, above));
  if (entry?.kind === "directory") removeEmptyTree(overlay, at);
  const basis = entry === undefined || entry.kind === "directory" ? null : entry.version;
  if (wanted.kind === "directory") overlay.makeDirectory(at, wanted.mode);
  else if (wanted.kind === "link") overlay.placeLink(at, wanted.target, basis);
  else overlay.placeFile(at, { content: wanted.content, mode: wanted.mode, modified: Date.now() / 1_000 }, basis);
}

function isAsWanted(
  overlay: Overlay,
  at: string,
  entry: VersionedEntry | undefined,
  wanted: Exclude<Wanted, null>,
): boolean {
  if (entry?.kind !== wanted.kind) return false;
  if (wanted.kind === "directory") return true;
  if (wanted.kind === "link") return overlay.readLink(at) === wanted.target;
  const counts = wanted.isExact ? 0o7777 : 0o111;
  const isSameMode = (entry.mode & counts) === (wanted.mode & counts);
  return isSameMode && entry.size === wanted.content.length && imageOf(at).sha256 === wanted.content.sha256;
}

/** Returns what is at a path, unless it is behind a link or a file. */
function entryIn(overlay: Overlay, top: string, path: string): VersionedEntry | undefined {
  const isBehind = parentsOf(path).some((above) => overlay.entry(join(top, above))?.kind !== "directory");
  return isBehind ? undefined : overlay.entry(join(top, path));
}

/** Returns "a" and "a/b" for "a/b/c". */
function parentsOf(path: string): string[] {
  const names = path.split("/");
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join("/"));
}

/** Throws a system error if there is a file in it. */
function removeEmptyTree(overlay: Overlay, at: string): void {
  for (const { name } of overlay.readDirectory(at)) removeEmptyTree(overlay, join(at, name));
  overlay.removeDirectory(at);
}

function removeIfEmpty(overlay: Overlay, top: string, path: string): boolean {
  const at = join(top, path);
  const isEmpty = entryIn(overlay, top, path)?.kind === "directory" && overlay.readDirectory(at).length === 0;
  if (isEmpty) overlay.removeDirectory(at);
  return isEmpty;
}

/** Writes a file or link outside the project. */
export function writeWanted(to: string, wanted: CheckedOut): void {
  if (wanted.kind === "link") symlinkSync(wanted.target, to);
  else writeImage(wanted.content, to);
}

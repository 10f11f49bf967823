/** What differs between two volumes. */
import type { Change, Content } from "../core/change.ts";
import { joinPath } from "../paths/path-segments.ts";
import { unlessSystemError } from "./system-error.ts";
import type { Volume, WritableVolume } from "./volume.ts";

/** A volume above another one that knows which entries come from there. */
export interface Derived extends WritableVolume {
  /** Returns the path in the lower volume if the entry is unchanged. Undefined for entries written or made here. */
  origin(path: string): string | undefined;
}

/** Maximum bytes shown over all changes. A file that exceeds the remaining budget is not read. */
const MAX_SHOWN = 32 * 2 ** 20;

/**
 * Returns the differences between two volumes at these paths and below, sorted by path. A file too large to show counts
 * as different if it was replaced, even by an equal one.
 *
 * @param mayShow whether the bytes of a file may be shown
 */
export function changesBetween(
  before: Volume,
  after: Derived,
  paths: readonly string[],
  mayShow: (path: string) => boolean,
): Change[] {
  let left = MAX_SHOWN;
  const shown = (volume: Volume, path: string, content: Content | undefined): Content | undefined => {
    if (content?.kind !== "file" || !mayShow(path)) return content;
    const bytes = bytesOf(volume, path, content.size, left);
    if (bytes === undefined) return content;
    left -= bytes.length;
    return { ...content, bytes };
  };
  return paths
    .flatMap((path) => differencesAt(before, after, path))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .map((change) => ({
      path: change.path,
      before: shown(before, change.path, change.before),
      after: shown(after, change.path, change.after),
    }));
}

/** Returns differences without bytes. A volume is undefined if it has no such parent directory. */
function differencesAt(before: Volume | undefined, after: Derived | undefined, path: string): Change[] {
  const [old, current] = [before && contentOf(before, path), after && contentOf(after, path)];
  const [left, right] = [old?.kind === "directory" && before, current?.kind === "directory" && after];
  const listed = [left, right].flatMap((volume) => (volume ? volume.namesIn(path) : []));
  const names = [...new Set(listed.map(({ name }) => name))];
  const below = names.flatMap((name) => differencesAt(left || undefined, right || undefined, joinPath(path, name)));
  const isSame =
    isAlike(old, current) &&
    (old?.kind !== "file" ||
      before === undefined ||
      after === undefined ||
      hasSameBytes(before, after, path, old.size));
  return isSame ? below : [{ path, before: old, after: current }, ...below];
}

function contentOf(volume: Volume, path: string): Content | undefined {
  const { kind, mode = 0, size = 0 } = volume.entry(path) ?? {};
  if (kind === "file") return { kind, mode, size };
  if (kind === "link") return { kind, target: volume.readLink(path) };
  return kind === "directory" ? { kind } : undefined;
}

/** Compares everything but the bytes of files. */
function isAlike(a: Content | undefined, b: Content | undefined): boolean {
  if (a?.kind === "file" && b?.kind === "file") return a.mode === b.mode && a.size === b.size;
  if (a?.kind === "link" && b?.kind === "link") return a.target === b.target;
  return a?.kind === b?.kind;
}

function hasSameBytes(before: Volume, after: Derived, path: string, size: number): boolean {
  if (after.origin(path) === path) return true;
  const old = bytesOf(before, path, size, MAX_SHOWN);
  return old !== undefined && bytesOf(after, path, size, MAX_SHOWN)?.equals(old) === true;
}

/** Returns undefined if there are too many bytes, or on a system error: an unreadable file can still be deleted. */
function bytesOf(volume: Volume, path: string, size: number, most: number): Buffer | undefined {
  return size > most ? undefined : unlessSystemError(() => volume.readFile(path).bytes, undefined);
}

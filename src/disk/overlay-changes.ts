/** What the changes of an overlay do to the project, as its readers see them. */
import type { Change, Content } from "../core/change.ts";
import { entryIfThere } from "./look.ts";
import type { Slot } from "./overlay-slot.ts";
import { unlessSystemError } from "./system-error.ts";
import type { Volume } from "./volume.ts";

/** Maximum bytes shown over all changes. A file that exceeds the remaining budget is not read. */
const MAX_SHOWN = 32 * 2 ** 20;

/**
 * Returns the differences at changed paths, sorted by path. A file too large to show counts as different if it was
 * replaced, even by an equal one.
 *
 * @param mayShow whether the bytes of a file may be shown
 */
export function changesOf(
  slots: ReadonlyArray<readonly [path: string, slot: Slot]>,
  { before, after }: { readonly before: Volume; readonly after: Volume },
  mayShow: (path: string) => boolean,
): Change[] {
  let left = MAX_SHOWN;
  const shown = (volume: Volume, path: string, content: Content | undefined): Content | undefined => {
    if (content?.kind !== "file" || !mayShow(path)) return content;
    const bytes = bytesAt(volume, path, content.size, left);
    if (bytes === undefined) return content;
    left -= bytes.length;
    return { ...content, bytes };
  };
  const hasSameBytes = (path: string, { after: wanted }: Slot, size: number): boolean => {
    if (wanted?.kind === "moved" && wanted.origin === path) return true;
    const old = bytesAt(before, path, size, MAX_SHOWN);
    return old !== undefined && bytesAt(after, path, size, MAX_SHOWN)?.equals(old) === true;
  };
  return slots
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([path, slot]): Change | [] => {
      const old = slot.basis === null ? undefined : contentAt(before, path);
      const current = slot.after === null ? undefined : contentAt(after, path);
      const isSame = isAlike(old, current) && (old?.kind !== "file" || hasSameBytes(path, slot, old.size));
      return isSame ? [] : { path, before: old, after: current };
    })
    .map(({ path, ...change }) => ({
      path,
      before: shown(before, path, change.before),
      after: shown(after, path, change.after),
    }));
}

function contentAt(volume: Volume, path: string): Content | undefined {
  const { kind, mode = 0, size = 0 } = entryIfThere(path, volume) ?? {};
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

/** Returns undefined if there are too many bytes, or on a system error: an unreadable file can still be deleted. */
function bytesAt(volume: Volume, path: string, size: number, most: number): Buffer | undefined {
  return size > most ? undefined : unlessSystemError(() => volume.readFile(path).bytes, undefined);
}

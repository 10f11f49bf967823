import type { Change, Content } from "../core/change.ts";
import { joinPath } from "./path-segments.ts";
import type { Volume } from "./volume.ts";

/** What differs between two volumes at these paths and below them, sorted by path. */
export function changesBetween(before: Volume, after: Volume, paths: readonly string[]): Change[] {
  return paths.flatMap((path) => changesAt(before, after, path)).sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** A volume is left out where it has no directory for the path to be in. */
function changesAt(before: Volume | undefined, after: Volume | undefined, path: string): Change[] {
  const [old, current] = [before && contentOf(before, path), after && contentOf(after, path)];
  const [oldDirectory, currentDirectory] = [old?.kind === "directory" ? before : undefined, current?.kind === "directory" ? after : undefined];
  const names = new Set([oldDirectory, currentDirectory].flatMap((volume) => volume?.readDirectory(path) ?? []).map(({ name }) => name));
  const below = [...names].flatMap((name) => changesAt(oldDirectory, currentDirectory, joinPath(path, name)));
  return isSame(old, current) ? below : [{ path, before: old, after: current }, ...below];
}

function contentOf(volume: Volume, path: string): Content | undefined {
  const entry = volume.entry(path);
  switch (entry?.kind) {
    case "file":
      return { kind: "file", bytes: volume.readFile(path), mode: entry.mode };
    case "link":
      return { kind: "link", target: volume.readLink(path) };
    case "directory":
      return { kind: "directory" };
    default:
      return undefined;
  }
}

function isSame(a: Content | undefined, b: Content | undefined): boolean {
  if (a?.kind === "file" && b?.kind === "file") return a.mode === b.mode && Buffer.compare(a.bytes, b.bytes) === 0;
  if (a?.kind === "link" && b?.kind === "link") return a.target === b.target;
  return a?.kind === b?.kind;
}

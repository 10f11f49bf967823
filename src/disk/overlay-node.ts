import { joinPath } from "../paths/path-segments.ts";
import type { Entry, FileContent, Version, VersionedEntry, Volume } from "./volume.ts";

/** What an overlay knows of a path. */
export type Node = FileNode | LinkNode | MovedNode | DirectoryNode;

export interface FileNode extends FileContent {
  readonly kind: "file";
  readonly mode: number;
  readonly size: number;
}

interface LinkNode {
  readonly kind: "link";
  readonly target: string;
}

/** A file or link of the lower volume at another path. */
interface MovedNode {
  readonly kind: "moved";
  readonly origin: string;
}

export interface DirectoryNode {
  readonly kind: "directory";
  /** Directory that unlisted children come from. Undefined for a new directory. */
  readonly origin?: string;
  /** Null for a removed child. */
  readonly children: Map<string, Node | null>;
  /** Mode of a new directory. */
  readonly mode?: number;
}

/** Version of everything that exists only here, so nobody else can change it. */
export const STAGED: Version = "staged";

/** Mode with the usual umask. */
export const NEW_FILE_MODE = 0o644;
const NEW_DIRECTORY_MODE = 0o755;
const LINK_MODE = 0o777;

export function nodeFor({ kind }: Entry, origin: string): Node {
  return kind === "directory" ? { kind, origin, children: new Map() } : { kind: "moved", origin };
}

/** Returns the node of an unchanged entry. Undefined if nothing is there. */
export function untouched(base: Volume, { origin }: DirectoryNode, name: string): Node | undefined {
  if (origin === undefined) return undefined;
  const path = joinPath(origin, name);
  const entry = base.entry(path);
  return entry && nodeFor(entry, path);
}

/** @param opened modification time to report for all changes */
export function entryOf(node: Node, base: Volume, opened: number): VersionedEntry | undefined {
  if ("origin" in node && node.origin !== undefined) return base.entry(node.origin);
  const made = { modified: opened, names: 1, version: STAGED };
  if (node.kind === "file") return { kind: "file", size: node.size, mode: node.mode, ...made };
  if (node.kind === "link") return { kind: "link", size: Buffer.byteLength(node.target), mode: LINK_MODE, ...made };
  return {
    kind: "directory",
    size: 0,
    mode: (node.kind === "directory" ? node.mode : undefined) ?? NEW_DIRECTORY_MODE,
    ...made,
  };
}

/** Returns the errno if an entry cannot be renamed to a path, or undefined. */
export function refusalToRename(volume: Volume, moved: Entry, from: string, to: string): string | undefined {
  if (to.startsWith(joinPath(from, ""))) return "EINVAL";
  if (from.startsWith(joinPath(to, ""))) return "ENOTEMPTY";
  const target = volume.entry(to);
  if (moved.kind !== "directory") return target?.kind === "directory" ? "EISDIR" : undefined;
  if (target === undefined) return undefined;
  if (target.kind !== "directory") return "ENOTDIR";
  return volume.readDirectory(to).length > 0 ? "ENOTEMPTY" : undefined;
}

/** Returns the topmost paths that may differ from the lower volume. */
export function touchedBelow({ children }: DirectoryNode, path: string): string[] {
  return [...children].flatMap(([name, child]) => {
    const at = joinPath(path, name);
    return child?.kind === "directory" && child.origin === at ? touchedBelow(child, at) : [at];
  });
}

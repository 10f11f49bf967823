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

/** A file or link of the volume beneath, as it was but elsewhere. */
interface MovedNode {
  readonly kind: "moved";
  readonly origin: string;
}

export interface DirectoryNode {
  readonly kind: "directory";
  /** Where the children that are not listed come from; none in a new directory. */
  readonly origin?: string;
  /** null where one was removed. */
  readonly children: Map<string, Node | null>;
  /** Of a new one. */
  readonly mode?: number;
}

/** The version of everything that is only here: nobody else can change it. */
export const STAGED: Version = "staged";

/** What the usual umask leaves. */
export const NEW_FILE_MODE = 0o644;
const NEW_DIRECTORY_MODE = 0o755;
const LINK_MODE = 0o777;

export function nodeFor({ kind }: Entry, origin: string): Node {
  return kind === "directory" ? { kind, origin, children: new Map() } : { kind: "moved", origin };
}

/** The node of what is unchanged in a directory; undefined where nothing is there. */
export function untouched(base: Volume, { origin }: DirectoryNode, name: string): Node | undefined {
  if (origin === undefined) return undefined;
  const path = joinPath(origin, name);
  const entry = base.entry(path);
  return entry && nodeFor(entry, path);
}

/** @param opened when all that is changed is said to have been */
export function entryOf(node: Node, base: Volume, opened: number): VersionedEntry | undefined {
  if ("origin" in node && node.origin !== undefined) return base.entry(node.origin);
  const made = { modified: opened, names: 1, version: STAGED };
  if (node.kind === "file") return { kind: "file", size: node.size, mode: node.mode, ...made };
  if (node.kind === "link") return { kind: "link", size: Buffer.byteLength(node.target), mode: LINK_MODE, ...made };
  return { kind: "directory", size: 0, mode: (node.kind === "directory" ? node.mode : undefined) ?? NEW_DIRECTORY_MODE, ...made };
}

/** The system's name for why what is moved cannot get to a path, or undefined where it can. */
export function refusalToRename(volume: Volume, moved: Entry, from: string, to: string): string | undefined {
  if (to.startsWith(joinPath(from, ""))) return "EINVAL";
  if (from.startsWith(joinPath(to, ""))) return "ENOTEMPTY";
  const target = volume.entry(to);
  if (moved.kind !== "directory") return target?.kind === "directory" ? "EISDIR" : undefined;
  if (target === undefined) return undefined;
  if (target.kind !== "directory") return "ENOTDIR";
  return volume.readDirectory(to).length > 0 ? "ENOTEMPTY" : undefined;
}

/** The topmost paths that may differ from the volume beneath. */
export function touchedBelow({ children }: DirectoryNode, path: string): string[] {
  return [...children].flatMap(([name, child]) => {
    const at = joinPath(path, name);
    return child?.kind === "directory" && child.origin === at ? touchedBelow(child, at) : [at];
  });
}

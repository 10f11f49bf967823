import { joinPath } from "./path-segments.ts";
import type { Entry, FileContent, Version } from "./volume.ts";

/** What an overlay knows of a path. */
export type Node = FileNode | MovedNode | DirectoryNode;

export interface FileNode extends FileContent {
  readonly kind: "file";
  readonly mode: number;
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
}

/** The version of everything that is only here: nobody else can change it. */
export const STAGED: Version = "staged";

/** What the usual umask leaves. */
export const NEW_FILE_MODE = 0o644;
export const NEW_DIRECTORY_MODE = 0o755;

export function nodeFor({ kind }: Entry, origin: string): Node {
  return kind === "directory" ? { kind, origin, children: new Map() } : { kind: "moved", origin };
}

/** The topmost paths that may differ from the volume beneath. */
export function touchedBelow({ children }: DirectoryNode, path: string): string[] {
  return [...children].flatMap(([name, child]) => {
    const at = joinPath(path, name);
    return child?.kind === "directory" && child.origin === at ? touchedBelow(child, at) : [at];
  });
}

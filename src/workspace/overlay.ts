import { basename, dirname } from "node:path";
import type { Change } from "../core/change.ts";
import { changesBetween, type Derived } from "./changes.ts";
import { realpathByFollowing } from "./follow.ts";
import { joinPath, splitPath } from "./path-segments.ts";
import { systemError } from "./system-error.ts";
import type { Entry, NamedEntry, Volume } from "./volume.ts";

/**
 * A volume that keeps every change in memory over another one: for dry runs, previews and batches. It refuses what the disk
 * would refuse, in the same words.
 *
 * It is a tree of what differs. A directory's node holds the children that were changed; the others come from its `origin`, a
 * directory of the volume beneath. So to move a directory of any size is to move one node.
 */
export class Overlay implements Derived {
  readonly #base: Volume;
  /** When all that is changed in it is said to have been. */
  readonly #opened = Date.now();
  readonly #roots = new Map<string, DirectoryNode>();

  constructor(base: Volume) {
    this.#base = base;
  }

  /**
   * What differs from the volume beneath, sorted by path.
   *
   * @param mayShow whether the bytes of a path's file may be told; what they are is left out otherwise
   */
  changes(mayShow: (path: string) => boolean): Change[] {
    return changesBetween(this.#base, this, this.touched(), mayShow);
  }

  /** The topmost paths that may differ from the volume beneath. */
  touched(): string[] {
    return [...this.#roots].flatMap(([root, node]) => touchedBelow(node, root));
  }

  origin(path: string): string | undefined {
    const found = this.#find(path);
    if (typeof found !== "object") return found;
    return found.kind === "file" ? undefined : found.origin;
  }

  realpath(path: string): string {
    return realpathByFollowing(this, path);
  }

  entry(path: string): Entry | undefined {
    const found = this.#find(path);
    return typeof found === "string" ? this.#base.entry(found) : found && this.#entryOf(found);
  }

  readLink(path: string): string {
    return this.#base.readLink(this.#origin(path, "readlink", "EINVAL"));
  }

  readFile(path: string): Buffer {
    const found = this.#find(path);
    if (typeof found === "object" && found.kind === "file") return found.bytes;
    return this.#base.readFile(this.#origin(path, "open", "EISDIR"));
  }

  writeFile(path: string, bytes: Uint8Array): void {
    const parent = this.#directory(dirname(path), "open");
    const old = this.entry(path);
    if (old?.kind === "directory") throw systemError("EISDIR", "open", path);
    const mode = old?.kind === "file" ? old.mode : NEW_FILE_MODE;
    if (old?.kind === "file") this.checkWritable(path);
    parent.children.set(basename(path), { kind: "file", bytes: Buffer.from(bytes), mode });
  }

  unlink(path: string): void {
    const parent = this.#directory(dirname(path), "unlink");
    if (this.#existing(path, "unlink").kind === "directory") throw systemError("EISDIR", "unlink", path);
    parent.children.set(basename(path), null);
  }

  rename(from: string, to: string): void {
    const [source, target] = [this.#directory(dirname(from), "rename"), this.#directory(dirname(to), "rename")];
    const moved = this.#existing(from, "rename");
    if (from === to) return;
    const errno = this.#refusalToRename(moved, from, to);
    if (errno !== undefined) throw systemError(errno, "rename", from);
    const node = this.#nodeAt(from, moved);
    source.children.set(basename(from), null);
    target.children.set(basename(to), node);
  }

  makeDirectory(path: string): void {
    const parent = this.#directory(dirname(path), "mkdir");
    if (this.entry(path) !== undefined) throw systemError("EEXIST", "mkdir", path);
    parent.children.set(basename(path), { kind: "directory", children: new Map() });
  }

  removeDirectory(path: string): void {
    const parent = this.#directory(dirname(path), "rmdir");
    if (this.#existing(path, "rmdir").kind !== "directory") throw systemError("ENOTDIR", "rmdir", path);
    if (this.readDirectory(path).length > 0) throw systemError("ENOTEMPTY", "rmdir", path);
    parent.children.set(basename(path), null);
  }

  readDirectory(path: string): NamedEntry[] {
    return this.#children(path, (directory) => this.#base.readDirectory(directory));
  }

  namesIn(path: string): ReturnType<Volume["namesIn"]> {
    return this.#children(path, (directory) => this.#base.namesIn(directory));
  }

  readPieces(path: string, visit: (piece: Buffer) => boolean): void {
    const found = this.#find(path);
    if (typeof found === "object" && found.kind === "file") visit(found.bytes);
    else this.#base.readPieces(this.#origin(path, "open", "EISDIR"), visit);
  }

  checkWritable(path: string): void {
    const found = this.#find(path);
    if (typeof found === "string") this.#base.checkWritable(found);
    else if (found === undefined) throw systemError("ENOENT", "access", path);
    else if (found.kind !== "file" && found.origin !== undefined) this.#base.checkWritable(found.origin);
  }

  /** What is known of a path: its node, or where it stands in the volume beneath (if it stands there), or that it is gone. */
  #find(path: string): Node | string | undefined {
    const { root, segments } = splitPath(path);
    let node: Node = this.#rootNode(root);
    for (const [index, name] of segments.entries()) {
      if (node.kind !== "directory") throw systemError("ENOTDIR", "lstat", path);
      const child = node.children.get(name);
      if (child === undefined) return node.origin === undefined ? undefined : segments.slice(index).reduce(joinPath, node.origin);
      if (child === null) return undefined;
      node = child;
    }
    return node;
  }

  #rootNode(root: string): DirectoryNode {
    const node = this.#roots.get(root) ?? { kind: "directory", origin: root, children: new Map() };
    this.#roots.set(root, node);
    return node;
  }

  /** @param list how the volume beneath tells what is in a directory */
  #children<Child extends Pick<NamedEntry, "name">>(path: string, list: (directory: string) => readonly Child[]): Array<Child | NamedEntry> {
    const found = this.#find(path);
    if (typeof found !== "object" || found.kind === "moved") return [...list(this.#origin(path, "scandir", "ENOTDIR"))];
    if (found.kind === "file") throw systemError("ENOTDIR", "scandir", path);
    const { origin, children } = found;
    const untouched = origin === undefined ? [] : list(origin).filter(({ name }) => !children.has(name));
    const touched = [...children].flatMap(([name, child]) => {
      const entry = child === null ? undefined : this.#entryOf(child);
      return entry === undefined ? [] : [{ name, ...entry }];
    });
    return [...untouched, ...touched];
  }

  #entryOf(node: Node): Entry | undefined {
    if (node.kind === "file") return { kind: "file", size: node.bytes.length, modified: this.#opened, mode: node.mode };
    if (node.origin !== undefined) return this.#base.entry(node.origin);
    return { kind: "directory", size: 0, modified: this.#opened, mode: NEW_DIRECTORY_MODE };
  }

  #existing(path: string, syscall: string): Entry {
    const entry = this.entry(path);
    if (entry === undefined) throw systemError("ENOENT", syscall, path);
    return entry;
  }

  /** The path in the volume beneath of what is unchanged here; for what was made or written here, `otherwise` is thrown. */
  #origin(path: string, syscall: string, otherwise: string): string {
    const origin = this.origin(path);
    if (origin === undefined) throw systemError(this.#find(path) === undefined ? "ENOENT" : otherwise, syscall, path);
    return origin;
  }

  /** The node of an existing directory whose entries are to be changed, made on the way down where it is untouched. */
  #directory(path: string, syscall: string): DirectoryNode {
    const { root, segments } = splitPath(path);
    let node = this.#rootNode(root);
    for (const name of segments) {
      const child = node.children.get(name) === undefined ? this.#untouched(node, name) : node.children.get(name);
      if (child === undefined || child === null) throw systemError("ENOENT", syscall, path);
      if (child.kind !== "directory") throw systemError("ENOTDIR", syscall, path);
      node.children.set(name, child);
      node = child;
    }
    if (node.origin !== undefined) this.#base.checkWritable(node.origin);
    return node;
  }

  #untouched({ origin }: DirectoryNode, name: string): Node | undefined {
    if (origin === undefined) return undefined;
    const path = joinPath(origin, name);
    const entry = this.#base.entry(path);
    return entry && nodeFor(entry, path);
  }

  #nodeAt(path: string, entry: Entry): Node {
    const found = this.#find(path);
    return typeof found === "object" ? found : nodeFor(entry, found ?? path);
  }

  #refusalToRename(moved: Entry, from: string, to: string): string | undefined {
    if (to.startsWith(joinPath(from, ""))) return "EINVAL";
    if (from.startsWith(joinPath(to, ""))) return "ENOTEMPTY";
    const target = this.entry(to);
    if (moved.kind !== "directory") return target?.kind === "directory" ? "EISDIR" : undefined;
    if (target === undefined) return undefined;
    if (target.kind !== "directory") return "ENOTDIR";
    return this.readDirectory(to).length > 0 ? "ENOTEMPTY" : undefined;
  }
}

type Node = FileNode | MovedNode | DirectoryNode;

interface FileNode {
  readonly kind: "file";
  readonly bytes: Buffer;
  readonly mode: number;
}

/** A file or link of the volume beneath, as it was but elsewhere. */
interface MovedNode {
  readonly kind: "moved";
  readonly origin: string;
}

interface DirectoryNode {
  readonly kind: "directory";
  /** Where the children that are not listed come from; none in a new directory. */
  readonly origin?: string;
  /** null where one was removed. */
  readonly children: Map<string, Node | null>;
}

/** What the usual umask leaves. */
const [NEW_FILE_MODE, NEW_DIRECTORY_MODE] = [0o644, 0o755];

function nodeFor({ kind }: Entry, origin: string): Node {
  return kind === "directory" ? { kind, origin, children: new Map() } : { kind: "moved", origin };
}

function touchedBelow({ children }: DirectoryNode, path: string): string[] {
  return [...children].flatMap(([name, child]) => {
    const at = joinPath(path, name);
    return child?.kind === "directory" && child.origin === at ? touchedBelow(child, at) : [at];
  });
}

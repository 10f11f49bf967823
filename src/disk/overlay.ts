import { basename, dirname } from "node:path";
import type { Change } from "../core/change.ts";
import type { Access } from "../core/failure.ts";
import { changesBetween, type Derived, Staging } from "./staging.ts";
import { realpathByFollowing } from "./follow.ts";
import {
  type DirectoryNode, entryOf, NEW_FILE_MODE, type Node, nodeFor, refusalToRename, STAGED, touchedBelow, untouched
} from "./overlay-node.ts";
import { joinPath, splitPath } from "../paths/path-segments.ts";
import { once } from "../core/once.ts";
import { UndoLog } from "../core/undo-log.ts";
import { readImage } from "./images.ts";
import type { Image, Staged } from "./operation.ts";
import { systemError } from "./system-error.ts";
import {
  Changed, type FileContent, type NamedEntry, type ReadPieces, type Version, type VersionedEntry, type Volume
} from "./volume.ts";

/** A file's bytes, in memory or elsewhere. `modified` is in seconds since 1970. */
export interface PlacedFile {
  readonly content: Buffer | Image;
  readonly mode: number;
  readonly modified: number;
}

/** Receives the content of files as an overlay changes them. */
export interface Observer {
  written(path: string, file: Written): void;
  /** Called before it is gone. */
  removed?(path: string, before: Written["before"]): void;
  moved(from: string, to: string, replaced: Written["before"]): void;
}

export interface Written {
  /** Position of the action. */
  readonly author: number;
  readonly content: Buffer | Image;
  /** Whether a command made it. */
  readonly isPlaced: boolean;
  /** Reads the current content. Undefined if there is none. */
  before(): Buffer | undefined;
}

/**
 * A volume that keeps all changes in memory, above another volume. They are taken by a flush, or by nobody in a dry
 * run. It refuses what the disk would refuse, with the same errors.
 *
 * It is a tree of differences. A directory's node holds its changed children; the others come from its `origin`, a
 * directory of the lower volume. Moving a directory of any size moves a single node.
 */
export class Overlay implements Derived {
  readonly #base: Volume;
  /** Modification time to report for all changes. */
  readonly #opened = Date.now();
  readonly #roots = new Map<string, DirectoryNode>();
  readonly #undo: UndoLog;
  readonly #staging: Staging;
  readonly #observers: readonly Observer[];
  /** Versions of files when they were first read, by their lower paths. Later writes are based on them. */
  readonly #versionsRead = new Map<string, Version>();

  constructor(base: Volume, undo = new UndoLog(), observers: readonly Observer[] = []) {
    this.#base = base;
    this.#observers = observers;
    this.#undo = undo;
    this.#staging = new Staging(undo);
  }

  /** Position of the action that makes the following changes. */
  set author(author: number) {
    this.#staging.author = author;
  }

  /** The last directory found, which saves a lookup from the root for each path in it. */
  #lastFound: { readonly below: string; readonly node: DirectoryNode } | undefined;

  /** Bytes held for files to be written. */
  get size(): number {
    return this.#staging.size;
  }

  /** Number of pending operations. */
  get count(): number {
    return this.#staging.count;
  }

  /** Returns the pending changes in order and forgets them: the overlay then shows the lower volume. */
  take(): Staged[] {
    this.#roots.clear();
    this.#lastFound = undefined;
    return this.#staging.take();
  }

  /** Ignores foreign changes from now on: the run has started a program that may change anything. */
  forgetReads(): void {
    this.#versionsRead.clear();
  }

  /** Records a file's version after its change was made. Undefined if the file is gone. */
  remember(path: string, version: Version | undefined): void {
    if (version === undefined) this.#versionsRead.delete(path);
    else this.#versionsRead.set(path, version);
  }

  /**
   * Returns the differences to the lower volume, sorted by path.
   *
   * @param mayShow whether the bytes of a file may be included
   */
  changes(mayShow: (path: string) => boolean): Change[] {
    return changesBetween(this.#base, this, this.touched(), mayShow);
  }

  /** Returns the topmost paths that may differ from the lower volume. */
  touched(): string[] {
    return [...this.#roots].flatMap(([root, node]) => touchedBelow(node, root));
  }

  origin(path: string): string | undefined {
    const found = this.#find(path);
    return typeof found !== "object" ? found : "origin" in found ? found.origin : undefined;
  }

  realpath(path: string): string {
    return this.#roots.size === 0 ? this.#base.realpath(path) : realpathByFollowing(this, path);
  }

  entry(path: string): VersionedEntry | undefined {
    const found = this.#find(path);
    return typeof found === "string" ? this.#base.entry(found) : found && entryOf(found, this.#base, this.#opened);
  }

  readLink(path: string): string {
    const found = this.#find(path);
    if (typeof found === "object" && found.kind === "link") return found.target;
    return this.#base.readLink(this.#origin(path, "readlink", "EINVAL"));
  }

  readFile(path: string, most?: number): FileContent {
    const found = this.#find(path);
    if (typeof found === "object" && found.kind === "file") return found;
    const origin = this.#origin(path, "open", "EISDIR");
    const content = this.#base.readFile(origin, most);
    if (!this.#versionsRead.has(origin)) this.#versionsRead.set(origin, content.version);
    return content;
  }

  writeFile(path: string, bytes: Uint8Array, basis?: Version): void {
    const parent = this.#directory(dirname(path), "open");
    const old = this.entry(path);
    if (old?.kind === "directory") throw systemError("EISDIR", "open", path);
    const mode = old?.kind === "file" ? old.mode : NEW_FILE_MODE;
    if (old?.kind === "file") this.checkAccess(path, "write");
    const content = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes);
    this.#staging.add({ kind: "write", path, content, basis: this.#basis(path, old, basis) });
    this.#observeWrite(path, content, false);
    const made = { kind: "file", bytes: content, size: content.length, mode, version: STAGED, names: 1 } as const;
    this.#put(parent, basename(path), made);
  }

  /** Places a file whose bytes may be elsewhere, or replaces a link. `basis` is the expected version, null for none. */
  placeFile(path: string, { content, mode, modified }: PlacedFile, basis: Version | null): void {
    const parent = this.#directory(dirname(path), "open");
    this.#staging.add({ kind: "write", path, content, mode, modified, basis });
    this.#observeWrite(path, content, true);
    const bytes = once(() => (Buffer.isBuffer(content) ? content : readImage(content)));
    const facts = { size: content.length, mode, version: STAGED, names: 1 } as const;
    this.#put(parent, basename(path), { kind: "file", get bytes() { return bytes(); }, ...facts });
  }

  /** Like `placeFile`, for a link. */
  placeLink(path: string, target: string, basis: Version | null): void {
    const parent = this.#directory(dirname(path), "symlink");
    this.#staging.add({ kind: "link", path, target, basis });
    this.#put(parent, basename(path), { kind: "link", target });
  }

  unlink(path: string, basis?: Version): void {
    const [parent, old] = [this.#directory(dirname(path), "unlink"), this.#existing(path, "unlink")];
    if (old.kind === "directory") throw systemError("EISDIR", "unlink", path);
    for (const observer of this.#observers) observer.removed?.(path, () => this.#bytesAt(path));
    this.#staging.add({ kind: "unlink", path, basis: this.#basis(path, old, basis) as Version });
    this.#put(parent, basename(path), null);
  }

  rename(from: string, to: string): void {
    const [source, target] = [this.#directory(dirname(from), "rename"), this.#directory(dirname(to), "rename")];
    const moved = this.#existing(from, "rename");
    if (from === to) return;
    const errno = refusalToRename(this, moved, from, to);
    if (errno !== undefined) throw systemError(errno, "rename", from);
    const found = this.#find(from) ?? from;
    const basis = moved.kind === "directory" ? {} : { basis: this.#basis(from, moved) as Version };
    this.#staging.add({ kind: "rename", from, to, ...basis, replaced: this.#basis(to, this.entry(to)) });
    for (const observer of this.#observers) observer.moved(from, to, () => this.#bytesAt(to));
    this.#put(source, basename(from), null);
    this.#put(target, basename(to), typeof found === "object" ? found : nodeFor(moved, found));
  }

  makeDirectory(path: string, mode?: number): void {
    const parent = this.#directory(dirname(path), "mkdir");
    if (this.entry(path) !== undefined) throw systemError("EEXIST", "mkdir", path);
    this.#staging.add({ kind: "makeDirectory", path, ...(mode !== undefined && { mode }) });
    this.#put(parent, basename(path), { kind: "directory", children: new Map(), ...(mode !== undefined && { mode }) });
  }

  removeDirectory(path: string): void {
    const parent = this.#directory(dirname(path), "rmdir");
    if (this.#existing(path, "rmdir").kind !== "directory") throw systemError("ENOTDIR", "rmdir", path);
    if (this.readDirectory(path).length > 0) throw systemError("ENOTEMPTY", "rmdir", path);
    this.#staging.add({ kind: "removeDirectory", path });
    this.#put(parent, basename(path), null);
  }

  readDirectory(path: string): NamedEntry[] {
    return this.#children(path, (directory) => this.#base.readDirectory(directory));
  }

  namesIn(path: string): ReturnType<Volume["namesIn"]> {
    return this.#children(path, (directory) => this.#base.namesIn(directory));
  }

  readPieces(path: string, visit: (piece: Buffer) => boolean, mostNames?: number): void {
    const found = this.#find(path);
    if (typeof found === "object" && found.kind === "file") visit(found.bytes);
    else this.#base.readPieces(this.#origin(path, "open", "EISDIR"), visit, mostNames);
  }

  readIn(directory: string, act: (readPieces: ReadPieces) => void): void {
    const found = this.#find(directory);
    if (typeof found === "string") this.#base.readIn(found, act);
    else act((name, ...how) => this.readPieces(joinPath(directory, name), ...how));
  }

  checkAccess(path: string, access: Access): void {
    const origin = this.origin(path);
    if (origin !== undefined) this.#base.checkAccess(origin, access);
  }

  #observeWrite(path: string, content: Buffer | Image, isPlaced: boolean): void {
    const file = { author: this.#staging.author, content, isPlaced, before: () => this.#bytesAt(path) };
    for (const observer of this.#observers) observer.written(path, file);
  }

  /** Does not count as reading the file, so that no change is based on it. */
  #bytesAt(path: string): Buffer | undefined {
    const found = this.#find(path);
    if (typeof found === "object" && found.kind === "file") return found.bytes;
    const origin = typeof found === "object" && found.kind === "moved" ? found.origin : found;
    const isFile = typeof origin === "string" && this.#base.entry(origin)?.kind === "file";
    return isFile ? this.#base.readFile(origin).bytes : undefined;
  }

  /** Returns a path's node, or its path in the lower volume, where it may not exist, or undefined if it is gone. */
  #find(path: string): Node | string | undefined {
    if (this.#roots.size === 0) return path;
    const known = this.#lastFound !== undefined && path.startsWith(this.#lastFound.below) ? this.#lastFound : undefined;
    const { root, segments } = splitPath(path.slice(known?.below.length ?? 0));
    let node: Node = known?.node ?? this.#rootNode(root);
    for (const [index, name] of segments.entries()) {
      if (node.kind !== "directory") throw systemError("ENOTDIR", "lstat", path);
      const child = node.children.get(name);
      if (child === undefined)
        return node.origin === undefined ? undefined : segments.slice(index).reduce(joinPath, node.origin);
      if (child === null) return undefined;
      node = child;
    }
    if (node.kind === "directory") this.#lastFound = { below: joinPath(path, ""), node };
    return node;
  }

  #put({ children }: DirectoryNode, name: string, child: Node | null): void {
    const before = children.get(name);
    this.#undo.note(() => {
      this.#lastFound = undefined;
      if (before === undefined) children.delete(name);
      else children.set(name, before);
    });
    this.#lastFound = undefined;
    children.set(name, child);
  }

  #rootNode(root: string): DirectoryNode {
    const node = this.#roots.get(root) ?? { kind: "directory", origin: root, children: new Map() };
    this.#roots.set(root, node);
    return node;
  }

  /** @param list lists a directory of the lower volume */
  #children<Child extends Pick<NamedEntry, "name">>(
    path: string, list: (directory: string) => readonly Child[]
  ): Array<Child | NamedEntry> {
    const found = this.#find(path);
    const isBelow = typeof found !== "object" || found.kind === "moved" || found.kind === "link";
    if (isBelow) return [...list(this.#origin(path, "scandir", "ENOTDIR"))];
    if (found.kind === "file") throw systemError("ENOTDIR", "scandir", path);
    const { origin, children } = found;
    const untouched = origin === undefined ? [] : list(origin).filter(({ name }) => !children.has(name));
    const touched = [...children].flatMap(([name, child]) => {
      const entry = child === null ? undefined : entryOf(child, this.#base, this.#opened);
      return entry === undefined ? [] : [{ name, ...entry }];
    });
    return [...untouched, ...touched];
  }

  /**
   * Returns the version that a change is based on: the one its bytes were made from, the first one read, or the current
   * one. Throws `Changed` if the current one differs. Throws EACCES if the file is unreadable, because it could not be
   * restored.
   */
  #basis(
    path: string, entry: VersionedEntry | undefined, basis = this.#versionsRead.get(this.origin(path) ?? path)
  ): Version | null {
    if (entry === undefined) {
      if (basis !== undefined && typeof this.#find(path) === "string") throw new Changed(path);
      return null;
    }
    if (entry.kind === "file") this.checkAccess(path, "read");
    if (entry.version !== STAGED && basis !== undefined && entry.version !== basis) throw new Changed(path);
    return entry.version;
  }

  #existing(path: string, syscall: string): VersionedEntry {
    const entry = this.entry(path);
    if (entry === undefined) throw systemError("ENOENT", syscall, path);
    return entry;
  }

  /** Returns the lower path of an unchanged entry. Throws `otherwise` for entries made or written here. */
  #origin(path: string, syscall: string, otherwise: string): string {
    const origin = this.origin(path);
    if (origin === undefined) throw systemError(this.#find(path) === undefined ? "ENOENT" : otherwise, syscall, path);
    return origin;
  }

  /** Returns the node of an existing directory whose entries will change. Creates nodes on the way down. */
  #directory(path: string, syscall: string): DirectoryNode {
    const { root, segments } = splitPath(path);
    let node = this.#rootNode(root);
    for (const name of segments) {
      const child = node.children.get(name) === undefined ? untouched(this.#base, node, name) : node.children.get(name);
      if (child === undefined || child === null) throw systemError("ENOENT", syscall, path);
      if (child.kind !== "directory") throw systemError("ENOTDIR", syscall, path);
      node.children.set(name, child);
      node = child;
    }
    if (node.origin !== undefined) this.#base.checkAccess(node.origin, "write");
    return node;
  }
}

/** Changes of a run that are not on the disk yet. */
import { dirname } from "node:path";
import type { Change } from "../core/change-set.ts";
import type { Access } from "../core/failure.ts";
import { AttemptRollback } from "../core/attempt-rollback.ts";
import { joinPath } from "../paths/path-segments.ts";
import { realpathByFollowing } from "./follow.ts";
import type { Basis, Image, NewEntry, Observer, Planned, Wanted } from "./planned.ts";
import {
  authorsOf,
  bytesOf,
  changesOf,
  DIRECTORY,
  entriesIn,
  entryOf,
  isRespelling,
  originOf,
  plannedOf,
  refusalToRename,
  type Slot,
  Slots,
  STAGED,
} from "./overlay-slot.ts";
import { systemError } from "./system-error.ts";
import {
  Changed,
  type FileContent,
  type NamedEntry,
  type ReadPieces,
  type Version,
  type VersionedEntry,
  type Volume,
  type WritableVolume,
} from "./volume.ts";

/**
 * A volume that keeps all changes in memory, above another volume: what becomes of each path, and who asked for it.
 * They are taken by a flush, or by nobody in a dry run. It refuses what the disk would refuse, with the same errors.
 */
export class Overlay implements WritableVolume {
  readonly #base: Volume;
  /** Modification time to report for all changes. */
  readonly #opened = Date.now();
  readonly #slots: Slots;
  readonly #observers: readonly Observer[];
  /** Versions of files when they were first read, by their lower paths. Later writes are based on them. */
  readonly #versionsRead = new Map<string, Version>();
  /** Position of the action that makes the following changes. */
  author = 0;

  constructor(base: Volume, undo = new AttemptRollback(), observers: readonly Observer[] = []) {
    [this.#base, this.#slots, this.#observers] = [base, new Slots(undo), observers];
  }

  /** Bytes held for files to be written. */
  get size(): number {
    return this.#slots.held;
  }

  /** Number of changed paths. */
  get count(): number {
    return this.#slots.count;
  }

  /** Returns what is to become of each path, sorted, and forgets it: the overlay then shows the lower volume. */
  take(): Planned[] {
    const isKept = (path: string): boolean => (this.#slots.get(path)?.after ?? null) !== null;
    const planned = this.#slots.all().flatMap(([path, slot]) => plannedOf(path, slot, this.#base, isKept) ?? []);
    this.#slots.clear();
    return planned.sort((a, b) => (a.path < b.path ? -1 : 1));
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
    return changesOf(this.#slots.all(), { before: this.#base, after: this }, mayShow);
  }

  /** Returns the topmost paths that may differ from the lower volume. */
  touched(): string[] {
    return this.#slots
      .all()
      .map(([path]) => path)
      .filter((path) => this.#slots.above(path) === undefined);
  }

  /** Returns the path in the lower volume if the entry is unchanged. Undefined for entries written or made here. */
  origin(path: string): string | undefined {
    const slot = this.#find(path);
    return typeof slot !== "object" ? slot : slot.kind === "moved" ? slot.origin : undefined;
  }

  realpath(path: string): string {
    return this.#slots.count === 0 ? this.#base.realpath(path) : realpathByFollowing(this, path);
  }

  spelled(path: string, isThere: boolean): string {
    const other = this.#slots.spelledOtherwise(path);
    if (other !== undefined && this.folds(dirname(path))) return other;
    return this.#base.spelled(path, isThere && typeof this.#find(path) === "string");
  }

  folds(directory: string): boolean {
    return this.#base.folds(directory);
  }

  entry(path: string): VersionedEntry | undefined {
    const slot = this.#find(path);
    return typeof slot === "string" ? this.#base.entry(slot) : slot && entryOf(slot, this.#base, this.#opened);
  }

  readLink(path: string): string {
    const slot = this.#find(path);
    if (typeof slot === "object" && slot.kind === "link") return slot.target;
    return this.#base.readLink(this.#origin(path, "readlink", "EINVAL"));
  }

  readFile(path: string, most?: number): FileContent {
    const slot = this.#find(path);
    if (typeof slot === "object" && slot.kind === "file") return { bytes: bytesOf(slot), version: STAGED, names: 1 };
    const origin = this.#origin(path, "open", "EISDIR");
    const content = this.#base.readFile(origin, most);
    if (!this.#versionsRead.has(origin)) this.#versionsRead.set(origin, content.version);
    return content;
  }

  writeFile(path: string, bytes: Uint8Array, basis?: Version): void {
    this.#checkParent(path, "open");
    const old = this.entry(path);
    if (old?.kind === "directory") throw systemError("EISDIR", "open", path);
    if (old?.kind === "file") this.checkAccess(path, "write");
    const content = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes);
    const expected = this.#basis(path, old, basis);
    this.#observeWrite(path, content, false);
    const slot = this.#find(path);
    const replaced = typeof slot === "object" && slot.kind === "file" ? slot : undefined;
    const like = old?.kind !== "file" ? undefined : replaced ? replaced.like : this.origin(path);
    this.#set(path, expected, { kind: "file", content, like, mode: replaced?.mode });
  }

  /** Puts an entry, or nothing, in the place of `old`, which is expected there. A directory is to be removed first. */
  place(path: string, entry: NewEntry | null, old: VersionedEntry | undefined): void {
    const basis = old === undefined || old.kind === "directory" ? null : old.version;
    if (entry === null) return old?.kind === "directory" ? this.removeDirectory(path) : this.unlink(path, old?.version);
    if (entry.kind === "directory") {
      if (basis !== null) this.unlink(path, basis);
      return this.makeDirectory(path, entry.mode);
    }
    this.#checkParent(path, entry.kind === "link" ? "symlink" : "open");
    if (entry.kind === "link") return this.#set(path, basis, { kind: "link", target: entry.target });
    const { kind, content, mode, modified } = entry;
    this.#observeWrite(path, content, true);
    this.#set(path, basis, { kind, content, mode, modified, like: this.origin(path) === path ? path : undefined });
  }

  unlink(path: string, basis?: Version): void {
    this.#checkParent(path, "unlink");
    const old = this.#existing(path, "unlink");
    if (old.kind === "directory") throw systemError("EISDIR", "unlink", path);
    for (const observer of this.#observers) observer.removed?.(path, () => this.#bytesAt(path));
    this.#set(path, this.#basis(path, old, basis), null);
  }

  rename(from: string, to: string): void {
    this.#checkParent(from, "rename");
    this.#checkParent(to, "rename");
    const moved = this.#existing(from, "rename");
    if (from === to) return;
    const isRespelled = isRespelling(this, from, to);
    const errno = isRespelled ? undefined : refusalToRename(this, moved, from, to);
    if (errno !== undefined) throw systemError(errno, "rename", from);
    const entries = [{ path: from, entry: moved }, ...(moved.kind === "directory" ? entriesIn(this, from) : [])];
    const sources = entries.map(({ path, entry }) => ({ path, entry, basis: this.#basis(path, entry) }));
    const replaced = isRespelled ? null : this.#basis(to, this.entry(to));
    for (const observer of this.#observers) observer.moved(from, to, () => this.#bytesAt(to));
    const left = sources.map(({ path, entry, basis }) => {
      const target = to + path.slice(from.length);
      return { path, slot: this.#move(path, target, entry, [basis, path === from ? replaced : null]) };
    });
    for (const { path, slot } of left.toReversed()) this.#slots.put(path, slot);
  }

  makeDirectory(path: string, mode?: number): void {
    this.#checkParent(path, "mkdir");
    if (this.entry(path) !== undefined) throw systemError("EEXIST", "mkdir", path);
    this.#set(path, null, { kind: "directory", ...(mode !== undefined && { mode }) });
  }

  removeDirectory(path: string): void {
    this.#checkParent(path, "rmdir");
    const old = this.#existing(path, "rmdir");
    if (old.kind !== "directory") throw systemError("ENOTDIR", "rmdir", path);
    if (this.readDirectory(path).length > 0) throw systemError("ENOTEMPTY", "rmdir", path);
    this.#set(path, DIRECTORY, null);
  }

  readDirectory(path: string): NamedEntry[] {
    return this.#children(path, (directory) => this.#base.readDirectory(directory));
  }

  namesIn(path: string): ReturnType<Volume["namesIn"]> {
    return this.#children(path, (directory) => this.#base.namesIn(directory));
  }

  readPieces(path: string, visit: (piece: Buffer) => boolean, mostNames?: number): void {
    const slot = this.#find(path);
    if (typeof slot === "object" && slot.kind === "file") visit(bytesOf(slot));
    else this.#base.readPieces(this.#origin(path, "open", "EISDIR"), visit, mostNames);
  }

  readIn(directory: string, act: (readPieces: ReadPieces) => void): void {
    const slot = this.#find(directory);
    if (typeof slot === "string" && this.#slots.namesIn(directory) === undefined) this.#base.readIn(slot, act);
    else act((name, ...how) => this.readPieces(joinPath(directory, name), ...how));
  }

  checkAccess(path: string, access: Access): void {
    const origin = this.origin(path);
    if (origin !== undefined) this.#base.checkAccess(origin, access);
  }

  #observeWrite(path: string, content: Buffer | Image, isPlaced: boolean): void {
    const file = { author: this.author, content, isPlaced, before: () => this.#bytesAt(path) };
    for (const observer of this.#observers) observer.written(path, file);
  }

  /** Does not count as reading the file, so that no change is based on it. */
  #bytesAt(path: string): Buffer | undefined {
    const slot = this.#find(path);
    if (typeof slot === "object" && slot.kind === "file") return bytesOf(slot);
    const origin = typeof slot === "object" && slot.kind === "moved" ? slot.origin : slot;
    const isFile = typeof origin === "string" && this.#base.entry(origin)?.kind === "file";
    return isFile ? this.#base.readFile(origin).bytes : undefined;
  }

  /** Returns what is wanted at a path, or its path in the lower volume, where it may not exist, or undefined if it is gone. */
  #find(path: string): Wanted | string | undefined {
    const slot = this.#slots.get(path) ?? this.#slots.above(path);
    if (slot === undefined) return path;
    if (slot === this.#slots.get(path)) return slot.after ?? undefined;
    if (slot.after !== null && slot.after.kind !== "directory") throw systemError("ENOTDIR", "lstat", path);
    return undefined;
  }

  /** @param basis what was at the path before, unless an earlier change knows it */
  #set(path: string, basis: Basis, after: Wanted | null): void {
    const known = this.#slots.get(path);
    this.#slots.put(path, {
      after,
      basis: known === undefined ? basis : known.basis,
      authors: authorsOf(this.author, known?.authors),
      ...(known?.from !== undefined && after !== null && { from: known.from }),
      ...(known?.hasLeft && { hasLeft: true }),
    });
  }

  /** Puts an entry at another path. Returns what is left at the old one, once everything has moved. */
  #move(from: string, to: string, entry: VersionedEntry, [now, replaced]: [Basis, Basis]): Slot {
    const { kind, mode } = entry;
    const [source, target] = [this.#slots.get(from), this.#slots.get(to)];
    const basis = source === undefined ? now : source.basis;
    const origin = originOf(source, from);
    const after =
      source?.after ?? (kind === "directory" ? { kind, mode, like: from } : { kind: "moved", origin: from });
    const authors = authorsOf(this.author, source?.authors);
    this.#slots.put(to, {
      after,
      basis: target === undefined ? replaced : target.basis,
      authors: authorsOf(this.author, authors, target?.authors),
      ...(origin !== undefined && origin !== to && { from: origin }),
      ...(target?.hasLeft && origin !== to && { hasLeft: true }),
    });
    const hasLeft = origin === from || source?.hasLeft;
    return { after: null, basis, authors, ...(hasLeft && { hasLeft }) };
  }

  /** @param list lists a directory of the lower volume */
  #children<Child extends Pick<NamedEntry, "name">>(
    path: string,
    list: (directory: string) => readonly Child[],
  ): Array<Child | NamedEntry> {
    const slot = this.#find(path);
    if (typeof slot === "object" && slot.kind === "file") throw systemError("ENOTDIR", "scandir", path);
    const changed = this.#slots.namesIn(path);
    const isMade = typeof slot === "object" && slot.kind === "directory";
    const untouched = isMade ? [] : list(this.#origin(path, "scandir", "ENOTDIR"));
    if (changed === undefined) return [...untouched];
    const touched = [...changed].flatMap((name) => {
      const entry = this.entry(joinPath(path, name));
      return entry === undefined ? [] : [{ name, ...entry }];
    });
    return [...untouched.filter(({ name }) => !changed.has(name)), ...touched];
  }

  /**
   * Returns the version that a change is based on: the one its bytes were made from, the first one read, or the current
   * one. Throws `Changed` if the current one differs. Throws EACCES if the file is unreadable, because it could not be
   * restored.
   */
  #basis(
    path: string,
    entry: VersionedEntry | undefined,
    basis = this.#versionsRead.get(this.origin(path) ?? path),
  ): Basis {
    if (entry === undefined) {
      if (basis !== undefined && typeof this.#find(path) === "string") throw new Changed(path);
      return null;
    }
    if (entry.kind === "directory") return DIRECTORY;
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

  /** Throws unless entries of the directory of a path can be changed. */
  #checkParent(path: string, syscall: string): void {
    const directory = dirname(path);
    if (this.#existing(directory, syscall).kind !== "directory") throw systemError("ENOTDIR", syscall, directory);
    this.checkAccess(directory, "write");
  }
}

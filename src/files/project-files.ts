import { basename, dirname } from "node:path";
import { Failed, type FailureCode, unlessFailed } from "../core/failure.ts";
import { encode, isUtf16, spliceBytes, withoutMark } from "../edit/codec.ts";
import type { Edit } from "../edit/splice.ts";
import { admitMove, checkAccess, type Guard, type JudgedPlace, settlePath } from "../guard/guard.ts";
import { type Made, refuseRepository } from "../guard/placement.ts";
import type { LineMoves } from "./line-moves.ts";
import { foldName } from "../paths/names.ts";
import { joinPath } from "../paths/path-segments.ts";
import { type Opened, Reader, type ReaderOptions } from "./reader.ts";
import { asFailure, attempt } from "../disk/system-error.ts";
import type { FileContent, Version, WritableVolume } from "../disk/volume.ts";
import type { DirectoryEntry, Files } from "./workspace.ts";

export interface ProjectFilesOptions extends ReaderOptions {
  readonly volume: WritableVolume;
  /** `ensure`: `write` adds a missing newline at the end. */
  readonly finalNewline: "as-is" | "ensure";
  /** Called before bytes are kept in memory. Throws `Failed` if there are too many. */
  readonly hold?: (bytes: number) => void;
  /** Receives facts that the result does not show. */
  readonly warn?: (warning: string) => void;
  /** Tracks how the run moves lines. */
  readonly lineMoves?: LineMoves;
}

/** Files on any volume: a dry run, on an overlay, behaves as a run on the disk. */
export class ProjectFiles implements Files {
  readonly #volume: WritableVolume;
  readonly #guard: Guard;
  readonly #reader: Reader;
  readonly #finalNewline: "as-is" | "ensure";
  readonly #hold: (bytes: number) => void;
  readonly #warn: (warning: string) => void;
  readonly #lineMoves: LineMoves | undefined;

  constructor(options: ProjectFilesOptions) {
    this.#volume = options.volume;
    this.#guard = options.guard;
    this.#reader = new Reader(options);
    this.#finalNewline = options.finalNewline;
    this.#hold = options.hold ?? (() => {});
    this.#warn = options.warn ?? (() => {});
    this.#lineMoves = options.lineMoves;
  }

  read(path: string): string {
    const { text, names } = this.#reader.text(path);
    if (names > 1) this.#warn(`hard_link: '${path}' has ${names} names (hard links); it was judged by this one`);
    return text;
  }

  peek(path: string): string | undefined {
    return this.#peek(path)?.text;
  }

  edit<E extends Edit>(path: string, change: (bytes: Buffer, file: string) => E): E {
    return settlePath(path, "write", () => {
      const opened = this.#reader.open(path, ["read", "write"]);
      const file = this.#editable(path, opened.content);
      const edit = change(withoutMark(file), path);
      // Each UTF-16 unit takes at least a byte, so this refuses oversized results before building them.
      let length = file.length;
      for (const { start, end, text } of edit.splices) length += text.length - (end - start);
      this.#reader.checkSize(path, length);
      if (edit.splices.length > 0) this.#replace(path, opened, file, edit);
      return edit;
    });
  }

  write: Files["write"] = (path, content, revise) => {
    const isEnded = (text: string): boolean => this.#finalNewline === "as-is" || text === "" || text.endsWith("\n");
    const encoded = (text: string): Buffer => encode(isEnded(text) ? text : `${text}\n`, path);
    let bytes = encoded(content);
    const unchanged = settlePath(path, "write", () => {
      const place = this.#reader.admit(path, ["write"]);
      const revised = revise?.(...this.#overwritten(path, place));
      if (typeof revised === "string") bytes = encoded(revised);
      const isEqual = this.#holds(place, bytes);
      if (!isEqual) this.#store(path, place, bytes);
      this.#lineMoves?.restarted(place.path);
      return isEqual;
    });
    return { bytesWritten: bytes.length, ...(unchanged && { unchanged }) };
  };

  /** Returns whether a readable file has these bytes already. */
  #holds({ path, entry }: JudgedPlace, bytes: Buffer): boolean {
    if (entry?.size !== bytes.length || this.#guard.refusal(path, "read") !== undefined) return false;
    return unlessFailed(() => this.#reader.openAt(path, { path, entry }).content.bytes.equals(bytes), false);
  }

  append(path: string, content: string): number {
    return settlePath(path, "write", () => {
      const place = this.#reader.admit(path, ["write"]);
      const added = encode(content, path);
      if (place.entry === undefined) this.#store(path, place, added);
      else this.#withoutFacts(path, place, () => {
        const opened = this.#reader.openAt(path, place);
        const file = this.#editable(path, opened.content);
        const end = withoutMark(file).length;
        this.#replace(path, opened, file, { splices: [{ start: end, end, text: content }] });
      });
      return added.length;
    });
  }

  remove(path: string): void {
    const syscall = "unlink";
    settlePath(path, "write", () => {
      const place = this.#guard.admit({ path, access: ["write"], of: "itself", names: "file", syscall });
      asFailure(syscall, path, () => this.#volume.unlink(place.path));
      this.#lineMoves?.restarted(place.path);
    });
  }

  move(from: string, to: string): { readonly overwrote: boolean } {
    const request = { of: "itself", names: "file", syscall: "rename" } as const;
    return settlePath(from, "write", () => {
      const source = this.#guard.admit({ path: from, access: ["read", "write"], ...request });
      const target = this.#respelled(source, this.#guard.admit({ path: to, access: ["write"], ...request }), to);
      if (source.entry === undefined) throw new Failed({ code: "file/source-not-found", path: from });
      admitMove(this.#volume, this.#guard, { source, target, from, to });
      this.#refuseRepository({ path: target.path, from: source.path }, to);
      this.#withParents(target, () =>
        asFailure("rename", from, () => this.#volume.rename(source.path, target.path), to),
      );
      if (target.path !== source.path) this.#lineMoves?.moved(source.path, target.path);
      return { overwrote: target.entry !== undefined && target.path !== source.path };
    });
  }

  /** Returns the target of a move: the new spelling if the entry only gets another one. */
  #respelled(source: JudgedPlace, target: JudgedPlace, to: string): JudgedPlace {
    const path = joinPath(dirname(target.path), basename(to));
    if (target.path !== source.path || path === target.path || foldName(path) !== foldName(target.path)) return target;
    checkAccess(this.#guard, path, "write", to);
    return { path, entry: undefined };
  }

  createDirectory(path: string): boolean {
    const syscall = "mkdir";
    return settlePath(path, "write", () => {
      const place = this.#guard.admit({ path, access: ["write"], of: "target", names: "directory", syscall });
      if (place.entry?.kind === "directory") return false;
      this.#refuseRepository({ path: place.path }, path);
      this.#withParents(place, () => asFailure(syscall, path, () => this.#volume.makeDirectory(place.path)));
      return true;
    });
  }

  removeDirectory(path: string): void {
    const syscall = "rmdir";
    settlePath(path, "write", () => {
      const place = this.#guard.admit({ path, access: ["write"], of: "itself", names: "directory", syscall });
      asFailure(syscall, path, () => this.#volume.removeDirectory(place.path));
    });
  }

  list(path: string): DirectoryEntry[] {
    const syscall = "scandir";
    return settlePath(path, "read", () => {
      const place = this.#guard.admit({ path, access: ["read"], of: "target", names: "directory", syscall });
      const entries: DirectoryEntry[] = [];
      for (const { name, kind, size, modified } of asFailure(syscall, path, () =>
        this.#volume.readDirectory(place.path),
      )) {
        if (kind === "other" || this.#guard.refusal(joinPath(place.path, name), "read") !== undefined) continue;
        entries.push({ name, type: kind, size, modified: new Date(modified).toISOString() });
      }
      if (entries.length > MAX_LISTED)
        this.#warn(`only the first ${MAX_LISTED} of ${entries.length} entries are listed: look for others by glob`);
      return entries.sort((a, b) => (a.name < b.name ? -1 : 1)).slice(0, MAX_LISTED);
    });
  }

  #overwritten(
    path: string,
    { path: real, entry }: JudgedPlace,
  ): [before: string | null | undefined, hasMark: boolean] {
    // A caller who may not read must not learn whether the file exists.
    if (this.#guard.refusal(real, "read") !== undefined) return [null, false];
    const current = entry === undefined ? undefined : this.#peek(path);
    return entry === undefined ? [undefined, false] : [current?.text ?? null, current?.hasMark === true];
  }

  #peek(path: string): ReturnType<Reader["text"]> | undefined {
    return unlessFailed(() => this.#reader.text(path), undefined);
  }

  #editable(path: string, { bytes }: FileContent): Buffer {
    if (isUtf16(bytes)) throw new Failed({ code: "file/not-text", path, reason: "utf-16" });
    return bytes;
  }

  /**
   * Hides failures that disclose a file's content or size: throws `guard/denied` instead if the file may not be read.
   */
  #withoutFacts(path: string, place: JudgedPlace, act: () => void): void {
    try {
      act();
    } catch (thrown) {
      if (thrown instanceof Failed && DISCLOSING.has(thrown.failure.code))
        checkAccess(this.#guard, place.path, "read", path);
      throw thrown;
    }
  }

  #replace(path: string, { path: real, content }: Opened, file: Buffer, { splices }: Edit): void {
    const bytes = spliceBytes(file, splices, path);
    this.#put(path, real, bytes, content);
    this.#lineMoves?.edited(real, withoutMark(file), withoutMark(bytes), splices);
  }

  #store(path: string, place: JudgedPlace, bytes: Buffer): void {
    this.#withParents(place, () => this.#put(path, place.path, bytes, { names: place.entry?.names ?? 1 }));
  }

  /** @param old the replaced file; has a version if the bytes were made from its content */
  #put(path: string, real: string, bytes: Buffer, old: { readonly names: number; readonly version?: Version }): void {
    this.#reader.checkSize(path, bytes.length);
    this.#refuseRepository({ path: real, bytes }, path);
    this.#hold(bytes.length);
    asFailure("open", path, () => this.#volume.writeFile(real, bytes, old.version));
    if (old.names > 1)
      this.#warn(`link_broken: '${path}' had ${old.names} names (hard links); the others keep what was in it`);
  }

  /** Creates missing parents of a new entry. Asks the guard about each, and removes them again if `act` throws. */
  #withParents({ path, entry }: JudgedPlace, act: () => void): void {
    const missing = entry === undefined ? this.#missingAbove(path) : [];
    for (const directory of missing) checkAccess(this.#guard, directory, "write", directory);
    const made: string[] = [];
    try {
      for (const directory of missing) {
        asFailure("mkdir", directory, () => this.#volume.makeDirectory(directory));
        made.push(directory);
      }
      act();
    } catch (thrown) {
      for (const directory of made.toReversed()) attempt(() => this.#volume.removeDirectory(directory));
      throw thrown;
    }
  }

  /** Returns the missing parents, topmost first. */
  #missingAbove(path: string): string[] {
    const parent = dirname(path);
    const isMissing = asFailure("mkdir", parent, () => this.#volume.entry(parent)) === undefined;
    return isMissing ? [...this.#missingAbove(parent), parent] : [];
  }

  #refuseRepository(made: Made, shown: string): void {
    refuseRepository(this.#volume, this.#guard.root, made, shown);
  }
}

/** Maximum entries in a listing. */
const MAX_LISTED = 10_000;

const DISCLOSING: ReadonlySet<FailureCode> = new Set(["file/too-large", "file/not-text", "text/not-ascii"]);

import { dirname } from "node:path";
import { type Access, Failed, type FailureCode } from "../core/failure.ts";
import { decode, encode, encodeEdit, type FileText } from "../text/codec.ts";
import type { Splice } from "../text/splice.ts";
import { follow } from "./follow.ts";
import { denied, type Guard, NOT_REGULAR, type Place } from "./guard.ts";
import { joinPath, splitPath } from "./path-segments.ts";
import { asFailure, attempt, systemFailure } from "./system-error.ts";
import type { Volume } from "./volume.ts";
import type { DirectoryEntry, Files } from "./workspace.ts";

export interface WorkspaceOptions {
  readonly volume: Volume;
  /** Made over the same volume. */
  readonly guard: Guard;
  /** Largest file that is read or written, in bytes. */
  readonly maxFileSize: number;
  /** Whether `write` ends a file with a newline where its content has none. */
  readonly finalNewline: "as-is" | "ensure";
}

/** The workspace on any volume: what it does on the disk it does in a dry run as well. */
export class ProjectFiles implements Files {
  readonly #volume: Volume;
  readonly #guard: Guard;
  readonly #maxFileSize: number;
  readonly #finalNewline: "as-is" | "ensure";

  constructor({ volume, guard, maxFileSize, finalNewline }: WorkspaceOptions) {
    this.#volume = volume;
    this.#guard = guard;
    this.#maxFileSize = maxFileSize;
    this.#finalNewline = finalNewline;
  }

  read(path: string): string {
    const { text, problem } = this.#decoded(path, this.#file(path, ["read"]));
    if (problem !== undefined) throw new Failed({ code: "file/not-text", path, reason: problem });
    return text;
  }

  peek(path: string): string | undefined {
    try {
      return this.read(path);
    } catch (thrown) {
      if (thrown instanceof Failed) return undefined;
      throw thrown;
    }
  }

  edit(path: string, change: (text: string) => readonly Splice[]): readonly Splice[] {
    const place = this.#file(path, ["read", "write"]);
    const file = this.#editable(path, place);
    const splices = change(file.text);
    // No character takes less than a byte: what is too long by their number is not even built.
    this.#checkSize(path, splices.reduce((length, { start, end, text }) => length + text.length - (end - start), file.text.length));
    if (splices.length > 0) this.#store(path, place, encodeEdit(file, splices, path));
    return splices;
  }

  write(path: string, content: string): number {
    const isEnded = this.#finalNewline === "as-is" || content === "" || content.endsWith("\n");
    const bytes = encode(isEnded ? content : `${content}\n`, path);
    this.#store(path, this.#file(path, ["write"]), bytes);
    return bytes.length;
  }

  append(path: string, content: string): number {
    const place = this.#file(path, ["write"]);
    const added = encode(content, path);
    if (place.entry === undefined) this.#store(path, place, added);
    else this.#withoutFacts(path, place, () => {
      const file = this.#editable(path, place);
      const end = file.text.length;
      this.#store(path, place, encodeEdit(file, [{ start: end, end, text: content }], path));
    });
    return added.length;
  }

  remove(path: string): void {
    const syscall = "unlink";
    const place = this.#guard.admit({ path, access: ["write"], of: "itself", names: "file", syscall });
    asFailure(syscall, path, () => this.#volume.unlink(place.path));
  }

  move(from: string, to: string): { readonly overwrote: boolean } {
    const request = { of: "itself", names: "file", syscall: "rename" } as const;
    const source = this.#guard.admit({ path: from, access: ["read", "write"], ...request });
    const target = this.#guard.admit({ path: to, access: ["write"], ...request });
    if (source.entry === undefined) throw new Failed({ code: "file/source-not-found", path: from });
    if (source.entry.kind === "directory") this.#admitTree({ from, to }, source.path, target.path);
    else if (source.entry.kind === "link") this.#admitLink(source.path, target.path, from);
    this.#withParents(target, () => asFailure("rename", from, () => this.#volume.rename(source.path, target.path), to));
    return { overwrote: target.entry !== undefined && target.path !== source.path };
  }

  createDirectory(path: string): boolean {
    const syscall = "mkdir";
    const place = this.#guard.admit({ path, access: ["write"], of: "target", names: "directory", syscall });
    if (place.entry?.kind === "directory") return false;
    this.#withParents(place, () => asFailure(syscall, path, () => this.#volume.makeDirectory(place.path)));
    return true;
  }

  removeDirectory(path: string): void {
    const syscall = "rmdir";
    const place = this.#guard.admit({ path, access: ["write"], of: "itself", names: "directory", syscall });
    asFailure(syscall, path, () => this.#volume.removeDirectory(place.path));
  }

  list(path: string): DirectoryEntry[] {
    const syscall = "scandir";
    const place = this.#guard.admit({ path, access: ["read"], of: "target", names: "directory", syscall });
    const entries: DirectoryEntry[] = [];
    for (const { name, kind, size, modified } of asFailure(syscall, path, () => this.#volume.readDirectory(place.path))) {
      if (kind === "other" || this.#guard.refusal(joinPath(place.path, name), "read") !== undefined) continue;
      entries.push({ name, type: kind, size, modified: new Date(modified).toISOString() });
    }
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  #file(path: string, access: readonly Access[]): Place {
    const place = this.#guard.admit({ path, access, of: "target", names: "file", syscall: "open" });
    if (place.entry?.kind === "directory") throw systemFailure("EISDIR", "open", path);
    return place;
  }

  #decoded(path: string, { path: real, entry }: Place): FileText {
    if (entry === undefined) throw systemFailure("ENOENT", "open", path);
    this.#checkSize(path, entry.size);
    return decode(asFailure("open", path, () => this.#volume.readFile(real)));
  }

  #editable(path: string, place: Place): FileText {
    const file = this.#decoded(path, place);
    // In UTF-16 even ASCII would be other characters.
    if (file.problem === "utf-16") throw new Failed({ code: "file/not-text", path, reason: file.problem });
    return file;
  }

  /** A failure that tells what a file holds, or how much, becomes a refusal where the file may be written but not read. */
  #withoutFacts(path: string, place: Place, act: () => void): void {
    try {
      act();
    } catch (thrown) {
      if (thrown instanceof Failed && TELLING.has(thrown.failure.code)) this.#checkAccess(place.path, "read", path);
      throw thrown;
    }
  }

  #store(path: string, place: Place, bytes: Buffer): void {
    this.#checkSize(path, bytes.length);
    this.#withParents(place, () => asFailure("open", path, () => this.#volume.writeFile(place.path, bytes)));
  }

  #checkSize(path: string, size: number): void {
    if (size > this.#maxFileSize) throw new Failed({ code: "file/too-large", path, size, limit: this.#maxFileSize });
  }

  /** Makes the directories above a new entry, each judged by itself; when `act` fails, they are taken away again. */
  #withParents({ path, entry }: Place, act: () => void): void {
    const missing = entry === undefined ? this.#missingAbove(path) : [];
    for (const directory of missing) this.#checkAccess(directory, "write", directory);
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

  /** Topmost first. */
  #missingAbove(path: string): string[] {
    const parent = dirname(path);
    const isMissing = asFailure("mkdir", parent, () => this.#volume.entry(parent)) === undefined;
    return isMissing ? [...this.#missingAbove(parent), parent] : [];
  }

  /** Everything in a directory that is moved needs what the directory itself needs, at its old and at its new place. */
  #admitTree({ from, to }: { readonly from: string; readonly to: string }, source: string, target: string): void {
    const pending = [source];
    let count = 0;
    for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
      const at = directory;
      for (const { name, kind } of asFailure("scandir", from, () => this.#volume.readDirectory(at))) {
        count += 1;
        if (count > MOST_MOVED) throw denied(from, "write", `more than ${MOST_MOVED} entries in it`);
        if (kind === "other") throw denied(from, "read", NOT_REGULAR);
        const path = joinPath(at, name);
        const newPath = target + path.slice(source.length);
        this.#checkAccess(path, "read", from);
        this.#checkAccess(path, "write", from);
        this.#checkAccess(newPath, "write", to);
        if (kind === "directory") pending.push(path);
        else if (kind === "link") this.#admitLink(path, newPath, from);
      }
    }
  }

  /**
   * A link is moved only where it leads to what may be read and written. Where an allow rule begins at its new place, the next
   * run would take the rule to be about what it leads to.
   */
  #admitLink(link: string, newPath: string, shown: string): void {
    const { root, segments } = splitPath(asFailure("readlink", shown, () => this.#volume.readLink(link)));
    const down = segments.findIndex((name) => name !== "..");
    const up = down === -1 ? segments.length : down;
    // The new parents may not be there yet, but they will be no links.
    let at = root === "" ? dirname(newPath) : root;
    for (let level = 0; level < up; level++) at = dirname(at);
    const { path, errno } = follow(this.#volume, segments.slice(up).reduce(joinPath, at), "follow");
    if (errno !== undefined) throw denied(shown, "read", "the link leads nowhere");
    this.#checkAccess(path, "read", shown);
    this.#checkAccess(path, "write", shown);
  }

  /** @param shown the path to name in a refusal */
  #checkAccess(path: string, access: Access, shown: string): void {
    const rule = this.#guard.refusal(path, access);
    if (rule !== undefined) throw denied(shown, access, rule);
  }
}

/** Entries of a directory that can be moved together: each is judged. */
const MOST_MOVED = 10_000;

const TELLING: ReadonlySet<FailureCode> = new Set(["file/too-large", "file/not-text", "text/not-ascii"]);

import type { HardLinks } from "../config/guard-rules.ts";
import { type Access, Failed } from "../core/failure.ts";
import { asFailure, attempt, systemFailure, unlessSystemError } from "../disk/system-error.ts";
import type { FileContent, Volume } from "../disk/volume.ts";
import { decode, withoutMark } from "../edit/codec.ts";
import { denied, type Guard, type JudgedPlace, settlePath } from "../guard/guard.ts";
import { listNames } from "../guard/placement.ts";
import { segmentsOf } from "../paths/path-segments.ts";

export interface ReaderOptions {
  readonly volume: Volume;
  /** Must be over the same volume. */
  readonly guard: Guard;
  /** Largest file to read or write, in bytes. */
  readonly maxFileSize: number;
  /**
   * Whether to read files with several names (hard links) and report that, or refuse them. The guard may refuse another
   * of the names.
   */
  readonly hardLinks?: HardLinks | undefined;
}

export interface Opened {
  /** Canonical. */
  readonly path: string;
  readonly content: FileContent;
}

/** Reads files that the guard allows. Takes paths as the block wrote them. Throws `Failed`. */
export class Reader {
  readonly #options: ReaderOptions;

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  text(path: string): { readonly text: string; readonly names: number; readonly hasMark: boolean } {
    const { content } = settlePath(path, "read", () => this.open(path, ["read"]));
    const { text, problem } = decode(content.bytes);
    if (problem !== undefined) throw new Failed({ code: "file/not-text", path, reason: problem });
    return { text, names: content.names, hasMark: withoutMark(content.bytes).length < content.bytes.length };
  }

  open(path: string, access: readonly Access[]): Opened {
    return this.openAt(path, this.admit(path, access));
  }

  /** Resolves the path of a file, which need not exist yet. */
  admit(path: string, access: readonly Access[]): JudgedPlace {
    const place = this.#options.guard.admit({ path, access, of: "target", names: "file", syscall: "open" });
    if (place.entry?.kind === "directory") throw systemFailure("EISDIR", "open", path);
    return place;
  }

  openAt(path: string, { path: real, entry }: JudgedPlace): Opened {
    if (entry === undefined) throw systemFailure("ENOENT", "open", path);
    this.checkSize(path, entry.size);
    const { volume, maxFileSize, hardLinks } = this.#options;
    const content = asFailure("open", path, () => volume.readFile(real, maxFileSize));
    if (hardLinks === "deny") refuseHardLinks(path, content.names);
    return { path: real, content };
  }

  checkSize(path: string, size: number): void {
    const limit = this.#options.maxFileSize;
    if (size > limit) throw new Failed({ code: "file/too-large", path, size, limit });
  }
}

/** Another name of the file may be one that the guard refuses. */
function refuseHardLinks(path: string, names: number): void {
  if (names > 1) throw denied(path, "read", `it has ${names} names, and hard_links is deny`);
}

/** The project's files as a search sees them. Paths are canonical unless stated otherwise. */
export interface Tree {
  /**
   * Resolves the path at which a search begins, as an action wrote it. Throws `Failed` if it is refused, missing, or a
   * directory that cannot be listed.
   */
  locate(path: string): { readonly path: string; readonly isDirectory: boolean };
  /** Like `locate`, but also throws if the path is not a directory. */
  locateDirectory(path: string): string;
  /** Returns the entries of a directory, without FIFOs and the like. Empty if unlistable. Does not ask the guard. */
  entries(directory: string): readonly FolderEntry[];
  mayRead(path: string): boolean;
  /** Like `mayRead`, for the names in one directory. */
  mayReadIn(directory: string): (name: string) => boolean;
  /** Lets `act` read files of one directory. `act` must be synchronous. Does nothing if the directory is gone. */
  scanIn(directory: string, act: (scanFile: ScanFile) => void): void;
  /** Asks the guard, then reads a file to be shown. Throws `Failed` with the path as the action wrote it. */
  scanJudged(path: string, visit: (piece: Buffer) => boolean): void;
  /** Returns the bytes of an ignore file. Follows links and skips the guard: ignore rules only hide more. */
  readIgnoreFile(path: string): Buffer | undefined;
  /** Returns the topmost paths at which the files differ from the disk. */
  touched(): readonly string[];
}

/**
 * Visits the bytes of a file until `visit` returns false. A piece is valid only during the call. Returns false if the
 * file is unreadable.
 */
export type ScanFile = (name: string, visit: (piece: Buffer) => boolean) => boolean;

export interface FolderEntry {
  readonly name: string;
  readonly kind: "file" | "directory" | "link";
}

export interface TreeOptions extends Omit<ReaderOptions, "maxFileSize"> {
  /** Returns the topmost paths at which the volume differs from the disk. */
  touched(): readonly string[];
}

export function createTree({ volume, guard, hardLinks, touched }: TreeOptions): Tree {
  const mostNames = hardLinks === "deny" ? 1 : undefined;
  const admit = (path: string, names: "file" | "directory", syscall: string) => {
    const place = guard.admit({ path, access: ["read"], of: "target", names, syscall });
    if (place.entry === undefined) throw systemFailure("ENOENT", syscall, path);
    return { path: place.path, isDirectory: place.entry.kind === "directory", names: place.entry.names };
  };
  const locateDirectory = (path: string): string =>
    settlePath(path, "read", () => {
      const place = admit(path, "directory", "scandir");
      asFailure("scandir", path, () => volume.namesIn(place.path));
      return place.path;
    });
  return {
    locate(path) {
      const { isDirectory } = admit(path, "directory", "scandir");
      return isDirectory ? { path: locateDirectory(path), isDirectory } : admit(path, "file", "open");
    },
    locateDirectory,
    entries(directory) {
      const names = listNames(volume, directory) ?? [];
      return names.filter((entry): entry is FolderEntry => entry.kind !== "other");
    },
    mayRead: (path) => guard.refusal(path, "read") === undefined,
    mayReadIn(directory) {
      const names = [...segmentsOf(directory), ""];
      return (name) => {
        names[names.length - 1] = name;
        return guard.refusal.ofNames(names, "read") === undefined;
      };
    },
    scanIn(directory, act) {
      attempt(() =>
        volume.readIn(directory, (readPieces) =>
          act((name, visit) => attempt(() => readPieces(name, visit, mostNames))),
        ),
      );
    },
    scanJudged(path, visit) {
      settlePath(path, "read", () => {
        const { path: file, isDirectory, names } = admit(path, "file", "open");
        if (isDirectory) throw systemFailure("EISDIR", "open", path);
        if (mostNames !== undefined) refuseHardLinks(path, names);
        asFailure("open", path, () => volume.readPieces(file, visit, mostNames));
      });
    },
    readIgnoreFile(path) {
      return unlessSystemError(() => {
        const file = volume.realpath(path);
        return volume.entry(file)?.kind === "file" ? volume.readFile(file).bytes : undefined;
      }, undefined);
    },
    touched,
  };
}

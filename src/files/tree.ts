import type { HardLinks } from "../config/guard-rules.ts";
import type { Guard } from "../guard/guard.ts";
import { segmentsOf } from "../paths/path-segments.ts";
import { refuseHardLinks } from "./reader.ts";
import { settled } from "../guard/settled.ts";
import { asFailure, attempt, systemFailure } from "../disk/system-error.ts";
import type { Volume } from "../disk/volume.ts";

/** The project's files as a search sees them: many at once. What a path is called is canonical unless it is said otherwise. */
export interface Tree {
  /**
   * What a search begins at: where the path, as an action named it, really is, and whether that is a directory. Throws `Failed` where it
   * may not be read, is not there, or is a directory that cannot be listed.
   */
  locate(path: string): { readonly path: string; readonly isDirectory: boolean };
  /** The same where only a directory will do. */
  locateDirectory(path: string): string;
  /** What is in a directory, but for FIFOs and the like; nothing where it cannot be listed. Not judged by the guard. */
  entries(directory: string): readonly TreeEntry[];
  mayRead(path: string): boolean;
  /** The same for entries of one directory, by name. */
  mayReadIn(directory: string): (name: string) => boolean;
  /** Reads files of one directory, as long as `act` lasts, which may not wait; does nothing where the directory is there no longer. */
  scanIn(directory: string, act: (scanFile: ScanFile) => void): void;
  /** Reads a file, for what is shown of it: judged by the guard at that moment. Throws `Failed`, told with the path as the action named it. */
  scanJudged(path: string, visit: (piece: Buffer) => boolean): void;
  /** An ignore file's bytes. Through links too, and whatever the guard says: it is Loaf that reads here, to hide more. */
  readIgnoreFile(path: string): Buffer | undefined;
  /** The topmost paths at which the disk does not hold what is seen here. */
  touched(): readonly string[];
}

/** Visits a file's bytes, by its name, piece by piece until `visit` says false. Says whether the file could be read. A piece is valid only during the call. */
export type ScanFile = (name: string, visit: (piece: Buffer) => boolean) => boolean;

export interface TreeEntry {
  readonly name: string;
  readonly kind: "file" | "directory" | "link";
}

export interface TreeOptions {
  readonly volume: Volume;
  /** Made over the same volume. */
  readonly guard: Guard;
  /** Whether files with several names are read, one of which may be refused. */
  readonly hardLinks?: HardLinks | undefined;
  /** The topmost paths at which the volume differs from the disk. */
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
    settled(path, "read", () => {
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
      let found: ReturnType<Volume["namesIn"]> = [];
      attempt(() => (found = volume.namesIn(directory)));
      return found.filter((entry): entry is TreeEntry => entry.kind !== "other");
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
      attempt(() => volume.readIn(directory, (readPieces) => act((name, visit) => attempt(() => readPieces(name, visit, mostNames)))));
    },
    scanJudged(path, visit) {
      settled(path, "read", () => {
        const { path: file, isDirectory, names } = admit(path, "file", "open");
        if (isDirectory) throw systemFailure("EISDIR", "open", path);
        if (mostNames !== undefined) refuseHardLinks(path, names);
        asFailure("open", path, () => volume.readPieces(file, visit, mostNames));
      });
    },
    readIgnoreFile(path) {
      let bytes: Buffer | undefined;
      attempt(() => {
        const file = volume.realpath(path);
        if (volume.entry(file)?.kind === "file") bytes = volume.readFile(file).bytes;
      });
      return bytes;
    },
    touched,
  };
}

/** Stores a project's context set in the state folder. */
import { Failed } from "../core/failure.ts";
import { readStateFile, writeStateFile } from "../state/state-file.ts";
import { tryOr } from "../core/try-or.ts";

/** A file, a folder, a glob or an address. */
export interface Entry {
  /** Relative to the root. Absolute for anything outside. */
  readonly path: string;
  /** Whether an action has named it, or anything in it, since it was added. */
  readonly isNamed: boolean;
  /** Whether no action has run since it was added, except those of the set itself. */
  readonly isNew?: true;
}

export interface StoredContext {
  /** Sorted by path. */
  readonly entries: readonly Entry[];
  /** Hash of each file's content when last shown, by path. */
  readonly shown: Readonly<Record<string, string>>;
}

const FILE = "context.json";
const VERSION = 1;
const EMPTY: StoredContext = { entries: [], shown: {} };

/** Returns an empty set if the file is missing or unreadable, or another version wrote it in a different format. */
export function readContext(root: string): StoredContext {
  return tryOr(() => {
    const { version, entries, shown } = JSON.parse(readStateFile(root, FILE) ?? "{}") as StoredContext & { version: unknown };
    return version === VERSION ? { entries, shown } : EMPTY;
  }, EMPTY);
}

/** Throws `file/*` if the state folder cannot be written. */
export function writeContext(root: string, { entries, shown }: StoredContext): void {
  try {
    writeStateFile(root, FILE, `${JSON.stringify({ version: VERSION, entries, shown }, undefined, 1)}\n`);
  } catch (thrown) {
    const { code: errno = "EIO", syscall = "write", path = FILE, message } = thrown as NodeJS.ErrnoException;
    const code = errno === "EACCES" || errno === "EPERM" ? "file/permission" : "file/system";
    throw new Failed({ code, errno, text: /: ([^,]*)/.exec(message)?.[1] ?? message, syscall, path });
  }
}

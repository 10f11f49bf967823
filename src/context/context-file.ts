/** The context set of a project as it is kept, in the state folder. */
import { Failed } from "../core/failure.ts";
import { readStateFile, writeStateFile } from "../state/state-file.ts";

/** A file, a folder, a glob or an address. */
export interface Entry {
  /** From the root on; of what lies elsewhere, absolute. */
  readonly path: string;
  /** Whether an action named it, or something in it, since it was added. */
  readonly isNamed: boolean;
  /** Whether no action has run since it was added, but for those of the set itself. */
  readonly isNew?: true;
}

export interface Kept {
  /** Sorted by path. */
  readonly entries: readonly Entry[];
  /** What was last shown: a hash of each file's content, by path. */
  readonly shown: Readonly<Record<string, string>>;
}

const FILE = "context.json";
const VERSION = 1;
const NOTHING: Kept = { entries: [], shown: {} };

/** What is kept; nothing where that cannot be read, or was kept by another version in a way of its own. */
export function readContext(root: string): Kept {
  try {
    const { version, entries, shown } = JSON.parse(readStateFile(root, FILE) ?? "{}") as Kept & { version: unknown };
    return version === VERSION ? { entries, shown } : NOTHING;
  } catch {
    return NOTHING;
  }
}

/** Throws `file/*` where the state folder cannot be written. */
export function writeContext(root: string, { entries, shown }: Kept): void {
  try {
    writeStateFile(root, FILE, `${JSON.stringify({ version: VERSION, entries, shown }, undefined, 1)}\n`);
  } catch (thrown) {
    const { code: errno = "EIO", syscall = "write", path = FILE, message } = thrown as NodeJS.ErrnoException;
    const code = errno === "EACCES" || errno === "EPERM" ? "file/permission" : "file/system";
    throw new Failed({ code, errno, text: /: ([^,]*)/.exec(message)?.[1] ?? message, syscall, path });
  }
}

/** Errors, those of the operating system too: as fallbacks, and in plain words. */

/** Returns the value of `act`, or a fallback if it throws anything. */
export function tryOr<Value, Fallback>(act: () => Value, fallback: Fallback): Value | Fallback {
  try {
    return act();
  } catch {
    return fallback;
  }
}

/** Returns the message of anything thrown, for a person. */
export function messageOf(thrown: unknown): string {
  return plainSystemError(thrown) ?? (thrown instanceof Error ? thrown.message : String(thrown));
}

/**
 * Says in plain words what an error of the operating system means, and what to do. The sentence of the failure keeps
 * the system's words. Undefined for rare errors.
 */
export function plainWords({
  errno,
  syscall,
}: {
  readonly errno: string;
  readonly syscall: string;
}): string | undefined {
  return WORDS.get(`${errno} ${syscall}`) ?? WORDS.get(errno);
}

/** Returns what Node's error about a missing file or permission says, from its facts: `File not found: '/x'`. */
function plainSystemError(thrown: unknown): string | undefined {
  const {
    code = "",
    syscall,
    path,
    dest,
  } = Object(thrown) as Partial<Record<"code" | "syscall" | "path" | "dest", string>>;
  const plain = PLAIN.get(code);
  // A program that cannot be started is no such file.
  if (plain === undefined || path === undefined || syscall === undefined || syscall.startsWith("spawn"))
    return undefined;
  return `${plain}: '${path}'${dest === undefined ? "" : ` -> '${dest}'`}`;
}

export const PLAIN: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "File not found"],
  ["EACCES", "Permission denied"],
  ["EPERM", "Permission denied"],
]);

/** By errno, some with the system call. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ["EISDIR", "a directory is at this path: name a file in it"],
  ["EISDIR unlink", "a directory is at this path: only files are deleted this way"],
  ["EPERM unlink", "a directory is at this path, or its permissions forbid it: only files are deleted this way"],
  ["ENOTDIR", "a name in the path belongs to a file, not to a directory: see what is there with ls"],
  ["ENOTDIR scandir", "a file is at this path, not a directory"],
  ["ENOTDIR rmdir", "a file is at this path, not a directory: delete it with file_delete"],
  ["EEXIST", "this name is taken already: choose another one, or delete what has that name first"],
  ["ENOTEMPTY", "the directory is not empty: delete or move its contents first"],
  ["EACCES", "permissions forbid it: the user has to change those of the file or of its directory"],
  ["EPERM", "permissions forbid it: the user has to change those of the file or of its directory"],
  ["ELOOP", "links in the path lead in a circle: use the path of the file itself"],
  ["ENAMETOOLONG", "the path, or a name in it, is too long: choose a shorter one"],
  ["EINVAL", "the path contains a character that no name can have"],
  ["EINVAL rename", "a directory cannot be moved into itself"],
  ["EILSEQ", "the path contains half of a character: write it again"],
  ["ENOSPC", "the disk is full: send the block again when the user has freed some space"],
  ["EDQUOT", "the user's share of the disk is full: send the block again when there is space"],
  ["EROFS", "the file system is read-only: nothing can be changed there"],
  ["EBUSY", "another program is using it: send the block again later"],
  ["ETXTBSY", "the program is running: send the block again when it has ended"],
  ["EMFILE", "too many files are open on this machine: send the block again later"],
  ["ENFILE", "too many files are open on this machine: send the block again later"],
  ["EIO", "the disk reported an error: the user should check it"],
]);

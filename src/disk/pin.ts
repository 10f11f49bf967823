/**
 * Acting on exactly the directory that was judged. Between judging a path and acting on it another program may put a link into it;
 * so a directory is first pinned, then asked what its path is, and all is done through the pin.
 */
import { constants, openSync } from "node:fs";

/** The path that leads through a pin to an entry of its directory; `.` is the directory itself. Good only as long as the pin holds. */
export type At = (name: string) => string;

/** All is synchronous, and pins are not nested: within one way of pinning, the process is inside the directory meanwhile. */
export interface Pins {
  /**
   * Pins a directory, and hands `act` the way to its entries. Throws ESTALE where that is not the path of a directory by now: links
   * lead there, it has been moved or removed. What the system refuses to `act` is told with the paths that it stands for.
   *
   * @param directory canonical
   */
  inDirectory<Value>(directory: string, act: (at: At) => Value): Value;
  /**
   * Opens a file, or a directory, for reading without waiting for what is neither, and says nothing about what is opened. Throws ESTALE where its
   * path is not this one by now, and ELOOP for a link.
   *
   * @param path canonical
   * @returns a descriptor, to be closed
   */
  openToRead(path: string): number;
  /**
   * Renames an entry, both its old and its new directory pinned. Does not reach another file system: EXDEV.
   *
   * @param from canonical
   * @param to canonical
   * @param check looks at what stands at each through its pin, just before; throws where that must not be renamed, or replaced
   */
  rename(from: string, to: string, check?: RenameCheck): void;
}

export interface RenameCheck {
  readonly from?: (path: string) => unknown;
  readonly to?: (path: string) => unknown;
}

/** A descriptor of a file, got without waiting for what is no file. Throws ELOOP for a link. */
export function openFile(path: string): number {
  return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
}

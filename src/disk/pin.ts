/**
 * Acts on exactly the directory that was judged. Between judging and acting, another program may replace it with a
 * link. So a directory is pinned first, then asked for its path, and all access goes through the pin.
 */
import { closeSync, constants, openSync } from "node:fs";

/**
 * Returns a path through the pin to an entry of its directory; `.` is the directory. Valid only while the pin holds.
 */
export type At = (name: string) => string;

/** Everything is synchronous and pins are not nested, because the process may be inside the directory meanwhile. */
export interface Pins {
  /**
   * Pins a directory and passes `act` the paths of its entries. Throws ESTALE if the directory is no longer at that
   * path: it was moved, removed or replaced by a link. System errors of `act` name the original paths.
   *
   * @param directory canonical
   */
  inDirectory<Value>(directory: string, act: (at: At) => Value): Value;
  /**
   * Opens a file or directory for reading, without blocking on anything else, and without checking its kind. Throws
   * ESTALE if it is no longer at that path, and ELOOP for a link.
   *
   * @param path canonical
   * @returns a descriptor, to be closed
   */
  openToRead(path: string): number;
  /**
   * Renames an entry with both directories pinned. Throws EXDEV across file systems.
   *
   * @param from canonical
   * @param to canonical
   * @param check inspects both entries through their pins just before; throws to prevent the rename
   */
  rename(from: string, to: string, check?: RenameCheck): void;
}

export interface RenameCheck {
  readonly from?: (path: string) => unknown;
  readonly to?: (path: string) => unknown;
}

/** Linux's value on all of Node's processors. Node does not define it. */
export const O_PATH = 0o10000000;

/** Opens a file without blocking on anything else. Throws ELOOP for a link. */
export function openFile(path: string | Buffer): number {
  return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
}

/** Passes `act` the descriptor of an open file, and then closes it. */
export function withFile<Value>(file: number, act: (file: number) => Value): Value {
  try {
    return act(file);
  } finally {
    closeSync(file);
  }
}

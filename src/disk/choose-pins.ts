/**
 * Acts on exactly the directory that was judged. Between judging and acting, another program may replace it with a
 * link. So a directory is pinned first, then asked for its path, and all access goes through the pin.
 */
import * as fs from "node:fs";
import { basename, dirname, isAbsolute, parse } from "node:path";
import { tryOr } from "../core/errors.ts";
import { joinPath } from "../paths/path-segments.ts";
import { temporaryName } from "./place-file.ts";
import { attempt, systemError, unlessSystemError, withPath } from "./system-error.ts";

/**
 * Linux shows the path of each descriptor. Elsewhere, or if /proc is hidden, the process changes into the directory.
 * macOS could open with O_NOFOLLOW_ANY, but that would be a third way, which cannot be tested on Linux.
 */
export const pins: Pins = {
  inDirectory: (directory, act) => usualPins().inDirectory(directory, act),
  openToRead: (path) => usualPins().openToRead(path),
  rename: (from, to, check) => usualPins().rename(from, to, check),
};

function usualPins(): Pins {
  return process.platform === "linux" ? (onLinux ??= chooseOnLinux()) : pinsByChdir;
}

/** Cached, because it does not change while the process runs. */
let onLinux: Pins | undefined;

function chooseOnLinux(): Pins {
  return unlessSystemError(() => {
    const pins = createDescriptorPins();
    pins.inDirectory("/", () => {});
    return pins;
  }, pinsByChdir);
}

/** Passes `act` the path of an entry through a pin of its directory. */
export function atEntry<Value>(path: string, act: (place: string) => Value): Value {
  return pins.inDirectory(dirname(path), (at) => act(at(basename(path) || ".")));
}

/** Returns what tells mounts apart. A rename between two of them fails, even on one file system. */
export function mountOf(directory: string): string {
  return pins.inDirectory(directory, (at) => {
    const { dev } = fs.lstatSync(at("."), { bigint: true });
    if (process.platform !== "linux") return `${dev}`;
    const info = unlessSystemError(
      () => withFile(fs.openSync(at("."), O_PATH), (file) => fs.readFileSync(`/proc/self/fdinfo/${file}`, "utf8")),
      "",
    );
    return `${dev} ${/^mnt_id:\s*(\d+)/m.exec(info)?.[1]}`;
  });
}

/**
 * Pins a directory by changing into it. The process stays there wherever the path leads later, and the system reports
 * its current path. Names in it need no path. Not the first choice, because a program that uses the library may have
 * relative paths in flight.
 */
export const pinsByChdir: Pins = {
  inDirectory: <Value>(directory: string, act: (at: At) => Value): Value => {
    const back = currentDirectory();
    process.chdir(directory);
    try {
      // A name that is not UTF-8 contains U+FFFD, and may look like another one.
      const isSame =
        currentDirectory() === directory &&
        (!directory.includes("\ufffd") ||
          fs.realpathSync.native(".", { encoding: "buffer" }).equals(Buffer.from(directory)));
      if (!isSame) throw systemError("ESTALE", "chdir", directory);
      return act((name) => name);
    } catch (thrown) {
      throw withPath(thrown, (path) => (isAbsolute(path) ? path : joinPath(directory, path)));
    } finally {
      if (back === undefined || !attempt(() => process.chdir(back))) process.chdir(parse(directory).root);
    }
  },

  openToRead: (path) => pinsByChdir.inDirectory(dirname(path), (at) => openFile(at(basename(path) || "."))),

  /**
   * The process cannot be in two directories at once. Between two, the entry first gets a unique temporary name, by
   * which only this entry can be found from the new directory.
   */
  rename: (from: string, to: string, check: RenameCheck = {}) => {
    const [source, target, old, place] = [dirname(from), dirname(to), basename(from), basename(to)];
    if (source === target) {
      pinsByChdir.inDirectory(source, (at) => {
        check.from?.(at(old));
        check.to?.(at(place));
        fs.renameSync(at(old), at(place));
      });
      return;
    }
    const hidden = temporaryName();
    pinsByChdir.inDirectory(source, (at) => {
      check.from?.(at(old));
      fs.renameSync(at(old), at(hidden));
    });
    try {
      pinsByChdir.inDirectory(target, (at) => {
        check.to?.(at(place));
        fs.renameSync(joinPath(source, hidden), at(place));
      });
    } catch (thrown) {
      attempt(() => pinsByChdir.inDirectory(source, (at) => fs.renameSync(at(hidden), at(old))));
      throw thrown;
    }
  },
};

/** Returns undefined if the directory was removed. */
function currentDirectory(): string | undefined {
  return tryOr(() => process.cwd(), undefined);
}

/**
 * Pins a directory by a descriptor without access rights, only as a starting point. The kernel reports its path and
 * resolves names from it through `/proc`, wherever the original path leads later. Throws a system error without
 * `/proc`.
 */
export function createDescriptorPins(): Pins {
  // `/proc/self` is a link, which would be followed each time.
  const descriptors = `/proc/${fs.readlinkSync("/proc/self")}/fd/`;

  const inDirectory = <Value>(directory: string, act: (at: At) => Value): Value => {
    // Follows a link: `checkPath` then finds another path, as for links further up.
    const pin = fs.openSync(directory, O_PATH | fs.constants.O_DIRECTORY);
    const through = `${descriptors}${pin}/`;
    try {
      checkPath(pin, directory);
      return act((name) => through + name);
    } catch (thrown) {
      throw withPath(thrown, (path) =>
        path.startsWith(through) ? joinPath(directory, path.slice(through.length)) : path,
      );
    } finally {
      fs.closeSync(pin);
    }
  };

  const openToRead = (path: string): number => {
    const file = openFile(path);
    try {
      checkPath(file, path);
      return file;
    } catch (thrown) {
      fs.closeSync(file);
      throw thrown;
    }
  };

  const rename = (from: string, to: string, check: RenameCheck = {}): void =>
    inDirectory(dirname(from), (source) => {
      const [old, target] = [source(basename(from)), dirname(to)];
      const renameTo = (place: string): void => {
        check.from?.(old);
        check.to?.(place);
        fs.renameSync(old, place);
      };
      if (target === dirname(from)) renameTo(source(basename(to)));
      else inDirectory(target, (at) => renameTo(at(basename(to))));
    });

  /** Throws ESTALE if the descriptor's path has changed. */
  const checkPath = (descriptor: number, path: string): void => {
    const link = descriptors + descriptor;
    // A name that is not UTF-8 contains U+FFFD, and may look like another one.
    const isSame =
      fs.readlinkSync(link) === path &&
      (!path.includes("\ufffd") || fs.readlinkSync(link, { encoding: "buffer" }).equals(Buffer.from(path)));
    // The kernel appends this to the path of a removed file, but a name may also end like this.
    if (!isSame || (path.endsWith(" (deleted)") && fs.fstatSync(descriptor).nlink === 0))
      throw systemError("ESTALE", "open", path);
  };

  return { inDirectory, openToRead, rename };
}

/**
 * Returns a path through the pin to an entry of its directory; `.` is the directory. Valid only while the pin holds.
 */
type At = (name: string) => string;

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

interface RenameCheck {
  readonly from?: (path: string) => unknown;
  readonly to?: (path: string) => unknown;
}

/** Linux's value on all of Node's processors. Node does not define it. */
const O_PATH = 0o10000000;

/** Opens a file without blocking on anything else. Throws ELOOP for a link. */
export function openFile(path: string | Buffer): number {
  return fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK);
}

/** Passes `act` the descriptor of an open file, and then closes it. */
export function withFile<Value>(file: number, act: (file: number) => Value): Value {
  try {
    return act(file);
  } finally {
    fs.closeSync(file);
  }
}

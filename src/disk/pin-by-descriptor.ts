import * as fs from "node:fs";
import { basename, dirname } from "node:path";
import { type At, openFile, type Pins, type RenameCheck } from "./pin.ts";
import { joinPath } from "../paths/path-segments.ts";
import { withPath, systemError } from "./system-error.ts";

/**
 * Pins a directory by a descriptor without access rights, only as a starting point. The kernel reports its path and resolves names from it
 * through `/proc`, wherever the original path leads later. Throws a system error without `/proc`.
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
      throw withPath(thrown, (path) => (path.startsWith(through) ? joinPath(directory, path.slice(through.length)) : path));
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
    const isSame = fs.readlinkSync(link) === path && (!path.includes("\ufffd") || fs.readlinkSync(link, { encoding: "buffer" }).equals(Buffer.from(path)));
    // The kernel appends this to the path of a removed file, but a name may also end like this.
    if (!isSame || (path.endsWith(" (deleted)") && fs.fstatSync(descriptor).nlink === 0)) throw systemError("ESTALE", "open", path);
  };

  return { inDirectory, openToRead, rename };
}

/** Linux's value on all of Node's processors. Node does not define it. */
const O_PATH = 0o10000000;

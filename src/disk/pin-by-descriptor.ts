import * as fs from "node:fs";
import { basename, dirname } from "node:path";
import { type At, openFile, type Pins, type RenameCheck } from "./pin.ts";
import { joinPath } from "../paths/path-segments.ts";
import { retold, systemError } from "./system-error.ts";

/**
 * Pins by a descriptor that gives no access, only a place to start from. The kernel says what its path is and resolves names from
 * it through `/proc`, wherever the path that it was opened by leads by now. Throws a system error where `/proc` is not there.
 */
export function createDescriptorPins(): Pins {
  // `/proc/self` is a link to it, which would be followed each time.
  const descriptors = `/proc/${fs.readlinkSync("/proc/self")}/fd/`;

  const inDirectory = <Value>(directory: string, act: (at: At) => Value): Value => {
    // A link is followed: its target's path is another one, and that is found out as it is for links further up.
    const pin = fs.openSync(directory, O_PATH | fs.constants.O_DIRECTORY);
    const through = `${descriptors}${pin}/`;
    try {
      checkPath(pin, directory);
      return act((name) => through + name);
    } catch (thrown) {
      throw retold(thrown, (path) => (path.startsWith(through) ? joinPath(directory, path.slice(through.length)) : path));
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

  /** Throws ESTALE where a descriptor's path is another one by now. */
  const checkPath = (descriptor: number, path: string): void => {
    const link = descriptors + descriptor;
    // A name that is not UTF-8 comes with U+FFFD in it, and so may seem to be another one.
    const isSame = fs.readlinkSync(link) === path && (!path.includes("\ufffd") || fs.readlinkSync(link, { encoding: "buffer" }).equals(Buffer.from(path)));
    // A name may end so by itself; the kernel also puts it behind the path of what has been removed.
    if (!isSame || (path.endsWith(" (deleted)") && fs.fstatSync(descriptor).nlink === 0)) throw systemError("ESTALE", "open", path);
  };

  return { inDirectory, openToRead, rename };
}

/** Linux's, the same on every processor that Node runs on; Node itself does not know it. */
const O_PATH = 0o10000000;

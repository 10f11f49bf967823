import * as fs from "node:fs";
import { basename, dirname, isAbsolute, parse } from "node:path";
import { type At, openFile, type Pins, type RenameCheck } from "./pin.ts";
import { joinPath } from "../paths/path-segments.ts";
import { attempt, withPath, systemError } from "./system-error.ts";
import { temporaryName } from "./place-file.ts";
import { tryOr } from "../core/try-or.ts";

/**
 * Pins a directory by changing into it. The process stays there wherever the path leads later, and the system reports
 * its current path. Names in it need no path.
 */
export const pinsByChdir: Pins = {
  inDirectory: <Value>(directory: string, act: (at: At) => Value): Value => {
    const back = currentDirectory();
    process.chdir(directory);
    try {
      // A name that is not UTF-8 contains U+FFFD, and may look like another one.
      const isSame = currentDirectory() === directory && (!directory.includes("\ufffd") || fs.realpathSync.native(".", { encoding: "buffer" }).equals(Buffer.from(directory)));
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

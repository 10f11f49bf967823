/** A disk that can be written to at once: what overlays are compared with. Nothing in src writes this way. */
import * as fs from "node:fs";
import { basename, dirname } from "node:path";
import { Disk } from "../../src/disk/disk.ts";
import { createFile, temporaryName } from "../../src/disk/place-file.ts";
import { pins } from "../../src/disk/choose-pins.ts";
import { attempt } from "../../src/disk/system-error.ts";
import { Changed, type Version, versionOf, type WritableVolume } from "../../src/disk/volume.ts";

export class WritableDisk extends Disk implements WritableVolume {
  writeFile(path: string, bytes: Uint8Array, basis?: Version): void {
    this.#inParent(path, (target, beside) => {
      const old = fs.lstatSync(target, { throwIfNoEntry: false });
      // A rename would replace a file that may not be written as well; whoever made it read-only does not expect that.
      if (old?.isFile() === true && !isOwnToWrite(old)) fs.closeSync(fs.openSync(target, fs.constants.O_WRONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK));
      const temporary = beside(temporaryName());
      const file = createFile(temporary, bytes, old?.isFile() === true ? old : undefined);
      try {
        fs.closeSync(file);
        const found = fs.lstatSync(target, { throwIfNoEntry: false, bigint: true });
        if (basis !== undefined && (found === undefined || versionOf(found) !== basis)) throw new Changed(path);
        fs.renameSync(temporary, target);
      } catch (thrown) {
        attempt(() => fs.unlinkSync(temporary));
        throw thrown;
      }
    });
  }

  unlink(path: string): void {
    this.#inParent(path, (at) => fs.unlinkSync(at));
  }

  rename(from: string, to: string): void {
    pins.rename(from, to);
    const isOtherName = from !== to && fs.lstatSync(from, { throwIfNoEntry: false }) !== undefined;
    // Between two names of one file, POSIX renames nothing and leaves both.
    if (isOtherName) this.unlink(from);
  }

  makeDirectory(path: string): void {
    this.#inParent(path, (at) => fs.mkdirSync(at));
  }

  removeDirectory(path: string): void {
    this.#inParent(path, (at) => fs.rmdirSync(at));
  }

  /** @param act gets the way to the entry, and to others in its directory */
  #inParent<Value>(path: string, act: (at: string, beside: (name: string) => string) => Value): Value {
    return pins.inDirectory(dirname(path), (at) => act(at(basename(path) || "."), at));
  }
}

/** Of an owner's permission the mode says all there is to say; of anybody else's, the system. */
function isOwnToWrite({ uid, mode }: fs.Stats): boolean {
  return uid === process.geteuid?.() && (mode & fs.constants.S_IWUSR) !== 0;
}

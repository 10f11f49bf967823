/**
 * A view made by copying, for machines whose kernel cannot mount an overlay. A clone shares file contents until they
 * are written.
 */
import * as fs from "node:fs";
import { join } from "node:path";
import { openFile, pins, withFile } from "../../disk/choose-pins.ts";
import { systemError } from "../../disk/system-error.ts";
import { versionOf } from "../../disk/volume.ts";
import { textOf } from "../../paths/names.ts";
import { joinPath } from "../../paths/path-segments.ts";
import { removeLayer } from "./view-folders.ts";
import { entryPath, inDirectory, type View, ViewError, type ViewPlace } from "./view.ts";
import { messageOf } from "../../core/errors.ts";

export interface CopyOptions extends ViewPlace {
  readonly maker: "clone" | "copy";
  /** Maximum bytes to copy. Not for clones. */
  readonly mostBytes: number;
}

/** Maximum number of files. */
const MAX_FILES = 50_000;
const NO_INODE = -1n;
/** Files to copy before signals and timers are handled. */
const FILES_PER_TURN = 200;
/** Milliseconds between two progress reports. */
const REPORT_EVERY_MS = 1_000;

/** Throws `ViewError` if the project is too large, or the file system cannot clone. */
export async function makeCopyView({
  project,
  layer,
  closed,
  maker,
  mostBytes,
  onCopying,
}: CopyOptions): Promise<View> {
  const files = join(layer, "copy");
  const stamps = new Map<string, string>();
  const hidden = new Set([...closed.files, ...closed.directories]);
  // Without mounts, a copy of them must do. Changes in it are ignored.
  const repositories = new Set(process.platform === "linux" ? closed.repositories : []);
  let [bytes, count] = [0, 0];
  let isReported = false;
  let nextReport = performance.now() + REPORT_EVERY_MS;
  try {
    await copyDirectory("");
  } catch (thrown) {
    throw thrown instanceof ViewError ? thrown : new ViewError(messageOf(thrown));
  } finally {
    if (isReported) onCopying?.(undefined);
  }
  return {
    files,
    folder: files,
    layer: {
      path: files,
      openToOwner: (directory) => fs.chmodSync(entryPath(files, directory), 0o700),
      deletedIn: (_, names) => names,
      had: (entry) => stamps.has(entry),
      originOf: (entry) => (stamps.has(entry) ? NO_INODE : undefined),
      knowsAll: true,
      noteAdded: (entry) => void stamps.set(entry, stamps.get(entry) ?? ""),
      isUntouched: (entry, stats) => stamps.get(entry) === versionOf(stats),
    },
    masks: [],
    enter: (command) => command,
    close: () => Promise.resolve(removeLayer(layer)),
  };

  /**
   * Copies a directory. Reaches each entry through a pin and never through a link, because another program may put one
   * in its place meanwhile, which leads out of the project.
   */
  async function copyDirectory(entry: string): Promise<void> {
    const from = directoryAt(project, entry);
    const to = entryPath(files, entry);
    // A directory whose name is not UTF-8 cannot be pinned, so the view has none.
    if (from === undefined) return;
    const { stats, names } = pins.inDirectory(from, (at) => ({
      stats: fs.lstatSync(at(".")),
      names: repositories.has(entry) ? [] : fs.readdirSync(at("."), { encoding: "latin1" }),
    }));
    fs.mkdirSync(to, { mode: 0o700 });
    for (const name of names) {
      const child = inDirectory(entry, name);
      if (hidden.has(child)) continue;
      const isDirectory = pins.inDirectory(from, (at) => copyEntry(entryPath(at("."), name), child));
      if (isDirectory) await copyDirectory(child);
      else if (count % FILES_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    keepOwner(to, stats);
    fs.chmodSync(to, stats.mode & 0o7777);
    noteCopied(entry);
  }

  /** Copies anything but a directory. Returns whether it is one. */
  function copyEntry(from: Buffer, entry: string): boolean {
    const stats = fs.lstatSync(from);
    const to = entryPath(files, entry);
    if (stats.isDirectory()) return true;
    if (stats.isSymbolicLink()) fs.symlinkSync(fs.readlinkSync(from, { encoding: "buffer" }), to);
    else if (stats.isFile()) {
      checkSize(stats.size);
      withFile(openFile(from), (file) => copyFile(maker, { file, from }, to));
      fs.utimesSync(to, stats.atime, stats.mtime);
    } else return false;
    noteCopied(entry);
    return false;
  }

  function checkSize(size: number): void {
    bytes += size;
    if (maker === "copy" && bytes > mostBytes)
      throw new ViewError(`the project has more than ${mostBytes} bytes, the limit for a copy (exec.copy_limit)`);
    if (++count > MAX_FILES) throw new ViewError(`the project has more than ${MAX_FILES} files to copy`);
    if (performance.now() < nextReport) return;
    onCopying?.({ files: count, bytes });
    isReported = true;
    nextReport = performance.now() + REPORT_EVERY_MS;
  }

  function noteCopied(entry: string): void {
    stamps.set(entry, versionOf(fs.lstatSync(entryPath(files, entry), { bigint: true })));
  }
}

/** Returns undefined for a name that is not UTF-8. */
function directoryAt(project: string, entry: string): string | undefined {
  const text = textOf(entry);
  if (text === undefined) return undefined;
  return text === "" ? project : joinPath(project, text);
}

interface OpenFile {
  readonly file: number;
  /** Its path when it was opened. It may lead to another file now. */
  readonly from: Buffer;
}

/** Copies exactly the open file. */
function copyFile(maker: "clone" | "copy", { file, from }: OpenFile, to: Buffer): void {
  const stats = fs.fstatSync(file);
  if (!stats.isFile()) throw systemError("ESTALE", "copyfile", to.toString());
  if (maker === "clone") {
    const { COPYFILE_EXCL, COPYFILE_FICLONE_FORCE } = fs.constants;
    const isLinux = process.platform === "linux";
    fs.copyFileSync(isLinux ? `/proc/self/fd/${file}` : from, to, COPYFILE_EXCL | COPYFILE_FICLONE_FORCE);
    // Elsewhere only a path can be cloned.
    if (!isLinux && fs.lstatSync(from).ino !== stats.ino) {
      fs.unlinkSync(to);
      throw systemError("ESTALE", "copyfile", to.toString());
    }
  } else withFile(fs.openSync(to, "wx"), (copy) => copyBytes(file, copy));
  keepOwner(to, stats);
  fs.chmodSync(to, stats.mode & 0o7777);
}

/** Only root can give files away. For other users, copies are their own anyway. */
function keepOwner(path: Buffer, { uid, gid }: fs.Stats): void {
  if (process.geteuid?.() === 0) fs.lchownSync(path, uid, gid);
}

function copyBytes(from: number, to: number): void {
  const buffer = Buffer.allocUnsafe(CHUNK);
  for (let length = fs.readSync(from, buffer); length > 0; length = fs.readSync(from, buffer)) {
    for (let done = 0; done < length;) done += fs.writeSync(to, buffer, done, length - done);
  }
}

const CHUNK = 2 ** 20;

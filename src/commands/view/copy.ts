/**
 * A view made by copying, for machines whose kernel cannot mount an overlay. A clone shares file contents until they
 * are written.
 */
import * as fs from "node:fs";
import { join } from "node:path";
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
  project, layer, closed, maker, mostBytes, onCopying
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
    await copy("");
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
      isUntouched: (entry, stats) => stamps.get(entry) === stampOf(stats),
    },
    masks: [],
    enter: (command) => command,
    close: () => Promise.resolve(removeLayer(layer)),
  };

  async function copy(entry: string): Promise<void> {
    const [from, to] = [entryPath(project, entry), entryPath(files, entry)];
    const stats = fs.lstatSync(from);
    if (stats.isSymbolicLink()) fs.symlinkSync(fs.readlinkSync(from, { encoding: "buffer" }), to);
    else if (stats.isDirectory()) {
      fs.mkdirSync(to, { mode: 0o700 });
      for (const name of repositories.has(entry) ? [] : fs.readdirSync(from, { encoding: "latin1" })) {
        const child = inDirectory(entry, name);
        if (!hidden.has(child)) await copy(child);
      }
      keepOwner(to, stats);
      fs.chmodSync(to, stats.mode & 0o7777);
    } else if (stats.isFile()) {
      bytes += stats.size;
      if (maker === "copy" && bytes > mostBytes)
        throw new ViewError(`the project has more than ${mostBytes} bytes, the limit for a copy (exec.copy_limit)`);
      if (++count > MAX_FILES) throw new ViewError(`the project has more than ${MAX_FILES} files to copy`);
      if (count % FILES_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
      if (performance.now() >= nextReport) {
        onCopying?.({ files: count, bytes });
        isReported = true;
        nextReport = performance.now() + REPORT_EVERY_MS;
      }
      fs.copyFileSync(
        from, to, fs.constants.COPYFILE_EXCL | (maker === "clone" ? fs.constants.COPYFILE_FICLONE_FORCE : 0)
      );
      keepOwner(to, stats);
      fs.chmodSync(to, stats.mode & 0o7777);
      fs.utimesSync(to, stats.atime, stats.mtime);
    } else return;
    stamps.set(entry, stampOf(fs.lstatSync(to, { bigint: true })));
  }
}

/** Only root can give files away. For other users, copies are their own anyway. */
function keepOwner(path: Buffer, { uid, gid }: fs.Stats): void {
  if (process.geteuid?.() === 0) fs.lchownSync(path, uid, gid);
}

function stampOf({ ino, size, mtimeNs, ctimeNs }: fs.BigIntStats): string {
  return `${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}

/**
 * A view by the kernel's overlay file system: the project is the lower layer, and only the command's changes are
 * stored.
 */
import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync, existsSync, lchownSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync
} from "node:fs";
import { join } from "node:path";
import type { Command } from "../sandbox/sandbox.ts";
import { removeLayer } from "./view-folders.ts";
import { entryPath, inDirectory, type View, ViewError, type ViewPlace } from "./view.ts";
import { messageOf, tryOr } from "../../core/errors.ts";
import { openFile, withFile } from "../../disk/choose-pins.ts";
import { folds } from "../../disk/spelling.ts";
import { unlessSystemError } from "../../disk/system-error.ts";
import { textOf } from "../../paths/names.ts";

/**
 * Makes a view. Its mounts belong to the namespace of a waiting shell, the holder. When that ends, by `close` or with
 * this process, the kernel removes them. Throws `ViewError` if the system refuses.
 */
export async function makeOverlayView({ project, layer, closed }: ViewPlace): Promise<View> {
  if (folds(project) || [...closed.files, ...closed.directories].some((entry) => isFolded(project, entry)))
    throw new ViewError("names that differ only in case lead to one file there");
  const [mount] = mountsBelow(project);
  if (mount !== undefined) throw new ViewError(`it would hide the file system mounted at ${mount}`);
  for (const name of ["lower", "merged", "tmp", "home", "changes", "changes/up", "changes/work"])
    mkdirSync(join(layer, name), { mode: 0o700 });
  copyPermissions(join(layer, "changes/up"), project);
  const holder = await startHolder(project, layer);
  const inside = `/proc/${holder.child.pid}/cwd`;
  const [files, up] = [join(inside, "merged"), join(inside, "changes/up")];
  const close = async (): Promise<void> => {
    holder.child.stdin?.end();
    await holder.ended;
    removeLayer(layer);
  };
  // A name that is not UTF-8 cannot be passed to the sandbox.
  const masks = closed.directories.filter((folder) => textOf(folder) !== undefined);
  try {
    for (const entry of [...closed.files, ...closed.directories.filter((folder) => textOf(folder) === undefined)])
      rmSync(entryPath(files, entry), { recursive: true, force: true });
  } catch (thrown) {
    await close();
    throw new ViewError(messageOf(thrown));
  }
  const added = new Set<string>();
  return {
    files,
    folder: join(layer, "merged"),
    scratch: { folder: layer, files: inside },
    layer: {
      path: up,
      // Goes through the view, because the kernel caches its permissions separately from the layer's.
      openToOwner: (directory) => chmodSync(entryPath(files, directory), 0o700),
      deletedIn: (directory, names) => {
        // Of what Loaf had put into the upper layer, the kernel marks no deletion.
        const removed = names.filter((name) => {
          const entry = inDirectory(directory, name);
          return added.has(entry) && isMissing(entryPath(files, entry));
        });
        return [
          ...new Set([...removed, ...deletedIn({ lower: join(inside, "lower"), up, merged: files }, directory, names)]),
        ];
      },
      had: () => true,
      originOf: (entry, inode) => originOf(entryPath(files, entry), inode),
      knowsAll: false,
      noteAdded: (entry) => void added.add(entry),
      isUntouched: () => false,
    },
    enter: ({ program, args, ...others }): Command => ({
      ...others,
      program: systemProgram("nsenter"),
      args: [
        "-t", String(holder.child.pid), ...(holder.isUser ? ["-U", "--preserve-credentials"] : []), "-m", "--", program,
        ...args,
      ],
    }),
    masks,
    close,
  };
}

/**
 * Returns whether the file system finds an entry by its name in the other case too. What the overlay hides by name
 * would then be read by another name.
 *
 * @param entry in the naming of a view
 */
export function isFolded(project: string, entry: string, identityAt = identityOf): boolean {
  const [parent, name] = [entry.slice(0, entry.lastIndexOf("/") + 1), entry.slice(entry.lastIndexOf("/") + 1)];
  const other = name.replace(/[a-z]/gi, (letter) => (letter < "a" ? letter.toLowerCase() : letter.toUpperCase()));
  const identity = other === name ? undefined : identityAt(entryPath(project, parent + other));
  return identity !== undefined && identity === identityAt(entryPath(project, entry));
}

function identityOf(path: Buffer): string | undefined {
  const stats = tryOr(() => lstatSync(path), undefined);
  return stats && `${stats.dev}:${stats.ino}`;
}

/**
 * Returns mount points in a project, for display. An overlay shows them as empty folders, so that their contents would
 * look deleted.
 */
function mountsBelow(project: string): string[] {
  if (!existsSync(MOUNTS)) return [];
  const paths = readFileSync(MOUNTS, "utf8").split("\n").flatMap((line) => line.split(" ", 5)[4] ?? []);
  // Spaces, line ends and backslashes are written in octal.
  return paths
    .map((path) =>
      path.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8))),
    )
    .filter((path) => path.startsWith(`${project}/`));
}

const MOUNTS = "/proc/self/mountinfo";

/** The view's root takes its permissions from the upper layer. */
function copyPermissions(path: string, project: string): void {
  const { mode, uid, gid } = lstatSync(project);
  if (process.geteuid?.() === 0) lchownSync(path, uid, gid);
  chmodSync(path, mode & 0o7777);
}

interface Folders {
  readonly lower: string;
  readonly up: string;
  readonly merged: string;
}

/**
 * Returns which of the names missing in the upper layer were deleted. A directory that was removed and made again
 * (opaque) hides all of the project's entries. The kernel marks it with an attribute that Node cannot read, so this
 * looks for the project's names in the view. One visible name proves that it is not opaque. One missing name proves
 * nothing: for a file made since, the kernel may have cached that it does not exist.
 */
function deletedIn({ lower, up, merged }: Folders, directory: string, names: readonly string[]): readonly string[] {
  if (names.length === 0) return names;
  const upper = new Set(namesIn(entryPath(up, directory)));
  const below = namesIn(entryPath(lower, directory)).filter((name) => !upper.has(name));
  const isOpaque = below.length > 0 && below.every((name) => isMissing(entryPath(merged, `${directory}/${name}`)));
  // Throws if the view is gone, which must not look like deletions.
  lstatSync(merged);
  return isOpaque ? names : [];
}

/**
 * Returns the inode that a copied-up file had in the project, even if that was deleted since. The kernel reports it
 * only for open files (since 5.14), and not after memory pressure evicted it.
 */
function originOf(path: Buffer, inode: bigint): bigint | undefined {
  const factsOf = (file: number): string => readFileSync(`/proc/self/fdinfo/${file}`, "latin1");
  const shown = tryOr(() => /^ino:\s*(\d+)$/m.exec(withFile(openFile(path), factsOf))?.[1], undefined);
  return shown === undefined || BigInt(shown) === inode ? undefined : BigInt(shown);
}

/** Returns false if the system cannot tell, as after a move beneath the view. */
function isMissing(path: Buffer): boolean {
  return tryOr(() => lstatSync(path, { throwIfNoEntry: false }) === undefined, false);
}

function namesIn(directory: Buffer): string[] {
  // The project may have no such directory.
  return unlessSystemError(() => readdirSync(directory, { encoding: "latin1" }), [], ["ENOENT", "ENOTDIR"]);
}

interface Holder {
  readonly child: ChildProcess;
  /** Whether it has its own user namespace. */
  readonly isUser: boolean;
  readonly ended: Promise<unknown>;
}

/** Real root can mount in a mount namespace alone. Other users, and root in a container, also need a user namespace. */
async function startHolder(project: string, layer: string): Promise<Holder> {
  if (process.platform !== "linux") throw new ViewError("overlay file systems exist only on Linux");
  const complaints: string[] = [];
  for (const isUser of process.geteuid?.() === 0 ? [false, true] : [true]) {
    if (isUser && hasOtherOwners(project)) {
      complaints.push("its files belong to several users or groups, which an overlay of yours cannot change");
      continue;
    }
    // Otherwise some kernels store only the permissions of a file, or only the origin of a moved directory.
    const options = isUser ? ",userxattr" : ",redirect_dir=off,metacopy=off";
    const child = spawn(
      systemProgram("unshare"),
      [
        ...(isUser ? ["--user", "--map-root-user"] : []), "--mount", "--propagation", "private", "/bin/sh", "-c",
        SCRIPT, "sh", project, layer, options,
      ],
      {
        env: HOLDER_ENVIRONMENT,
        cwd: "/",
        // A signal to Loaf's process group must not end it before the view is read.
        detached: true,
        stdio: ["pipe", "pipe", "pipe"],
      },
    );
    const ended = new Promise((resolve) => child.once("close", resolve));
    const complaint = await mountError(child);
    if (complaint === undefined) return { child, isUser, ended };
    complaints.push(complaint);
  }
  throw new ViewError(complaints.at(-1) ?? "");
}

/**
 * Returns whether the project, or one of its first entries, has another user or group than this process, as in a team's
 * folder. A user namespace knows no other, so that the kernel cannot copy such a file up to change it (`EOVERFLOW`).
 */
function hasOtherOwners(project: string): boolean {
  const [user, group] = [process.geteuid?.(), process.getegid?.()];
  const some = readdirSync(project).slice(0, 100);
  const paths = [project, ...some.map((name) => join(project, name))];
  return paths.some((path) => {
    const { uid = user, gid = group } = lstatSync(path, { throwIfNoEntry: false }) ?? {};
    return uid !== user || gid !== group;
  });
}

/** Returns undefined once the view is mounted, or the system's error message. */
function mountError(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    let complaint = "";
    child.stderr?.on("data", (piece: Buffer) => (complaint += piece.toString()));
    child.once("error", (thrown) => resolve(thrown.message));
    child.once("close", () => resolve(complaint.trim().split("\n").at(-1) || "the mount failed"));
    child.stdin?.on("error", () => {});
    child.stdout?.once("data", () => resolve(undefined));
  });
}

/** The system's own programs. PATH must not let a project choose what mounts its view. */
const SYSTEM_FOLDERS = ["/usr/sbin", "/usr/bin", "/sbin", "/bin", "/run/current-system/sw/bin"];
const HOLDER_ENVIRONMENT = { PATH: SYSTEM_FOLDERS.join(":"), LC_ALL: "C" };

/** If the program is missing, starting it reports that. */
function systemProgram(name: string): string {
  return SYSTEM_FOLDERS.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? `/usr/bin/${name}`;
}

/**
 * All paths are relative to the layer, because characters in them may be special in mount options. `volatile` avoids
 * syncing a whole disk at the end; older kernels lack it. Uses memory if the layer's file system cannot hold an upper
 * layer (an overlay, a network share). The command's /tmp and home are in memory, up to 1 GiB each.
 */
const SCRIPT = `
cd "$2" && mount -n --rbind "$1" lower || exit 1
overlay() { mount -n -t overlay overlay -o "lowerdir=lower,upperdir=changes/up,workdir=changes/work$1" merged; }
memory() { mount -n -t tmpfs -o mode=0700 tmpfs changes && mkdir changes/up changes/work; }
scratch() { mount -n -t tmpfs -o "nosuid,nodev,size=1g,mode=$2" tmpfs "$1"; }
scratch tmp 1777 && scratch home 0700 || exit 1
overlay "$3,volatile" || overlay "$3" || { memory && { overlay "$3,volatile" || overlay "$3"; }; } || exit 1
echo ready
read -r end
`;

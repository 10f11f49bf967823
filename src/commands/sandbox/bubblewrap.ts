import { existsSync, lstatSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Confinement, Sandbox } from "./sandbox.ts";
import { seccompFilter } from "./seccomp.ts";
import { tryOr } from "../../core/try-or.ts";
import { statFields } from "../../state/process-identity.ts";

/** Linux sandbox: namespaces and mounts by bubblewrap. */
export function bubblewrap(path: string): Sandbox {
  const filter = seccompFilter();
  // Root outside is root inside too. Computed once a run, because /etc has hundreds of files.
  let secrets: readonly string[] | undefined;
  return {
    name: "bubblewrap",
    wrap: ({ program, args, cwd, env }, confinement) => ({
      program: path,
      args: [
        ...NAMESPACES,
        ...identity(),
        ...(filter === undefined ? [] : ["--seccomp", "4"]),
        ...(confinement.network ? [] : ["--unshare-net"]),
        ...mounts(confinement, (secrets ??= process.geteuid?.() === 0 ? ownerOnlyPaths("/etc") : [])),
        "--chdir",
        cwd,
        "--",
        ...withLimits(program, args, confinement),
      ],
      cwd: "/",
      // Not --clearenv: bubblewrap is the first process inside, and its environment can be read there.
      env,
      ...(filter !== undefined && { fourth: filter }),
    }),
    settle,
  };
}

/** Root gets a user namespace too and keeps no capability, which could otherwise uncover hidden files. */
const NAMESPACES = ["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--cap-drop", "ALL", "--new-session", "--die-with-parent", "--json-status-fd", "3"];

/**
 * Where systems keep programs and their data. Nothing else is mounted, because a list of things to hide would be
 * incomplete.
 */
const SYSTEM = ["/usr", "/etc", "/opt", "/nix/store", "/gnu/store", "/run/current-system", "/var/lib/gems", "/var/lib/ca-certificates"];
/** Links into /usr on most systems. */
const MERGED = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
/** Needed to resolve names if the network is open. */
const RESOLVER = "/run/systemd/resolve";

/** A view may have its own user namespace, in which everybody is root. */
function identity(): string[] {
  const [uid, gid] = [process.geteuid?.(), process.getegid?.()];
  return uid === undefined || gid === undefined ? [] : ["--uid", String(uid), "--gid", String(gid)];
}

/** Later mounts cover earlier ones, so hidden paths come last. */
function mounts({ root, folder, readOnly, hidden, visible, home, scratch, network }: Confinement, secrets: readonly string[]): string[] {
  const resolver = network && existsSync(RESOLVER) ? [RESOLVER] : [];
  const system = [...[...SYSTEM.filter(isNonEmpty), ...resolver].flatMap(readOnlyBind), ...MERGED.flatMap(mountMerged)];
  const kernel = ["--proc", "/proc", ...KERNEL_SETTINGS.filter((path) => existsSync(path)).flatMap(readOnlyBind), "--dev", "/dev", ...temporary("/dev/shm", "1777"), "--remount-ro", "/dev"];
  const own = [...kept("tmp", "/tmp", "1777"), ...(home === "/" || isWithin(home, "/usr") ? [] : kept("home", home, "0700")), "--dir", "/var", "--symlink", "/tmp", "/var/tmp", "--dir", "/run"];
  const shown = visible.filter((path) => !isWithin(path, root)).flatMap(readOnlyBind);
  const covered = outermost([...secrets.filter((path) => !isWithin(root, path) && !isWithin(path, root)), ...hidden]);
  const repositories = readOnly.filter((path) => !covered.some((one) => isWithin(path, one)));
  return [...system, ...kernel, ...own, ...shown, "--bind", folder, root, ...repositories.flatMap(readOnlyBind), ...covered.flatMap(cover), "--remount-ro", "/"];

  function kept(name: string, path: string, mode: string): string[] {
    return scratch === undefined ? temporary(path, mode) : ["--bind", join(scratch, name), path];
  }
}

/** Writing here changes the whole machine, because root inside is root to the kernel. */
const KERNEL_SETTINGS = ["/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus"];

/** Size limit in bytes of a temporary folder, which is in memory. */
const TEMPORARY = String(2 ** 30);

const temporary = (path: string, mode: string): string[] => ["--perms", mode, "--size", TEMPORARY, "--tmpfs", path];

const readOnlyBind = (path: string): string[] => ["--ro-bind", path, path];

/** Returns paths that only their owner may read. Skips links, because their targets are checked. */
function ownerOnlyPaths(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isSymbolicLink()) return [];
    const path = join(directory, entry.name);
    const mode = lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0o777;
    if (entry.isDirectory()) return (mode & 0o005) === 0o005 ? ownerOnlyPaths(path) : [path];
    return (mode & 0o004) === 0 ? [path] : [];
  });
}

/** Nothing can be mounted in a covered directory. */
function outermost(paths: readonly string[]): string[] {
  return paths.filter((path) => !paths.some((other) => other !== path && isWithin(path, other)));
}

/** Covers a file with a device that cannot be opened, a directory with one that cannot be entered. */
function cover(path: string): string[] {
  const isDirectory = lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? true;
  return isDirectory ? ["--perms", "0000", "--tmpfs", path, "--remount-ro", path] : ["--ro-bind", "/dev/null", path];
}

function mountMerged(path: string): string[] {
  if (!existsSync(path)) return [];
  return tryOr(() => ["--symlink", readlinkSync(path), path], ["--ro-bind", path, path]);
}

/** Skips empty folders, because each mount takes time. */
function isNonEmpty(path: string): boolean {
  return tryOr(() => readdirSync(path).length > 0, false);
}

function isWithin(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory === "/" ? "/" : `${directory}/`);
}

/**
 * Sets limits inside, where the count of processes starts anew. Does not limit the address space: Node and others
 * reserve far more than they use. Shells name the process limit by one of two letters.
 */
function withLimits(program: string, args: readonly string[], { memory, processes }: Confinement): string[] {
  const script = `ulimit -d ${Math.floor(memory / 1024)}; ulimit -c 0; ulimit -p ${processes} 2>/dev/null || ulimit -u ${processes}; exec "$@"`;
  return ["/bin/sh", "-c", script, "sh", program, ...args];
}

/**
 * Reads bubblewrap's status, one JSON object a line: the id of the first process and, if the command was started, its
 * exit code.
 */
async function settle(told: string): Promise<boolean> {
  const pid = Number(/"child-pid": *(\d+)/.exec(told)?.[1]);
  // When the first process of the namespace is gone, so are all others. This takes less than a millisecond.
  for (let round = 0; round < 1_000; round++) {
    if (!/[^ZX]/.test(statFields(pid)?.[0] ?? "")) break;
    await sleep(round < 10 ? 0 : 5);
  }
  return /"exit-code"/.test(told);
}

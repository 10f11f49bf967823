import { existsSync, lstatSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { tryOr } from "../../core/errors.ts";
import { isWithin, outermost } from "../../paths/path-segments.ts";
import { statFields } from "../../state/process-identity.ts";
import type { Confinement, Sandbox } from "./sandbox.ts";

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
const NAMESPACES = [
  "--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--cap-drop", "ALL", "--new-session",
  "--die-with-parent", "--json-status-fd", "3",
];

/**
 * Where systems keep programs and their data. Nothing else is mounted, because a list of things to hide would be
 * incomplete.
 */
const SYSTEM = [
  "/usr", "/etc", "/opt", "/nix/store", "/gnu/store", "/run/current-system", "/var/lib/gems", "/var/lib/ca-certificates"
];
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
function mounts(
  { root, folder, readOnly, hidden, visible, home, scratch, network }: Confinement, secrets: readonly string[]
): string[] {
  const resolver = network && existsSync(RESOLVER) ? [RESOLVER] : [];
  const system = [...[...SYSTEM.filter(isNonEmpty), ...resolver].flatMap(readOnlyBind), ...MERGED.flatMap(mountMerged)];
  const kernel = [
    "--proc",
    "/proc",
    ...KERNEL_SETTINGS.filter((path) => existsSync(path)).flatMap(readOnlyBind),
    "--dev",
    "/dev",
    ...temporary("/dev/shm", "1777"),
    "--remount-ro",
    "/dev",
  ];
  const privateMounts = [
    ...kept("tmp", "/tmp", "1777"),
    ...(home === "/" || isWithin(home, "/usr") ? [] : kept("home", home, "0700")),
    "--dir",
    "/var",
    "--symlink",
    "/tmp",
    "/var/tmp",
    "--dir",
    "/run",
  ];
  const shown = visible.filter((path) => !isWithin(path, root)).flatMap(readOnlyBind);
  // Nothing can be mounted in a covered directory.
  const covered = outermost([...secrets.filter((path) => !isWithin(root, path) && !isWithin(path, root)), ...hidden]);
  const repositories = readOnly.filter((path) => !covered.some((above) => isWithin(path, above)));
  return [
    ...system, ...kernel, ...privateMounts, ...shown, "--bind", folder, root, ...repositories.flatMap(readOnlyBind),
    ...covered.flatMap(cover), "--remount-ro", "/",
  ];

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

/**
 * Returns paths that only their owner may read. Skips links, because their targets are checked. A list of names would
 * miss key stores, databases and VPNs.
 */
function ownerOnlyPaths(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isSymbolicLink()) return [];
    const path = join(directory, entry.name);
    const mode = lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0o777;
    if (entry.isDirectory()) return (mode & 0o005) === 0o005 ? ownerOnlyPaths(path) : [path];
    return (mode & 0o004) === 0 ? [path] : [];
  });
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
async function settle(status: string): Promise<boolean> {
  const pid = Number(/"child-pid": *(\d+)/.exec(status)?.[1]);
  // When the first process of the namespace is gone, so are all others. This takes less than a millisecond.
  for (let round = 0; round < 1_000; round++) {
    if (!/[^ZX]/.test(statFields(pid)?.[0] ?? "")) break;
    await sleep(round < 10 ? 0 : 5);
  }
  return /"exit-code"/.test(status);
}

/** Columns of call numbers, by `process.arch`. */
const X64 = 0;
const ARM64 = 1;
interface Refusal {
  /** The number of the call in each column. */
  readonly numbers: readonly [x64: number, arm64: number];
  readonly errno?: number;
  /** Refuses only if an argument equals this value, or has this bit. */
  readonly argument?: { readonly index: number; readonly test: "equals" | "hasBit"; readonly value: number };
}

const EPERM = 1;
/** As on a kernel without the call: programs then use an older one. */
const ENOSYS = 38;

const CLONE_NEWUSER = 0x10000000;
/** Inserts a character into a terminal, and pastes into a console. */
const [TIOCSTI, TIOCLINUX] = [0x5412, 0x541c];
/** Reaches the host from a virtual machine, despite the network namespace. */
const AF_VSOCK = 40;

/**
 * System calls that a sandboxed command may not make. The filter for the kernel (classic BPF) is made of them. `ptrace`
 * is not among them: debuggers need it, and find only the command's own processes, which have the same filter.
 */
const REFUSED: Readonly<Record<string, Refusal>> = {
  // The session's keyring belongs to no namespace: it holds Kerberos tickets and keys of encrypted file systems.
  add_key: { numbers: [248, 217] },
  request_key: { numbers: [249, 218] },
  keyctl: { numbers: [250, 219] },
  // Large parts of the kernel that few programs need. Most kernel exploits were found here, and containers block them
  // too.
  bpf: { numbers: [321, 280] },
  perf_event_open: { numbers: [298, 241] },
  userfaultfd: { numbers: [323, 282] },
  io_uring_setup: { numbers: [425, 425], errno: ENOSYS },
  io_uring_enter: { numbers: [426, 426], errno: ENOSYS },
  io_uring_register: { numbers: [427, 427], errno: ENOSYS },
  // With mounts, a command in its own user namespace could uncover hidden files.
  mount: { numbers: [165, 40] },
  umount2: { numbers: [166, 39] },
  pivot_root: { numbers: [155, 41] },
  open_tree: { numbers: [428, 428] },
  move_mount: { numbers: [429, 429] },
  fsopen: { numbers: [430, 430] },
  fsconfig: { numbers: [431, 431] },
  fsmount: { numbers: [432, 432] },
  fspick: { numbers: [433, 433] },
  mount_setattr: { numbers: [442, 442] },
  open_tree_attr: { numbers: [467, 467] },
  unshare: { numbers: [272, 97], argument: { index: 0, test: "hasBit", value: CLONE_NEWUSER } },
  clone: { numbers: [56, 220], argument: { index: 0, test: "hasBit", value: CLONE_NEWUSER } },
  // Its flags are in memory, which a filter cannot read.
  clone3: { numbers: [435, 435], errno: ENOSYS },
  ioctl_TIOCSTI: { numbers: [16, 29], argument: { index: 1, test: "equals", value: TIOCSTI } },
  ioctl_TIOCLINUX: { numbers: [16, 29], argument: { index: 1, test: "equals", value: TIOCLINUX } },
  socket: { numbers: [41, 198], argument: { index: 0, test: "equals", value: AF_VSOCK } },
};

/** Offsets in the kernel's data about a call. For an argument, the lower half. */
const NUMBER = 0;
const ARCHITECTURE = 4;
const argumentAt = (index: number): number => 16 + 8 * index;

const LOAD = 0x20;
const IF_EQUAL = 0x15;
const IF_AT_LEAST = 0x35;
const IF_HAS_BIT = 0x45;
const RETURN = 0x06;

const KILL = 0x80000000;
const ALLOW = 0x7fff0000;
const failWith = (errno: number): number => 0x00050000 + errno;

/** Bit in the numbers of x32 calls. */
const X32 = 0x40000000;

const ARCHITECTURES: Readonly<Record<string, { readonly column: typeof X64 | typeof ARM64; readonly audit: number }>> =
  { x64: { column: X64, audit: 0xc000003e }, arm64: { column: ARM64, audit: 0xc00000b7 } };

/** Code, instructions to skip if true and if false, and a value. */
type Instruction = readonly [code: number, yes: number, no: number, value: number];

/** Returns undefined for an architecture with unknown call numbers. */
export function seccompFilter(arch: string = process.arch): Buffer | undefined {
  const known = ARCHITECTURES[arch];
  if (known === undefined) return undefined;
  const { column, audit } = known;
  return encode([
    [LOAD, 0, 0, ARCHITECTURE],
    // Programs of another word size use other call numbers. A first call that fails would crash them without a reason.
    [IF_EQUAL, 1, 0, audit],
    [RETURN, 0, 0, KILL],
    [LOAD, 0, 0, NUMBER],
    ...(column === X64 ? ([[IF_AT_LEAST, 0, 1, X32], [RETURN, 0, 0, failWith(ENOSYS)]] as const) : []),
    ...Object.values(REFUSED).flatMap((refusal) => instructionsOf(refusal, refusal.numbers[column])),
    [RETURN, 0, 0, ALLOW],
  ]);
}

function instructionsOf({ errno = EPERM, argument }: Refusal, number: number): Instruction[] {
  if (argument === undefined) return [[IF_EQUAL, 0, 1, number], [RETURN, 0, 0, failWith(errno)]];
  const { index, test, value } = argument;
  return [
    [IF_EQUAL, 0, 4, number],
    [LOAD, 0, 0, argumentAt(index)],
    [test === "equals" ? IF_EQUAL : IF_HAS_BIT, 0, 1, value],
    [RETURN, 0, 0, failWith(errno)],
    [LOAD, 0, 0, NUMBER],
  ];
}

/** Both architectures are little-endian. */
function encode(instructions: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(8 * instructions.length);
  for (const [index, [code, yes, no, value]] of instructions.entries()) {
    bytes.writeUInt16LE(code, 8 * index);
    bytes.writeUInt8(yes, 8 * index + 2);
    bytes.writeUInt8(no, 8 * index + 3);
    bytes.writeUInt32LE(value, 8 * index + 4);
  }
  return bytes;
}

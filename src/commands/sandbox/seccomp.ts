/** System calls that a sandboxed command may not make, as a filter program for the kernel (classic BPF). */

/** Columns of call numbers, by `process.arch`. */
const X64 = 0;
const ARM64 = 1;
const CALLS = {
  // The session's keyring belongs to no namespace: it holds Kerberos tickets and keys of encrypted file systems.
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  // Large parts of the kernel that few programs need. Most kernel exploits were found here, and containers block them too.
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  // With mounts, a command in its own user namespace could uncover hidden files.
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  open_tree_attr: [467, 467],
  unshare: [272, 97],
  clone: [56, 220],
  clone3: [435, 435],
  ioctl: [16, 29],
  socket: [41, 198],
} as const;

interface Refusal {
  readonly call: keyof typeof CALLS;
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

const REFUSED: readonly Refusal[] = [
  ...(["add_key", "request_key", "keyctl", "bpf", "perf_event_open", "userfaultfd"] as const).map((call) => ({ call })),
  ...(["io_uring_setup", "io_uring_enter", "io_uring_register"] as const).map((call) => ({ call, errno: ENOSYS })),
  ...(["mount", "umount2", "pivot_root", "open_tree", "move_mount", "fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr", "open_tree_attr"] as const).map((call) => ({ call })),
  { call: "unshare", argument: { index: 0, test: "hasBit", value: CLONE_NEWUSER } },
  { call: "clone", argument: { index: 0, test: "hasBit", value: CLONE_NEWUSER } },
  // Its flags are in memory, which a filter cannot read.
  { call: "clone3", errno: ENOSYS },
  { call: "ioctl", argument: { index: 1, test: "equals", value: TIOCSTI } },
  { call: "ioctl", argument: { index: 1, test: "equals", value: TIOCLINUX } },
  { call: "socket", argument: { index: 0, test: "equals", value: AF_VSOCK } },
];

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

const ARCHITECTURES: Readonly<Record<string, { readonly column: typeof X64 | typeof ARM64; readonly audit: number }>> = {
  x64: { column: X64, audit: 0xc000003e },
  arm64: { column: ARM64, audit: 0xc00000b7 },
};

/** Code, instructions to skip if true and if false, and a value. */
type Instruction = readonly [code: number, yes: number, no: number, value: number];

/** Returns undefined for an architecture with unknown call numbers. */
export function seccompFilter(arch: string = process.arch): Buffer | undefined {
  const known = ARCHITECTURES[arch];
  if (known === undefined) return undefined;
  const { column, audit } = known;
  return encode([
    [LOAD, 0, 0, ARCHITECTURE],
    // Programs of another word size use other call numbers.
    [IF_EQUAL, 1, 0, audit],
    [RETURN, 0, 0, KILL],
    [LOAD, 0, 0, NUMBER],
    ...(column === X64 ? ([[IF_AT_LEAST, 0, 1, X32], [RETURN, 0, 0, failWith(ENOSYS)]] as const) : []),
    ...REFUSED.flatMap((refusal) => instructionsOf(refusal, CALLS[refusal.call][column])),
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

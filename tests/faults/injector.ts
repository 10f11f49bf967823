/**
 * Faults at chosen calls of the system, by strace: which calls a program makes that change a test's files, and the same program
 * killed at one of them, or with one of them refused.
 */
import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";

/** One call of a program. */
export interface Call {
  readonly name: string;
  /** Which one of this name it is in its thread, from 1. */
  readonly ordinal: number;
  /** Its arguments, without what differs from run to run. */
  readonly arguments: string;
  /** Which one it is of those with the same name and arguments, from 1. */
  readonly occurrence: number;
}

export interface Program {
  readonly file: string;
  readonly arguments: readonly string[];
  /** The folder of the test: calls on what is elsewhere do not count. */
  readonly folder: string;
  /** It starts programs, whose calls do not count, nor those of its other threads. */
  readonly isAlone?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Ended {
  /** By the fault, or after a while because it did not end. */
  readonly isKilled: boolean;
  readonly output: string;
  /** Whether the fault hit the call that it was meant for. */
  readonly isHit: boolean;
  /** The ordinal that the call had this time, if the program came to it. */
  readonly ordinal: number | undefined;
}

const STRACE = "/usr/bin/strace";
export const hasInjector = existsSync(STRACE);

/** As strace names them. Of `openat` only what may make a file counts. */
const CHANGING = ["openat", "write", "pwrite64", "pwritev", "ftruncate", "fsync", "fdatasync", "rename", "link", "symlink", "unlink", "mkdir", "rmdir", "chmod", "fchmod", "fchown", "lchown", "utimensat"];

/** The changing calls of a program on the folder's files, in their order. */
export async function changingCalls(program: Program): Promise<Call[]> {
  const { trace, status, output } = await traced(program, ["-e", `trace=${CHANGING.join()}`]);
  if (status !== 0) throw new Error(`The program failed without a fault: ${output}`);
  return callsIn(trace, program.folder);
}

/** Runs a program that is killed as it enters one of its calls, or is refused that with an error. */
export async function runWithFault(program: Program, call: Call, fault: string): Promise<Ended> {
  const isKilling = fault === "kill";
  const effect = isKilling ? "signal=KILL" : `error=${fault}`;
  const { trace, status, signal, output } = await traced(program, ["-e", `trace=${call.name}`, "-e", `inject=${call.name}:${effect}:when=${call.ordinal}`]);
  const isKilled = signal === "SIGKILL" || status === 137;
  const met = callsIn(trace, program.folder).find((one) => one.occurrence === call.occurrence && one.arguments === call.arguments);
  return { isKilled, output, isHit: met !== undefined && (isKilling ? isKilled && met.isUnanswered : met.isInjected), ordinal: met?.ordinal };
}

/**
 * Tries a fault again until it hits its call. Node does not always make the same calls before ours, so the call has another ordinal each time: the last
 * try tells where it was, or that the fault came before it.
 */
export async function untilHit<Try extends { readonly ended: Ended }>(call: Call, attempt: (call: Call) => Promise<Try>): Promise<Try> {
  let { ordinal } = call;
  for (let tries = 1; ; tries++) {
    const tried = await attempt({ ...call, ordinal });
    if (tried.ended.isHit || tries === MOST_TRIES) return tried;
    // Now and then the place of the last run is no better than the one that was recorded.
    ordinal = tries % 4 === 0 ? call.ordinal : (tried.ended.ordinal ?? ordinal + 1);
  }
}

const MOST_TRIES = 30;

interface Traced {
  readonly trace: readonly string[];
  readonly status: number | null;
  readonly signal: string | null;
  readonly output: string;
}

const LONGEST_MS = 8_000;

let count = 0;

async function traced({ file, arguments: args, folder, isAlone = false, env }: Program, options: readonly string[]): Promise<Traced> {
  const traceFile = `${folder}.trace-${count++}`;
  try {
    const child = spawn(STRACE, [...(isAlone ? [] : ["-f"]), "-qq", "-y", "-s", "48", "-o", traceFile, ...options, process.execPath, file, ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      // Node itself waits for ever where one of its own calls is refused.
      detached: true,
      // One thread for what Node does in the background, so that its calls come in one order.
      env: { ...process.env, ...env, UV_THREADPOOL_SIZE: "1" },
    });
    const limit = setTimeout(() => process.kill(-(child.pid as number), "SIGKILL"), LONGEST_MS);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece: Buffer) => (output += piece.toString()));
    const [status, signal] = await new Promise<[number | null, string | null]>((resolve) => child.on("close", (...ended) => resolve(ended)));
    clearTimeout(limit);
    return { trace: readFileSync(traceFile, "utf8").split("\n"), status, signal, output };
  } finally {
    rmSync(traceFile, { force: true });
  }
}

function callsIn(lines: readonly string[], folder: string): Array<Call & { readonly isInjected: boolean; readonly isUnanswered: boolean }> {
  const counts = new Map<string, number>();
  const next = (key: string): number => {
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return counts.get(key) ?? 0;
  };
  return lines.flatMap((line) => {
    const [, thread = "", name = "", rest = ""] = /^(?:(\d+) +)?(\w+)\((.*)$/.exec(line) ?? [];
    if (name === "") return [];
    const ordinal = next(`${thread} ${name}`);
    const isOwn = rest.includes(folder) || /"\/proc\/(self|\d+)\/fd\/\d+\/./.test(rest);
    if (!isOwn || (name === "openat" && !rest.includes("O_CREAT"))) return [];
    const shown = lasting(rest, folder);
    return [{ name, ordinal, arguments: shown, occurrence: next(`${name}(${shown}`), isInjected: rest.includes("(INJECTED)"), isUnanswered: /= \?$|<unfinished/.test(rest) }];
  });
}

/** Descriptors, results, digests and names of temporary files differ from run to run. */
function lasting(rest: string, folder: string): string {
  return rest
    .replace(/\) += .*$|<unfinished.*$|\) *$/s, "")
    .trim()
    .replaceAll(folder, "")
    .replaceAll(/\.loaf-[0-9a-f]+/g, ".loaf-*")
    // So the kernel's overlay names what it removes later.
    .replaceAll(/\/#[0-9a-f]+/g, "/#")
    .replaceAll(/[0-9a-f]{32}|[0-9a-f]{8}-[0-9a-f-]{27}/g, "*")
    .replaceAll(/\b\d+</g, "<")
    .replaceAll(/\/proc\/(self|\d+)\/fd\/\d+/g, "/pin")
    .replaceAll(/"[0-9a-f]{16} .*$/g, '"record')
    .replace(/(, \d+)+$/, "")
    .replaceAll(/\d+/g, "#");
}

/** Starts a program and makes sure that it ends. Everything that Loaf runs is started here. */
import { type ChildProcess, spawn } from "node:child_process";
import { openSync, readdirSync, readFileSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { tryOr } from "../core/errors.ts";
import { largest } from "../core/lists.ts";
import { withFile } from "../disk/choose-pins.ts";
import { endOfWhole } from "../state/input.ts";
import { statFields } from "../state/process-identity.ts";
import { ProcessTree, type Reach } from "./process-tree.ts";

export interface Program {
  /** Path, or a name to look up on the PATH of `env`. For a shell line: `/bin/sh` with `-c`. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd?: string | undefined;
  /** The complete environment. Defaults to Loaf's own. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Standard input. Empty by default. */
  readonly input?: string | Uint8Array | undefined;
  /** Milliseconds until it is killed with everything it has started. */
  readonly timeout: number;
  /** Milliseconds without I/O and almost no CPU time until it is killed. Works only where the system reports it. */
  readonly stall?: number | undefined;
  /** Kills it, as the timeout does. */
  readonly signal?: AbortSignal | undefined;
  /** Bytes kept of each stream, first and last half. Defaults to 1 MiB. */
  readonly keep?: number | undefined;
  /** Bytes of output at which it is killed. Unlimited by default. */
  readonly most?: number | undefined;
  /** What ends with it. Defaults to `group`. */
  readonly reach?: Reach | undefined;
  /** Receives standard output in pieces, which are then not kept. Returning false kills the program. */
  readonly onOutput?: ((piece: Buffer) => boolean) | undefined;
  /** Receives standard output and error in pieces as they come. Both are kept as well. */
  readonly onPiece?: ((piece: Buffer) => void) | undefined;
  /** Whether it may write to descriptor 3, which is returned separately. */
  readonly hasThird?: boolean | undefined;
  /** Content of its descriptor 4. */
  readonly fourth?: Uint8Array | undefined;
  /** Whether to close descriptors that Loaf inherited itself. */
  readonly inheritsNothing?: boolean | undefined;
  /** Whether to pass the arguments to cmd.exe unquoted. */
  readonly verbatim?: boolean | undefined;
}

/** Why it was killed. `enough`: `onOutput` returned false. */
type EndedBy = "timeout" | "stall" | "output" | "signal" | "enough";

export interface Ended {
  /** Null after a signal. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly endedBy?: EndedBy;
  /** As UTF-8. A line replaces what is missing in the middle. */
  readonly stdout: string;
  readonly stderr: string;
  readonly third: string;
  /** Processes that it may have left behind, without proof: `4711 (sleep)`. Only with `hunt`. */
  readonly survivors: readonly string[];
}

/** Default bytes kept of each stream. */
const KEPT = 2 ** 20;
/** After the exit, remaining output is read as long as more arrives within this many milliseconds. */
const GRACE_MS = 50;
/** Maximum number of grace periods: a process that could not be killed may write forever. */
const MAX_GRACES = 20;
/** The same for a killed program, whose caller has waited long enough. */
const MAX_GRACES_KILLED = 2;

/** Maximum delay of a Node timer in milliseconds. */
const MAX_TIMER = 2 ** 31 - 1;

/** Kills everything when Loaf exits, however it is stopped. */
const running = new Set<ProcessTree>();
process.on("exit", () => running.forEach((tree) => tree.end()));

/**
 * Runs a program in its own session, without a terminal. Resolves as soon as it has ended, even if a descendant holds
 * its streams open. Rejects only if it cannot be started, with the system's error, such as ENOENT.
 */
export function runProgram(request: Program): Promise<Ended> {
  const { program, args, cwd, env, input, timeout, stall, signal, onOutput, onPiece, fourth } = request;
  const { keep = KEPT, most = Infinity, reach = "group" } = request;
  const { hasThird = false, inheritsNothing = false, verbatim = false } = request;
  return new Promise((resolve, reject) => {
    const isWindows = process.platform === "win32";
    const uses = [input !== undefined, true, true, hasThird, fourth !== undefined];
    const streams = uses.map((isUsed): Stdio => (isUsed ? "pipe" : "ignore"));
    const spawnWith = (stdio: readonly Stdio[]): ChildProcess =>
      spawn(program, args, {
        ...(cwd !== undefined && { cwd }),
        ...(env !== undefined && { env }),
        stdio: [...stdio],
        // On Windows, a detached process would open a window.
        detached: !isWindows && reach !== "leave",
        windowsHide: true,
        windowsVerbatimArguments: verbatim,
      });
    const child = inheritsNothing
      ? withFile(openSync("/dev/null", "r"), (nothing) => spawnWith(withReplacements(streams, nothing)))
      : spawnWith(streams);
    child.on("error", reject);
    if (child.pid === undefined) return;

    const tree = new ProcessTree(child.pid, reach);
    running.add(tree);
    let endedBy: EndedBy | undefined;
    const end = (reason: EndedBy): void => {
      endedBy ??= reason;
      // Also kills the leader directly: with `leave` it leads no group.
      child.kill("SIGKILL");
      tree.end();
    };
    const kept = { stdout: new KeptOutput(keep), stderr: new KeptOutput(keep), third: new KeptOutput(keep) };
    let bytes = 0;
    const count = (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > most) end("output");
    };
    const take = (output: KeptOutput) => (piece: Buffer) => (count(piece), output.add(piece));
    const forward = (piece: Buffer) => (count(piece), endedBy ?? (onOutput?.(piece) || end("enough")));
    const [, stdout, stderr, third] = streamsOf(child);
    stdout?.on("data", onOutput === undefined ? take(kept.stdout) : forward);
    stderr?.on("data", take(kept.stderr));
    if (onPiece !== undefined) for (const stream of [stdout, stderr]) stream?.on("data", onPiece);
    third?.on("data", take(kept.third));
    writeInput(child.stdin, input);
    if (fourth !== undefined) writeInput(child.stdio[4] as Writable | null, fourth);

    const limit = setTimeout(() => end("timeout"), Math.min(timeout, MAX_TIMER));
    const watch = stall === undefined ? undefined : whenStalled(child.pid, stall, () => end("stall"));
    const onAbort = () => end("signal");
    if (signal?.aborted) onAbort();
    signal?.addEventListener("abort", onAbort, { once: true });
    child.once("exit", (exitCode, killedBy) => {
      clearTimeout(limit);
      clearInterval(watch);
      signal?.removeEventListener("abort", onAbort);
      const survivors = tree.endRest();
      running.delete(tree);
      const mostGraces = endedBy === undefined ? MAX_GRACES : MAX_GRACES_KILLED;
      const finish = (): void => {
        const texts = { stdout: kept.stdout.text(), stderr: kept.stderr.text(), third: kept.third.text() };
        resolve({ exitCode, signal: killedBy, ...(endedBy !== undefined && { endedBy }), survivors, ...texts });
      };
      whenDrained(child, mostGraces, () => bytes, finish);
    });
  });
}

type Stdio = "ignore" | "pipe" | number;

/** Node cannot close descriptors that it did not open, but it can replace them. */
function withReplacements(streams: readonly Stdio[], standIn: number): Stdio[] {
  const inherited = new Set(inheritedDescriptors());
  const length = largest([streams.length, ...[...inherited].map((descriptor) => descriptor + 1)]);
  return Array.from({ length }, (_, descriptor) =>
    inherited.has(descriptor) && streams[descriptor] !== "pipe" ? standIn : (streams[descriptor] ?? "ignore"),
  );
}

function streamsOf(child: ChildProcess): readonly (Readable | null | undefined)[] {
  return child.stdio.map((stream, index) => (index === 0 ? undefined : (stream as Readable | null)));
}

/** A program may end without reading its input. */
function writeInput(stdin: Writable | null, input: Program["input"]): void {
  stdin?.on("error", () => {});
  stdin?.end(input);
}

/** Calls back when all output has been read. */
function whenDrained(child: ChildProcess, mostGraces: number, bytes: () => number, done: () => void): void {
  let before = bytes();
  let rounds = 0;
  let timer: NodeJS.Timeout | undefined;
  let isDone = false;
  const finish = () => {
    if (isDone) return;
    isDone = true;
    clearTimeout(timer);
    for (const stream of streamsOf(child)) stream?.destroy();
    done();
  };
  const check = () => {
    if (bytes() === before || ++rounds >= mostGraces) return finish();
    before = bytes();
    wait();
  };
  // Checks only after pending reads: on a busy machine the timer may fire before anything was read.
  const wait = () => (timer = setTimeout(() => setImmediate(check), GRACE_MS));
  child.once("close", finish);
  wait();
}

/** Output of a program. Keeps only the beginning and the end in memory, whatever its size. */
export class KeptOutput {
  /** Bytes written so far. */
  total = 0;
  readonly #half: number;
  #head: Buffer = Buffer.alloc(0);
  #tail: Buffer = Buffer.alloc(0);
  /** Follows the tail. */
  #pieces: Buffer[] = [];

  /** @param limit bytes to keep: half for the beginning, half for the end */
  constructor(limit: number) {
    this.#half = Math.ceil(limit / 2);
  }

  /** Copies the bytes, because a piece would keep its much larger buffer alive. */
  add(piece: Buffer): void {
    this.total += piece.length;
    this.#pieces.push(Buffer.from(piece));
    if (this.#pieces.length === MAX_PIECES) this.#join();
  }

  /** Returns the text as UTF-8. A line in the middle says how many bytes are missing, with those of cut characters. */
  text(): string {
    this.#join();
    if (this.total === this.#head.length + this.#tail.length) return Buffer.concat([this.#head, this.#tail]).toString();
    const head = this.#head.subarray(0, endOfWhole(this.#head));
    const tail = this.#tail.subarray(firstCharacter(this.#tail));
    const omitted = this.total - head.length - tail.length;
    return `${head.toString()}\n… ${omitted} bytes are left out here …\n${tail.toString()}`;
  }

  #join(): void {
    const bytes = Buffer.concat([this.#tail, ...this.#pieces]);
    const toHead = this.#half - this.#head.length;
    if (toHead > 0) this.#head = Buffer.concat([this.#head, bytes.subarray(0, toHead)]);
    this.#tail = Buffer.from(bytes.subarray(Math.max(toHead, bytes.length - this.#half)));
    this.#pieces = [];
  }
}

const MAX_PIECES = 64;

function firstCharacter(bytes: Buffer): number {
  const first = bytes.subarray(0, 4).findIndex((byte) => (byte & 0b1100_0000) !== 0b1000_0000);
  return Math.max(0, first);
}

/** What a program has done so far. */
interface Progress {
  /** CPU time in milliseconds, to the nearest ten. */
  readonly busy: number;
  /** The system's counters of reads and writes, as text. */
  readonly io: string;
}

/** Works only on Linux; elsewhere returns undefined. */
function progressOf(pid: number): Progress | undefined {
  const [user, system] = statFields(pid)?.slice(11) ?? [];
  const io = tryOr(() => readFileSync(`/proc/${pid}/io`, "latin1"), undefined);
  return user === undefined || io === undefined
    ? undefined
    : { busy: (Number(user) + Number(system)) * MS_PER_TICK, io };
}

const MS_PER_TICK = 10;

/**
 * Calls back each time a program has neither read nor written for a period and used almost no CPU: idle threads still
 * wake up now and then. Lasts until the interval is cleared.
 *
 * @param time milliseconds
 */
function whenStalled(pid: number, time: number, act: () => void): NodeJS.Timeout {
  let before: Progress | undefined;
  return setInterval(() => {
    const now = progressOf(pid);
    if (now !== undefined && before?.io === now.io && now.busy - before.busy < time / 10) act();
    before = now;
  }, time);
}

const CLOSE_ON_EXEC = 0o2000000;

/**
 * Returns descriptors above the standard ones that this process inherited, and would pass on to every program. Node's
 * own close themselves. Returns none without /proc; on macOS Node passes on only what is named.
 */
function inheritedDescriptors(): number[] {
  const all = tryOr(() => readdirSync("/proc/self/fdinfo"), []).map(Number);
  return all.filter((descriptor) => descriptor > 2 && staysOpen(descriptor));
}

function staysOpen(descriptor: number): boolean {
  const info = tryOr(() => readFileSync(`/proc/self/fdinfo/${descriptor}`, "latin1"), undefined);
  // Otherwise it was the descriptor of the listing itself.
  return info !== undefined && (Number.parseInt(/^flags:\s*([0-7]+)/m.exec(info)?.[1] ?? "0", 8) & CLOSE_ON_EXEC) === 0;
}

/** Returns whether it could be started. */
export function startApart(program: string, args: readonly string[], env: NodeJS.ProcessEnv): boolean {
  return tryOr(() => {
    const child = spawn(program, args, { detached: true, stdio: "ignore", env });
    child.on("error", () => {});
    child.unref();
    return child.pid !== undefined;
  }, false);
}

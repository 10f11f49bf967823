/** Starts one program, and sees to it that it ends: the only way by which Loaf runs anything. */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { inheritedDescriptors } from "./sandbox/inherited-descriptors.ts";
import { KeptOutput } from "./kept-output.ts";
import { ProcessTree, type Reach } from "./process-tree.ts";
import { whenStalled } from "./progress.ts";

export interface Program {
  /** Its path, or a name that is looked up on the PATH of `env`. For a line of the shell: `/bin/sh` with `-c`. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd?: string | undefined;
  /** All of its environment; Loaf's own unless given. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** For its standard input, which is empty otherwise. */
  readonly input?: string | Uint8Array | undefined;
  /** Milliseconds, after which it is killed, with all that it has started. */
  readonly timeout: number;
  /** Milliseconds in which it reads nothing and hardly works, after which it is killed as well, where the system tells. */
  readonly stall?: number | undefined;
  /** Kills it as the time limit does. */
  readonly signal?: AbortSignal | undefined;
  /** Bytes that are kept of each stream, the first and the last half; 1 MiB unless given. */
  readonly keep?: number | undefined;
  /** Bytes of both streams together at which it is killed; unlimited unless given. */
  readonly most?: number | undefined;
  /** What becomes of what it has started, once it has ended; `group` unless given. */
  readonly reach?: Reach | undefined;
  /** Is handed its standard output piece by piece, which then is not kept. False ends the program. */
  readonly onOutput?: ((piece: Buffer) => boolean) | undefined;
  /** Whether it may write on a third stream, its descriptor 3, which is told apart. */
  readonly hasThird?: boolean | undefined;
  /** What it reads from its descriptor 4. */
  readonly fourth?: Uint8Array | undefined;
  /** Whether descriptors that Loaf itself was started with are kept from it. */
  readonly inheritsNothing?: boolean | undefined;
  /** Whether cmd.exe is to get the arguments as they are. */
  readonly verbatim?: boolean | undefined;
}

/** Why it did not end by itself. `enough`: `onOutput` said so. */
type EndedBy = "timeout" | "stall" | "output" | "signal" | "enough";

export interface Ended {
  /** Null where a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly endedBy?: EndedBy;
  /** As UTF-8. What is left out of the middle is told by a line in its place. */
  readonly stdout: string;
  readonly stderr: string;
  readonly third: string;
  /** Bytes that are not in the texts. */
  readonly omitted: { readonly stdout: number; readonly stderr: number };
  /** Processes that it may have left behind and that could not be proved to be its: `4711 (sleep)`. Only where `reach` is `hunt`. */
  readonly survivors: readonly string[];
  /** Milliseconds. */
  readonly duration: number;
}

/** How much of each stream is kept, in bytes. */
const KEPT = 2 ** 20;
/** What is in the streams when a program ends is waited for as long as more of it comes, this many milliseconds at a time. */
const GRACE_MS = 50;
/** And no longer than so many times: something that could not be killed may write for ever. */
const MOST_GRACES = 20;
/** Of one that was ended: whoever waits for it has waited long enough. */
const MOST_GRACES_ENDED = 2;

/** Milliseconds that a timer of Node can count. */
const LONGEST = 2 ** 31 - 1;

/** So that nothing outlives Loaf, wherever it is stopped. */
const running = new Set<ProcessTree>();
process.on("exit", () => running.forEach((tree) => tree.end()));

/**
 * Runs a program in a session of its own, without a terminal, to its end, and tells how it ended. Returns as soon as it has, also where something that it has
 * started holds its streams. Rejects only where it cannot be started: with the system's error, such as ENOENT.
 */
export function runProgram(request: Program): Promise<Ended> {
  const { program, args, cwd, env, input, timeout, stall, signal, keep = KEPT, most = Infinity, reach = "group", onOutput, hasThird = false, fourth, inheritsNothing = false, verbatim = false } = request;
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const isWindows = process.platform === "win32";
    const streams: Stdio[] = [input === undefined ? "ignore" : "pipe", "pipe", "pipe", hasThird ? "pipe" : "ignore", fourth === undefined ? "ignore" : "pipe"];
    const nothing = inheritsNothing ? openSync("/dev/null", "r") : undefined;
    const child: ChildProcess = spawn(program, args, {
      ...(cwd !== undefined && { cwd }),
      ...(env !== undefined && { env }),
      stdio: nothing === undefined ? streams : withStandIns(streams, nothing),
      // On Windows it would open a window.
      detached: !isWindows && reach !== "leave",
      windowsHide: true,
      windowsVerbatimArguments: verbatim,
    });
    if (nothing !== undefined) closeSync(nothing);
    child.on("error", reject);
    if (child.pid === undefined) return;

    const tree = new ProcessTree(child.pid, reach);
    running.add(tree);
    let endedBy: EndedBy | undefined;
    const end = (reason: EndedBy): void => {
      endedBy ??= reason;
      // The leader by itself, too: with `leave` it leads no group.
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
    const handOn = (piece: Buffer) => (count(piece), endedBy ?? (onOutput?.(piece) || end("enough")));
    const [, stdout, stderr, third] = streamsOf(child);
    stdout?.on("data", onOutput === undefined ? take(kept.stdout) : handOn);
    stderr?.on("data", take(kept.stderr));
    third?.on("data", take(kept.third));
    writeInput(child.stdin, input);
    if (fourth !== undefined) writeInput(child.stdio[4] as Writable | null, fourth);

    const limit = setTimeout(() => end("timeout"), Math.min(timeout, LONGEST));
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
      drained(child, endedBy === undefined ? MOST_GRACES : MOST_GRACES_ENDED, () => bytes, () => {
        const texts = { stdout: kept.stdout.text(), stderr: kept.stderr.text(), third: kept.third.text() };
        const omitted = { stdout: kept.stdout.omitted, stderr: kept.stderr.omitted };
        resolve({ exitCode, signal: killedBy, ...(endedBy !== undefined && { endedBy }), ...texts, omitted, survivors, duration: performance.now() - start });
      });
    });
  });
}

type Stdio = "ignore" | "pipe" | number;

/** Node cannot close what it did not open, but it can put something else in its place. */
function withStandIns(streams: readonly Stdio[], standIn: number): Stdio[] {
  const inherited = new Set(inheritedDescriptors());
  const length = Math.max(streams.length, ...[...inherited].map((descriptor) => descriptor + 1));
  return Array.from({ length }, (_, descriptor) => (inherited.has(descriptor) && streams[descriptor] !== "pipe" ? standIn : (streams[descriptor] ?? "ignore")));
}

function streamsOf(child: ChildProcess): readonly (Readable | null | undefined)[] {
  return child.stdio.map((stream, index) => (index === 0 ? undefined : (stream as Readable | null)));
}

/** A program that reads no input ends before it was written. */
function writeInput(stdin: Writable | null, input: Program["input"]): void {
  stdin?.on("error", () => {});
  stdin?.end(input);
}

/** Calls back when all that a program wrote has been read. */
function drained(child: ChildProcess, mostGraces: number, bytes: () => number, done: () => void): void {
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
  const look = () => {
    if (bytes() === before || ++rounds >= mostGraces) return finish();
    before = bytes();
    wait();
  };
  // After reading what has come meanwhile: where the machine is busy, the time may be over before anything was read.
  const wait = () => (timer = setTimeout(() => setImmediate(look), GRACE_MS));
  child.once("close", finish);
  wait();
}

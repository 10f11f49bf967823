/** Starts a program and makes sure that it ends. Everything that Loaf runs is started here. */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { inheritedDescriptors } from "./sandbox/inherited-descriptors.ts";
import { KeptOutput } from "./kept-output.ts";
import { ProcessTree, type Reach } from "./process-tree.ts";
import { whenStalled } from "./progress.ts";

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
  /** Bytes missing from the texts. */
  readonly omitted: { readonly stdout: number; readonly stderr: number };
  /** Processes that it may have left behind, without proof: `4711 (sleep)`. Only with `hunt`. */
  readonly survivors: readonly string[];
  /** Milliseconds. */
  readonly duration: number;
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
 * Runs a program in its own session, without a terminal. Resolves as soon as it has ended, even if a descendant holds its streams open.
 * Rejects only if it cannot be started, with the system's error, such as ENOENT.
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
      stdio: nothing === undefined ? streams : withReplacements(streams, nothing),
      // On Windows, a detached process would open a window.
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
      whenDrained(child, endedBy === undefined ? MAX_GRACES : MAX_GRACES_KILLED, () => bytes, () => {
        const texts = { stdout: kept.stdout.text(), stderr: kept.stderr.text(), third: kept.third.text() };
        const omitted = { stdout: kept.stdout.omitted, stderr: kept.stderr.omitted };
        resolve({ exitCode, signal: killedBy, ...(endedBy !== undefined && { endedBy }), ...texts, omitted, survivors, duration: performance.now() - start });
      });
    });
  });
}

type Stdio = "ignore" | "pipe" | number;

/** Node cannot close descriptors that it did not open, but it can replace them. */
function withReplacements(streams: readonly Stdio[], standIn: number): Stdio[] {
  const inherited = new Set(inheritedDescriptors());
  const length = Math.max(streams.length, ...[...inherited].map((descriptor) => descriptor + 1));
  return Array.from({ length }, (_, descriptor) => (inherited.has(descriptor) && streams[descriptor] !== "pipe" ? standIn : (streams[descriptor] ?? "ignore")));
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

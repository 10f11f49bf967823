import { type ChildProcess, spawn } from "node:child_process";
import { isStalled, type Progress, progressOf } from "./progress.ts";

/** How a program ended: null where a signal or the time limit ended it. */
export interface Ended {
  readonly exitCode: number | null;
  /** The beginning of what it wrote on standard error. */
  readonly complaint: string;
}

/** Of what it complains about, in UTF-16 units. */
const MOST_KEPT = 65_536;

export interface ReadingOptions {
  readonly cwd: string;
  /** Milliseconds, after which it is killed. */
  readonly timeout: number;
  /** Milliseconds in which it reads nothing and hardly works, after which it is killed as well, where the system tells. */
  readonly stall?: number;
}

/**
 * Runs a program without a shell and without input, and hands on what it prints, piece by piece. Rejects where it cannot be started.
 *
 * @param onOutput false ends the program
 */
export function readOutput(path: string, args: readonly string[], { stall, ...options }: ReadingOptions, onOutput: (piece: Buffer) => boolean): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(path, args, { ...options, stdio: ["ignore", "pipe", "pipe"], killSignal: "SIGKILL", windowsHide: true });
    let complaint = "";
    child.stdout.on("data", (piece: Buffer) => {
      if (!onOutput(piece)) child.kill("SIGKILL");
    });
    child.stderr.setEncoding("utf8");
    child.stderr.on("data", (text: string) => (complaint = (complaint + text).slice(0, MOST_KEPT)));
    const watch = stall === undefined ? undefined : killWhenStalled(child, stall);
    child.on("error", reject);
    child.on("close", (exitCode) => {
      clearInterval(watch);
      resolve({ exitCode, complaint });
    });
  });
}

function killWhenStalled(child: ChildProcess, stall: number): NodeJS.Timeout {
  let before: Progress | undefined;
  return setInterval(() => {
    const progress = child.pid === undefined ? undefined : progressOf(child.pid);
    if (progress !== undefined && before !== undefined && isStalled(before, progress, stall)) child.kill("SIGKILL");
    before = progress;
  }, stall);
}

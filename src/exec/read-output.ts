import { spawn } from "node:child_process";

/** How a program ended: null where a signal or the time limit ended it. */
export interface Ended {
  readonly exitCode: number | null;
  /** The beginning of what it wrote on standard error. */
  readonly complaint: string;
}

/** Of what it complains about, in UTF-16 units. */
const MOST_KEPT = 65_536;

/**
 * Runs a program without a shell and without input, and hands on what it prints, piece by piece. Rejects where it cannot be started.
 *
 * @param options.timeout milliseconds, after which it is killed
 * @param onOutput false ends the program
 */
export function readOutput(path: string, args: readonly string[], options: { readonly cwd: string; readonly timeout: number }, onOutput: (piece: Buffer) => boolean): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(path, args, { ...options, stdio: ["ignore", "pipe", "pipe"], killSignal: "SIGKILL", windowsHide: true });
    let complaint = "";
    child.stdout.on("data", (piece: Buffer) => {
      if (!onOutput(piece)) child.kill("SIGKILL");
    });
    child.stderr.setEncoding("utf8");
    child.stderr.on("data", (text: string) => (complaint = (complaint + text).slice(0, MOST_KEPT)));
    child.on("error", reject);
    child.on("close", (exitCode) => resolve({ exitCode, complaint }));
  });
}

/** Runs one program to its end. */
import { spawn } from "node:child_process";
import type { Readable } from "node:stream";

export interface ProcessResult {
  /** Null where it was ended by a signal or the time limit. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Most that is kept of each stream, in UTF-16 units. */
const MOST_KEPT = 65_536;

/** Programs that go on in the background, as clipboard owners do, keep their streams open; what is written this long after the end still counts. */
const GRACE_MS = 50;

/**
 * Starts a program without a shell. Rejects where it cannot be started.
 *
 * @param options.input text for its standard input
 * @param options.timeout milliseconds, after which it is killed
 */
export function runProgram(path: string, args: readonly string[], options: { readonly input?: string; readonly timeout: number }): Promise<ProcessResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(path, args, { timeout: options.timeout, killSignal: "SIGKILL", windowsHide: true });
    const stdout = collect(child.stdout);
    const stderr = collect(child.stderr);
    child.on("error", reject);
    child.on("exit", (exitCode) => {
      const finish = () => {
        child.stdout.destroy();
        child.stderr.destroy();
        resolve({ exitCode, stdout: stdout(), stderr: stderr() });
      };
      const late = setTimeout(finish, GRACE_MS);
      child.on("close", () => {
        clearTimeout(late);
        finish();
      });
    });
    // A program that reads no input ends before it was written.
    child.stdin.on("error", () => {});
    child.stdin.end(options.input ?? "");
  });
}

function collect(stream: Readable): () => string {
  let text = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => (text = (text + chunk).slice(0, MOST_KEPT)));
  return () => text;
}

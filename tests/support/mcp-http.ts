/** Starts `loaf mcp --http`, and tells where it is. */
import { type ChildProcess, spawn } from "node:child_process";
import { expect, onTestFinished } from "vitest";
import { createFolder } from "./folder.ts";
import { program } from "./run-loaf.ts";

export interface HttpHost {
  readonly child: ChildProcess;
  readonly url: string;
  readonly token: string;
  stdout(): string;
}

export async function startHttpHost(root: string): Promise<HttpHost> {
  const home = createFolder();
  const child = spawn(process.execPath, [program, "mcp", "--root", root, "--http"], { env: { ...process.env, HOME: home, XDG_STATE_HOME: home } });
  onTestFinished(() => void child.kill("SIGKILL"));
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  await expect.poll(() => stderr, { timeout: 20_000 }).toContain("Bearer");
  const [, url = "", token = ""] = /at (http:\S+)[^]*Bearer (\S+)/.exec(stderr) ?? [];
  return { child, url, token, stdout: () => stdout };
}

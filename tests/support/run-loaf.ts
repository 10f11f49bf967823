/** Runs the built command as a user would: `node dist/loaf.cjs …` in a process of its own. */
import { spawn } from "node:child_process";
import { chmodSync, chownSync, copyFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { createFolder } from "./folder.ts";

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Circumstances {
  readonly cwd?: string;
  /** Standard input; without it, it is empty. */
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** As a user whom the modes of files bind, also where the tests run as root. */
  readonly asNobody?: boolean;
  /** Another build of the command; `dist/loaf.cjs` without it. */
  readonly build?: string;
  /** Nobody reads what is printed. */
  readonly closed?: boolean;
}

export const program = resolve("dist/loaf.cjs");

const NOBODY = { uid: 65_534, gid: 65_534 };

export function runLoaf(args: readonly string[], { cwd, input = "", env = {}, asNobody = false, build = program, closed = false }: Circumstances = {}): Promise<Ended> {
  return new Promise((done, fail) => {
    const isRestricted = asNobody && process.getuid?.() === 0;
    const nobody = isRestricted ? NOBODY : {};
    const environment = { ...process.env, ...freshHome(isRestricted), ...env };
    const child = spawn(process.execPath, [isRestricted ? copyForAll() : build, ...args], { ...(cwd !== undefined && { cwd }), env: environment, ...nobody });
    const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
    if (closed) child.stdout.destroy();
    child.on("error", fail);
    child.on("close", (code) => done({ code, stdout: stdout(), stderr: stderr() }));
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });
}

/** The checkout may lie where only its owner gets, as in a home folder. */
function copyForAll(): string {
  const folder = createFolder();
  chmodSync(folder, 0o755);
  for (const name of ["loaf.cjs", "main.cjs"]) copyFileSync(join(dirname(program), name), join(folder, name));
  return join(folder, basename(program));
}

/** What one run leaves behind must not reach another one. */
function freshHome(isNobodys: boolean): Record<string, string> {
  const home = createFolder();
  if (isNobodys) chownSync(home, NOBODY.uid, NOBODY.gid);
  return { HOME: home, XDG_CONFIG_HOME: join(home, "config"), XDG_STATE_HOME: join(home, "state") };
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString("utf8");
}

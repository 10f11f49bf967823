import { findProgram } from "../../process/find-program.ts";
import { runProgram } from "../../process/run-program.ts";
import { withScript } from "../languages.ts";
import { bubblewrap } from "./bubblewrap.ts";
import type { Confinement, Sandbox } from "./sandbox.ts";

/** The system's sandbox program, or why there is none: a clause and the remedy. */
export type FoundSandbox = { readonly kind: "bubblewrap" | "seatbelt"; readonly path: string } | NoSandbox;

export interface NoSandbox {
  readonly reason: string;
  readonly remedy: string;
}

export function findSandbox(platform: NodeJS.Platform = process.platform): FoundSandbox {
  if (platform === "linux") {
    const path = findProgram("bwrap");
    return path === undefined
      ? { reason: "bubblewrap is not installed", remedy: `Install it (${INSTALL}), or ${ALTERNATIVE}` }
      : { kind: "bubblewrap", path };
  }
  if (platform === "darwin") {
    const path = findProgram("sandbox-exec");
    return path === undefined
      ? { reason: "sandbox-exec is missing", remedy: `Find out why, or ${ALTERNATIVE}` }
      : { kind: "seatbelt", path };
  }
  return { reason: `there is none for ${platform}`, remedy: capitalised(ALTERNATIVE) };
}

const INSTALL = "sudo apt install bubblewrap, or the equivalent on your system";
/** For the user, because a model cannot change it. */
const ALTERNATIVE =
  "let commands run without one: loaf run --sandbox auto, or `exec: {sandbox: auto}` in your own ~/.config/loaf/config.yml";

/** Explains why an installed program could not make a sandbox. */
function explainFailure(
  { name }: { readonly name: string },
  ended: { readonly stderr: string; readonly exitCode: number | null; readonly signal: string | null },
): NoSandbox {
  const said = ended.stderr.trim().split("\n").at(-1) || (ended.signal ?? `exit code ${ended.exitCode}`);
  return {
    reason: `${name} cannot make one here (${said})`,
    remedy: `Usually the system forbids user namespaces: allow them, or ${ALTERNATIVE}`,
  };
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns the system's sandbox after a test, or why it does not work. */
export async function trySandbox(): Promise<FoundSandbox> {
  const sandbox = findSandbox();
  if ("reason" in sandbox) return sandbox;
  return (await sandboxProblem(sandboxBy(sandbox))) ?? sandbox;
}

export function sandboxBy({ kind, path }: Exclude<FoundSandbox, NoSandbox>): Sandbox {
  return kind === "bubblewrap" ? bubblewrap(path) : seatbelt(path);
}

/**
 * Returns why this machine cannot make a sandbox, or undefined if it can. Tests with an almost empty folder, so that no
 * project influences the answer.
 */
export function sandboxProblem(sandbox: Sandbox): Promise<NoSandbox | undefined> {
  return withScript("", "", async (file) => {
    const root = file.slice(0, file.lastIndexOf("/"));
    const nothing = {
      root,
      folder: root,
      readOnly: [],
      hidden: [],
      visible: [],
      home: "/",
      network: false,
      memory: 2 ** 30,
      processes: 100,
    };
    const ended = await runProgram({
      ...sandbox.wrap({ program: "true", args: [], cwd: root, env: { PATH: "/usr/bin:/bin" } }, nothing),
      timeout: 10_000,
      hasThird: true,
      inheritsNothing: true,
    });
    const wasStarted = await sandbox.settle(ended.third);
    return wasStarted && ended.exitCode === 0 ? undefined : explainFailure(sandbox, ended);
  });
}

/** macOS sandbox: a profile for `sandbox-exec`. It cannot limit memory or processes, so only the timeout applies. */
export function seatbelt(path: string): Sandbox {
  return {
    name: "sandbox-exec",
    wrap: ({ program, args, cwd, env }, confinement) => ({
      program: path, args: ["-p", profileOf(confinement), program, ...args], cwd: inView(cwd, confinement), env
    }),
    settle: () => Promise.resolve(true),
  };
}

/** Nothing can be mounted there, so the view has its own path. */
function inView(cwd: string, { root, folder }: Confinement): string {
  return cwd === root || cwd.startsWith(`${root}/`) ? folder + cwd.slice(root.length) : cwd;
}

/** Of several matching rules, the last one counts. */
export function profileOf({ root, folder, readOnly, hidden, visible, home, network }: Confinement): string {
  const subpaths = (paths: readonly string[]) => paths.map((path) => `(subpath ${quote(path)})`).join(" ");
  const rule = (verdict: "allow" | "deny", what: string, paths: readonly string[]) =>
    paths.length === 0 ? [] : [`(${verdict} ${what} ${subpaths(paths)})`];
  return [
    "(version 1)",
    "(deny default)",
    "(allow process-exec process-fork)",
    "(allow signal (target same-sandbox))",
    "(allow sysctl-read mach-lookup ipc-posix-shm)",
    "(allow file-read-metadata)",
    ...rule("allow", "file-read*", [
      "/usr", "/bin", "/sbin", "/opt", "/System", "/Library", "/private/etc", "/private/var/db", "/private/var/select",
      "/dev", "/nix/store",
    ]),
    `(allow file-read* (literal "/"))`,
    `(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/dtracehelper"))`,
    ...rule("deny", "file-read*", [home]),
    ...rule("allow", "file-read*", visible),
    // The view lacks what the guard hides, so with a view the project itself must not be readable.
    ...rule(folder === root ? "allow" : "deny", "file-read* file-write*", [root]),
    ...rule("allow", "file-read* file-write*", [folder]),
    ...rule("deny", "file-write*", readOnly),
    ...rule("deny", "file-read* file-write*", hidden),
    network ? "(allow network*)" : "(deny network*)",
  ].join("\n");
}

/** Quotes a string in the profile's language. */
function quote(path: string): string {
  return `"${path.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

import { findProgram } from "../../process/find-program.ts";
import { withScript } from "../languages.ts";
import { runProgram } from "../../process/run-program.ts";
import { bubblewrap } from "./bubblewrap.ts";
import type { Sandbox } from "./sandbox.ts";
import { seatbelt } from "./seatbelt.ts";

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

import { findProgram } from "../find-program.ts";

/** The program that makes sandboxes on this system, or why there is none: a clause, and what to do about it. */
export type FoundSandbox = { readonly kind: "bubblewrap" | "seatbelt"; readonly path: string } | NoSandbox;

export interface NoSandbox {
  readonly reason: string;
  readonly remedy: string;
}

export function findSandbox(platform: NodeJS.Platform = process.platform): FoundSandbox {
  if (platform === "linux") {
    const path = findProgram("bwrap");
    return path === undefined ? { reason: "bubblewrap is not installed", remedy: `Install it (${INSTALL}), or ${OTHERWISE}` } : { kind: "bubblewrap", path };
  }
  if (platform === "darwin") {
    const path = findProgram("sandbox-exec");
    return path === undefined ? { reason: "sandbox-exec is not there", remedy: `Find out why, or ${OTHERWISE}` } : { kind: "seatbelt", path };
  }
  return { reason: `there is none for ${platform}`, remedy: capitalised(OTHERWISE) };
}

const INSTALL = "sudo apt install bubblewrap, or as your system does";
/** For the user: a model can do nothing about it. */
const OTHERWISE = "let commands run without one: loaf run --sandbox auto, or `exec: {sandbox: auto}` in your own ~/.config/loaf/config.yml";

/** Why a sandbox could not be made by a program that is there. */
export function unavailable({ name }: { readonly name: string }, ended: { readonly stderr: string; readonly exitCode: number | null; readonly signal: string | null }): NoSandbox {
  const said = ended.stderr.trim().split("\n").at(-1) || (ended.signal ?? `exit code ${ended.exitCode}`);
  return { reason: `${name} cannot make one here (${said})`, remedy: `Mostly the system forbids user namespaces: allow them, or ${OTHERWISE}` };
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

import { findProgram } from "../find-program.ts";

/** The system's sandbox program, or why there is none: a clause and the remedy. */
export type FoundSandbox = { readonly kind: "bubblewrap" | "seatbelt"; readonly path: string } | NoSandbox;

export interface NoSandbox {
  readonly reason: string;
  readonly remedy: string;
}

export function findSandbox(platform: NodeJS.Platform = process.platform): FoundSandbox {
  if (platform === "linux") {
    const path = findProgram("bwrap");
    return path === undefined ? { reason: "bubblewrap is not installed", remedy: `Install it (${INSTALL}), or ${ALTERNATIVE}` } : { kind: "bubblewrap", path };
  }
  if (platform === "darwin") {
    const path = findProgram("sandbox-exec");
    return path === undefined ? { reason: "sandbox-exec is missing", remedy: `Find out why, or ${ALTERNATIVE}` } : { kind: "seatbelt", path };
  }
  return { reason: `there is none for ${platform}`, remedy: capitalised(ALTERNATIVE) };
}

const INSTALL = "sudo apt install bubblewrap, or the equivalent on your system";
/** For the user, because a model cannot change it. */
const ALTERNATIVE = "let commands run without one: loaf run --sandbox auto, or `exec: {sandbox: auto}` in your own ~/.config/loaf/config.yml";

/** Explains why an installed program could not make a sandbox. */
export function explainFailure({ name }: { readonly name: string }, ended: { readonly stderr: string; readonly exitCode: number | null; readonly signal: string | null }): NoSandbox {
  const said = ended.stderr.trim().split("\n").at(-1) || (ended.signal ?? `exit code ${ended.exitCode}`);
  return { reason: `${name} cannot make one here (${said})`, remedy: `Usually the system forbids user namespaces: allow them, or ${ALTERNATIVE}` };
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

import { findProgram } from "./find-program.ts";

/** The program that makes sandboxes on this system, or why there is none: a clause, and what to do about it. */
export type FoundSandbox = { readonly kind: "bubblewrap" | "seatbelt"; readonly path: string } | { readonly reason: string; readonly remedy: string };

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
export const OTHERWISE = "let commands run without one: loaf run --sandbox auto, or `exec: {sandbox: auto}` in your own ~/.config/loaf/config.yml";

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

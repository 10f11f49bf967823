import { lstatSync } from "node:fs";
import { join } from "node:path";
import { indexEntries } from "./index-entries.ts";
import type { Modified } from "./raw-diff.ts";

const SHA1 = 20;

/**
 * The files of an index that would by now be reached only through a link to itself. So nothing is there any more, but `git diff-files` passes over what it
 * cannot look at, with a complaint.
 */
export function behindLoops(index: Buffer, root: string): Modified[] {
  return [...(indexEntries(index, SHA1) ?? [])].flatMap(([name, { mode, id }]) => {
    const path = Buffer.from(name, "latin1");
    return isLoop(Buffer.concat([Buffer.from(join(root, "/")), path])) ? [{ path, mode: mode as Modified["mode"], id, isGone: true }] : [];
  });
}

function isLoop(path: Buffer): boolean {
  try {
    lstatSync(path);
    return false;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === "ELOOP";
  }
}

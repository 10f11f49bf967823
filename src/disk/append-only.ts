import { chmodSync, statSync } from "node:fs";
import { isSystemError, systemError } from "./system-error.ts";
import { pins } from "./choose-pins.ts";

const SET_ID = 0o6000;

/**
 * Throws EPERM if entries can be made in a directory but neither renamed nor removed (`chattr +a`): a temporary file
 * would stay, and nothing could be rolled back. Node cannot read the attribute, but the system lets nobody set the mode
 * of such a directory, not even to what it is. Anybody's but the owner's attempt says nothing.
 */
export function refuseAppendOnly(directory: string): void {
  pins.inDirectory(directory, (at) => {
    const { mode, uid } = statSync(at("."));
    // Setting a mode may clear these bits.
    if (uid !== process.geteuid?.() || (mode & SET_ID) !== 0) return;
    try {
      chmodSync(at("."), mode & 0o7777);
    } catch (thrown) {
      if (isSystemError(thrown) && thrown.code === "EPERM") throw systemError("EPERM", "open", directory);
    }
  });
}

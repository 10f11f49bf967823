import { linkSync, unlinkSync, writeFileSync } from "node:fs";

/** Writes a file that is not there yet, whole or not at all. False where something is at the path, which then stays. */
export function writeNewFile(path: string, text: string): boolean {
  const unfinished = `${path}.${process.pid}.tmp`;
  writeFileSync(unfinished, text, { flag: "wx" });
  try {
    // Unlike a rename, a link fails where something is.
    linkSync(unfinished, path);
    return true;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw thrown;
  } finally {
    unlinkSync(unfinished);
  }
}

import { closeSync, openSync, unlinkSync, writeFileSync } from "node:fs";

/** Writes a file that is not there yet, whole or not at all. False where something is at the path, which then stays. */
export function writeNewFile(path: string, text: string | Uint8Array): boolean {
  const file = openNew(path);
  if (file === undefined) return false;
  try {
    writeFileSync(file, text);
    return true;
  } catch (thrown) {
    unlinkSync(path);
    throw thrown;
  } finally {
    closeSync(file);
  }
}

function openNew(path: string): number | undefined {
  try {
    return openSync(path, "wx");
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "EEXIST") return undefined;
    throw thrown;
  }
}

import { closeSync, openSync, unlinkSync, writeFileSync } from "node:fs";

/** Creates a file. Removes it again if the write fails. Returns false if the path exists. */
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

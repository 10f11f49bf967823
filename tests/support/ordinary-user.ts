/** Runs something as a user whom the modes of files bind, also where the tests run as root, as they do in containers. */
import { lchownSync, readdirSync } from "node:fs";
import { join } from "node:path";

const nobody = 65_534;

/** @param directory everything in it becomes the user's own */
export async function asOrdinaryUser<Value>(directory: string, act: () => Promise<Value>): Promise<Value> {
  if (process.getuid?.() !== 0) return act();
  for (const name of ["", ...readdirSync(directory, { recursive: true, encoding: "utf8" })]) lchownSync(join(directory, name), nobody, nobody);
  process.seteuid?.(nobody);
  try {
    return await act();
  } finally {
    process.seteuid?.(0);
  }
}

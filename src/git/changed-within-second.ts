import { lstatSync } from "node:fs";
import { join } from "node:path";
import { eachEntry } from "./index-entries.ts";
import type { Modified } from "./raw-diff.ts";

const [NANOSECONDS, MODE, ID, SHA1] = [4, 24, 40, 20] as const;

/**
 * The files that were changed in the second in which an index was written, after it had taken them in. Git compares times by seconds and sees such a change only where the bytes
 * were written anew, not of permissions; but it notes the fractions. None for an index in another form than the second, which Loaf's own has.
 *
 * @param written the time of the index, in seconds: of a file whose last change is older every later one is seen
 */
export function changedWithinSecond(index: Buffer, written: number, root: string): Modified[] {
  const found: Modified[] = [];
  const top = Buffer.from(join(root, "/"));
  eachEntry(index, SHA1, ({ at, name, end }) => {
    const seconds = index.readUInt32BE(at);
    // Git looks at a file a little before it writes.
    if (seconds < Math.floor(written) - 1) return;
    const path = Buffer.from(index.subarray(name, end));
    const changed = changedAt(Buffer.concat([top, path]));
    if (changed === undefined || changed === BigInt(seconds) * 1_000_000_000n + BigInt(index.readUInt32BE(at + NANOSECONDS))) return;
    found.push({ path, mode: index.readUInt32BE(at + MODE).toString(8) as Modified["mode"], id: index.toString("hex", at + ID, at + ID + SHA1), isGone: false, isUnseen: true });
  });
  return found;
}

/** In nanoseconds. Of what is neither a file nor a link, or is not there, git tells. */
function changedAt(path: Buffer): bigint | undefined {
  try {
    const stats = lstatSync(path, { bigint: true });
    return stats.isFile() || stats.isSymbolicLink() ? stats.ctimeNs : undefined;
  } catch {
    return undefined;
  }
}

import { eachEntry } from "./index-entries.ts";

const INODE = 20;
const SHA1 = 20;

/**
 * The paths, as bytes in a string, of all files that an index lists, by their inode numbers as far as 32 bits tell them: so a file is known again that was
 * moved. Empty for an index in another form than the second, which Loaf's own has.
 */
export function indexInodes(index: Buffer): ReadonlyMap<number, string> {
  const inodes = new Map<number, string>();
  eachEntry(index, SHA1, ({ at, name, end }) => inodes.set(index.readUInt32BE(at + INODE), index.toString("latin1", name, end)));
  return inodes;
}

const HEADER = 12;
const INODE = 20;
const FLAGS = 60;
const NAME = 62;

/**
 * The paths, as bytes in a string, of all files that an index lists, by their inode numbers as far as 32 bits tell them: so a file is known again that was
 * moved. Empty for an index in another form than the second, which Loaf's own has.
 *
 *     12 bytes DIRC, version, count │ 62 bytes of facts, name, 1 to 8 NULs up to a multiple of 8 │ …
 */
export function indexInodes(index: Buffer): ReadonlyMap<number, string> {
  const inodes = new Map<number, string>();
  if (index.length < HEADER || index.toString("latin1", 0, 4) !== "DIRC" || index.readUInt32BE(4) !== 2) return inodes;
  const count = index.readUInt32BE(8);
  for (let entry = 0, at = HEADER; entry < count && at + NAME < index.length; entry++) {
    const length = index.readUInt16BE(at + FLAGS) & 0xfff;
    // A name of 4095 bytes or more has to be measured.
    const end = length < 0xfff ? at + NAME + length : index.indexOf(0, at + NAME);
    inodes.set(index.readUInt32BE(at + INODE), index.toString("latin1", at + NAME, end));
    at += Math.ceil((end - at + 1) / 8) * 8;
  }
  return inodes;
}

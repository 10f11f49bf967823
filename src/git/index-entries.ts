const HEADER = 12;
const MODE = 24;
const ID = 40;

/** Offsets within an index entry. */
interface EntryPlace {
  /** Start of the entry. */
  readonly at: number;
  /** Start and end of its name. */
  readonly name: number;
  readonly end: number;
}

/**
 * Calls `visit` for each entry of an index. Returns undefined, without any call, unless the index has version 2.
 *
 *     12 bytes DIRC, version, count │ 40 bytes of facts, digest, 2 of flags, name, 1 to 8 NULs up to a multiple of 8 │ …
 *
 * @param digest length of an object name in bytes
 * @returns the end of the entries
 */
function eachEntry(index: Buffer, digest: number, visit: (place: EntryPlace) => void): number | undefined {
  if (index.length < HEADER || index.toString("latin1", 0, 4) !== "DIRC" || index.readUInt32BE(4) !== 2) return undefined;
  const count = index.readUInt32BE(8);
  const flags = ID + digest;
  let at = HEADER;
  for (let entry = 0; entry < count && at + flags + 2 < index.length; entry++) {
    const name = at + flags + 2;
    const length = index.readUInt16BE(at + flags) & 0xfff;
    // The length field is too small for names of 4095 bytes or more.
    const end = length < 0xfff ? name + length : index.indexOf(0, name);
    visit({ at, name, end });
    at += Math.ceil((end - at + 1) / 8) * 8;
  }
  return at;
}

/** Returns the index entry of each path, by its bytes. Undefined for another version, or an index that depends on another file. */
export function indexEntries(index: Buffer, digest: number): Map<string, { readonly mode: string; readonly id: string }> | undefined {
  const entries = new Map<string, { mode: string; id: string }>();
  const end = eachEntry(index, digest, ({ at, name, end: stop }) => {
    entries.set(index.toString("latin1", name, stop), { mode: index.readUInt32BE(at + MODE).toString(8), id: index.toString("hex", at + ID, at + ID + digest) });
  });
  return end === undefined || hasMandatoryExtension(index.subarray(end, -digest)) ? undefined : entries;
}

/**
 * Returns the tree that the whole index equals. Undefined if unknown. Git stores it after writing or reading that tree, and removes it with
 * any change of an entry.
 *
 *     TREE, 4 bytes of length │ the root: NUL, entries in decimal or -1, space, subtrees, LF, name of the tree │ …
 */
export function indexTree(index: Buffer, digest: number): string | undefined {
  const end = eachEntry(index, digest, () => {});
  if (end === undefined) return undefined;
  const trees = extensionsOf(index.subarray(end, -digest)).find(({ name }) => name === "TREE")?.content;
  const [line, entries] = /^\0(\d+) \d+\n/.exec(trees?.toString("latin1", 0, 64) ?? "") ?? [];
  if (trees === undefined || line === undefined || Number(entries) !== index.readUInt32BE(8)) return undefined;
  return trees.toString("hex", line.length, line.length + digest);
}

/** An extension with a lower-case name is mandatory: `link` is a split index, `sdir` a sparse one. */
function hasMandatoryExtension(extensions: Buffer): boolean {
  return extensionsOf(extensions).some(({ name }) => name.charCodeAt(0) >= 0x61);
}

function extensionsOf(bytes: Buffer): Array<{ readonly name: string; readonly content: Buffer }> {
  const found = [];
  for (let at = 0; at + 8 <= bytes.length; ) {
    const end = at + 8 + bytes.readUInt32BE(at + 4);
    found.push({ name: bytes.toString("latin1", at, at + 4), content: bytes.subarray(at + 8, end) });
    at = end;
  }
  return found;
}

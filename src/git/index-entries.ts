const HEADER = 12;
const MODE = 24;
const ID = 40;

/** Where things stand in an entry of an index, which is given to `visit`. */
interface EntryPlace {
  /** Where the entry begins. */
  readonly at: number;
  /** Where its name begins, and ends. */
  readonly name: number;
  readonly end: number;
}

/**
 * Calls back for every entry of an index. False, and nothing is called, for one in another form than the second.
 *
 *     12 bytes DIRC, version, count │ 40 bytes of facts, digest, 2 of flags, name, 1 to 8 NULs up to a multiple of 8 │ …
 *
 * @param digest bytes of an object's name
 * @returns where the entries end
 */
function eachEntry(index: Buffer, digest: number, visit: (place: EntryPlace) => void): number | undefined {
  if (index.length < HEADER || index.toString("latin1", 0, 4) !== "DIRC" || index.readUInt32BE(4) !== 2) return undefined;
  const count = index.readUInt32BE(8);
  const flags = ID + digest;
  let at = HEADER;
  for (let entry = 0; entry < count && at + flags + 2 < index.length; entry++) {
    const name = at + flags + 2;
    const length = index.readUInt16BE(at + flags) & 0xfff;
    // A name of 4095 bytes or more has to be measured.
    const end = length < 0xfff ? name + length : index.indexOf(0, name);
    visit({ at, name, end });
    at += Math.ceil((end - at + 1) / 8) * 8;
  }
  return at;
}

/** What an index has at each path, by its bytes; undefined where it says that in another form, or leaves a part to another file. */
export function indexEntries(index: Buffer, digest: number): Map<string, { readonly mode: string; readonly id: string }> | undefined {
  const entries = new Map<string, { mode: string; id: string }>();
  const end = eachEntry(index, digest, ({ at, name, end: stop }) => {
    entries.set(index.toString("latin1", name, stop), { mode: index.readUInt32BE(at + MODE).toString(8), id: index.toString("hex", at + ID, at + ID + digest) });
  });
  return end === undefined || needsAnother(index.subarray(end, -digest)) ? undefined : entries;
}

/**
 * The tree that an index is as a whole; undefined where it does not tell. Git notes it when it has written, or read, that tree, and takes it back with any
 * change of an entry.
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

/** An extension whose name begins small has to be understood: `link` is a split index, `sdir` one that leaves folders out. */
function needsAnother(extensions: Buffer): boolean {
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

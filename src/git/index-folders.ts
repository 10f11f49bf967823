import { eachEntry } from "./index-entries.ts";

const SHA1 = 20;
const SLASH = 47;

/** The folders above all files that an index lists, as strings of bytes that end in a slash. None for an index in another form than the second, which Loaf's own has. */
export function indexFolders(index: Buffer): ReadonlySet<string> {
  const found = new Set<string>();
  let last = "";
  eachEntry(index, SHA1, ({ name, end }) => {
    const slash = index.lastIndexOf(SLASH, end - 1);
    const folder = slash < name ? "" : index.toString("latin1", name, slash + 1);
    // Those of one folder stand together.
    if (folder !== last) addFoldersAbove(folder, found);
    last = folder;
  });
  return found;
}

/** The folders above paths in that form: of `a/b/c.txt`, `a/b/` and `a/`. */
export function foldersAbove(paths: Iterable<string>): ReadonlySet<string> {
  const found = new Set<string>();
  for (const path of paths) addFoldersAbove(path, found);
  return found;
}

/** What is above a folder that was found was found with it. */
function addFoldersAbove(path: string, found: Set<string>): void {
  for (let end = path.lastIndexOf("/"); end > 0 && !found.has(path.slice(0, end + 1)); end = path.lastIndexOf("/", end - 1)) found.add(path.slice(0, end + 1));
}

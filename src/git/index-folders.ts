import { eachEntry } from "./index-entries.ts";

const SHA1 = 20;

/** The folders above all files that an index lists, as strings of bytes that end in a slash. None for an index in another form than the second, which Loaf's own has. */
export function indexFolders(index: Buffer): ReadonlySet<string> {
  const found = new Set<string>();
  const text = index.toString("latin1");
  let last = "";
  eachEntry(index, SHA1, ({ name, end }) => {
    // Those of one folder stand together.
    if (last !== "" && text.startsWith(last, name) && !isWithin(text.indexOf("/", name + last.length), end)) return;
    const slash = text.lastIndexOf("/", end - 1);
    last = slash < name ? "" : text.slice(name, slash + 1);
    addFoldersAbove(last, found);
  });
  return found;
}

function isWithin(found: number, end: number): boolean {
  return found !== -1 && found < end;
}

/** The folders above paths in that form: of `a/b/c.txt`, `a/b/` and `a/`. */
export function allFoldersAbove(paths: Iterable<string>): ReadonlySet<string> {
  const found = new Set<string>();
  for (const path of paths) addFoldersAbove(path, found);
  return found;
}

/** What is above a folder that was found was found with it. */
function addFoldersAbove(path: string, found: Set<string>): void {
  for (let end = path.lastIndexOf("/"); end > 0 && !found.has(path.slice(0, end + 1)); end = path.lastIndexOf("/", end - 1)) found.add(path.slice(0, end + 1));
}

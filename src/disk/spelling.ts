/** How a folder spells a name: a file system that folds case or Unicode forms finds `a.txt` as `A.TXT` too. */
import * as fs from "node:fs";
import { basename, dirname } from "node:path";
import { foldName } from "../paths/names.ts";
import { joinPath } from "../paths/path-segments.ts";
import { unlessSystemError } from "./system-error.ts";

/**
 * Returns a path of an existing entry with its last name as its folder spells it.
 *
 * Asks the system nothing about a folder that is known not to fold names, and lists one that does.
 */
export function spelled(path: string): string {
  const [folder, name] = [dirname(path), basename(path)];
  if (!mayFold(folder, name)) return path;
  const names = namesIn(folder);
  const folded = foldName(name);
  const other = names.includes(name) ? undefined : names.find((listed) => foldName(listed) === folded);
  return other === undefined ? path : joinPath(folder, other);
}

/** Returns a path of an existing entry with all its names as their folders spell them. */
export function spelledThrough(path: string): string {
  const folder = dirname(path);
  // Where a folder does not fold names, those above it hardly do.
  if (folder === path || mayFold(folder, basename(path)) === false) return path;
  return spelled(joinPath(spelledThrough(folder), basename(path)));
}

/** Returns whether a folder finds names in another spelling, if it exists or is made. */
export function folds(folder: string): boolean {
  const name = namesIn(folder).find((listed) => otherSpellings(listed).length > 0);
  if (name !== undefined) return mayFold(folder, name) === true;
  return dirname(folder) !== folder && folds(dirname(folder));
}

/** Returns whether what is found at a path is spelled otherwise, so that nothing has this very path. */
export function isSpelledOtherwise(path: string): boolean {
  return isThere(path) && spelledThrough(path) !== path;
}

/** What is known of folders, for case and for Unicode forms. It does not change while the process runs. */
const known = new Map<string, boolean>();

/** Returns whether a folder finds an existing entry in another spelling too. Undefined if its name has none. */
function mayFold(folder: string, name: string): boolean | undefined {
  const others = otherSpellings(name);
  if (others.length === 0) return undefined;
  return others.some(([by, other]) => {
    const key = `${by} ${folder}`;
    // Two names that are both listed are two entries.
    const areListed = (): boolean => namesIn(folder).filter((listed) => listed === name || listed === other).length > 1;
    const isFolded = known.get(key) ?? (isThere(joinPath(folder, other)) && !areListed());
    known.set(key, isFolded);
    return isFolded;
  });
}

/** Returns names that fold to the same: in another Unicode form, and with a letter of the other case. */
function otherSpellings(name: string): Array<readonly [by: "form" | "case", other: string]> {
  const cased = name.replace(/[a-z]/i, (letter) => (letter < "a" ? letter.toLowerCase() : letter.toUpperCase()));
  const form = [name.normalize("NFD"), name.normalize("NFC")].find((candidate) => candidate !== name) ?? name;
  return (
    [
      ["form", form],
      ["case", cased],
    ] as const
  ).filter(([, other]) => other !== name);
}

function isThere(path: string): boolean {
  return unlessSystemError(() => fs.lstatSync(path, { throwIfNoEntry: false }) !== undefined, false);
}

function namesIn(folder: string): string[] {
  return unlessSystemError(() => fs.readdirSync(folder), []);
}

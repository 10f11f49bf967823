import { dirname, resolve } from "node:path";
import type { Access } from "../core/failure.ts";
import { follow } from "../disk/follow.ts";
import { unlessSystemError } from "../disk/system-error.ts";
import type { Volume } from "../disk/volume.ts";
import { foldName } from "../paths/names.ts";
import { joinPath, segmentsOf } from "../paths/path-segments.ts";

/** The part of a volume that policies are made from: links, and the few files that locate git's directories. */
export type Looking = Pick<Volume, "entry" | "readLink" | "readFile" | "namesIn">;

/** Returns the rule of a built-in refusal, as a message shows it, or undefined. No configuration overrides it. */
export type BuiltIn = (path: readonly string[], access: Access, of: "target" | "itself") => string | undefined;

export interface OwnFiles {
  /** Never read or written: Loaf's state folder. Absolute. */
  readonly sealed: readonly string[];
  /** Never written: the watched files and the user's settings. Absolute. */
  readonly readOnly: readonly string[];
}

/** Names in the root that configure Loaf: an action that writes them could widen what the next one may do. */
const CONTROL_FILES = ["loaf.yml", ".loaf"];

/**
 * Refuses kernel file systems such as `/proc`, writes to files that control Loaf and git, and any access to the state
 * folder. Also refuses to move or replace directories above them, since another directory could take their place.
 *
 * Compares names as the most lenient file system would, so that no other spelling of a name gets through.
 *
 * @param root canonical
 */
export function createBuiltIn(volume: Looking, root: string, { sealed, readOnly }: OwnFiles): BuiltIn {
  const sealedPlaces = sealed.flatMap((path) => placesOf(volume, path, `${path}/**`));
  const allPlaces = [
    ...sealedPlaces,
    ...CONTROL_FILES.flatMap((name) =>
      placesOf(volume, joinPath(root, name), name === ".loaf" ? "./.loaf/**" : `./${name}`),
    ),
    ...gitDirectories(volume, root).flatMap((path) => placesOf(volume, path, GIT)),
    ...readOnly.flatMap((path) => placesOf(volume, path, path)),
  ];
  return (path, access, of) => {
    const first = undisguised(path[0] ?? "");
    if (KERNEL.has(first)) return `deny /${first}/**`;
    // A search asks about every file, so stop at the first name that differs.
    const isIn = ({ names }: Place): boolean =>
      names.length <= path.length && names.every((name, index) => name === undisguised(path[index] ?? ""));
    const place = (access === "write" ? allPlaces : sealedPlaces).find(isIn);
    if (place !== undefined) return `deny ${place.rule}`;
    if (access === "read") return undefined;
    const names = path.map(undisguised);
    if (names.some((name) => GIT_NAME.test(name))) return `deny ${GIT}`;
    const below = of === "itself" ? allPlaces.find((place) => beginsWith(place.names, names)) : undefined;
    return below && `above ${below.rule}`;
  };
}

const KERNEL: ReadonlySet<string> = new Set(["proc", "sys", "dev"]);
const GIT = "**/.git/**";
/** `git~1` is the short name of `.git` on Windows. */
const GIT_NAME = /^(?:\.git|git~\d+)$/;

interface Place {
  readonly names: readonly string[];
  readonly rule: string;
}

/** Returns the canonical place of a path, and that of every link on the way. */
function placesOf(volume: Looking, path: string, rule: string): Place[] {
  const { path: real, links } = follow(volume, path, "follow");
  return [real, ...links].map((path) => ({ names: segmentsOf(path).map(undisguised), rule }));
}

function beginsWith(names: readonly string[], beginning: readonly string[]): boolean {
  return beginning.length <= names.length && beginning.every((name, index) => name === names[index]);
}

/**
 * Reduces a name to the form that lenient file systems see: they ignore case, composition, streams, trailing dots or
 * zero-width characters. `.GIT`, `.git.` and `.git::$INDEX_ALLOCATION` become `.git`.
 */
export function undisguised(name: string): string {
  if (PLAIN.test(name)) return name;
  return foldName(name).replace(/:.*$/s, "").replace(/[. ]+$/, "");
}

const PLAIN = /^[a-z0-9._~-]*[a-z0-9_~-]$/;

/**
 * Returns the path of `.git`. If that is a file, as in a linked work tree, adds the directory it names and its common
 * directory.
 */
export function gitDirectories(volume: Looking, root: string): string[] {
  const entry = joinPath(root, ".git");
  const gitFolder = gitFolderNamedIn(readOrNothing(volume, entry));
  if (gitFolder === undefined) return [entry];
  const directory = resolve(root, gitFolder);
  const common = readOrNothing(volume, joinPath(directory, "commondir")).trim();
  return common === "" ? [entry, directory] : [entry, directory, resolve(directory, common)];
}

/**
 * Reads a file `.git` as git does. All before the line endings is the path, which may be relative to the file's
 * folder. Undefined if it names none.
 */
export function gitFolderNamedIn(text: string): string | undefined {
  return /^gitdir: (.*?)[\r\n]*$/s.exec(text)?.[1] || undefined;
}

/** Returns the absolute paths that a work tree's configuration names as hooks or as further configuration. */
export function hooksNamedIn(volume: Looking, top: string): string[] {
  const directory = gitDirectories(volume, top).at(-1) ?? "";
  const text = readOrNothing(volume, joinPath(directory, "config"));
  const entry = /^\s*(?:\[[^\]\n]*\]\s*)?(hooksPath|path)\s*=\s*"?(.+?)"?\s*$/gim;
  return Array.from(text.matchAll(entry), ([, key = "", path = ""]) =>
    resolve(key.toLowerCase() === "path" ? directory : top, path),
  );
}

/**
 * Returns those git directories outside the root that refer back to this work tree, as for a linked work tree or a
 * submodule.
 *
 * A `.git` file that came with the project may name any folder, and the named folder would be visible to commands.
 */
export function provenGitDirectories(volume: Looking, root: string): string[] {
  const [entry = "", directory, common] = gitDirectories(volume, root);
  if (directory === undefined) return [];
  const isLinked = resolve(directory, readOrNothing(volume, joinPath(directory, "gitdir")).trim()) === entry;
  if (common !== undefined) return isLinked && dirname(dirname(directory)) === common ? [directory, common] : [];
  const tree = /^\s*worktree\s*=\s*(.+?)\s*$/m.exec(readOrNothing(volume, joinPath(directory, "config")))?.[1];
  return tree !== undefined && resolve(directory, tree) === root ? [directory] : [];
}

/** Follows links without asking the guard, since actions never see the content. */
function readOrNothing(volume: Looking, path: string): string {
  const { path: file, isMissing, errno } = follow(volume, path, "follow");
  const read = () => (volume.entry(file)?.kind === "file" ? volume.readFile(file).bytes.toString("utf8") : "");
  return isMissing || errno !== undefined ? "" : unlessSystemError(read, "");
}

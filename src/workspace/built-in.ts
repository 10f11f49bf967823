import { resolve } from "node:path";
import type { Access } from "../core/failure.ts";
import { follow } from "./follow.ts";
import { joinPath, segmentsOf } from "./path-segments.ts";
import { isSystemError } from "./system-error.ts";
import type { Volume } from "./volume.ts";

/** The rule of a built-in refusal, as a message shows it, or undefined. No configuration overrides it. */
export type BuiltIn = (path: readonly string[], access: Access) => string | undefined;

export interface OwnFiles {
  /** Neither read nor written: Loaf's state folder. Absolute. */
  readonly sealed: readonly string[];
  /** Not written: the watched files. Absolute. */
  readonly readOnly: readonly string[];
}

/** What decides about actions themselves, in the root: an action that could write it would widen what the next one may do. */
const CONTROL_FILES = ["loaf.yml", ".loaf"];

/**
 * Refuses the kernel's windows (`/proc` and the like), writing to what controls Loaf and git, and everything about the state
 * folder. Names are compared as the most forgiving file system would, so that no other spelling of a name gets through.
 *
 * @param root canonical
 */
export function createBuiltIn(volume: Volume, root: string, { sealed, readOnly }: OwnFiles): BuiltIn {
  const sealedPlaces = sealed.flatMap((path) => placesOf(volume, path, `${path}/**`));
  const controlPlaces = [
    ...CONTROL_FILES.flatMap((name) => placesOf(volume, joinPath(root, name), name === ".loaf" ? "./.loaf/**" : `./${name}`)),
    ...gitDirectories(volume, root).flatMap((path) => placesOf(volume, path, GIT)),
    ...readOnly.flatMap((path) => placesOf(volume, path, path)),
  ];
  return (path, access) => {
    const names = path.map(undisguised);
    const [first = ""] = names;
    if (KERNEL.has(first)) return `deny /${first}/**`;
    const place = sealedPlaces.find((one) => isWithin(names, one)) ?? (access === "write" ? controlPlaces.find((one) => isWithin(names, one)) : undefined);
    if (place !== undefined) return `deny ${place.rule}`;
    return access === "write" && names.some((name) => GIT_NAME.test(name)) ? `deny ${GIT}` : undefined;
  };
}

const KERNEL: ReadonlySet<string> = new Set(["proc", "sys", "dev"]);
const GIT = "**/.git/**";
/** `git~1` is what Windows calls it by its short name. */
const GIT_NAME = /^(?:\.git|git~\d+)$/;

interface Place {
  readonly names: readonly string[];
  readonly rule: string;
}

/** Both the entry itself and, where it is a link, what it leads to. */
function placesOf(volume: Volume, path: string, rule: string): Place[] {
  return (["keep", "follow"] as const).map((last) => ({ names: segmentsOf(follow(volume, path, last).path).map(undisguised), rule }));
}

function isWithin(names: readonly string[], { names: place }: Place): boolean {
  return place.length <= names.length && place.every((name, index) => name === names[index]);
}

/** A name as case-blind, normalising, stream-bearing and zero-width-skipping file systems may take it: `.GIT`, `.git.`, `.git::$INDEX_ALLOCATION`. */
function undisguised(name: string): string {
  if (PLAIN.test(name)) return name;
  return name.replace(ZERO_WIDTH, "").normalize("NFC").replace(/:.*$/s, "").replace(/[. ]+$/, "").toLowerCase();
}

const PLAIN = /^[a-z0-9._~-]*[a-z0-9_~-]$/;
/** HFS+ leaves some of them out of a name; the eye leaves out all. */
const ZERO_WIDTH = /\p{Default_Ignorable_Code_Point}/gu;

/** Where `.git` is a file, as in a work tree: the directory it names, and the one that shares its objects. */
function gitDirectories(volume: Volume, root: string): string[] {
  const own = /^gitdir: (.+?)\s*$/s.exec(readOrNothing(volume, joinPath(root, ".git")))?.[1];
  if (own === undefined) return [];
  const directory = resolve(root, own);
  const common = readOrNothing(volume, joinPath(directory, "commondir")).trim();
  return common === "" ? [directory] : [directory, resolve(directory, common)];
}

/** Through links too: it is Loaf that reads here, not an action. */
function readOrNothing(volume: Volume, path: string): string {
  const { path: file, isMissing, errno } = follow(volume, path, "follow");
  try {
    return isMissing || errno !== undefined || volume.entry(file)?.kind !== "file" ? "" : volume.readFile(file).toString("utf8");
  } catch (thrown) {
    if (isSystemError(thrown)) return "";
    throw thrown;
  }
}

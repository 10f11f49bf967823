import type { Access } from "../core/failure.ts";
import { once } from "../core/once.ts";
import { follow } from "../disk/follow.ts";
import { gitDirectories } from "./git-directories.ts";
import { joinPath, segmentsOf } from "../paths/path-segments.ts";
import type { Looking } from "./seen.ts";

/** The rule of a built-in refusal, as a message shows it, or undefined. No configuration overrides it. */
export type BuiltIn = (path: readonly string[], access: Access, of: "target" | "itself") => string | undefined;

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
 * folder. What lies above one of these is neither moved nor replaced, since another one would come to stand in its place.
 * Names are compared as the most forgiving file system would, so that no other spelling of a name gets through.
 *
 * @param root canonical
 */
export function createBuiltIn(volume: Looking, root: string, { sealed, readOnly }: OwnFiles): BuiltIn {
  const sealedPlaces = sealed.flatMap((path) => placesOf(volume, path, `${path}/**`));
  const allPlaces = [
    ...sealedPlaces,
    ...CONTROL_FILES.flatMap((name) => placesOf(volume, joinPath(root, name), name === ".loaf" ? "./.loaf/**" : `./${name}`)),
    ...gitDirectories(volume, root).flatMap((path) => placesOf(volume, path, GIT)),
    ...readOnly.flatMap((path) => placesOf(volume, path, path)),
  ];
  return (path, access, of) => {
    const first = undisguised(path[0] ?? "");
    if (KERNEL.has(first)) return `deny /${first}/**`;
    // A search asks about every file: what differs early on is not looked at any further.
    const isIn = ({ names }: Place): boolean => names.length <= path.length && names.every((name, index) => name === undisguised(path[index] ?? ""));
    const place = (access === "write" ? allPlaces : sealedPlaces).find(isIn);
    if (place !== undefined) return `deny ${place.rule}`;
    if (access === "read") return undefined;
    const names = path.map(undisguised);
    if (names.some((name) => GIT_NAME.test(name))) return `deny ${GIT}`;
    const below = of === "itself" ? allPlaces.find((one) => beginsWith(one.names, names)) : undefined;
    return below && `above ${below.rule}`;
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

/** The entry itself or, where links lead to it, what it is and every one of them. */
function placesOf(volume: Looking, path: string, rule: string): Place[] {
  const { path: real, links } = follow(volume, path, "follow");
  return [real, ...links].map((one) => ({ names: segmentsOf(one).map(undisguised), rule }));
}

function beginsWith(names: readonly string[], beginning: readonly string[]): boolean {
  return beginning.length <= names.length && beginning.every((name, index) => name === names[index]);
}

/** A name as case-blind, normalising, stream-bearing and zero-width-skipping file systems may take it: `.GIT`, `.git.`, `.git::$INDEX_ALLOCATION`. */
export function undisguised(name: string): string {
  if (PLAIN.test(name)) return name;
  return name.replace(zeroWidth(), "").normalize("NFC").replace(/:.*$/s, "").replace(/[. ]+$/, "").toLowerCase();
}

const PLAIN = /^[a-z0-9._~-]*[a-z0-9_~-]$/;
/** HFS+ leaves some of them out of a name; the eye leaves out all. */
const zeroWidth = once(() => /\p{Default_Ignorable_Code_Point}/gu);

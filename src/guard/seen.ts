import { isSystemError, systemError, unlessSystemError } from "../disk/system-error.ts";
import type { Volume, VersionedEntry } from "../disk/volume.ts";

/** The part of a volume that policies are made from: links, and the few files that locate git's directories. */
export type Looking = Pick<Volume, "entry" | "readLink" | "readFile" | "namesIn">;

/** Caches reads of a volume, and can check later whether a volume still gives the same results. */
export class Seen implements Looking {
  readonly #volume: Looking;
  readonly #entries = new Map<string, VersionedEntry | string | undefined>();
  readonly #links = new Map<string, string>();
  readonly #files = new Set<string>();
  readonly #listings = new Map<string, ReturnType<Volume["namesIn"]>>();

  constructor(volume: Looking) {
    this.#volume = volume;
  }

  entry(path: string): VersionedEntry | undefined {
    if (!this.#entries.has(path)) this.#entries.set(path, entryOrCode(this.#volume, path));
    const found = this.#entries.get(path);
    if (typeof found === "string") throw systemError(found, "lstat", path);
    return found;
  }

  readLink(path: string): string {
    const target = this.#links.get(path) ?? this.#volume.readLink(path);
    this.#links.set(path, target);
    return target;
  }

  readFile(path: string): ReturnType<Volume["readFile"]> {
    this.#files.add(path);
    return this.#volume.readFile(path);
  }

  namesIn(path: string): ReturnType<Volume["namesIn"]> {
    const names = this.#listings.get(path) ?? this.#volume.namesIn(path);
    this.#listings.set(path, names);
    return names;
  }

  /** Returns whether a volume has the same entries, link targets and file versions. */
  isSeenIn(volume: Looking): boolean {
    return (
      Array.from(this.#listings).every(([path, before]) => listed(before) === listed(namesIn(volume, path))) &&
      Array.from(this.#entries).every(([path, before]) => this.#isSame(volume, path, before))
    );
  }

  #isSame(volume: Looking, path: string, before: VersionedEntry | string | undefined): boolean {
    const now = entryOrCode(volume, path);
    if (typeof before !== "object" || typeof now !== "object") return before === now;
    if (before.kind !== now.kind) return false;
    if (this.#files.has(path)) return before.version === now.version;
    const target = this.#links.get(path);
    return target === undefined || unlessSystemError(() => volume.readLink(path), undefined) === target;
  }
}

function listed(names: ReturnType<Volume["namesIn"]> | undefined): string | undefined {
  return names?.map(({ name, kind }) => `${kind}/${name}`).toSorted().join("/");
}

/** Returns undefined if the directory cannot be listed. */
export function namesIn(volume: Pick<Volume, "namesIn">, directory: string): ReturnType<Volume["namesIn"]> | undefined {
  return unlessSystemError(() => volume.namesIn(directory), undefined);
}

/** Returns the entry, or the code of the system error. */
function entryOrCode(volume: Looking, path: string): VersionedEntry | string | undefined {
  try {
    return volume.entry(path);
  } catch (thrown) {
    if (isSystemError(thrown)) return thrown.code;
    throw thrown;
  }
}

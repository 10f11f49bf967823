import { posix, resolve } from "node:path";
import { Failed } from "../core/failure.ts";
import { IgnoreRules, type ReadIgnoreFile } from "./gitignore.ts";

/** What a search reads through. The workspace is one: it filters every entry by the guard. */
export interface Source {
  list(directory: string): ReadonlyArray<{ readonly name: string; readonly type: "file" | "directory" | "link" }>;
  peek(path: string): string | undefined;
}

/** A file or link found below the base. */
export interface Found {
  /** Begins with the base as it was asked for. */
  readonly path: string;
  /** From the base on. */
  readonly relative: string;
  readonly type: "file" | "link";
}

/**
 * Every file and link below `base` that no .gitignore hides; a base that is itself ignored is walked as its own root. Links are not followed, `.git` is left out, and a directory
 * further down that cannot be read is passed over. Throws `Failed` where `base` itself is no readable directory.
 *
 * @param base absolute or relative to `root`
 */
export function* walk(source: Source, base: string, root: string, readIgnoreFile: ReadIgnoreFile): Generator<Found> {
  const absolute = resolve(root, base);
  const entries = source.list(base);
  const rules = IgnoreRules.above(absolute, root, readIgnoreFile);
  const isAskedForAllTheSame = absolute !== root && rules.ignores(absolute, true);
  const rulesHere = isAskedForAllTheSame ? IgnoreRules.above(absolute, absolute, readIgnoreFile) : rules;
  yield* below({ absolute, path: base, relative: "" }, entries, rulesHere.enter(absolute), source);
}

interface Directory {
  readonly absolute: string;
  readonly path: string;
  readonly relative: string;
}

function* below(at: Directory, entries: ReturnType<Source["list"]>, rules: IgnoreRules, source: Source): Generator<Found> {
  for (const { name, type } of entries) {
    const absolute = posix.join(at.absolute, name);
    if (name === ".git" || rules.ignores(absolute, type === "directory")) continue;
    const found = { absolute, path: posix.join(at.path, name), relative: posix.join(at.relative, name) };
    if (type !== "directory") yield { path: found.path, relative: found.relative, type };
    else yield* below(found, listOrNothing(source, found.path), rules.enter(absolute), source);
  }
}

function listOrNothing(source: Source, directory: string): ReturnType<Source["list"]> {
  try {
    return source.list(directory);
  } catch (thrown) {
    if (thrown instanceof Failed) return [];
    throw thrown;
  }
}

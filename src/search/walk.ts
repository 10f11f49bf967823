import { Failed } from "../core/failure.ts";
import { IgnoreRules, joinName, type ReadIgnoreFile } from "./gitignore.ts";

/** What a search reads through. The workspace is one: it filters every entry by the guard. */
export interface Source {
  list(directory: string): ReadonlyArray<{ readonly name: string; readonly type: "file" | "directory" | "link" }>;
  read(path: string): string;
  peek(path: string): string | undefined;
}

/** The project around what is searched, for its ignore files. */
export interface Project {
  /** Absolute, with links resolved; the ignore files from there down count. */
  readonly root: string;
  /** A directory's path, absolute and with links resolved. Throws `Failed` where it may not be read. */
  locate(directory: string): string;
  readonly readIgnoreFile: ReadIgnoreFile;
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
 */
export function* walk(source: Source, base: string, { root, locate, readIgnoreFile }: Project): Generator<Found> {
  const entries = source.list(base);
  const real = locate(base);
  const rules = IgnoreRules.above(real, root, readIgnoreFile);
  const isAskedForAllTheSame = real !== root && rules.ignores(real, true);
  const rulesHere = isAskedForAllTheSame ? IgnoreRules.above(real, real, readIgnoreFile) : rules;
  yield* below({ real, path: base, relative: "." }, entries, rulesHere.enter(real), source);
}

interface Directory {
  readonly real: string;
  readonly path: string;
  readonly relative: string;
}

function* below(at: Directory, entries: ReturnType<Source["list"]>, rules: IgnoreRules, source: Source): Generator<Found> {
  for (const { name, type } of entries) {
    const real = joinName(at.real, name);
    if (name === ".git" || rules.ignores(real, type === "directory")) continue;
    const found = { real, path: joinName(at.path, name), relative: joinName(at.relative, name) };
    if (type !== "directory") yield { path: found.path, relative: found.relative, type };
    else yield* below(found, listOrNothing(source, found.path), rules.enter(real), source);
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

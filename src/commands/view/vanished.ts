/** Finds files that a command wrote to its own /tmp and home, which are lost with it. */
import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { namedFew } from "../../core/named-few.ts";
import { tryOr } from "../../core/try-or.ts";

/**
 * Returns up to 1,000 files and links, by the command's own paths. Skips caches and temporary files.
 *
 * @param scratch as in `View`
 */
export function filesIn(scratch: string | undefined, home: string): string[] {
  if (scratch === undefined) return [];
  const found: string[] = [];
  visit(join(scratch, "tmp"), "/tmp", TEMPORARY);
  visit(join(scratch, "home"), home, CACHE);
  return found;

  function visit(folder: string, path: string, junk?: RegExp): void {
    for (const entry of entriesOf(folder)) {
      if (found.length >= MAX_FOUND) return;
      if (junk?.test(entry.name)) continue;
      if (entry.isDirectory()) visit(join(folder, entry.name), join(path, entry.name));
      else found.push(join(path, entry.name));
    }
  }
}

/** Returns nothing for a directory that the command made inaccessible. */
function entriesOf(folder: string): Dirent[] {
  return tryOr(() => readdirSync(folder, { withFileTypes: true }), []);
}

const MAX_FOUND = 1_000;
const MAX_NAMED = 5;
/** Files of compilers and languages, of mktemp and of Python's tempfile. */
const TEMPORARY = /^(node-compile-cache|v8-compile-cache.*|hsperfdata_.*|tmp\.\w{6,}|tmp[a-z0-9_]{8}|cc\w{6}\..*|npm-.*|\.X11-unix)$/;
/** Caches of package managers and the like. */
const CACHE = /^\.(bun|bundle|cache|cargo|composer|deno|dotnet|gem|gradle|ivy2|m2|node-gyp|npm|nuget|pnpm-store|pub-cache|rustup|yarn)$/;

export function noticeOnVanished(paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  const isOne = paths.length === 1;
  return [`wrote ${namedFew(paths, MAX_NAMED)}, which ${isOne ? "is" : "are"} gone with the sandbox: only files in the project are kept`];
}

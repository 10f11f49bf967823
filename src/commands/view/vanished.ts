/** Finds what a command wrote to places that end with it: its own /tmp and home. */
import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { namedFew } from "../../core/named-few.ts";

/** Files and links, as the command knew their paths, up to 1,000. Caches and temporary files are left out. @param scratch as in `View` */
export function filesIn(scratch: string | undefined, home: string): string[] {
  if (scratch === undefined) return [];
  const found: string[] = [];
  visit(join(scratch, "tmp"), "/tmp", TEMPORARY);
  visit(join(scratch, "home"), home, CACHE);
  return found;

  function visit(folder: string, path: string, junk?: RegExp): void {
    for (const entry of entriesOf(folder)) {
      if (found.length >= MOST_FOUND) return;
      if (junk?.test(entry.name)) continue;
      if (entry.isDirectory()) visit(join(folder, entry.name), join(path, entry.name));
      else found.push(join(path, entry.name));
    }
  }
}

/** None of a directory that the command has closed to its owner. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

const MOST_FOUND = 1_000;
const MOST_NAMED = 5;
/** Of compilers and languages, by mktemp and by Python's tempfile. */
const TEMPORARY = /^(node-compile-cache|v8-compile-cache.*|hsperfdata_.*|tmp\.\w{6,}|tmp[a-z0-9_]{8}|cc\w{6}\..*|npm-.*|\.X11-unix)$/;
/** Of package managers and the like. */
const CACHE = /^\.(bun|bundle|cache|cargo|composer|deno|dotnet|gem|gradle|ivy2|m2|node-gyp|npm|nuget|pnpm-store|pub-cache|rustup|yarn)$/;

export function noticeOnVanished(paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  const isOne = paths.length === 1;
  return [`wrote ${namedFew(paths, MOST_NAMED)}, which ${isOne ? "is" : "are"} gone with the sandbox: only files in the project are kept`];
}

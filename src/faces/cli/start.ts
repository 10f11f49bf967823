/** The entry point of `loaf`: runs the bundle, `main.cjs` beside it, through the code cache. */
import { closeSync, fstatSync, openSync, readdirSync, readFileSync, rmSync, type Stats, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { Script } from "node:vm";
import { tryOr } from "../../core/errors.ts";
import { makeFolders, stateFolder } from "../../state/places.ts";
import { replaceFile } from "../../state/state-file.ts";

/** Hash of the bundle, inserted by the build: V8 itself compares only the length. */
declare const BUNDLE_HASH: string;

// Else a pattern is compiled to byte code first, which takes V8 several times as long for a large one. A version that
// lacks the flag would print an error.
if (Number.parseInt(process.versions.node) <= 24) setFlagsFromString("--no-regexp-tier-up");

const command = process.argv[2] ?? "";
// A cache has only functions that have run, so each kind of use has its own.
const use = /^[a-z]{1,20}$/.test(command) ? command : "help";
const version = `${BUNDLE_HASH}-${process.version}-${process.arch}`;
runCached(join(__dirname, "main.cjs"), join(stateFolder(), "code", `${version}-${use}`), require);

// Everything is written. Exiting here skips the teardown of the heap, which takes a tenth of a short command's time.
process.once("beforeExit", () => process.exit());

/**
 * Runs a CommonJS module in ASCII with the code that V8 compiled in an earlier run. Otherwise, compiling takes half the
 * time of a short command. Cached code is executed, so the caches are in the state folder, which no action can write.
 *
 * Throws the module's errors. Works without the cache if that is unreadable or unwritable.
 */
function runCached(file: string, cache: string, load: NodeJS.Require): void {
  const cachedData = readCache(cache);
  const source = readFileSync(file, "latin1");
  const script = new Script(`(function(exports, require, module, __filename, __dirname) {${source}\n})`, {
    filename: file,
    ...(cachedData && { cachedData }),
  });
  process.once("exit", (code) => {
    // On exit code 2 the command did not finish, so the usual functions were not compiled.
    if ((cachedData === undefined || script.cachedDataRejected === true) && code !== 2) writeCache(cache, script);
  });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, load, module, file, dirname(file));
}

/** Ignores a cache older than a day, since the functions in common use may have changed. */
function readCache(cache: string): Buffer | undefined {
  return tryOr(() => {
    if (!isOurs(statSync(dirname(cache)))) return undefined;
    const file = openSync(cache, "r");
    try {
      const stats = fstatSync(file);
      return isOurs(stats) && Date.now() - stats.mtimeMs < 86_400_000 ? checked(readFileSync(file)) : undefined;
    } finally {
      closeSync(file);
    }
  }, undefined);
}

function writeCache(cache: string, script: Script): void {
  const folder = dirname(cache);
  // Without the cache, the next start is slower.
  tryOr(() => {
    makeFolders(folder);
    if (!isOurs(statSync(folder))) return;
    removeOutdated(folder);
    const content = script.createCachedData();
    replaceFile(cache, Buffer.concat([content, content]));
  }, undefined);
}

/**
 * Returns whether no other user may have written it. Windows has no such IDs, and protects the user's folders itself.
 */
function isOurs({ uid, mode }: Stats): boolean {
  return process.geteuid === undefined || (uid === process.geteuid() && (mode & 0o022) === 0);
}

/**
 * Parses the file, which has its content twice, since V8 would run damaged code. Comparing two copies takes a tenth of
 * the time of the cheapest checksum.
 */
function checked(bytes: Buffer): Buffer | undefined {
  const content = bytes.subarray(0, bytes.length / 2);
  return content.length > 0 && content.equals(bytes.subarray(content.length)) ? content : undefined;
}

/** Removes caches not renewed for a month, which belong to former versions. */
function removeOutdated(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (Date.now() - statSync(path).mtimeMs > 30 * 86_400_000) rmSync(path, { force: true });
  }
}

/**
 * Runs a script with the code that V8 compiled in an earlier run. Otherwise, compiling takes half the time of a short
 * command. (Node 22 has `module.enableCompileCache`.) Cached code is executed, so the caches are in the state folder,
 * which no action can write.
 */
import { closeSync, fstatSync, fsyncSync, openSync, readdirSync, readFileSync, renameSync, rmSync, type Stats, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Script } from "node:vm";
import { makeFolders } from "../../state/make-folders.ts";

export interface CachedScript {
  /** A CommonJS module in ASCII. Its `require` is the caller's. It reports the parts it used in `module.parts`. */
  readonly file: string;
  /** Hash of the source, since V8 itself compares only the length. */
  readonly hash: string;
  /** A cache has only functions that have run, so each kind of use has its own. */
  readonly use: string;
  /** The folder of the caches, which may not exist yet. */
  readonly folder: string;
}

/** Throws the script's errors. Works without the cache if that is unreadable or unwritable. */
export function runCached({ file, hash, use, folder }: CachedScript, load: NodeJS.Require): void {
  const cache = join(folder, `${hash}-${process.version}-${process.arch}-${use}`);
  const { code: cachedData, parts: known } = readCache(cache) ?? { parts: Buffer.alloc(0) };
  const source = readFileSync(file, "latin1");
  const script = new Script(`(function(exports, require, module, __filename, __dirname) {${source}\n})`, { filename: file, ...(cachedData && { cachedData }) });
  const isMissing = cachedData === undefined || script.cachedDataRejected === true;
  const module = { exports: {}, parts: [] as number[] };
  process.once("exit", (code) => {
    const isNew = isMissing || module.parts.some((isUsed, part) => isUsed > (known[part] ?? 0));
    // On exit code 2 the command did not finish, so the usual functions were not compiled.
    if (isNew && code !== 2) writeCache(cache, script, Buffer.from(module.parts.map((isUsed, part) => isUsed | (isMissing ? 0 : (known[part] ?? 0)))));
  });
  script.runInThisContext()(module.exports, load, module, file, dirname(file));
}

interface Cached {
  readonly code: Buffer;
  /** One byte for each part of the script: 1 if it had been used. */
  readonly parts: Buffer;
}

/** Ignores a cache older than a day, since the functions in common use may have changed. */
function readCache(cache: string): Cached | undefined {
  try {
    if (!isOurs(statSync(dirname(cache)))) return undefined;
    const file = openSync(cache, "r");
    try {
      const found = fstatSync(file);
      return isOurs(found) && Date.now() - found.mtimeMs < 86_400_000 ? checked(readFileSync(file)) : undefined;
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

function writeCache(cache: string, script: Script, parts: Buffer): void {
  const unfinished = `${cache}.${process.pid}`;
  const folder = dirname(cache);
  try {
    makeFolders(folder);
    if (!isOurs(statSync(folder))) return;
    removeOutdated(folder);
    const file = openSync(unfinished, "wx", 0o600);
    const content = [script.createCachedData(), parts, Buffer.of(parts.length >> 8, parts.length & 0xff)];
    writeFileSync(file, Buffer.concat([...content, ...content]));
    fsyncSync(file);
    closeSync(file);
    renameSync(unfinished, cache);
  } catch {
    rmSync(unfinished, { force: true });
  }
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
function checked(bytes: Buffer): Cached | undefined {
  const content = bytes.subarray(0, bytes.length / 2);
  if (content.length < 2 || !content.equals(bytes.subarray(content.length))) return undefined;
  const end = content.length - 2;
  const start = end - content.readUInt16BE(end);
  return { code: content.subarray(0, start), parts: content.subarray(start, end) };
}

/** Removes caches not renewed for a month, which belong to former versions. */
function removeOutdated(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (Date.now() - statSync(path).mtimeMs > 30 * 86_400_000) rmSync(path, { force: true });
  }
}

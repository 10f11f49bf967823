/**
 * Runs a script with the machine code that V8 made of it in an earlier run: without, half of the time of a short command goes
 * into compiling. (Node 22 has this as `module.enableCompileCache`.) The caches lie in the state folder, which no action can
 * write: code in a cache is code that runs.
 */
import { closeSync, fstatSync, fsyncSync, openSync, readdirSync, readFileSync, renameSync, rmSync, type Stats, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Script } from "node:vm";
import { makeFolders } from "../../state/make-folders.ts";

export interface CachedScript {
  /** A CommonJS module in ASCII; what it requires is found from the caller. In `module.parts` it tells which of its parts were used. */
  readonly file: string;
  /** Stands for exactly this source: V8 itself compares no more than its length. */
  readonly hash: string;
  /** Only functions that have run are in a cache, so each kind of use has one of its own. */
  readonly use: string;
  /** Where the caches lie. It need not be there yet. */
  readonly folder: string;
}

/** Throws what the script throws. A cache that cannot be read or written is done without. */
export function runCached({ file, hash, use, folder }: CachedScript, load: NodeJS.Require): void {
  const cache = join(folder, `${hash}-${process.version}-${process.arch}-${use}`);
  const { code: cachedData, parts: known } = readCache(cache) ?? { parts: Buffer.alloc(0) };
  const source = readFileSync(file, "latin1");
  const script = new Script(`(function(exports, require, module, __filename, __dirname) {${source}\n})`, { filename: file, ...(cachedData && { cachedData }) });
  const isMissing = cachedData === undefined || script.cachedDataRejected === true;
  const module = { exports: {}, parts: [] as number[] };
  process.once("exit", (code) => {
    const isNew = isMissing || module.parts.some((isUsed, part) => isUsed > (known[part] ?? 0));
    // Exit code 2: nothing ran to its end, so the usual functions are not among those compiled.
    if (isNew && code !== 2) writeCache(cache, script, Buffer.from(module.parts.map((isUsed, part) => isUsed | (isMissing ? 0 : (known[part] ?? 0)))));
  });
  script.runInThisContext()(module.exports, load, module, file, dirname(file));
}

/** Code, and which parts of the script had been used when it was made: 1 for each that was. */
interface Cached {
  readonly code: Buffer;
  readonly parts: Buffer;
}

/** One that is older than a day is made anew: other functions may have become the usual ones. */
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

/** Nobody else may have written it. Windows, which has no such numbers, keeps others out of the user's folders by itself. */
function isOurs({ uid, mode }: Stats): boolean {
  return process.geteuid === undefined || (uid === process.geteuid() && (mode & 0o022) === 0);
}

/**
 * What the file holds, which stands in it twice: V8 would run flipped bytes, and to compare two copies takes a tenth of the time of the
 * cheapest checksum.
 */
function checked(bytes: Buffer): Cached | undefined {
  const content = bytes.subarray(0, bytes.length / 2);
  if (content.length < 2 || !content.equals(bytes.subarray(content.length))) return undefined;
  const end = content.length - 2;
  const start = end - content.readUInt16BE(end);
  return { code: content.subarray(0, start), parts: content.subarray(start, end) };
}

/** What has not been renewed for a month belongs to a version that is gone. */
function removeOutdated(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (Date.now() - statSync(path).mtimeMs > 30 * 86_400_000) rmSync(path, { force: true });
  }
}

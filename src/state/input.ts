/** Reads texts for Loaf itself: the answer to run, and configuration. */
import { isUtf8 } from "node:buffer";
import { createReadStream, readFileSync, statSync } from "node:fs";

/** An unreadable text. The message is one sentence without a full stop: a name and the reason. */
export class InputError extends Error {
  readonly reason: string;

  constructor(name: string, reason: string) {
    super(`${name} ${reason}`);
    this.name = "InputError";
    this.reason = reason;
  }
}

/**
 * Returns the whole text of a file, or of standard input for `-`. Throws `InputError`.
 *
 * @param limit maximum bytes
 */
export async function readInput(file: string, limit: number): Promise<string> {
  if (file === "-") return textOf(await collect(process.stdin, limit, "Standard input"), "Standard input");
  return (await readTextFile(file, limit)) ?? refuse(`'${file}'`, "does not exist");
}

/** Yields the text of a file, or of standard input for `-`, as it arrives. Throws `InputError` if it is unreadable. */
export async function* streamInput(file: string): AsyncGenerator<string> {
  try {
    yield* decodeStream(file === "-" ? process.stdin : createReadStream(file));
  } catch (thrown) {
    const reason =
      thrown instanceof NotUtf8Error
        ? "is not UTF-8 text"
        : `cannot be read (${(thrown as NodeJS.ErrnoException).code ?? String(thrown)})`;
    throw new InputError(file === "-" ? "Standard input" : `'${file}'`, reason);
  }
}

/** Like `readInput`, but for files only. Returns undefined for a missing file. */
export async function readTextFile(path: string, limit: number): Promise<string | undefined> {
  const name = `'${path}'`;
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    if (stats.isDirectory()) refuse(name, "is a directory, not a file");
    // Pipes, such as `<(command)` in a shell, have no size beforehand.
    if (!stats.isFile()) return textOf(await collect(createReadStream(path), limit, name), name);
    if (stats.size > limit) refuseSize(name, limit);
    return textOf(readFileSync(path), name);
  } catch (thrown) {
    // Removed since it was looked at.
    if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    if (thrown instanceof Error && "code" in thrown) refuse(name, `cannot be read (${String(thrown.code)})`);
    throw thrown;
  }
}

async function collect(stream: AsyncIterable<Buffer>, limit: number, name: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > limit) refuseSize(name, limit);
  }
  return Buffer.concat(chunks);
}

/** Refuses invalid UTF-8, which would be decoded to replacement characters and written to files. */
function textOf(bytes: Buffer, name: string): string {
  if (isUtf8(bytes)) return bytes.toString("utf8");
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return refuse(name, `is ${isUtf16 ? "UTF-16" : "not UTF-8"} text: save it as UTF-8`);
}

function refuseSize(name: string, limit: number): never {
  refuse(name, `is larger than the limit of ${limit} bytes`);
}

function refuse(name: string, reason: string): never {
  throw new InputError(name, reason);
}

class NotUtf8Error extends Error {}

/**
 * Decodes UTF-8 in pieces, cut anywhere. Throws `NotUtf8Error` after yielding the valid lines before the invalid bytes.
 */
export async function* decodeStream(pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let begun: Buffer = Buffer.alloc(0);
  for await (const piece of pieces) {
    const bytes = Buffer.concat([begun, piece]);
    const end = endOfWhole(bytes);
    begun = bytes.subarray(end);
    const whole = bytes.subarray(0, end);
    if (!isUtf8(whole)) {
      yield validLines(whole).toString("utf8");
      throw new NotUtf8Error("not UTF-8");
    }
    if (end > 0) yield whole.toString("utf8");
  }
  if (begun.length > 0) throw new NotUtf8Error("not UTF-8");
}

/** Returns the length of UTF-8 without an incomplete last character. Invalid UTF-8 stays as it is. */
export function endOfWhole(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function validLines(bytes: Buffer): Buffer {
  let end = 0;
  for (
    let next = bytes.indexOf("\n");
    next !== -1 && isUtf8(bytes.subarray(end, next));
    next = bytes.indexOf("\n", end)
  )
    end = next + 1;
  return bytes.subarray(0, end);
}

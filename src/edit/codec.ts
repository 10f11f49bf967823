import { isAscii, isUtf8 } from "node:buffer";
import { Failed } from "../core/failure.ts";
import type { Splices } from "./splice.ts";

export interface FileText {
  /** Without the byte order mark. If the bytes are not UTF-8, one character per byte. */
  readonly text: string;
  /** Why the bytes are not readable text, if they are not. */
  readonly problem?: NotText;
}

export type NotText = "binary" | "utf-16" | "not-utf-8";

export function decode(bytes: Buffer): FileText {
  const problem = problemOf(bytes);
  return problem === undefined ? { text: withoutMark(bytes).toString() } : { text: bytes.toString("latin1"), problem };
}

/** Encodes a text. Throws `text/lone-surrogate` where Node would write U+FFFD. */
export function encode(text: string, path: string): Buffer {
  if (!text.isWellFormed()) throw new Failed({ code: "text/lone-surrogate", path });
  return Buffer.from(text);
}

/** Returns the part that edits apply to. Their offsets exclude the byte order mark, so that no edit can touch it. */
export function withoutMark(bytes: Buffer): Buffer {
  if (!startsWith(bytes, UTF8_MARK)) return bytes;
  const body = bytes.subarray(UTF8_MARK.length);
  marked.add(body);
  return body;
}

/** Returns whether `withoutMark` has taken the mark off. */
export function hadMark(body: Buffer): boolean {
  return marked.has(body);
}

const marked = new WeakSet<Buffer>();

/** Returns whether a file starts with a UTF-16 byte order mark. In UTF-16, even ASCII has other bytes. */
export function isUtf16(bytes: Buffer): boolean {
  return UTF16_MARKS.some((mark) => startsWith(bytes, mark));
}

/**
 * Applies splices to a file and copies all other bytes unchanged. Throws `text/lone-surrogate`. Throws `text/not-ascii`
 * if a splice removes or inserts non-ASCII text in a file that is not UTF-8.
 */
export function spliceBytes(file: Buffer, splices: Splices, path: string): Buffer {
  const body = withoutMark(file);
  const encoded = encoder(path);
  let isPlain = true;
  let length = file.length;
  for (const { start, end, text } of splices) {
    const { bytes, isPlain: isPlainText } = encoded(text);
    isPlain &&= isPlainText && isPlainBetween(body, start, end);
    length += bytes.length - (end - start);
  }
  if (!isPlain && problemOf(file) !== undefined) throw new Failed({ code: "text/not-ascii", path });
  const result = Buffer.allocUnsafe(length);
  let at = file.copy(result, 0, 0, file.length - body.length);
  let from = 0;
  for (const { start, end, text } of splices) {
    at = copy(body, from, start, result, at);
    const { bytes } = encoded(text);
    at = copy(bytes, 0, bytes.length, result, at);
    from = end;
  }
  body.copy(result, at, from);
  return result;
}

/** Caches the last text, because nearly all of many splices insert the same one. */
function encoder(path: string): (text: string) => { readonly bytes: Buffer; readonly isPlain: boolean } {
  let last = "";
  let encoded: { readonly bytes: Buffer; readonly isPlain: boolean } = { bytes: Buffer.alloc(0), isPlain: true };
  return (text) => {
    if (text === last) return encoded;
    const bytes = encode(text, path);
    last = text;
    return (encoded = { bytes, isPlain: isAscii(bytes) });
  };
}

/** Up to this length, copying here is faster than calling Node. There may be millions of short parts. */
const SHORT = 32;
const MAX_ASCII = 0x7f;

function isPlainBetween(bytes: Buffer, start: number, end: number): boolean {
  if (end - start > SHORT) return isAscii(bytes.subarray(start, end));
  for (let index = start; index < end; index++) if ((bytes[index] as number) > MAX_ASCII) return false;
  return true;
}

function copy(source: Buffer, from: number, to: number, target: Buffer, at: number): number {
  if (to - from > SHORT) return at + source.copy(target, at, from, to);
  for (let index = from; index < to; index++) target[at + index - from] = source[index] as number;
  return at + to - from;
}

function problemOf(bytes: Buffer): NotText | undefined {
  if (isUtf16(bytes)) return "utf-16";
  if (bytes.includes(0)) return "binary";
  return isUtf8(bytes) ? undefined : "not-utf-8";
}

function startsWith(bytes: Buffer, mark: readonly number[]): boolean {
  return mark.every((byte, index) => bytes[index] === byte);
}

const UTF8_MARK = [0xef, 0xbb, 0xbf];
const UTF16_MARKS = [
  [0xff, 0xfe],
  [0xfe, 0xff],
];

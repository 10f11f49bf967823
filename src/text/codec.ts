import { isUtf8 } from "node:buffer";
import { Failed } from "../core/failure.ts";
import { splice, type Splice } from "./splice.ts";

/**
 * A file's bytes as text. What is not UTF-8 text is there as one character for each byte, so that an edit in ASCII can still be
 * made in it and every other byte stays: both readings can be turned back without loss.
 */
export interface FileText {
  /** Without the byte order mark. */
  readonly text: string;
  readonly hasMark: boolean;
  /** Why it is not text to be read, where it is not. */
  readonly problem?: NotText;
}

export type NotText = "binary" | "utf-16" | "not-utf-8";

export function decode(bytes: Buffer): FileText {
  const problem = problemOf(bytes);
  if (problem !== undefined) return { text: bytes.toString("latin1"), hasMark: false, problem };
  const hasMark = startsWith(bytes, UTF8_MARK);
  return { text: bytes.toString("utf8", hasMark ? UTF8_MARK.length : 0), hasMark };
}

/** The bytes of a new text. Throws `text/lone-surrogate`, where Node would write U+FFFD instead. */
export function encode(text: string, path: string): Buffer {
  const bytes = Buffer.from(text, "utf8");
  if (bytes.includes(REPLACEMENT) && bytes.toString("utf8") !== text) throw new Failed({ code: "text/lone-surrogate", path });
  return bytes;
}

/** The bytes of a file with splices made in its text. Throws `text/lone-surrogate` and `text/not-ascii`. */
export function encodeEdit(file: FileText, splices: readonly Splice[], path: string): Buffer {
  const edited = splice(file.text, splices);
  if (file.problem === undefined) return encode(file.hasMark ? `\ufeff${edited}` : edited, path);
  const isAscii = splices.every(({ start, end, text }) => ASCII.test(text) && ASCII.test(file.text.slice(start, end)));
  if (!isAscii) throw new Failed({ code: "text/not-ascii", path });
  return Buffer.from(edited, "latin1");
}

function problemOf(bytes: Buffer): NotText | undefined {
  if (UTF16_MARKS.some((mark) => startsWith(bytes, mark))) return "utf-16";
  if (bytes.includes(0)) return "binary";
  return isUtf8(bytes) ? undefined : "not-utf-8";
}

function startsWith(bytes: Buffer, mark: readonly number[]): boolean {
  return mark.every((byte, index) => bytes[index] === byte);
}

const UTF8_MARK = [0xef, 0xbb, 0xbf];
const UTF16_MARKS = [[0xff, 0xfe], [0xfe, 0xff]];
const REPLACEMENT = "\ufffd";
const ASCII = /^[\x00-\x7f]*$/;

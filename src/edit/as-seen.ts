/** Compares texts with a file as their author has seen it: without a byte order mark, and with lines in any file. */
import { hadMark } from "./codec.ts";
import { hasOnlyLoneCrs } from "./lines.ts";
import { findFirst } from "./match.ts";
import type { Edit, Splice } from "./splice.ts";

const MARK = "\ufeff";

interface Seen {
  /** As long as the bytes. */
  readonly file: Buffer;
  readonly texts: readonly string[];
  /** Whether the line feeds of `file` and `texts` are CRs in the file. */
  readonly hasCrs: boolean;
}

/**
 * Returns LF in place of CR if no line of the file ends otherwise. Returns the texts without a byte order mark that is
 * the file's: no edit sees or changes that one.
 *
 * @param bytes without the byte order mark
 * @param texts the first one is to be found in the file
 */
export function asSeen(bytes: Buffer, texts: readonly string[]): Seen {
  // A text with CR and without LF means that character.
  const isVerbatim = texts.some((text) => text.includes("\r") && !text.includes("\n"));
  const hasCrs = !isVerbatim && hasOnlyLoneCrs(bytes);
  const file = hasCrs ? Buffer.from(bytes.toString("latin1").replaceAll("\r", "\n"), "latin1") : bytes;
  const plain = hasCrs ? texts.map((text) => text.replace(/\r\n?/g, "\n")) : texts;
  return { file, texts: isMarked(bytes, file, plain[0] ?? "") ? plain.map(withoutMark) : plain, hasCrs };
}

/** Returns whether the mark before a text is not, or not only, a character inside the file. */
function isMarked(bytes: Buffer, file: Buffer, text: string): boolean {
  if (!text.startsWith(MARK)) return false;
  const wanted = Buffer.from(text);
  const isAtStart = (): boolean => file.subarray(0, wanted.length - MARK_LENGTH).equals(wanted.subarray(MARK_LENGTH));
  return (hadMark(bytes) && isAtStart()) || findFirst(file, wanted, 0) === undefined;
}

const MARK_LENGTH = Buffer.byteLength(MARK);

function withoutMark(text: string): string {
  return text.startsWith(MARK) ? text.slice(MARK.length) : text;
}

/** Makes an edit of a file as its author has seen it. */
export function editAsSeen<E extends Edit>(
  bytes: Buffer,
  texts: readonly [oldText: string, ...others: string[]],
  edit: (file: Buffer, texts: readonly string[]) => E,
): E {
  const seen = asSeen(bytes, texts);
  const made = edit(seen.file, seen.texts);
  if (!seen.hasCrs) return made;
  const { splices } = made;
  const withCrs = function* (): Generator<Splice> {
    for (const splice of splices) yield { ...splice, text: splice.text.replaceAll("\n", "\r") };
  };
  return { ...made, splices: { length: splices.length, [Symbol.iterator]: withCrs } };
}

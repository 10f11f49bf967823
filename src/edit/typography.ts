/**
 * Characters that word processors, chats and models put in place of plain ones: quotes, dashes, non-breaking spaces. A
 * file treats them as different characters; a reader who copies text does not notice.
 */
const TYPOGRAPHIC: ReadonlyArray<readonly [plain: string, typographic: string]> = [
  ["'", "\u2018\u2019\u201a\u201b"],
  ['"', "\u201c\u201d\u201e\u201f"],
  ["-", "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"],
  [" ", "\u00a0\u2007\u202f"],
];

const plainOf: ReadonlyMap<string, string> = new Map(
  TYPOGRAPHIC.flatMap(([plain, all]) => Array.from(all, (character) => [character, plain] as const)),
);
const ANY = new RegExp(`[${[...plainOf.keys()].join("")}]`, "g");

/** Replaces typographic characters by plain ones, except those that `isKept` accepts. */
export function plain(text: string, isKept: (character: string) => boolean = () => false): string {
  return text.replace(ANY, (character) => (isKept(character) ? character : (plainOf.get(character) ?? character)));
}

/** Returns whether a file may contain a typographic form of a plain character. */
export function isAmbiguous(character: string): boolean {
  return TYPOGRAPHIC.some(([plain]) => plain === character);
}

/** The bytes of a file in plain form, one character each; a typographic character is its plain one. */
export interface PlainText {
  readonly text: string;
  /** Returns the offset in the file of one in the text. */
  byteAt(index: number): number;
}

export function plainBytes(bytes: Buffer): PlainText {
  const typographic: Array<{ readonly end: number; readonly byte: number }> = [];
  let removed = 0;
  const text = bytes.toString("latin1").replace(ANY_BYTES, (found, at: number) => {
    removed += found.length - 1;
    typographic.push({ end: at + found.length - removed, byte: at + found.length });
    return plainOfBytes.get(found) as string;
  });
  return {
    text,
    byteAt: (index) => {
      const last = typographic.findLast(({ end }) => end <= index);
      return last === undefined ? index : last.byte + index - last.end;
    },
  };
}

const plainOfBytes: ReadonlyMap<string, string> = new Map(
  Array.from(plainOf, ([character, plain]) => [Buffer.from(character).toString("latin1"), plain]),
);
const ANY_BYTES = new RegExp([...plainOfBytes.keys()].join("|"), "g");

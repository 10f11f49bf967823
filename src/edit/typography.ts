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

/** Returns whether a file may contain a typographic form of a character, or whether it is one. */
export function isAmbiguous(character: string): boolean {
  return plainOf.has(character) || TYPOGRAPHIC.some(([plain]) => plain === character);
}

/** Returns the typographic characters that match a plain byte. */
export function typographicBytes(byte: number): readonly Buffer[] {
  const typographic = TYPOGRAPHIC.find(([plain]) => plain.charCodeAt(0) === byte)?.[1] ?? "";
  return Array.from(typographic, (character) => Buffer.from(character));
}

/** A typographic character in UTF-8: its plain byte and its size in bytes. */
interface Unit {
  readonly plain: number;
  readonly size: number;
}

const units: ReadonlyMap<number, Unit> = new Map(
  Array.from(plainOf, ([character, plain]) => [
    keyOf(Buffer.from(character), 0),
    { plain: plain.charCodeAt(0), size: Buffer.byteLength(character) },
  ]),
);

/** All of them have two bytes starting with C2, or three starting with E2. */
function keyOf(bytes: Buffer, at: number): number {
  const [first, second, third] = [bytes[at], bytes[at + 1], bytes[at + 2]];
  if (first === 0xc2) return 0xc200 | (second ?? 0);
  return first === 0xe2 ? 0xe2_0000 | ((second ?? 0) << 8) | (third ?? 0) : 0;
}

/** Returns the typographic character that starts at an offset. */
export function unitAt(bytes: Buffer, at: number): Unit | undefined {
  return (bytes[at] ?? 0) < 0x80 ? undefined : units.get(keyOf(bytes, at));
}

/** Returns the typographic character that ends at an offset. */
export function unitBefore(bytes: Buffer, end: number): Unit | undefined {
  if ((bytes[end - 1] ?? 0) < 0x80) return undefined;
  return [2, 3]
    .map((size) => (end >= size ? units.get(keyOf(bytes, end - size)) : undefined))
    .find((unit, index) => unit?.size === index + 2);
}

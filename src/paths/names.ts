/** Names of files: as strings of bytes, one character for each, since they need not be UTF-8; and folded. */
import { isUtf8 } from "node:buffer";
import { once } from "../core/once.ts";

export function asBytes(name: string): string {
  return NOT_ASCII.test(name) ? Buffer.from(name).toString("latin1") : name;
}

export function fromBytes(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString();
}

/** Returns undefined for a name that is not UTF-8. */
export function textOf(bytes: string): string | undefined {
  if (!NOT_ASCII.test(bytes)) return bytes;
  const name = Buffer.from(bytes, "latin1");
  return isUtf8(name) ? name.toString() : undefined;
}

/** Converts a name to text, with bytes that are not UTF-8 as `\xe9`. */
export function readableName(bytes: string): string {
  return textOf(bytes) ?? bytes.replace(/[^\x20-\x7e]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, "0")}`);
}

const NOT_ASCII = /[^\x00-\x7f]/;

/**
 * Folds a name as the most lenient file systems compare names: they ignore case, composition and invisible characters.
 * Linux mounts such ones too: WSL's `/mnt/c`, exFAT, ext4 with casefold.
 */
export function foldName(name: string): string {
  if (PLAIN.test(name)) return name;
  // Upper case first: `ſ` and `s` have only that in common.
  return name.normalize("NFD").replace(zeroWidth(), "").toUpperCase().toLowerCase().normalize("NFC");
}

const PLAIN = /^[a-z0-9._~-]*$/;
/** Readers see none of them in a name. */
const zeroWidth = once(() => /\p{Default_Ignorable_Code_Point}/gu);

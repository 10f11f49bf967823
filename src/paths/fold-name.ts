import { once } from "../core/once.ts";

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

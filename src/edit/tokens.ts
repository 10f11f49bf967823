import { once } from "../core/once.ts";

/**
 * Estimates the number of tokens of a text for a model, as the o200k vocabulary counts them. Off by a few per cent on
 * typical project files.
 *
 * A tokenizer first splits a text into pieces: words with the sign before them, runs of signs, up to three digits,
 * white space. Then it splits each piece into tokens. This does the first step like o200k. The second needs a
 * vocabulary of 200,000 entries, so this uses the mean for pieces of that kind and length, measured on source code and
 * prose. The package tokenx was 16 % too high on Python and 30 % too low on YAML.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(pieces())) tokens += tokensOf(piece);
  return Math.round(tokens);
}

const UPPER = "\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}";
const LOWER = "\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}";
const CONTRACTION = "(?:'(?:[sdmt]|ll|ve|re))?";

/** The same as o200k's, alternative by alternative. */
const pieces = once(() => new RegExp(
  [
    `[^\\r\\n\\p{L}\\p{N}]?[${UPPER}]*[${LOWER}]+${CONTRACTION}`,
    `[^\\r\\n\\p{L}\\p{N}]?[${UPPER}]+[${LOWER}]*${CONTRACTION}`,
    "\\p{N}{1,3}",
    " ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*",
    "\\s*[\\r\\n]+",
    "\\s+(?!\\S)",
    "\\s+",
  ].join("|"),
  "gu",
));

/** A kind of piece: one token up to `whole` characters, and `more` tokens for each further character. */
interface Kind {
  readonly looksLike: RegExp;
  readonly whole: number;
  readonly more: number;
}

const kinds = once((): readonly Kind[] => [
  { looksLike: /^ [a-z]+$/, whole: 8, more: 0.05 },
  { looksLike: /^[a-z]+$/, whole: 3, more: 0.055 },
  { looksLike: /^ ?[A-Z][a-z]+$/, whole: 4, more: 0.085 },
  { looksLike: /^ ?[A-Z]+$/, whole: 2, more: 0.35 },
  { looksLike: /^.[A-Za-z']+$/, whole: 3, more: 0.09 },
  { looksLike: /^[\s\p{N}]+$/u, whole: Infinity, more: 0 },
  { looksLike: /^[ -~]+\s*$/, whole: 3, more: 0.4 },
  { looksLike: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u, whole: 1, more: 0.62 },
  { looksLike: /\p{Script=Hangul}/u, whole: 2, more: 0.6 },
  { looksLike: /\p{L}/u, whole: 4, more: 0.19 },
]);

/** Anything else, mainly drawings and emoji. */
const OTHERWISE = { whole: 1, more: 0.9 };

function tokensOf(piece: string): number {
  const { whole, more } = kinds().find(({ looksLike }) => looksLike.test(piece)) ?? OTHERWISE;
  return 1 + Math.max(0, piece.length - whole) * more;
}

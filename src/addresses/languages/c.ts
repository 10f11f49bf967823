/** Prepares C for the grammar of C++, in which some names of C are keywords. Disguises those while parsing. */

const CPP_ONLY =
  "and|and_eq|bitand|bitor|catch|class|co_await|co_return|co_yield|compl|concept|consteval|constinit|const_cast|decltype|delete|dynamic_cast|explicit|export|final|friend|module|mutable|namespace|" +
  "new|not|not_eq|operator|or|or_eq|override|private|protected|public|reinterpret_cast|requires|static_cast|template|this|throw|try|typeid|typename|using|virtual|xor|xor_eq";
const KEYWORD = new RegExp(`\\b(?:${CPP_ONLY})\\b`, "g");
const DISGUISED = new RegExp(`[\\uff41-\\uff5a][a-z_]+`, "g");
/** Distance from `a` to its full-width form. */
const WIDENING = 0xff41 - 0x61;

/** Replaces the first letter of C++ keywords by a full-width one, keeping the length. */
export function disguise(text: string): string {
  return text.replaceAll(KEYWORD, (word) => String.fromCharCode(word.charCodeAt(0) + WIDENING) + word.slice(1));
}

/** Restores disguised words in a name. */
export function reveal(name: string): string {
  return name.replaceAll(DISGUISED, (word) => String.fromCharCode(word.charCodeAt(0) - WIDENING) + word.slice(1));
}

/** Returns whether a header is C++, because both languages use `.h`. */
export function isCpp(header: string): boolean {
  return /^[ \t]*(?:class\s+\w|namespace\b|template\s*<|using\s+\w|(?:public|private|protected)\s*:|(?:inline|static|constexpr|virtual)?\s*\w+\s+operator\b)/m.test(header);
}

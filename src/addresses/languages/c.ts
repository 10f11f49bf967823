/** C is read by the grammar of C++, in which some names of C are keywords. Those are disguised while it is parsed. */

const CPP_ONLY =
  "and|and_eq|bitand|bitor|catch|class|co_await|co_return|co_yield|compl|concept|consteval|constinit|const_cast|decltype|delete|dynamic_cast|explicit|export|final|friend|module|mutable|namespace|" +
  "new|not|not_eq|operator|or|or_eq|override|private|protected|public|reinterpret_cast|requires|static_cast|template|this|throw|try|typeid|typename|using|virtual|xor|xor_eq";
const KEYWORD = new RegExp(`\\b(?:${CPP_ONLY})\\b`, "g");
const DISGUISED = new RegExp(`[\\uff41-\\uff5a][a-z_]+`, "g");
/** From `a` to the letter of double width that looks like it. */
const WIDENING = 0xff41 - 0x61;

/** The same text, of the same length, without C++'s keywords: their first letter is a wide one. */
export function disguise(text: string): string {
  return text.replaceAll(KEYWORD, (word) => String.fromCharCode(word.charCodeAt(0) + WIDENING) + word.slice(1));
}

/** A name that may hold disguised words, as it stands in the file. */
export function reveal(name: string): string {
  return name.replaceAll(DISGUISED, (word) => String.fromCharCode(word.charCodeAt(0) - WIDENING) + word.slice(1));
}

/** Whether a header is C++: both languages use `.h`. */
export function isCpp(header: string): boolean {
  return /^[ \t]*(?:class\s+\w|namespace\b|template\s*<|using\s+\w|(?:public|private|protected)\s*:|(?:inline|static|constexpr|virtual)?\s*\w+\s+operator\b)/m.test(header);
}

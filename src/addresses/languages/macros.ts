/** Finds macros where neither C nor C++ allows a word, which confuses the grammar. */

// White space is bounded, because searching a file of spaces would otherwise take quadratic time.

/** Words of C and C++ that may precede a name and are no macros. */
const BEFORE_NAMES =
  "alignas|auto|bool|char|class|const|constexpr|consteval|double|else|enum|explicit|export|extern|float|friend|goto|inline|int|long|mutable|new|operator|register|restrict|return|short|signed|static|struct|throw|" +
  "thread_local|typedef|typename|union|unsigned|using|virtual|void|volatile|wchar_t|case|delete|co_await|co_return|co_yield|namespace|do|sizeof|typeof|template|public|private|protected";
/** Between a type and a name: `int __init start(`. */
const BEFORE_NAME = new RegExp(`(?<=(?:\\*|(?!(?:${BEFORE_NAMES})\\b)\\b[A-Za-z_]\\w*|\\b(?:bool|char|double|float|int|long|short|signed|unsigned|void))\\s)\\s{0,9}(?!(?:${BEFORE_NAMES})\\b)[A-Za-z_]\\w*(?=\\s{1,9}[A-Za-z_]\\w*\\s{0,9}\\()`, "g");
/** Between the keyword and the name: `class API Reader {`. */
const BEFORE_CLASS = /(?<=\b(?:class|struct|union)\s{1,9})[A-Z_][A-Z0-9_]+(?=\s{1,9}\w+\s{0,9}(?:final\s{0,9})?[:{])/g;
/** After the parameters: `void swap(T& other) API_NOEXCEPT {`. */
const AFTER_PARAMETERS = /(?<=\)\s{0,9}(?:const\s{1,9})?)[A-Z][A-Z0-9]*_[A-Z0-9_]*(?=\s{0,9}(?:[{;:=]|->))/g;
/** Alone on a line: `Q_OBJECT`, `API_BEGIN(1)`, `Q_SIGNALS:`. */
const ALONE = /^[ \t]*[A-Z][A-Z0-9]*_[A-Z0-9_]*(?:\([^()\n]*\))?:?[ \t]*\r?$/gm;

/** Replaces macros by spaces, keeping the length. */
export function blankMacros(text: string): string {
  const blank = (macro: string): string => macro.replaceAll(/\S/g, " ");
  return text.replaceAll(ALONE, blank).replaceAll(BEFORE_CLASS, blank).replaceAll(BEFORE_NAME, blank).replaceAll(AFTER_PARAMETERS, blank);
}

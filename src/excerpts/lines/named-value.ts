/** Tells a name from what it names: change `MAX` to `10` gives it another value, and no other name. */
import { linesNamed, type PlacedLines, Unplaced, type Within } from "../text.ts";

interface NamedPair {
  readonly path: string;
  readonly old: string;
  readonly now: string;
  readonly told: string;
  /** The lines of the declaration in which the sentence says it is. */
  readonly within: Within | undefined;
}

/**
 * Replaces the value of a name, where a sentence has the name and what it is to become. It is refused where the file
 * does not give that name one value in one line. Undefined if the texts are no name and value of it.
 */
export function replaceValue(
  file: string,
  { path, old, now, told, within }: NamedPair,
): PlacedLines | Unplaced | undefined {
  const name = NAME.exec(old)?.[1];
  const of = PROPERTY.exec(told.slice(0, Math.max(0, told.indexOf(`\`${old}\``))))?.[1]?.toLowerCase();
  if (name === undefined || /\brenam/i.test(told) || EXCHANGED.test(of ?? "")) return undefined;
  const isData = DATA.test(path);
  const values = file.split("\n").flatMap((line, row) => {
    const isIn = within === undefined || (row >= within.first && row <= within.last);
    const value = isIn ? valueIn(line, name, isData) : undefined;
    return value === undefined ? [] : [{ ...value, row }];
  });
  if (of === undefined && values.length === 0 && (NAME.test(now) || !isDeclared(file, name))) return undefined;
  if (of === undefined && NAME.test(now) && !isData) return unclear(old);
  const isValue = of === undefined || VALUE_WORDS.test(of);
  const [only, other] = values;
  if (!isValue || only === undefined || other !== undefined) return unclear(old);
  const { text, column, row } = only;
  const quote = /^["'`]/.exec(text)?.[0] ?? "";
  const isQuoted = /^["'`]/.test(now);
  // In code, what stands without quotes may be another name.
  if (quote !== "" && !isQuoted && !isData && !/^[-\w.]*\d[-\w.]*$/.test(now)) return unclear(old);
  const start = file
    .split("\n")
    .slice(0, row)
    .reduce((sum, line) => sum + line.length + 1, column);
  const range = { start, end: start + text.length };
  return {
    splices: [{ ...range, text: isQuoted ? now : `${quote}${now}${quote}` }],
    done: [`${linesNamed(file, range)} replaced`],
  };
}

function unclear(name: string): Unplaced {
  return new Unplaced(`does not tell what of ${name} changes: show the whole line`);
}

/** Returns whether a text declares a name, or gives it a type, a value or a body. */
function isDeclared(file: string, name: string): boolean {
  const escaped = name.replace(/[^\w]/g, "\\$&");
  const declaring = "\\b(?:class|const|def|enum|fn|fun|func|function|interface|let|struct|trait|type|val|var)\\s+";
  return new RegExp(`${declaring}${escaped}(?![\\w$])|(?<![\\w$.-])${escaped}["']?\\s*(?::(?!:)|=(?![=>])|\\{)`).test(
    file,
  );
}

/** Returns the literal that a line gives to a name, and where it stands. */
function valueIn(
  line: string,
  name: string,
  isData: boolean,
): { readonly text: string; readonly column: number } | undefined {
  const escaped = name.replace(/[^\w]/g, "\\$&");
  const sign = isData ? "\\s*[=:]\\s*" : "(?:\\s*:\\s*[^=]+?|\\s+[\\w.*[\\]]+)?\\s*:?=\\s*";
  const [, head, text] =
    new RegExp(
      `^([^=:#]*(?<![\\w$.-])["']?${escaped}["']?${sign})("[^"]*"|'[^']*'|[^\\s"',;{}()]+)\\s*[,;]?\\s*(?:(?:#|//|/\\*).*)?$`,
    ).exec(line) ?? [];
  return head === undefined || text === undefined ? undefined : { text, column: head.length };
}

/** A name, a key, a selector, perhaps in quotes. */
const NAME = /^["'`]?([.$@-]{0,2}[\p{L}_$][\w$-]*)["'`]?$/u;
/** The return type of, the value of. */
const PROPERTY = /\b(?:the|its) ([a-z]+(?: [a-z]+)?) (?:of|for) (?:the |your )?$/i;
/** The name of, the import of: the code itself changes. */
const EXCHANGED =
  /(?:name|word|spelling|calls?|imports?|dependency|uses?|usages?|occurrences?|references?|mentions?|instances?|invocations?)$/;
const VALUE_WORDS = /^(?:default|setting|value|version|(?:default|initial|current) value)$/;
/** Files in which what a name stands for is data, and no other name. */
const DATA = /\.(?:json5?|ya?ml|toml|ini|cfg|conf|properties|env|s?css|less)$|(?:^|\/)\.env\b/i;

/** Tells a name from what it names: change `MAX` to `10` gives it another value, and no other name. */
import { literalPattern } from "../../core/literal.ts";
import { isInRows, linesNamed, type PlacedLines, startOfRow, Unplaced, type Within } from "../text.ts";

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
  const before = told.slice(0, Math.max(0, told.indexOf(`\`${old}\``)));
  const of = PROPERTY.exec(before)?.[1]?.toLowerCase();
  if (name === undefined || /\brenam/i.test(told) || EXCHANGED.test(of ?? "") || now.includes(name)) return undefined;
  const isData = DATA.test(path);
  const isQuoted = /^["'`]/.test(now);
  const isName = NAME.test(now) && !LITERAL.test(now) && !isQuoted;
  const rows = file.split("\n");
  const values = rows.flatMap((line, row) => {
    const value = isInRows(row, within) ? valueIn(line, name, isData) : undefined;
    return value === undefined ? [] : [{ ...value, row }];
  });
  const setting = settingOf(name);
  const setAt = rows.filter((line, row) => isInRows(row, within) && setting.test(line)).length;
  // A text in place of another one, unless that is what declares it.
  if (of === undefined && (REPLACES.test(before) || (isName && KEYED.test(before))))
    return isName || setAt === 0 ? undefined : unclear(old);
  if (of === undefined && values.length === 0 && (isName || !isDeclared(file, name, isData))) return undefined;
  // The one may be another name, and the other another value.
  if (of === undefined && isName) return unclear(old);
  const isValue = of === undefined || VALUE_WORDS.test(of);
  const [only, other] = values;
  if (!isValue || only === undefined || other !== undefined || setAt > 1) return unclear(old);
  const { text, column, row } = only;
  const quote = /^["'`]/.exec(text)?.[0] ?? "";
  // In code, what is no literal may be anything; a word is no number.
  const isOther = isData
    ? LITERAL.test(text) && isName
    : !(isQuoted || LITERAL.test(now)) || (quote !== "") !== isQuoted;
  if (isOther) return unclear(old);
  const start = startOfRow(rows, row) + column;
  const range = { start, end: start + text.length };
  return {
    splices: [{ ...range, text: isQuoted ? now : `${quote}${now}${quote}` }],
    done: [`${linesNamed(file, range)} replaced`],
  };
}

function unclear(name: string): Unplaced {
  return new Unplaced(`does not tell what of ${name} changes: show the whole line`);
}

/** Returns whether a text declares a name, or gives it a type, a value or, as a selector, a body. */
function isDeclared(file: string, name: string, isData: boolean): boolean {
  const declaring = "\\b(?:class|const|def|enum|fn|fun|func|function|interface|let|struct|trait|type|val|var)\\s+";
  const given = `["']?\\s*(?::(?!:)|=(?![=>])${isData ? "|\\{" : ""})`;
  return new RegExp(`${declaring}${literalPattern(name)}(?![\\w$])|(?<![\\w$.-])${literalPattern(name)}${given}`).test(
    file,
  );
}

/** Matches a line that gives a name something: a value, a default, a type. */
function settingOf(name: string): RegExp {
  return new RegExp(`(?<![\\w$.-])["']?${literalPattern(name)}["']?\\s*(?::(?!:)|:?=(?![=>]))`);
}

/** Returns the literal that a line gives to a name, and where it stands. */
function valueIn(
  line: string,
  name: string,
  isData: boolean,
): { readonly text: string; readonly column: number } | undefined {
  const sign = isData
    ? "\\s*[=:]\\s*"
    : `(?:\\s*:\\s*[^=]+?|(?<=\\b(?:const|var)\\s+${literalPattern(name)})\\s+[\\w.*[\\]]+)?\\s*:?=\\s*`;
  const [, head, text] =
    new RegExp(
      `^([^=:#]*(?<![\\w$.-])["']?${literalPattern(name)}["']?${sign})("[^"]*"|'[^']*'|[^\\s"',;{}()]+)\\s*[,;]?\\s*(?:(?:#|//|/\\*).*)?$`,
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
const REPLACES = /\b(?:replac|swap|exchang)\w*\b[^`\n]{0,60}$/i;
/** The key `a`. */
const KEYED =
  /\b(?:argument|class|constant|dependency|function|keyword|key|option|package|parameter|property|script|selector|setting|variable) $/i;
/** A number, or a truth value. */
const LITERAL = /^(?:[-+]?[\d.]+\w*%?|true|false|null|nil|none|yes|no|on|off)$/i;
const VALUE_WORDS = /^(?:default|setting|value|version|(?:default|initial|current) value)$/;
/** Files in which what a name stands for is data, and no other name. */
const DATA = /\.(?:json5?|ya?ml|toml|ini|cfg|conf|properties|env|s?css|less)$|(?:^|\/)\.env\b/i;

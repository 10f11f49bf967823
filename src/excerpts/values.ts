/** Tells a value from the type that a field is declared with: `retries: 5` is no new `retries: number`. */
import type { Part } from "../addresses/part.ts";
import { everyPart } from "./parts.ts";
import { holdsWord, type Splice, Unplaced, wholeLines } from "./text.ts";

interface Given {
  readonly before: string;
  readonly parts: readonly Part[];
  readonly content: string;
}

/** Refuses to give a field a value in place of its type, unless the excerpt shows what declares that. */
export function valueForType({ before, parts, content }: Given, splices: readonly Splice[]): Unplaced | undefined {
  if (!content.split("\n").some((line) => VALUE.test(line))) return undefined;
  const types = everyPart(parts).filter(({ part }) => TYPES.has(part.kind) && !holdsWord(content, part.name));
  const isGiven = ({ kind, start, end, children }: Part, splice: Splice): boolean => {
    const lines = wholeLines(before, splice);
    if (lines.start < start || lines.end > end) return false;
    // The methods of a class have values.
    if (kind === "class" && children.some((one) => one.start < lines.start && one.end > lines.end)) return false;
    const old = before.slice(lines.start, lines.end);
    const [values, oldValues] = [namesIn(splice.text, VALUE), namesIn(old, VALUE)];
    return namesIn(old, FIELD).some((name) => values.includes(name) && !oldValues.includes(name));
  };
  const type = types.find(({ part }) => splices.some((splice) => isGiven(part, splice)))?.part.name;
  if (type === undefined) return undefined;
  return new Unplaced(`declares a field in ${type}, which takes no value: show unchanged lines around the value`);
}

function namesIn(text: string, pattern: RegExp): readonly string[] {
  return text.split("\n").flatMap((line) => pattern.exec(line)?.[1] ?? []);
}

const TYPES: ReadonlySet<string> = new Set(["class", "interface", "record", "struct", "type"]);
/** A name with a number, a text, a list or a truth value. */
const VALUE = new RegExp(
  "^\\s*[\"']?([\\p{L}\\p{N}_$]+)[\"']?\\s*:\\s*" +
    "(?:[-+]?[\\d.]\\w*|\"[^\"]*\"|'[^']*'|`[^`]*`|true|false|True|False|\\[\\]|\\{\\}|\\[[-\\d\"'`].*\\])\\s*[,;]?\\s*$",
  "u",
);
/** A name with a type, which may be that of a value too. */
const FIELD = /^\s*(?:[a-z]+ )*([\p{L}\p{N}_$]+)[?!]?\s*:\s*[^=]+$/u;

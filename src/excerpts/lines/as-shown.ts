/** Finds the object that a key of JSON or YAML belongs in, where no sentence names one: the indentation and the values tell. */
import { blockAt, blockTold, isShownIn, type MemberBlock, membersOf } from "./blocks-told.ts";
import { insertInBlock, insertionIn } from "./into-block.ts";
import { tellsPlace } from "../told/places.ts";
import { namesOneOf, type Told } from "../told/told.ts";
import { firstIndent, firstLine, indentOf, type PlacedLines, type Splice, Unplaced } from "../text.ts";

/**
 * Returns another place for a key that stands beside keys less deep than it is shown, or unlike it. Undefined if it may
 * stand where it is.
 */
export function placeAsShown(
  file: string,
  content: string,
  { splices, said, path }: { readonly splices: readonly Splice[]; readonly said: Told; readonly path: string },
): PlacedLines | Unplaced | undefined {
  const rows = file.split("\n");
  const line = firstLine(content);
  const at = insertionIn(file, content, splices);
  const isKey = KEY.test(line) && KEYS.test(path) && !isShownIn(content, rows);
  if (at === undefined || !isKey || tellsPlace(said) || blockTold(said.text, rows) !== undefined) return undefined;
  const blocks = [...rows.keys()].flatMap((row) => {
    const block = blockAt(rows, row);
    return block !== undefined && KEY.test(rows[block.first] ?? "") ? [block] : [];
  });
  const around = blocks.findLast(
    ({ head, last, indent }) => at.row > head && at.row <= last + 1 && indent === at.indent,
  );
  const beside =
    around === undefined
      ? [...rows.keys()].filter((row) => indentOf(rows[row] ?? "") === at.indent)
      : membersOf(rows, around);
  const shown = firstIndent(content);
  const isAlike = (row: number): boolean => kindOfKey(rows[row] ?? "") === kindOfKey(line);
  const hasAlike = (block: MemberBlock): boolean => membersOf(rows, block).some(isAlike);
  const isNamed = around !== undefined && isNameTold(nameOf(rows, around), said);
  if (isNamed) return undefined;
  const inner = blocks.filter((block) => block !== around && block.indent.length > at.indent.length);
  const choices = shown === "" ? unlike() : inner.filter(({ indent }) => indent === shown);
  const alike = choices.filter(hasAlike);
  const named = alike.filter((block) => isNameTold(nameOf(rows, block), said));
  const [only, other] = named.length > 0 ? named : alike.length > 0 ? alike : choices;
  if (only === undefined) return undefined;
  if (other === undefined) return insertInBlock(file, content, { rows, block: only, side: "end" });
  const names = [...new Set((alike.length > 0 ? alike : choices).map((block) => nameOf(rows, block)))];
  return new Unplaced(`may have this in ${names.slice(0, 4).join(", ")}: say in which`);

  /** What is shown at the left may belong anywhere: its kind tells, if nothing of that is where it would stand. */
  function unlike(): readonly MemberBlock[] {
    if (beside.some(isAlike)) return [];
    const objects = beside.filter((row) => KEY.test(rows[row] ?? ""));
    const areObjects =
      objects.length > 1 &&
      /^\s*\{/.test(file) &&
      objects.every((row) => inner.some((block) => block.head === row && hasAlike(block)));
    return areObjects || TELLING.test(kindOfKey(line)) ? inner.filter(hasAlike) : [];
  }
}

function nameOf(rows: readonly string[], { head }: MemberBlock): string {
  return /^\s*["']?(.*?)["']?\s*:/.exec(rows[head] ?? "")?.[1] ?? "the file itself";
}

/** Returns whether a sentence has a name, or is about one of what a plural names. */
function isNameTold(name: string, said: Told): boolean {
  return said.names.has(name) || namesOneOf(said, name);
}

/** Returns what a key and its value are like. */
function kindOfKey(line: string): string {
  const [, key = "", value = ""] = /^\s*(?:- )?["']?([^"':]+)["']?\s*:\s*["']?(.*?)["']?,?\s*$/.exec(line) ?? [];
  const kind = /^[\^~<>=]*v?\d+\.\d|^[\^~]/.test(value)
    ? "version"
    : /^-?\d+$/.test(value)
      ? "number"
      : /^(?:true|false|null)$/.test(value)
        ? value
        : /^[{[]|^$/.test(value)
          ? "block"
          : "text";
  return `${/^[A-Z][A-Z\d_]+$/.test(key) ? "constant " : ""}${kind}`;
}

const KEYS = /\.(?:jsonc?|ya?ml)$/i;
const KEY = /^\s*(?:"[^"]+"|[\w.-]+)\s*:(?:\s|$)/;
const TELLING = /^constant|^version$/;

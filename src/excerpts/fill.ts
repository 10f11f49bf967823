/** Fills the holes of a declaration that plain answers leave beside lines which have changed. */
import { mayBeAlike, type Line } from "./text.ts";

/**
 * Fills the holes of a declaration where a line beside one has changed: the only line of the old text that it is alike
 * shows where the old lines go on.
 */
export function filledAlike(old: string, now: string, isHole: (line: string) => boolean): string | undefined {
  const [lines, written] = [old.split("\n"), now.split("\n")];
  const result: string[] = [];
  let from = 0;
  let segment: string[] = [];
  let isFirst = true;
  for (const line of [...written, undefined]) {
    if (line !== undefined && !isHole(line.trim())) {
      segment.push(line);
      continue;
    }
    const [first, last] = [segment.find((one) => one.trim() !== ""), segment.findLast((one) => one.trim() !== "")];
    const begin = isFirst
      ? from
      : first === undefined
        ? lines.length
        : (placeOfLine(lines, first, from, line === undefined) ?? placeBelowNew(lines, segment, from));
    if (begin === undefined) return undefined;
    // Beside a placeholder the blank lines are the old text's.
    const shown = segment.slice(
      isFirst ? 0 : segment.findIndex(isText),
      line === undefined ? undefined : segment.findLastIndex(isText) + 1,
    );
    result.push(...(isFirst ? [] : lines.slice(from, begin)), ...(first === undefined ? [] : shown));
    if (line === undefined) return result.join("\n");
    const end = last === undefined ? begin - 1 : endOfSegment(lines, segment, begin);
    if (end === undefined) return undefined;
    from = end + 1;
    segment = [];
    isFirst = false;
  }
  return undefined;
}

function isText(line: string): boolean {
  return line.trim() !== "";
}

/**
 * Returns the line of the old text that the last one of a segment is or replaces, or below which the last lines of it
 * are new: then the next line of the old text shares no names with them, or they may be its new form.
 */
function endOfSegment(lines: readonly string[], written: readonly string[], from: number): number | undefined {
  const segment = written.filter(isText);
  const isOnce = (line: string): boolean =>
    lines.indexOf(line) >= from && lines.indexOf(line) === lines.lastIndexOf(line);
  let at = segment.findLastIndex(isOnce);
  let kept = at === -1 ? from - 1 : lines.indexOf(segment[at] ?? "");
  const following = (): ReadonlyArray<Pick<Line, "text" | "at">> =>
    lines.flatMap((text, index) => (index > kept && isText(text) ? [{ text, at: index }] : []));
  for (let [next] = following(); at !== -1 && next !== undefined && next.text === segment[at + 1]; [next] = following())
    [at, kept] = [at + 1, next.at];
  const fresh = segment.slice(at + 1);
  const last = fresh.at(-1);
  if (last === undefined) return kept;
  const below = following();
  // The next lines, each in a new form.
  if (fresh.every((line, index) => mayBeAlike(line.trim(), below[index]?.text.trim() ?? "")))
    return below[fresh.length - 1]?.at;
  // A bracket may end what is new.
  const place = at !== -1 && !/\w/.test(last) ? undefined : placeOfLine(lines, last, kept + 1, false);
  if (place !== undefined || at === -1) return place;
  // The first word of an entry is its name.
  const areEntries = fresh.every((line) => line.trimEnd().endsWith(","));
  const known = new Set(fresh.flatMap((line) => wordsIn(line).slice(0, areEntries ? 1 : undefined)));
  const nextLine = below[0]?.text ?? "";
  if (fresh.some((line) => mayBeAlike(line.trim(), nextLine.trim()))) return undefined;
  const next = wordsIn(nextLine).slice(0, areEntries ? 1 : undefined);
  const shared = next.filter((word) => known.has(word));
  return shared.length * MOST_SHARED > next.length ? undefined : kept;
}

function wordsIn(text: string): readonly string[] {
  return [...new Set(text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu))];
}

/** Of the words of a line, one in so many may stand in another one that is not its new form. */
const MOST_SHARED = 2;

/**
 * Returns the only line of the old text that a segment has below lines which are all new: none of them is alike to one
 * that the hole above stands for, or sets a name that one of those sets.
 */
function placeBelowNew(lines: readonly string[], written: readonly string[], from: number): number | undefined {
  const segment = written.filter(isText);
  const known = segment.findIndex((line) => lines.includes(line));
  const wanted = segment[known] ?? "";
  const at = lines.indexOf(wanted);
  if (known < 1 || at < from || at !== lines.lastIndexOf(wanted) || !/\w/.test(wanted)) return undefined;
  const [fresh, hidden] = [segment.slice(0, known), lines.slice(from, at).filter(isText)];
  const isNew = (line: string): boolean =>
    !hidden.some(
      (old) => mayBeAlike(old.trim(), line.trim()) || (setIn(line) !== undefined && setIn(old) === setIn(line)),
    );
  return fresh.every(isNew) ? at : undefined;
}

/** Returns the name that a statement sets. */
function setIn(line: string): string | undefined {
  return /^\s*(?:[\w$]+\s+)*([\w$.[\]]+)\s*(?::\s*[^=]+)?:?=(?!=)/.exec(line)?.[1];
}

/** @param isLast whether the line ends the text, so that the last of equal ones is meant */
function placeOfLine(lines: readonly string[], wanted: string, from: number, isLast: boolean): number | undefined {
  const below = [...lines.keys()].filter((at) => at >= from && (lines[at] ?? "").trim() !== "");
  const same = below.filter((at) => lines[at]?.trim() === wanted.trim());
  if (same.length > 0) return same.length === 1 || isLast ? same.at(-1) : undefined;
  const alike = below.filter((at) => mayBeAlike((lines[at] ?? "").trim(), wanted.trim()));
  const named = below.filter((at) => setIn(wanted) !== undefined && setIn(lines[at] ?? "") === setIn(wanted));
  return alike.length === 1 ? alike[0] : alike.length === 0 && named.length === 1 ? named[0] : undefined;
}

/** Finds texts of several lines inside code: in quotes, or as a heredoc. Their lines do not move as code does. */

/** Where code moves to. */
interface Move {
  readonly file: string;
  moved(line: string): string;
}

/**
 * Returns the indexes of the lines inside texts of several lines that do not move with the code: those that the file
 * has as they are shown and not as they would be, and with most lines of a text the others of it.
 */
export function fixedLines(code: string, move?: Move): ReadonlySet<number> {
  const fixed = new Set<number>();
  const texts = textsIn(code);
  if (texts.length === 0) return fixed;
  const lines = code.split("\n");
  const old = move?.file.split("\n") ?? [];
  const there = new Set(textsIn(move?.file ?? "").flatMap(({ first, last }) => old.slice(first + 1, last + 1)));
  for (const { first, last, isFixed, isBound } of texts) {
    const rows = Array.from({ length: last - first }, (_, index) => first + 1 + index);
    const votes = rows.map((at) => {
      const line = lines[at] ?? "";
      if (move === undefined || line.trim() === "") return 0;
      return Number(there.has(line)) - Number(there.has(move.moved(line)));
    });
    // The last line is the end of the text.
    const sum = votes.slice(0, -1).reduce((one, other) => one + other, 0);
    for (const [index, at] of rows.entries()) {
      // Quotes alone end many texts: they tell only of one that the file has.
      const vote = sum !== 0 || /\w/.test(lines[at] ?? "") ? votes[index] : 0;
      if ((vote || sum || Number(isFixed)) > 0 || (isBound && at === last)) fixed.add(at);
    }
  }
  return fixed;
}

/** A text of several lines, by the indexes of the line that begins it and of that which ends it. */
interface TextLines {
  readonly first: number;
  readonly last: number;
  /** Whether its lines stay where nothing else tells. */
  readonly isFixed: boolean;
  /** Whether its end is found at the margin only. */
  readonly isBound: boolean;
}

/** Returns the texts of several lines in code. */
export function textsIn(code: string): readonly TextLines[] {
  if (!/"""|'''|`|<</.test(code)) return [];
  const lines = code.split("\n");
  const isLess = (first: number, last: number): boolean => {
    const depth = depthOf(lines[first] ?? "");
    // Where code stands at the margin, no line is less deep.
    const least = /^\s*["'`]/.test(lines[first] ?? "") ? depth : depth + 1;
    return lines
      .slice(first + 1, last + 1)
      .some((line, at) => line.trim() !== "" && depthOf(line) < (first + 1 + at < last ? least : depth));
  };
  const quoted: TextLines[] = [];
  let [row, counted] = [0, 0];
  for (const { 0: text, index } of code.matchAll(QUOTED)) {
    if (!text.includes("\n") || !/^["'`]/.test(text)) continue;
    row += code.slice(counted, index).split("\n").length - 1;
    counted = index;
    const last = row + text.split("\n").length - 1;
    // Others, as those of a docstring, move.
    quoted.push({ first: row, last, isFixed: isLess(row, last), isBound: false });
  }
  const ends = new Map(lines.map((line, at) => [endIn(line), at]));
  const documents: TextLines[] = [];
  for (let first = 0; first < lines.length; first++) {
    const [, mark = "", end = ""] = HEREDOC.exec(lines[first] ?? "") ?? [];
    if (end === "" || (ends.get(end) ?? 0) <= first) continue;
    const last = lines.findIndex((line, at) => at > first && endIn(line) === end);
    const isMoved = mark === "~" || mark === "<";
    documents.push({ first, last, isFixed: !isMoved || isLess(first, last), isBound: mark === "" });
    first = last;
  }
  return [...quoted, ...documents];
}

function endIn(line: string): string {
  return line.trim().replace(/[;,)]+$/, "");
}

/** Of a shell, Ruby or PHP. After white space, a word in lower case is what is appended. */
const HEREDOC = /<<([-~<]?)(?:["'`]?|\s["'`]|\s(?=\p{Lu}|_))([\p{L}_]\w*)/u;

/** Also matches what has quotes and begins no text: comments, and texts on one line. */
const QUOTED =
  /"""[^]*?"""|'''[^]*?'''|`(?:[^`\\]|\\[^])*`|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\/\/.*|(?<=^|\s)#\s.*/gm;

function depthOf(line: string): number {
  return line.search(/[^ \t]|$/);
}

/** What the grammar of a language says of a diff: the colours of its lines, and the declarations that they are in. */
import { type Change, highlight, type OutlineEntry, outlineOfText, shownText, visibleInLines } from "../../index.ts";
import type { FileView, HunkView, DiffLine, Mark } from "./protocol.ts";

/** UTF-16 units of text that are parsed for one answer. What is beyond is shown without colours. */
const MAX_LENGTH = 400_000;
/** Files that are parsed once for all previews of an answer. */
const MAX_KEPT = 400;

interface ColouredFile {
  readonly lines: readonly string[];
  readonly tokens: ReadonlyArray<readonly Mark[]>;
  /** Outer before inner. */
  readonly declarations: readonly OutlineEntry[];
}

export class Colours {
  readonly #kept = new Map<string, ColouredFile>();
  #left = MAX_LENGTH;

  /** Begins a new answer, with its own budget. */
  restart(): void {
    this.#left = MAX_LENGTH;
  }

  /** @param changes of which the files are made */
  async colour(files: readonly FileView[], changes: readonly Change[]): Promise<FileView[]> {
    const coloured: FileView[] = [];
    for (const file of files) {
      const change = changes.find(({ path }) => path.endsWith(`/${file.path}`));
      const before = change && (await this.#file(file.path, shownText(change.before)));
      const after = change && (await this.#file(file.path, shownText(change.after)));
      const hunks = file.hunks.map((hunk) => withColours(hunk, before, after));
      coloured.push({ ...file, hunks });
    }
    return coloured;
  }

  async #file(path: string, text: string | undefined): Promise<ColouredFile | undefined> {
    if (text === undefined || text === "") return undefined;
    const key = `${path}\0${text}`;
    const known = this.#kept.get(key);
    if (known !== undefined || text.length > this.#left) return known;
    this.#left -= text.length;
    const tokens = byLine(text.split("\n"), await highlight(path, text));
    const file = { lines: text.split(/\r?\n/), tokens, declarations: await outlineOfText(path, text) };
    if (this.#kept.size >= MAX_KEPT) this.#kept.clear();
    this.#kept.set(key, file);
    return file;
  }
}

function withColours(hunk: HunkView, before: ColouredFile | undefined, after: ColouredFile | undefined): HunkView {
  const lines = hunk.lines.map((line) => colouredLine(line, before, after));
  return { ...hunk, within: before && declarationAround(hunk, before), lines };
}

/** Returns the innermost declaration around the first changed line, as the file was before. */
function declarationAround({ lines }: HunkView, { declarations }: ColouredFile): string | undefined {
  const first = lines.findIndex(({ sign }) => sign !== " ");
  const next = lines.slice(first).find(({ old }) => old !== undefined)?.old;
  // Added lines are where the line above them is.
  const above = next === undefined ? lines[first - 1]?.old : next - 1;
  const line = lines[first]?.old ?? above;
  if (line === undefined) return undefined;
  const around = declarations.findLast(({ first_line: from, last_line: to }) => from <= line && line <= to);
  return around && visibleInLines(around.address.split("@@").slice(1).join(" › "));
}

/** A line that is not as in its file, such as one with escapes, has no colours. */
function colouredLine(line: DiffLine, before: ColouredFile | undefined, after: ColouredFile | undefined): DiffLine {
  const [file, number] = line.sign === "+" ? [after, line.new] : [before, line.old];
  if (file === undefined || number === undefined || file.lines[number - 1] !== line.text) return line;
  const tokens = file.tokens[number - 1] ?? [];
  return tokens.length === 0 ? line : { ...line, tokens };
}

/** Cuts tokens at the ends of lines. */
function byLine(lines: readonly string[], tokens: readonly Mark[]): ReadonlyArray<readonly Mark[]> {
  let [start, first] = [0, 0];
  return lines.map((line) => {
    const end = start + line.length;
    const marks: Mark[] = [];
    while ((tokens[first]?.[1] ?? Infinity) <= start) first++;
    for (let at = first; (tokens[at]?.[0] ?? Infinity) < end; at++) {
      const [from, to, kind] = tokens[at] as Mark;
      marks.push([Math.max(from - start, 0), Math.min(to, end) - start, kind]);
    }
    start = end + 1;
    return marks;
  });
}

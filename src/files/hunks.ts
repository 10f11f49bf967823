/** Divides an action's edits into hunks, of which a person may take only some. */
import { hash } from "node:crypto";
import { isUtf8 } from "node:buffer";
import { diffArrays } from "diff";
import { Failed } from "../core/failure.ts";
import type { EditHunk, PartTaken } from "../core/outcome.ts";
import type { AttemptRollback } from "../core/attempt-rollback.ts";
import { spliceBytes } from "../edit/codec.ts";
import { countLineFeeds, LF, splitLines } from "../edit/lines.ts";
import type { Edit, Splice } from "../edit/splice.ts";
import { NEEDED_ACCESS, type Workspace } from "./workspace.ts";

/** An edit of more places, or with more new text in UTF-16 units, is one hunk, shown without its lines. A write has none. */
const MAX_HUNKS = 1_000;
const MAX_NEW_TEXT = 2 ** 24;

/** Observes the hunks of one action, and takes only the chosen ones. */
export class HunkChoice {
  readonly #chosen: ReadonlySet<string> | undefined;
  /** The hunks of each edit, in the order of the edits. */
  #edits: Hunk[][] = [];

  /** @param chosen IDs of the hunks to take; all of them if undefined */
  constructor(chosen?: ReadonlySet<string>) {
    this.#chosen = chosen;
  }

  /**
   * Returns the workspace for a new try of the action. Throws `hunk/changed` in `edit` and `write` if a chosen hunk is
   * missing, and in a change that has no hunks if some were chosen.
   */
  within(workspace: Workspace, undo: AttemptRollback): Workspace {
    this.#edits = [];
    return {
      ...workspace,
      ...(this.#chosen && NO_HUNKS),
      edit: (path, change) =>
        this.#noting(undo, (number) =>
          workspace.edit(path, (bytes, file) => {
            const edit = change(bytes, file);
            const first = workspace.firstLine(path) ?? 1;
            return this.#choose(edit, { bytes, file, first, edit: number });
          }),
        ),
      write: (path, content, revise) =>
        this.#noting(undo, (number) =>
          workspace.write(path, content, (before, hasMark) => {
            const text = revise?.(before, hasMark) ?? content;
            const edit = typeof before === "string" ? linesReplaced(before, text) : undefined;
            if (edit === undefined) return this.#chosen === undefined ? text : refuse(path);
            const bytes = Buffer.from(before ?? "");
            const taken = this.#choose(edit, { bytes, file: path, first: 1, edit: number });
            if (taken === edit) return text;
            return (hasMark ? MARK : "") + spliceBytes(bytes, taken.splices, path).toString();
          }),
        ),
    };
  }

  /** Makes room for the hunks of one more edit, and removes them if it fails. */
  #noting<Value>(undo: AttemptRollback, act: (number: number) => Value): Value {
    const index = this.#edits.length;
    undo.note(() => void this.#edits.splice(index));
    this.#edits.push([]);
    try {
      return act(index + 1);
    } catch (thrown) {
      this.#edits[index] = [];
      throw thrown;
    }
  }

  /** All hunks, taken or not. */
  get hunks(): EditHunk[] {
    return this.#edits.flat().map(({ hunk }) => hunk);
  }

  /** Returns which were taken. Undefined unless only some were. */
  get part(): PartTaken | undefined {
    const { hunks } = this;
    const leftOut = hunks.filter(({ id }) => this.#chosen?.has(id) === false);
    return leftOut.length === 0 ? undefined : { taken: hunks.length - leftOut.length, of: hunks.length, leftOut };
  }

  #choose<E extends Edit>(edit: E, place: EditPlace): E {
    const chosen = this.#chosen;
    const hunks = isLarge(edit) ? [wholeHunk(edit, place)] : hunksOf([...edit.splices], place);
    this.#edits[place.edit - 1] = hunks;
    if (chosen === undefined) return edit;
    const ofEdit = [...chosen].filter((id) => id.startsWith(`${place.edit}.`));
    const known = new Set(hunks.map(({ hunk }) => hunk.id));
    if (ofEdit.some((id) => !known.has(id))) throw new Failed({ code: "hunk/changed", path: place.file });
    if (hunks.every(({ hunk }) => chosen.has(hunk.id))) return edit;
    return { ...edit, splices: hunks.filter(({ hunk }) => chosen.has(hunk.id)).flatMap(({ splices }) => splices) };
  }
}

function refuse(path: string): never {
  throw new Failed({ code: "hunk/changed", path });
}

/** All methods that change files and have no hunks. */
const NO_HUNKS: Partial<Workspace> = Object.fromEntries(
  Object.entries(NEEDED_ACCESS)
    .filter(([method, paths]) => !["edit", "write"].includes(method) && paths.flat().includes("write"))
    .map(([method]) => [method, refuse]),
);

const MARK = "\ufeff";

/** Texts that differ in more lines are compared no further, since that takes quadratic time. */
const MAX_DIFFERENT_LINES = 2_000;

/** Returns the lines that a whole new text replaces. Undefined if they are too many, or only line endings differ. */
function linesReplaced(before: string, text: string): Edit | undefined {
  if (before === "" || before.includes("\r\n") !== text.includes("\r\n")) return undefined;
  const unmarked = text.startsWith(MARK) ? text.slice(MARK.length) : text;
  // The end of the last line is no change that somebody chooses, and writing may add it.
  const ended = before.endsWith("\n") && !unmarked.endsWith("\n") ? `${unmarked}\n` : unmarked;
  const parts = diffArrays(splitLines(before), splitLines(ended), { maxEditLength: MAX_DIFFERENT_LINES });
  const splices: Splice[] = [];
  let at = 0;
  for (const { value, added, removed } of parts ?? []) {
    const part = value.join("");
    const end = at + (added ? 0 : Buffer.byteLength(part));
    const last = splices.at(-1);
    if (added && last?.end === at) splices.splice(-1, 1, { ...last, text: part });
    else if (added || removed) splices.push({ start: at, end, text: added ? part : "" });
    at = end;
  }
  return splices.length === 0 || splices.length > MAX_HUNKS ? undefined : { splices };
}

interface Hunk {
  readonly hunk: EditHunk;
  readonly splices: readonly Splice[];
}

interface EditPlace {
  readonly bytes: Buffer;
  /** As the block names it, without an address. */
  readonly file: string;
  /** 1-based line of the file at which the bytes begin. */
  readonly first: number;
  /** 1-based position among the action's edits. */
  readonly edit: number;
}

function isLarge({ splices }: Edit): boolean {
  if (splices.length > MAX_HUNKS) return true;
  let length = 0;
  for (const { text } of splices) length += text.length;
  return length > MAX_NEW_TEXT;
}

function wholeHunk({ splices }: Edit, { file, first, edit, bytes }: EditPlace): Hunk {
  const id = idOf(edit, [file, splices.length, hash("sha256", bytes, "base64url")]);
  return { hunk: { id, path: file, oldStart: first, oldLines: [], newStart: first, newLines: [] }, splices: [] };
}

function idOf(edit: number, facts: readonly unknown[]): string {
  return `${edit}.${hash("sha256", JSON.stringify(facts), "base64url").slice(0, 16)}`;
}

/** Whole lines and the splices in them. */
interface Region {
  readonly start: number;
  readonly end: number;
  readonly splices: readonly Splice[];
}

/** Returns one hunk for all splices that share a line. */
function hunksOf(splices: readonly Splice[], place: EditPlace): Hunk[] {
  const { bytes, file, first, edit } = place;
  const encoding = isUtf8(bytes) ? "utf8" : "latin1";
  const decode = (start: number, end: number): string => bytes.toString(encoding, start, end);
  let line = first;
  let at = 0;
  let added = 0;
  const regions = regionsOf(splices, bytes);
  return regions.map(({ start, end, splices }, index) => {
    line += countLineFeeds(bytes, at, start);
    at = start;
    const newText = spliced(decode, { start, end, splices });
    const oldLines = linesIn(decode(start, end));
    const newLines = linesIn(newText);
    const around = [decode(lineStart(bytes, start - 1), start), decode(end, feedAfter(bytes, end))];
    // Without its line number, so that the ID stays if an earlier action of the run only moves the lines.
    const id = idOf(edit, [file, index, regions.length, around, oldLines, newText]);
    const hunk = { id, path: file, oldStart: line, oldLines, newStart: line + added, newLines };
    added += newLines.length - oldLines.length;
    return { hunk, splices };
  });
}

function regionsOf(splices: readonly Splice[], bytes: Buffer): Region[] {
  const regions: Region[] = [];
  for (const splice of splices) {
    const start = lineStart(bytes, splice.start);
    const last = regions.at(-1);
    if (last === undefined || start >= last.end) {
      regions.push({ start, end: lineEnd(bytes, splice), splices: [splice] });
      continue;
    }
    // The splice before may have taken the line feed in front of this one: what is left then joins the next line.
    const end = splice.text === "" ? feedAfter(bytes, splice.end) : lineEnd(bytes, splice);
    regions.splice(-1, 1, { start: last.start, end: Math.max(last.end, end), splices: [...last.splices, splice] });
  }
  return regions;
}

function lineStart(bytes: Buffer, offset: number): number {
  return offset <= 0 ? 0 : bytes.lastIndexOf(LF, offset - 1) + 1;
}

/** Returns the end of the last line that a splice changes. Replaced whole lines do not touch the next one. */
function lineEnd(bytes: Buffer, { start, end, text }: Splice): number {
  const isWhole = text === "" ? lineStart(bytes, start) === start && end > start : text.endsWith("\n");
  return isWhole && lineStart(bytes, end) === end ? end : feedAfter(bytes, end);
}

function feedAfter(bytes: Buffer, offset: number): number {
  const feed = bytes.indexOf(LF, offset);
  return feed === -1 ? bytes.length : feed + 1;
}

function spliced(decode: (start: number, end: number) => string, { start, end, splices }: Region): string {
  let at = start;
  let text = "";
  for (const splice of splices) {
    text += decode(at, splice.start) + splice.text;
    at = splice.end;
  }
  return text + decode(at, end);
}

function linesIn(text: string): string[] {
  return splitLines(text).map((line) => line.replace(/\r?\n$/, ""));
}

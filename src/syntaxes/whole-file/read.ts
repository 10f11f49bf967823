/**
 * Reads whole files in code fences. The path stands above the fence, in its first line, or in a comment in the first
 * line of the text. Code Web Chat's headings also delete and rename files. A fence in a fence of the same length is
 * read by its info string; where nobody can tell which line ends a fence, it is refused. Never fails. Runs in linear
 * time.
 */
import type { DiagnosticCode, ReadText } from "../../core/block.ts";
import { ELLIPSIS_SOURCE, OPENINGS } from "../../core/comment-styles.ts";
import { fenceIn, type FenceLine, isFence, MASK, showsChanges } from "../fence.ts";
import { showsOther } from "../plain/no-edit.ts";
import { PLACE } from "../plain/words.ts";
import { Retractions } from "../taken-back.ts";
import { isKind, isRule, pathAbove, pathInFirstLine, pathInInfo, toldPath } from "../path-label.ts";
import { removalWords } from "../removed-names.ts";
import { actionInHeading } from "../headings.ts";
import { LineBlocks } from "../line-blocks.ts";
import { marginOf, type Source, withoutMargin } from "../source.ts";

export function readWholeFiles(source: Source): ReadText {
  const reader = new FileReader(source);
  reader.read();
  return { items: reader.blocks.all };
}

class FileReader {
  readonly blocks: LineBlocks;
  readonly #lines: Source;
  readonly #retractions: Retractions;
  #at = 0;
  readonly #lookahead = { left: MAX_LOOKAHEAD };
  /** The last text for each path. */
  readonly #texts = new Map<string, string>();
  /** Index of the last line with text outside fences, and of the line that underlines it. */
  #label: number | undefined;
  #labelEnd = 0;
  /** The words of all sentences that remove something. */
  readonly #removed: string;
  #renamings = 0;
  #restarts = 0;

  constructor(lines: Source) {
    this.#lines = lines;
    this.#retractions = new Retractions(lines);
    this.blocks = new LineBlocks(this.#lines);
    this.#removed = removedIn(this.#lines);
  }

  read(): void {
    while (this.#at < this.#lines.count) {
      const line = this.#lines.at(this.#at);
      if (line === "") {
        this.#at += 1;
        continue;
      }
      const fence = fenceIn(line);
      const tag = FILE_TAG.exec(line)?.[1];
      if (fence !== undefined) this.#readFence(fence);
      else if (tag !== undefined) this.#readTag(tag);
      else this.#readHeading(line);
    }
  }

  #readFence({ marks, info }: FenceLine): void {
    const first = this.#at;
    const end = endOf(this.#lines, first, marks);
    const isNear = this.#label !== undefined && first - this.#labelEnd <= 2;
    const label = isNear ? this.#lines.at(this.#label as number) : "";
    const sentences = isNear ? this.#proseAbove(this.#label as number) : "";
    const renamed = actionInHeading(label)?.["new_path"];
    const above = renamed ?? pathAbove(label, false);
    const comment = first + 1 < this.#lines.count ? this.#lines.at(first + 1) : "";
    const shown = pathInInfo(info);
    const named = above ?? toldPath(label);
    const path = (isKind(shown, named) ? above : shown) ?? above ?? pathInFirstLine(comment, info);
    const lost = end === undefined ? this.#lines.lostFences.find((fence) => fence.first === first) : undefined;
    const restart = lost?.isProse === false && this.#restarts < MAX_RESTARTS ? lost.below?.text : undefined;
    if (restart !== undefined) this.#restarts += 1;
    this.#at = restart ?? (end ?? this.#lines.count - 1) + 1;
    this.#label = undefined;
    const isDiff = showsChanges(info, this.#lines.slice(first + 1, end ?? first + 1));
    const introduction = above === undefined ? label : sentences;
    if (path === undefined || isDiff) return;
    const isTakenBack = end !== undefined && this.#retractions.of({ first, next: end + 1 }) !== undefined;
    if (isTakenBack || (end !== undefined && showsOther(introduction))) return;
    // A file is renamed only together with its new text.
    const group = path === renamed ? this.#groupOf(renamed) : {};
    if (end === undefined) {
      const { path: other, fence = 0 } = lost?.below ?? {};
      const inside = restart === undefined && other !== undefined ? `: ${other} in line ${fence + 1} may be in it` : "";
      return this.#refuse(first, path, "UNCLOSED_BLOCK", `The code fence of ${path} is never closed${inside}`, group);
    }
    const isLonger = fenceIn(this.#lines.at(end))?.marks !== marks;
    const isUnclear = isLonger || goesOn(this.#lines, end + 1, { marks, lookahead: this.#lookahead });
    // `__init__.py` may be empty. No file is emptied, and text right below may be what a fence was to hold.
    if (end === first + 1) {
      if (end + 1 >= this.#lines.count || this.#lines.at(end + 1).trim() === "")
        this.#add(first, { action: "file_create", path, content: "" }, group);
      return;
    }
    // A file that holds fences is Markdown. Of another one, the grammar tells whether it is whole.
    if (isUnclear && (isLonger || PROSE.test(path))) {
      const message = `It is unclear which line ends the code fence of ${path}: send it in a longer fence`;
      return this.#refuse(first, path, "MISPLACED_MARKER", message, group);
    }
    // A first line that names the file is no text of it, whatever else names it.
    const isLabel = pathInFirstLine(comment, info) === path;
    const margin = marginOf(this.#lines.at(first));
    const content = withoutMargin(this.#lines.slice(first + 1, end), margin);
    const text = content.slice(isLabel ? comment.length - margin.length : 0);
    if (text.trim() === DELETED) return this.#add(first, { action: "file_delete", path }, group);
    if (/^append\s/.test(info)) return this.#add(first, { action: "file_append", path, content }, group);
    const about = [sentences, WHOLE.test(label) ? label : "", this.#placeBelow(end)].join("\n").trim();
    const taken = {
      ...(isLabel && { label: withoutMargin(comment, margin) }),
      // A file that holds a fence goes on in the next line. An answer leaves a blank line below its fences.
      ...(isUnclear && { unclear: this.#lines.at(end + 1).trim() === "" ? "below" : "true" }),
      ...(about !== "" && { told: about }),
    };
    this.#add(first, { action: "file_put", path, content, ...taken }, group);
  }

  /** Returns the sentence below a fence that says where its text goes. */
  #placeBelow(end: number): string {
    const at = [end + 1, end + 2].find((row) => row < this.#lines.count && this.#lines.at(row).trim() !== "");
    const line = at === undefined ? "" : this.#lines.at(at).trim();
    return PLACE.test(line) && !/[:：]$/.test(line) ? line : "";
  }

  /** Returns the sentences right above a label. */
  #proseAbove(label: number): string {
    let end = label;
    while (end > 0 && this.#lines.at(end - 1).trim() === "") end -= 1;
    let first = end;
    while (first > 0 && end - first < MAX_PROSE && this.#lines.at(first - 1).trim() !== "") first -= 1;
    const lines = Array.from({ length: end - first }, (_, index) => this.#lines.at(first + index));
    return lines.some((line) => isFence(line) || line.startsWith(MASK)) ? "" : lines.join("\n").trim();
  }

  #readTag(path: string): void {
    const first = this.#at;
    let end = first + 1;
    while (end < this.#lines.count && !FILE_TAG_END.test(this.#lines.at(end)) && !FILE_TAG.test(this.#lines.at(end)))
      end += 1;
    this.#label = undefined;
    this.#at = end;
    if (end === this.#lines.count || FILE_TAG.test(this.#lines.at(end))) {
      return this.#refuse(first, path, "UNCLOSED_BLOCK", `<file path="${path}"> has no </file>`);
    }
    this.#at += 1;
    // Beside a mark on the line of the tag, one on a line of its own is text of the file.
    const opensOnTag = this.#lines.at(first).trimEnd().endsWith("<![CDATA[");
    const closesOnTag = this.#lines.at(end).startsWith("]]>");
    const opensBelow = !opensOnTag && /^\s*<!\[CDATA\[\s*$/.test(this.#lines.at(first + 1));
    const closesAbove = !closesOnTag && end > first + 1 && /^\s*\]\]>\s*$/.test(this.#lines.at(end - 1));
    const [from, to] = [opensBelow ? first + 2 : first + 1, closesAbove ? end - 1 : end];
    const [opensData, closesData] = [opensOnTag || opensBelow, closesOnTag || closesAbove];
    if (opensData !== closesData) {
      const message = `<file path="${path}"> has only one of <![CDATA[ and ]]>`;
      return this.#refuse(first, path, "MISPLACED_MARKER", message);
    }
    const marks = from < to ? fenceIn(this.#lines.at(from))?.marks : undefined;
    const isFenced = marks !== undefined && endOf(this.#lines, from, marks, to) === to - 1;
    if (isFenced && /\.(?:mdx?|mdc|markdown)$/.test(path)) {
      const message = `It is unclear whether the code fence is part of ${path}: send the text without <file>, in a longer fence under the path`;
      return this.#refuse(first, path, "MISPLACED_MARKER", message);
    }
    this.#add(first, {
      action: "file_put",
      path,
      content: isFenced ? this.#lines.slice(from + 1, to - 1) : this.#lines.slice(from, to),
    });
  }

  #readHeading(line: string): void {
    const first = this.#at;
    if (line.trim() !== "") this.#labelEnd = first;
    if (line.trim() !== "" && !isRule(line)) this.#label = first;
    this.#at += 1;
    const heading = actionInHeading(line);
    if (heading?.["new_path"] !== undefined) this.#renamings += 1;
    if (heading !== undefined) this.#add(first, heading, this.#groupOf(heading["new_path"]));
  }

  /** @param renamed the new path in the last heading */
  #groupOf(renamed: string | undefined): Group {
    return renamed === undefined ? {} : { group: `renaming-${this.#renamings}` };
  }

  #refuse(first: number, path: string, code: DiagnosticCode, message: string, group: Group = {}): void {
    this.blocks.refuse({ first, next: this.#at }, { code, message }, group, { path });
  }

  #add(first: number, given: Readonly<Record<string, string>>, group: Group = {}): void {
    const { path = "", content = "" } = given;
    const earlier = this.#texts.get(path);
    const uncertain = HOLE.test(content) ? "lazy" : "whole-file";
    const isOther = uncertain === "whole-file" && content !== "" && earlier !== undefined && earlier !== content;
    const warnings = isOther
      ? [`the answer has another text for ${path} above, which this one replaces: check that it is the right one`]
      : [];
    if (content !== "") this.#texts.set(path, content);
    const removed = content === "" || this.#removed === "" ? {} : { removed: this.#removed };
    this.blocks.add({ first, next: this.#at }, { ...given, ...removed }, { uncertain, ...group }, warnings);
  }
}

/** Says that it is the whole file. */
const WHOLE = /\((?:the )?(?:complete|entire|full|whole)\b[^)]*\)/i;

/** What kopipasta has models write in place of a text. */
const DELETED = "<<<DELETE>>>";

interface Group {
  readonly group?: string;
}

/** Returns the words of sentences outside fences that say that something goes. */
function removedIn(source: Source): string {
  const lines: string[] = [];
  const fences = source.fences.map(({ first, end = Infinity }) => ({ first: first + 1, last: end + 1 }));
  source.visitOutside(fences, (line) => lines.push(line));
  return removalWords(lines);
}

/** Lines of sentences above a label. */
const MAX_PROSE = 5;

/**
 * Returns the index of the line that closes a fence. Undefined if none before the limit does.
 *
 * Fences inside with an info string open nested ones. A bare one closes, though it may have been meant to open one:
 * then another bare one follows that opens nothing.
 */
function endOf(lines: Source, first: number, marks: string, limit = lines.count): number | undefined {
  let depth = 1;
  for (let at = first + 1; at < limit; at++) {
    const fence = fenceIn(lines.at(at));
    if (fence?.marks.startsWith(marks) !== true) continue;
    if (fence.info !== "") depth += 1;
    else if (--depth === 0) return at;
  }
  return undefined;
}

interface FenceSearch {
  readonly marks: string;
  readonly lookahead: { left: number };
}

/**
 * Returns whether a bare fence follows where none is open, before one with a path. True if that takes too long to find
 * out.
 */
function goesOn(lines: Source, from: number, { marks, lookahead }: FenceSearch): boolean {
  let label = "";
  let isOpen = false;
  for (let at = from; at < lines.count; at++) {
    if (lookahead.left === 0) return true;
    lookahead.left -= 1;
    const line = lines.at(at);
    const fence = fenceIn(line);
    if (fence === undefined || fence.marks.length < marks.length) {
      if (line.trim() !== "") label = line;
      continue;
    }
    const { info } = fence;
    const renamed = actionInHeading(label)?.["new_path"];
    if (!isOpen && (pathInInfo(info) ?? renamed ?? pathAbove(label, false)) !== undefined) return false;
    if (!isOpen && info === "") return true;
    isOpen = info !== "" || !isOpen;
  }
  return false;
}

/** A line that begins with an ellipsis, in a comment or in brackets, as one that stands for others. */
const HOLE = new RegExp(
  `^[ \\t]*(?:(?:${OPENINGS}|[-*["'(<{]+)[ \\t]*${ELLIPSIS_SOURCE}|${ELLIPSIS_SOURCE}(?![\\w$([{]))`,
  "m",
);
/** Fences without their end that end where another one opens, so that the work stays linear. */
const MAX_RESTARTS = 100;
const PROSE = /\.(?:mdx?|mdc|markdown|rst|txt|adoc)$/;
/** Lines to look at after fences in one text, so that the work stays linear. */
const MAX_LOOKAHEAD = 300_000;
const FILE_TAG = /^<file path="([^"\n]{1,500})">\s*(?:<!\[CDATA\[\s*)?$/;
const FILE_TAG_END = /^(?:\]\]>)?\s*<\/file>\s*$/;

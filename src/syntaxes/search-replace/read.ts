/**
 * Reads SEARCH/REPLACE blocks:
 *
 *     block   = path-line *fence head [ numbers ] *search divider *replace end
 *     numbers = *( ":start_line:" N / ":end_line:" N ) [ "-------" ]     Roo's
 *
 * Every search and replace line is a whole line of the file. A block without a search makes a new file. A block without
 * a path line is for the file of the block before it. A damaged block is yielded with its error and ends before the
 * next one. Code Web Chat's headings outside code fences delete and rename files. Never fails. Runs in linear time.
 */
import type { Diagnostic, HunkPlace, ReadBlock, ReadText } from "../../core/block.ts";
import { FenceTracker, isFence } from "../fence.ts";
import { actionInHeading } from "../headings.ts";
import { bareProperties, LineBlocks } from "../line-blocks.ts";
import { marginOf, type Source, withoutMargin } from "../source.ts";
import { isConflictHead, isDivider, isEnd, isHead, isNearHead } from "./markers.ts";
import { PathFinder, type Problem } from "./path-finder.ts";

/** @param last the block before the text, or only its `path` */
export function readSearchReplace(lines: Source, last: Before = { properties: {} }): ReadText {
  const paths = new PathFinder(lines, last.properties["path"]);
  const blocks = new LineBlocks(lines);
  const fences = new FenceTracker(lines.fenceEnds);
  let fence: number | undefined;
  let before = last;
  for (let at = 0; at < lines.count; at++) {
    const line = lines.at(at);
    if (isFence(line)) {
      fence = at;
      fences.read(line, at + 1);
    }
    const heading = fences.open === undefined ? actionInHeading(line) : undefined;
    if (heading !== undefined) {
      blocks.add({ first: at, next: at + 1 }, heading);
      continue;
    }
    const isConflict = isConflictHead(line) && !isHead(line);
    if (!isHead(line) && !isNearHead(line) && !(isConflict && (paths.isLabelled(fence) || paths.followsBlock(at))))
      continue;
    const block = sectionsOf(lines, at, isConflict);
    const read = blockOf(lines, { ...block, absent: isConflict ? line : undefined }, paths.pathFor(at), {
      id: `e${blocks.all.length + 1}`,
      before,
    });
    blocks.all.push(read);
    before = read;
    // Below one without its end, the path of the next one may stand.
    paths.passed(block.end === undefined ? block.head + 1 : block.next);
    at = block.next - 1;
  }
  return { items: blocks.all };
}

/** The lines of a block, by index. */
interface Sections {
  readonly head: number;
  /** First lines after markers. */
  readonly search: number;
  readonly divider: number | undefined;
  readonly end: number | undefined;
  /** Where reading goes on. */
  readonly next: number;
  /** The line given by `:start_line:`, 1-based. */
  readonly line: number | undefined;
  readonly problem: Problem | undefined;
  /** A line that the file must not have: a conflict's own mark. */
  readonly absent?: string | undefined;
}

function sectionsOf(lines: Source, head: number, isConflict: boolean): Sections {
  const { search, line } = numbersAt(lines, head + 1);
  const isShort = isConflict && lines.at(head) === "<<<<";
  let divider: number | undefined;
  let problem: Problem | undefined = isNearHead(lines.at(head))
    ? { at: head, code: "MALFORMED_MARKER", message: "A block begins with <<<<<<< SEARCH, with nothing after it" }
    : undefined;
  let at = search;
  for (; at < lines.count; at++) {
    const text = lines.at(at);
    if (isHead(text) || isNearHead(text)) break;
    if (isEnd(text, isConflict, isShort)) {
      if (divider === undefined)
        problem ??= {
          at,
          code: "MISSING_REPLACE",
          message: "The block has no line ======= between the old lines and the new ones",
        };
      return { head, search, divider, end: at, next: at + 1, line, problem };
    }
    if (isDivider(text, isShort)) {
      if (divider !== undefined)
        problem ??= {
          at,
          code: "MISPLACED_MARKER",
          message: "The block has a second line =======: it is unclear which one divides it",
        };
      divider ??= at;
    } else if (divider !== undefined && NUMBER.test(text))
      problem ??= { at, code: "MISPLACED_MARKER", message: `'${text.trim()}' is among the new lines` };
  }
  const missing = divider === undefined ? "=======" : ">>>>>>> REPLACE";
  problem ??= {
    at,
    code: "UNCLOSED_BLOCK",
    message: `The block has no line ${missing} before ${at < lines.count ? "the next one" : "the end"}`,
  };
  return { head, search, divider, end: undefined, next: at, line, problem };
}

const NUMBER = /^\s*:(start|end)_line:\s*(\d+)\s*$/;

function numbersAt(lines: Source, first: number): { readonly search: number; readonly line: number | undefined } {
  let search = first;
  let line: number | undefined;
  for (let match = NUMBER.exec(lines.at(search)); match !== null; match = NUMBER.exec(lines.at(search))) {
    if (match[1] === "start") line = Number(match[2]);
    search += 1;
  }
  return { search: search > first && /^-{5,9}\s*$/.test(lines.at(search)) ? search + 1 : search, line };
}

function blockOf(
  lines: Source,
  sections: Sections,
  path: string | Problem | undefined,
  { id, before }: { readonly id: string; readonly before: Before },
): ReadBlock {
  const { head, search, divider, end, next, line, problem, absent } = sections;
  const properties = bareProperties();
  const diagnostics: Diagnostic[] = [];
  let place: HunkPlace | undefined;
  const report = ({ at, code, message }: Problem): void =>
    void diagnostics.push(lines.diagnostic(at, code, id, message));
  if (path === undefined) report({ at: head, code: "INVALID_PATH", message: "No line above the block names its file" });
  else if (typeof path !== "string") report(path);
  else properties["path"] = path;
  if (problem !== undefined) report(problem);
  else if (divider !== undefined && end !== undefined) {
    const edit = editOf(lines.slice(search, divider), lines.slice(divider + 1, end), {
      line,
      margin: marginOf(lines.at(head)),
    });
    Object.assign(properties, edit.given);
    const placed = before.properties["path"] === path ? anchored(edit.place, before) : edit.place;
    place = { ...placed, ...(absent !== undefined && { absentLine: absent }) };
  }
  return {
    id,
    properties,
    startLine: head + 1,
    endLine: end === undefined ? null : end + 1,
    diagnostics,
    span: { start: lines.start(head), end: lines.end(next - 1) },
    meant: { paths: "by-tail-with-warning", ...(place && { place }) },
  };
}

/** The block before another one. */
type Before = Pick<ReadBlock, "properties" | "meant">;

interface Edit {
  readonly given: Readonly<Record<string, string>>;
  readonly place: HunkPlace;
}

interface Around {
  /** As given by `:start_line:`. */
  readonly line: number | undefined;
  /** The white space before the block's first marker. */
  readonly margin: string;
}

function editOf(oldLines: string, newLines: string, { line, margin }: Around): Edit {
  if (oldLines.trim() === "")
    return { given: { action: "file_create", content: unescaped(withoutMargin(newLines, margin)) }, place: {} };
  const numbered = withoutNumbers(oldLines);
  const [old_lines, new_lines] =
    numbered === undefined ? [oldLines, newLines] : [numbered.lines, withoutNumbers(newLines)?.lines ?? newLines];
  const at = line ?? numbered?.first;
  return {
    given: { action: "file_edit_lines", old_lines: unescaped(old_lines), new_lines: unescaped(new_lines) },
    place: at === undefined ? {} : { line: at },
  };
}

/**
 * Returns a place with the lines that the block before it leaves in the file, which show how far its line number is
 * off: Roo's are those of the file before all blocks. Takes the number away if other blocks have moved the lines, but
 * nothing shows how far. Adding up what the blocks before add would be wrong if one of them failed.
 */
function anchored({ line }: HunkPlace, before: Before): HunkPlace {
  const { action, old_lines = "", new_lines = "" } = before.properties;
  const { line: at, anchor } = before.meant?.place ?? {};
  if (line === undefined || action !== "file_edit_lines") return { line };
  const [oldCount, newCount] = [old_lines.split("\n").length - 1, new_lines.split("\n").length - 1];
  if (at !== undefined && oldCount === newCount && anchor === undefined) return { line };
  if (at === undefined || newCount === 0) return {};
  const isBelow = line >= at;
  const wasOutOfOrder = anchor !== undefined && anchor.line > at;
  if (isBelow && wasOutOfOrder) return {};
  // The lines below the block before are off by what it adds, and so is its own end.
  const end = at + (isBelow ? oldCount : newCount);
  const lines = new_lines.split("\n").slice(0, -1).slice(-end);
  return { line, anchor: { lines: lines.map((text) => `${text}\n`).join(""), line: end - lines.length } };
}

/** Removes line numbers, which Roo shows before lines, where all lines have them in ascending order. */
function withoutNumbers(lines: string): { readonly lines: string; readonly first: number } | undefined {
  const numbers = lines.match(/^ *\d+(?= \| )/gm) ?? [];
  if (numbers.length === 0 || numbers.length !== lines.split("\n").length - 1) return undefined;
  const first = Number(numbers[0]);
  return numbers.every((number, index) => Number(number) === first + index)
    ? { lines: lines.replace(/^ *\d+ \| /gm, ""), first }
    : undefined;
}

/** Takes off the backslash with which Roo escapes markers in contents. */
function unescaped(lines: string): string {
  return lines.replace(/^\\(?=(?:<{5,9}|={5,9}|>{5,9}|-{5,9}|:(?:start|end)_line:))/gm, "");
}

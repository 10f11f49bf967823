/** What the user left out of an answer, and said about it, as sections of the report for the chat. */
import type { BlockComment, EditHunk } from "../core/outcome.ts";
import { visibleOnOneLine } from "../core/visible.ts";
import { type ReportRows, type Row } from "./rows.ts";
import { masked, type Peek, type Section } from "./sections.ts";

/** Returns a section for each hunk left out, and for each other comment. They come first, as the user wants answers. */
export function reviewSections({ blocks }: ReportRows, comments: readonly BlockComment[], peek: Peek): Section[] {
  const texts = new Map<string, readonly string[] | undefined>();
  const linesOf = (path: string): readonly string[] | undefined => {
    if (!texts.has(path)) texts.set(path, peek(path)?.text.split(/\r?\n/));
    return texts.get(path);
  };
  return blocks.flatMap((row) => {
    const onRow = comments.filter((comment) => isAbout(comment, row));
    const leftOut = row.result?.hunks?.leftOut ?? [];
    const others = onRow.filter(({ hunk }) => leftOut.every(({ id }) => id !== hunk));
    return [
      ...leftOut.map((hunk) => {
        const kept = { title: keptTitle(hunk, linesOf(hunk.path)), text: hunk.oldLines.join("\n") };
        const reasons = onRow.filter((comment) => comment.hunk === hunk.id).map(said);
        const wanted = { title: "not taken", text: hunk.newLines.join("\n") };
        return section(row, `${hunk.path} left out by the user`, [kept, wanted, ...reasons]);
      }),
      ...others.map(({ text, about }) => {
        const line = about === undefined ? [] : [{ title: `line ${about.line}`, text: about.text }];
        return section(row, `${about?.path ?? row.subject} comment of the user`, [...line, said({ text })]);
      }),
    ];
  });
}

function isAbout({ blockId, blockStartLine }: BlockComment, { line, result }: Row): boolean {
  return blockStartLine === line && (result === undefined || result.blockId === blockId);
}

function said({ text }: Pick<BlockComment, "text">): Section["pieces"][number] {
  return { title: "the user says", text };
}

function section({ label }: Row, title: string, pieces: Section["pieces"]): Section {
  return masked({ label, failed: true, title: visibleOnOneLine(`[${label}] ${title}`), pieces, remarks: [] });
}

/** @param lines of the file as it is now */
function keptTitle({ oldStart, oldLines }: EditHunk, lines: readonly string[] | undefined): string {
  if (oldLines.length === 0) return "nothing was added";
  const first = lines && nearestPlace(lines, oldLines, oldStart);
  if (first === undefined) return "these lines stay as they are";
  return oldLines.length === 1
    ? `line ${first} stays as it is`
    : `lines ${first}-${first + oldLines.length - 1} stay as they are`;
}

/** Returns the number of the first line of the place nearest to a line. */
function nearestPlace(all: readonly string[], lines: readonly string[], near: number): number | undefined {
  const places = all.flatMap((_, at) => (lines.every((line, index) => all[at + index] === line) ? [at + 1] : []));
  return places.toSorted((left, right) => Math.abs(left - near) - Math.abs(right - near))[0];
}

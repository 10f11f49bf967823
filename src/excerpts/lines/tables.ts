/** Sees that a table of Markdown that an answer shows whole does not stand above or below the old one. */
import { spliced, type Splice, Unplaced } from "../text.ts";

/** Returns why lines are not added: the rows of a table would have a second head among them. */
export function doublesTable(before: string, splices: readonly Splice[]): Unplaced | undefined {
  if (!splices.some(({ text }) => text.includes("|"))) return undefined;
  return headsWithin(spliced(before, splices) ?? before) > headsWithin(before)
    ? new Unplaced("would have a table twice: show its new rows alone, or the whole table as it is in the file")
    : undefined;
}

/** Counts the heads of tables below another row of the same rows. */
function headsWithin(text: string): number {
  const rows = text.split("\n").map((line) => line.trim());
  return rows.filter((row, at) => /^\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?)?$/.test(row) && rows[at - 2]?.includes("|"))
    .length;
}

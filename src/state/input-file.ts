/** The file that answers are pasted into. Puts the newest report above its text, without losing a save. */
import { BYTE_ORDER_MARK, exchangeFile, type Exchanged, type HeldFile, type Save, takeBeside } from "./exchange-file.ts";
import { writeNewFile } from "./state-file.ts";

/** The file after an insertion. */
export interface PlacedReport {
  /** The report above the saved text. */
  readonly report: string;
  /** The text before the insertion. */
  readonly below: string;
  readonly text: string;
  /** When the text below the report was saved. */
  readonly saved: Moment;
  /** Number of exchanges of the file so far. */
  readonly generation: number;
  /** The replaced files, to which other programs may still be writing. */
  readonly old: readonly HeldFile[];
}

/** The time of a save, and the file that it went to. */
interface Moment {
  readonly at: bigint;
  /** The exchange that replaced this file. */
  readonly generation: number;
}

/**
 * Puts a report above the current text, in place of the report before it. Throws a system error and leaves the file
 * unchanged on failure.
 *
 * @param old the report before it, which a process that has ended may have put there
 */
export function putAbove(path: string, report: string, last?: PlacedReport, old = last?.report): PlacedReport {
  const exchanged = exchangeFile(path, ({ content }) => compose(report, content, old));
  const isOwn = exchanged.before.content.equals(Buffer.from(last?.text ?? ""));
  const known = isOwn ? last : undefined;
  const generation = nextAfter(last);
  return placedBy(exchanged, {
    report,
    saved: known?.saved ?? { at: exchanged.before.at, generation },
    generation,
  });
}

/**
 * Puts a save that went to an already replaced file below the report. Does nothing if something was saved after it. If
 * the order is unclear, writes it to a file of its own and returns the path. Throws a system error.
 *
 * @param late the save, with the generation of its file
 * @param last Loaf's last insertion
 */
export function putLate(path: string, late: Save & Moment, last: PlacedReport): PlacedReport | string | undefined {
  const expected = Buffer.from(last.text);
  let isUnclear = false;
  const exchanged = exchangeFile(path, ({ content, at }) => {
    const isOwn = content.equals(expected);
    isUnclear = !isOwn && late.at >= at;
    return isOwn && isLater(late, last.saved) ? compose(last.report, late.content, last.report) : undefined;
  });
  if (exchanged !== undefined) {
    return placedBy(exchanged, {
      report: last.report,
      saved: { at: late.at, generation: late.generation },
      generation: nextAfter(last),
    });
  }
  return isUnclear ? keepBeside(path, late.content) : undefined;
}

/**
 * A late save to a file is later than anything read from it, whatever the clock says: times are coarse, and copying or
 * moving a file may set them back. At equal times the save to the later file wins.
 */
function isLater(late: Moment, saved: Moment): boolean {
  return (
    late.generation === saved.generation ||
    late.at > saved.at ||
    (late.at === saved.at && late.generation > saved.generation)
  );
}

function nextAfter(last: PlacedReport | undefined): number {
  return (last?.generation ?? 0) + 1;
}

/** Writes a save to a new file and returns its path. Throws a system error. */
export function keepBeside(path: string, content: Buffer): string {
  return takeBeside(path, (name) => writeNewFile(name, content));
}

function placedBy(
  { before, after, old }: Exchanged,
  facts: Pick<PlacedReport, "report" | "saved" | "generation">,
): PlacedReport {
  return { ...facts, below: before.content.toString("utf8"), text: after.toString("utf8"), old };
}

/**
 * Keeps a byte order mark first, and uses the line ending of the text below.
 *
 * @param old a report to leave out, unless somebody has edited it
 */
function compose(report: string, content: Buffer, old: string | undefined): Buffer {
  const mark = content.subarray(0, 3).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : Buffer.alloc(0);
  const lineFeed = content.indexOf("\n");
  const ending = lineFeed > 0 && content[lineFeed - 1] === CARRIAGE_RETURN ? "\r\n" : "\n";
  const asLines = (text: string): Buffer => Buffer.from(`${text}\n`.replaceAll(/\r?\n/g, ending));
  const saved = content.subarray(mark.length);
  const before = old === undefined ? Buffer.alloc(0) : asLines(old);
  const isThere = saved.subarray(0, before.length).equals(before);
  return Buffer.concat([mark, asLines(report), isThere ? saved.subarray(before.length) : saved]);
}

const CARRIAGE_RETURN = 0x0d;

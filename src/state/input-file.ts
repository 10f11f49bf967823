/** The file that answers are pasted into. Inserts reports above its text, without losing a save. */
import { BYTE_ORDER_MARK, exchangeFile, type Exchanged, type HeldFile, type Save, takeBeside } from "./exchange-file.ts";
import { writeNewFile } from "./new-file.ts";

/** The file after an insertion. */
export interface Placed {
  /** The reports above the saved text, newest first. */
  readonly reports: string;
  /** The text before the insertion. */
  readonly below: string;
  readonly text: string;
  /** When the text below the reports was saved. */
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

/** Inserts a report above the current text. Throws a system error and leaves the file unchanged on failure. */
export function putAbove(path: string, report: string, last?: Placed): Placed {
  const exchanged = exchangeFile(path, ({ content }) => compose(report, content));
  const isOwn = exchanged.before.content.equals(Buffer.from(last?.text ?? ""));
  const known = isOwn ? last : undefined;
  const generation = nextAfter(last);
  return placedBy(exchanged, {
    reports: known === undefined ? report : `${report}\n${known.reports}`,
    saved: known?.saved ?? { at: exchanged.before.at, generation },
    generation,
  });
}

/**
 * Puts a save that went to an already replaced file below the reports. Does nothing if something was saved after it. If
 * the order is unclear, writes it to a file of its own and returns the path. Throws a system error.
 *
 * @param late the save, with the generation of its file
 * @param last Loaf's last insertion
 */
export function putLate(path: string, late: Save & Moment, last: Placed): Placed | string | undefined {
  const own = Buffer.from(last.text);
  let isUnclear = false;
  const exchanged = exchangeFile(path, ({ content, at }) => {
    const isOwn = content.equals(own);
    isUnclear = !isOwn && late.at >= at;
    return isOwn && isLater(late, last.saved) ? compose(last.reports, late.content) : undefined;
  });
  if (exchanged !== undefined) {
    return placedBy(exchanged, {
      reports: last.reports,
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

function nextAfter(last: Placed | undefined): number {
  return (last?.generation ?? 0) + 1;
}

/** Writes a save to a new file and returns its path. Throws a system error. */
export function keepBeside(path: string, content: Buffer): string {
  return takeBeside(path, (name) => writeNewFile(name, content));
}

function placedBy({ before, after, old }: Exchanged, facts: Pick<Placed, "reports" | "saved" | "generation">): Placed {
  return { ...facts, below: before.content.toString("utf8"), text: after.toString("utf8"), old };
}

/** Keeps a byte order mark first, and uses the line ending of the text below. */
function compose(report: string, content: Buffer): Buffer {
  const mark = content.subarray(0, 3).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : Buffer.alloc(0);
  const lineFeed = content.indexOf("\n");
  const ending = lineFeed > 0 && content[lineFeed - 1] === CARRIAGE_RETURN ? "\r\n" : "\n";
  const above = Buffer.from(`${report}\n`.replaceAll(/\r?\n/g, ending));
  return Buffer.concat([mark, above, content.subarray(mark.length)]);
}

const CARRIAGE_RETURN = 0x0d;

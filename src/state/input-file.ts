/** The file that answers are pasted into: reports go above what is in it, and nothing that is saved into it is lost. */
import { exchangeFile, type Exchanged, type HeldFile, type Save } from "./exchange-file.ts";
import { writeNewFile } from "./new-file.ts";

/** A file after reports were put into it. */
export interface Placed {
  /** Those that stand above what was saved, the newest first. */
  readonly reports: string;
  /** What stood there before, and what stands there now. */
  readonly below: string;
  readonly text: string;
  /** When what stands below the reports was saved. */
  readonly saved: Moment;
  /** How often the file has been exchanged by now. */
  readonly generation: number;
  /** The files that were there before: who has opened one may still be writing to it. */
  readonly old: readonly HeldFile[];
}

/** When something was saved, by the file system's clock and into which file. */
interface Moment {
  readonly at: bigint;
  /** That of the exchange by which this file was taken away. */
  readonly generation: number;
}

/** Puts a report above what is in the file at this moment. Throws a system error where that cannot be done, and the file is as it was. */
export function putAbove(path: string, report: string, last?: Placed): Placed {
  const exchanged = exchangeFile(path, ({ content }) => compose(report, content));
  const isOwn = exchanged.before.content.equals(Buffer.from(last?.text ?? ""));
  const known = isOwn ? last : undefined;
  const generation = nextAfter(last);
  return placedBy(exchanged, { reports: known === undefined ? report : `${report}\n${known.reports}`, saved: known?.saved ?? { at: exchanged.before.at, generation }, generation });
}

/**
 * Puts what was still written to an old file, when it had been replaced, where it belongs: below the reports. Where something else was saved after
 * it, nothing happens; where nobody can tell which was the later one, it gets a file of its own, whose path is returned. Throws a system error.
 *
 * @param late with the generation of its file
 * @param last what Loaf itself has put there last
 */
export function putLate(path: string, late: Save & Moment, last: Placed): Placed | string | undefined {
  const own = Buffer.from(last.text);
  let isUnclear = false;
  const exchanged = exchangeFile(path, ({ content, at }) => {
    const isOwn = content.equals(own);
    isUnclear = !isOwn && late.at >= at;
    return isOwn && isLater(late, last.saved) ? compose(last.reports, late.content) : undefined;
  });
  if (exchanged !== undefined) return placedBy(exchanged, { reports: last.reports, saved: { at: late.at, generation: late.generation }, generation: nextAfter(last) });
  return isUnclear ? keepBeside(path, late.content) : undefined;
}

/** What comes late into a file is later than all that was read from it. Where the clock cannot tell, whoever opened a later file saved later. */
function isLater(late: Moment, saved: Moment): boolean {
  return late.generation === saved.generation || late.at > saved.at || (late.at === saved.at && late.generation > saved.generation);
}

function nextAfter(last: Placed | undefined): number {
  return (last?.generation ?? 0) + 1;
}

/** Keeps what was saved in a file of its own, whose path is returned. Throws a system error. */
export function keepBeside(path: string, content: Buffer): string {
  for (let number = 1; ; number++) {
    const own = `${path}.saved-meanwhile-${number}`;
    if (writeNewFile(own, content)) return own;
  }
}

function placedBy({ before, after, old }: Exchanged, facts: Pick<Placed, "reports" | "saved" | "generation">): Placed {
  return { ...facts, below: before.content.toString("utf8"), text: after.toString("utf8"), old };
}

/** A byte order mark stays the first thing in a file, and its lines end as they do below. */
function compose(report: string, content: Buffer): Buffer {
  const mark = content.subarray(0, 3).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : Buffer.alloc(0);
  const lineFeed = content.indexOf("\n");
  const ending = lineFeed > 0 && content[lineFeed - 1] === CARRIAGE_RETURN ? "\r\n" : "\n";
  const above = Buffer.from(`${report}\n`.replaceAll(/\r?\n/g, ending));
  return Buffer.concat([mark, above, content.subarray(mark.length)]);
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const CARRIAGE_RETURN = 0x0d;

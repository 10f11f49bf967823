/** The file that answers are pasted into: reports go above what is in it, and nothing that is saved into it is lost. */
import { exchangeFile, type HeldFile } from "./exchange-file.ts";
import { writeNewFile } from "./new-file.ts";

export interface Placed {
  readonly report: string;
  /** What the report was put above, and the file as it is now. */
  readonly below: string;
  readonly text: string;
  /** The file that was there before: who has opened it may still be writing to it. */
  readonly old: HeldFile;
}

/** Puts a report above what is in the file at this moment. Throws a system error where that cannot be done, and the file is as it was. */
export function putAbove(path: string, report: string): Placed {
  return placedBy(report, exchangeFile(path, (content) => compose(report, content)));
}

/**
 * Puts what was still written to the old file in the place of what was taken from it. Where the file was saved since, it is left alone, and what
 * came late gets a file of its own, whose path is returned.
 */
export function putLate(path: string, { report, text }: Placed, late: Buffer): Placed | string {
  const placed = Buffer.from(text);
  let isFirst = true;
  const exchanged = exchangeFile(path, (content) => ((isFirst = content.equals(placed)) ? compose(report, late) : content));
  if (isFirst) return placedBy(report, exchanged);
  exchanged.old.close();
  for (let number = 1; ; number++) {
    const own = `${path}.saved-meanwhile-${number}`;
    if (writeNewFile(own, late)) return own;
  }
}

function placedBy(report: string, { before, after, old }: ReturnType<typeof exchangeFile>): Placed {
  return { report, below: before.toString("utf8"), text: after.toString("utf8"), old };
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

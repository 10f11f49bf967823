/** How the reports of a run get to where they are read: the one into the output file, the other above the text that was run. */
import { putAbove, type Placed } from "../../state/input-file.ts";
import { readTextFile } from "../../state/input.ts";
import { problemWithOutput, writeOutput } from "../../state/output-file.ts";

/** Whether a text is a report of Loaf's own, of whatever syntax. */
function isReport(text: string): boolean {
  return /^=== LOAF RESULTS ===$/m.test(text);
}

/** Why reports cannot be written to a file, or undefined. */
export function problemWith(root: string, output: string): string | undefined {
  return problemWithOutput(root, output, isReport);
}

/** Throws an `Error` with a sentence where it cannot be written. */
export function publishReport(root: string, output: string, report: string): void {
  try {
    writeOutput(root, output, `${report}\n`, isReport);
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    throw code === undefined ? thrown : new Error(`The report could not be written to ${output} (${code})`, { cause: thrown });
  }
}

export interface PlaceOptions {
  readonly input: string;
  /** What was run: where the file holds something else by now, it is being worked on. */
  readonly text: string;
  readonly summary: string;
  /** Bytes. */
  readonly limit: number;
  /** Resolves to whether the file stayed as it is for a moment. */
  readonly rested: () => Promise<boolean>;
  /** What was put there last: something may be while this waits. */
  readonly last: () => Placed | undefined;
}

/** Saves in a row that are waited for before the results are put above all the same. */
const MOST_SAVES = 20;

/** Puts the results above what is in the file by now, when nobody is about to save it. Throws where that cannot be done. */
export async function placeResults({ input, text, summary, limit, rested, last }: PlaceOptions): Promise<Placed> {
  for (let saves = 0, now = await readTextFile(input, limit); now !== text && saves < MOST_SAVES; saves++) {
    const before = now;
    // An editor empties the file before it fills it.
    const isResting = (await rested()) && (now !== "" || (await rested()));
    now = await readTextFile(input, limit);
    if (isResting && now === before) break;
  }
  return putAbove(input, summary, last());
}

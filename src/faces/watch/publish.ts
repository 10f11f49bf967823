/** Writes the reports of a run: the full one to the output file, the summary above the text that was run. */
import { putAbove, type PlacedReport } from "../../state/input-file.ts";
import { readTextFile } from "../../state/input.ts";
import { problemWithOutput, writeOutput } from "../../state/output-file.ts";

/**
 * Returns whether a text is a report of Loaf: it begins with the title, or with the status lines that `statusOf` makes
 * and then the title. A text that quotes a report further down is somebody's own.
 */
function isReport(text: string): boolean {
  return /^(?:\[[^\n]*\] (?:SUCCESS|ERROR|FATAL|SKIP): [^\n]*\n)*=== LOAF RESULTS ===(?:\n|$)/.test(text);
}

/** Returns why reports cannot be written to a file, or undefined. */
export function problemWith(root: string, output: string): string | undefined {
  return problemWithOutput(root, output, isReport);
}

/** Throws an `Error` with a sentence if the file is not writable. */
export function publishReport(root: string, output: string, report: string): void {
  try {
    writeOutput(root, output, `${report}\n`, isReport);
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    throw code === undefined
      ? thrown
      : new Error(`The report could not be written to ${output} (${code})`, { cause: thrown });
  }
}

export interface PlaceOptions {
  readonly input: string;
  /** The text that was run. If the file differs from it, somebody is editing. */
  readonly text: string;
  readonly summary: string;
  /** Bytes. */
  readonly limit: number;
  /** Resolves to whether the file did not change for a moment. */
  readonly rested: () => Promise<boolean>;
  /** Returns Loaf's last insertion, which may change during the wait. */
  readonly last: () => PlacedReport | undefined;
  /** The report of an earlier process above the text. */
  readonly above?: string | undefined;
}

/** Maximum number of successive saves to wait for. */
const MAX_SAVES = 20;

/** Puts the results above the current text once the file has come to rest. Throws if that fails. */
export async function placeResults(options: PlaceOptions): Promise<PlacedReport> {
  const { input, text, summary, limit, rested, last, above } = options;
  for (let saves = 0, now = await readTextFile(input, limit); now !== text && saves < MAX_SAVES; saves++) {
    const before = now;
    // An editor empties the file before it fills it.
    const isResting = (await rested()) && (now !== "" || (await rested()));
    now = await readTextFile(input, limit);
    if (isResting && now === before) break;
  }
  const known = last();
  return putAbove(input, summary, known, known?.report ?? above);
}

import { fullReport } from "../../report/full.ts";
import { summaryReport } from "../../report/summary.ts";
import type { Loaf } from "../../loaf.ts";

/** Blocks as in most answers. The file exists only in memory. */
const ANSWER = `#!nesl [@three-char-SHA-256: war]
action = "file_write"
path = "loaf-warm-up.txt"
content = "one"
#!end_war

#!nesl [@three-char-SHA-256: wbr]
action = "file_replace_text"
path = "loaf-warm-up.txt"
old_text = "one"
new_text = "two"
#!end_wbr
`;

/**
 * Runs an answer in memory, so that the code of a run is loaded and compiled before the first real one. Touches no
 * file.
 *
 * @param open opens the project for dry runs
 */
export async function warmUp(open: () => Promise<Loaf>): Promise<void> {
  const loaf = await open();
  const result = await loaf.execute(ANSWER);
  summaryReport(result);
  fullReport(result, loaf);
}

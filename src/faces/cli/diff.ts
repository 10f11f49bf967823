import { unifiedDiff } from "../../report/diff.ts";
import { complain, print } from "./output.ts";
import { openHistory } from "./project.ts";
import { paintDiff } from "./reports.ts";
import { positiveNumber } from "./reversal.ts";
import { UsageError } from "./usage-error.ts";

/** `loaf diff [RUN]` */
export async function diff(number: string | undefined, options: { readonly root?: string; readonly json?: boolean }): Promise<void> {
  const wanted = number === undefined ? undefined : positiveNumber(number, "The run");
  const loaf = await openHistory(options);
  const found = await loaf.changesOf(wanted);
  if (found === undefined && wanted !== undefined) throw new UsageError(`There is no run ${wanted} in the log: loaf log lists all`);
  const text = found === undefined ? "" : unifiedDiff(found.changes, loaf.root);
  if (options.json) print(JSON.stringify({ run: found?.run ?? null, diff: text }, undefined, 2));
  else if (text !== "") print(paintDiff(text));
  if (found === undefined) complain("No run has changed anything here yet");
}

import { historyReport } from "../../report/history.ts";
import { complain, print, usesColor } from "./output.ts";
import { openHistory } from "./project.ts";

/** `loaf log` */
export async function log(options: { readonly root?: string; readonly json?: boolean }): Promise<void> {
  const loaf = await openHistory(options);
  const history = await loaf.history();
  if (options.json) print(JSON.stringify(history, undefined, 2));
  else if (history.runs.length > 0 || history.droppedUpTo !== undefined) print(historyReport(history, { color: usesColor(), now: Date.now() }));
  if (history.runs.length === 0) complain("No run has changed anything here yet");
}

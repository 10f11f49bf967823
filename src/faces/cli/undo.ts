import { openHistory } from "./project.ts";
import { positiveNumber, showReversal } from "./reversal.ts";

/** `loaf undo [N]` */
export async function undo(count: string | undefined, options: { readonly root?: string; readonly json?: boolean }): Promise<void> {
  const number = count === undefined ? 1 : positiveNumber(count, "The number of runs to undo");
  const loaf = await openHistory(options);
  showReversal(await loaf.undo(number), { root: loaf.root, json: options.json });
}

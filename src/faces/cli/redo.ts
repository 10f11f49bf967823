import { openHistory } from "./project.ts";
import { showReversal } from "./reversal.ts";

/** `loaf redo` */
export async function redo(options: { readonly root?: string; readonly json?: boolean }): Promise<void> {
  const loaf = await openHistory(options);
  showReversal(await loaf.redo(), { root: loaf.root, json: options.json });
}

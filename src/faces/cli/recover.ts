import { complain, print } from "./output.ts";
import { openHistory } from "./project.ts";

/** `loaf recover`: sets exit code 1 if conflicts with later changes left something unfinished. */
export async function recover(options: { readonly root?: string; readonly json?: boolean }): Promise<void> {
  const loaf = await openHistory(options);
  const { isWhole, notices } = await loaf.recover();
  process.exitCode = isWhole ? 0 : 1;
  if (options.json) print(JSON.stringify({ isWhole, notices }, undefined, 2));
  else for (const notice of notices) complain(notice);
  if (notices.length === 0) complain("Nothing was left unfinished");
}

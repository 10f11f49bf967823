import { recoverCrossing } from "./crossing.ts";
import type { Settings } from "../config/schema.ts";
import { openRepository } from "./repository-of-project.ts";

/** Finishes or rolls back an interrupted `loaf back` or `forward`. Returns notices. */
export async function recoverStep(project: { readonly root: string; readonly settings: Settings }): Promise<string[]> {
  const opened = await openRepository(project);
  return opened === undefined ? [] : recoverCrossing(opened.git, opened.repository);
}

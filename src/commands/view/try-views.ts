/** Tells what commands would work on, for people who want to know. */
import { openView } from "./open-view.ts";
import { ViewError } from "./view.ts";
import { newViewFolder } from "./view-folders.ts";

const NOTHING = { files: [], directories: [], repositories: [] };

/** Why the kernel's overlay does not work for a project, or undefined where it does. Tried out; nothing is left of it. */
export async function whyNoOverlay(root: string): Promise<string | undefined> {
  const folder = newViewFolder(root, true);
  const newPlace = () => ({ project: root, layer: folder.path, closed: NOTHING, later: () => folder.later() });
  try {
    const view = await openView({ makers: ["overlay"], newPlace, copyLimit: 0 });
    await view.close();
    return undefined;
  } catch (thrown) {
    if (thrown instanceof ViewError) return thrown.message;
    throw thrown;
  }
}

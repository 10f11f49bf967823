/** Reports which kind of view commands would get, for display. */
import { openView } from "./open-view.ts";
import { ViewError } from "./view.ts";
import { newViewFolder } from "./view-folders.ts";

const NOTHING = { files: [], directories: [], repositories: [] };

/** Returns why the kernel's overlay does not work for a project, or undefined if it does. Tests it and leaves nothing behind. */
export async function overlayProblem(root: string): Promise<string | undefined> {
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

/** Picks the best kind of view that works here. */
import { makeCopyView } from "./copy.ts";
import { newViewFolder, removeLayer } from "./view-folders.ts";
import { makeOverlayView } from "./overlay.ts";
import { type View, ViewError, type ViewMaker, type ViewPlace } from "./view.ts";

export interface ViewOptions {
  /** Kinds to try, best first. */
  readonly makers: readonly ViewMaker[];
  /**
   * Returns a new, empty folder for one attempt. `later` resolves when further changes will have a newer time than the
   * folder.
   */
  newPlace(): ViewPlace & { later(): Promise<void> };
  /** Maximum bytes for a copy. */
  readonly copyLimit: number;
}

export const MAKERS: readonly ViewMaker[] = ["overlay", "clone", "copy"];

/** Throws `ViewError` with the reason of each kind if none works. Removes what failed attempts left. */
export async function openView({ makers, newPlace, copyLimit }: ViewOptions): Promise<View> {
  const reasons: string[] = [];
  for (const maker of makers) {
    const place = newPlace();
    try {
      // An overlay shows changes made until the command begins. A copy misses changes made after it was begun.
      if (maker !== "overlay") {
        await place.later();
        return await makeCopyView({ ...place, maker, mostBytes: copyLimit });
      }
      const view = await makeOverlayView(place);
      await place.later().catch(async (thrown: unknown) => {
        await view.close();
        throw thrown;
      });
      return view;
    } catch (thrown) {
      removeLayer(place.layer);
      if (!(thrown instanceof ViewError)) throw thrown;
      reasons.push(`${maker}: ${thrown.message}`);
    }
  }
  throw new ViewError(reasons.join("; "));
}

const NOTHING = { files: [], directories: [], repositories: [] };

/**
 * Returns why the kernel's overlay does not work for a project, or undefined if it does. Tests it and leaves nothing
 * behind.
 */
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

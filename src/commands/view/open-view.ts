/** Picks the best kind of view that works here. */
import { makeCopyView } from "./copy.ts";
import { removeLayer } from "./layer-folder.ts";
import { makeOverlayView } from "./overlay.ts";
import { type View, ViewError, type ViewMaker, type ViewPlace } from "./view.ts";

export interface ViewOptions {
  /** Kinds to try, best first. */
  readonly makers: readonly ViewMaker[];
  /** Returns a new, empty folder for one attempt. `later` resolves when further changes will have a newer time than the folder. */
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
      if (maker !== "overlay") await place.later();
      const view = maker === "overlay" ? await makeOverlayView(place) : await makeCopyView({ ...place, maker, mostBytes: copyLimit });
      if (maker === "overlay") await place.later();
      return view;
    } catch (thrown) {
      removeLayer(place.layer);
      if (!(thrown instanceof ViewError)) throw thrown;
      reasons.push(`${maker}: ${thrown.message}`);
    }
  }
  throw new ViewError(reasons.join("; "));
}

/** Picks the best maker of views that works here. */
import { makeCopyView } from "./copy.ts";
import { removeLayer } from "./layer-folder.ts";
import { makeOverlayView } from "./overlay.ts";
import { type View, ViewError, type ViewMaker, type ViewPlace } from "./view.ts";

export interface ViewOptions {
  /** Makers to try, best first. */
  readonly makers: readonly ViewMaker[];
  /** A new, empty folder for one attempt. `later` resolves once whatever is changed can be told to be newer than it. */
  newPlace(): ViewPlace & { later(): Promise<void> };
  /** Bytes that a copy may take. */
  readonly copyLimit: number;
}

export const MAKERS: readonly ViewMaker[] = ["overlay", "clone", "copy"];

/** Throws `ViewError` with the reason of each maker where none works. Of an attempt that fails nothing is left. */
export async function openView({ makers, newPlace, copyLimit }: ViewOptions): Promise<View> {
  const reasons: string[] = [];
  for (const maker of makers) {
    const place = newPlace();
    try {
      // An overlay shows what is changed until the command begins; a copy shows nothing that is changed after it was begun.
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

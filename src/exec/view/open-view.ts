/** Picks the best maker of views that works here. */
import { makeCopyView } from "./copy.ts";
import { makeOverlayView } from "./overlay.ts";
import { type View, ViewError, type ViewMaker, type ViewPlace } from "./view.ts";

export interface ViewOptions {
  /** Makers to try, best first. */
  readonly makers: readonly ViewMaker[];
  /** A new, empty folder for one attempt. */
  newPlace(): ViewPlace;
  /** Bytes that a copy may take. */
  readonly copyLimit: number;
}

export const MAKERS: readonly ViewMaker[] = ["overlay", "clone", "copy"];

/** Throws `ViewError` with the reason of each maker where none works. */
export async function openView({ makers, newPlace, copyLimit }: ViewOptions): Promise<View> {
  const reasons: string[] = [];
  for (const maker of makers) {
    try {
      return maker === "overlay" ? await makeOverlayView(newPlace()) : await makeCopyView({ ...newPlace(), maker, mostBytes: copyLimit });
    } catch (thrown) {
      if (!(thrown instanceof ViewError)) throw thrown;
      reasons.push(`${maker}: ${thrown.message}`);
    }
  }
  throw new ViewError(reasons.join("; "));
}

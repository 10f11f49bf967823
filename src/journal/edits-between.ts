/** What others changed between two runs, in files that both changed. */
import { isSame, type State } from "../core/change-set.ts";
import { readImage } from "../disk/images.ts";
import { unlessSystemError } from "../disk/system-error.ts";
import { mergeBytes } from "../edit/merge.ts";
import { composeFiles, imagesIn } from "./change-set.ts";
import { donePuts, type Log } from "./read-log.ts";

export interface EditBetween {
  readonly state: State | null;
  /** Content of a file. */
  readonly bytes?: Buffer | undefined;
}

/** What runs left at a path, and what was there before them, wherever that was. */
interface Left {
  readonly state: State | null;
  readonly origin: string;
  readonly first: State | Buffer | null;
}

/**
 * Returns such files as they would be before the first run, had they been edited then. A file in which both touched the
 * same lines is as its editor left it.
 *
 * @param logs of the runs, in order
 */
export function editsBetween(logs: readonly Log[]): ReadonlyMap<string, EditBetween> {
  const images = new Map(logs.flatMap((log) => [...imagesIn(donePuts(log), log.file)]));
  const bytesOf = (state: State | Buffer | null): Buffer | undefined => {
    if (Buffer.isBuffer(state)) return state;
    const image = state?.kind === "file" ? images.get(state.sha256) : undefined;
    return image && unlessSystemError(() => readImage(image), undefined);
  };
  const places = new Map<string, Left>();
  const edited = new Map<string, EditBetween>();
  for (const log of logs)
    for (const { path, from = path, before, after } of composeFiles(donePuts(log))) {
      const left = places.get(from) ?? { state: before, origin: from, first: before };
      let { first } = left;
      if (!isSame(left.state, before)) {
        const [base, ours, theirs] = [left.state, before, first].map(bytesOf);
        const bytes = (base && ours && theirs && mergeBytes(base, ours, theirs)) ?? ours;
        if (before?.kind !== "file" || bytes !== undefined) edited.set(left.origin, { state: before, bytes });
        first = bytes ?? before;
      }
      places.delete(from);
      places.set(path, { ...left, state: after, first });
    }
  return edited;
}

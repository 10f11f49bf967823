/** The content of files at an earlier time, and what others changed in them between two runs. */
import { type FileBytes, isSame, type State } from "../core/change-set.ts";
import { DAMAGED, readImage, readImageInPieces } from "../disk/images.ts";
import type { Image } from "../disk/planned.ts";
import { unlessSystemError } from "../disk/system-error.ts";
import { mergeBytes } from "../edit/merge.ts";
import { composeFiles, imagesIn } from "./change-set.ts";
import { type DonePut, donePuts, type Log } from "./read-log.ts";

type Step = DonePut & { readonly log: Log };

/**
 * Finds the content of files at an earlier time. A file keeps its content until a put destroys it, and the log of
 * that has the pre-image.
 */
export class PastFiles {
  readonly #steps: readonly Step[];
  /** Steps by path: avoids a scan of all steps for each file of a large run. */
  readonly #at = new Map<string, number[]>();

  /** @param logs in order, without gaps up to the newest */
  constructor(logs: readonly Log[]) {
    this.#steps = logs.flatMap((log) => donePuts(log).map((put) => ({ ...put, log })));
    for (const [step, { path }] of this.#steps.entries()) {
      const before = this.#at.get(path);
      if (before === undefined) this.#at.set(path, [step]);
      else before.push(step);
    }
  }

  /**
   * Returns the bytes that a file had at a path. Undefined if they are not kept.
   *
   * @param start number of puts made up to then
   */
  find(path: string, content: FileBytes, start: number): Buffer | undefined {
    const image = this.#locate(path, content, start);
    return image && unlessSystemError(() => readImage(image), undefined);
  }

  /**
   * Like `find`, but passes the bytes on in pieces, whatever the size. Returns false if they are not kept; then the
   * pieces are incomplete. Rethrows errors of `take`.
   */
  read(path: string, content: FileBytes, start: number, take: (piece: Buffer) => void): boolean {
    const image = this.#locate(path, content, start);
    return image !== undefined && unlessSystemError(() => (readImageInPieces(image, take), true), false, UNREADABLE);
  }

  /** Finds the bytes: in a log or in a file. */
  #locate(path: string, { size, sha256 }: FileBytes, start: number): Image | undefined {
    let place = path;
    for (let step = this.#next(place, start); step !== undefined; step = this.#next(place, step + 1)) {
      const { movesTo, before, after, log } = this.#steps[step] as Step;
      if (movesTo !== undefined) place = movesTo;
      else {
        if (before?.kind !== "file" || before.sha256 !== sha256) return undefined;
        if (before.image !== undefined) return { log: log.file, ...before.image, sha256 };
        // The run destroyed its own content, unless it wrote the same again.
        if (after?.kind !== "file" || after.sha256 !== sha256) return undefined;
      }
    }
    return { log: place, offset: 0, length: size, sha256 };
  }

  /** Returns the first step from `start` on that touches a path. */
  #next(place: string, start: number): number | undefined {
    return this.#at.get(place)?.find((step) => step >= start);
  }
}

/** Not among them are errors of whoever takes the pieces, such as a full disk. */
const UNREADABLE = ["EACCES", "EISDIR", "ELOOP", "ENOENT", "ENOTDIR", "ENXIO", DAMAGED];

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

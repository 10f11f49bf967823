/** The content of files at an earlier time, and what others changed in them between two runs. */
import { type FileBytes, isSame, type Put, type State } from "../core/change-set.ts";
import { DAMAGED, readImage, readImageInPieces } from "../disk/images.ts";
import type { Image } from "../disk/planned.ts";
import { unlessSystemError } from "../disk/system-error.ts";
import { mergeBytes } from "../edit/merge.ts";
import { composeFiles, type Images, imagesIn } from "./change-set.ts";
import { donePuts, type Log } from "./read-log.ts";

/**
 * Finds the content of files before the first of some logs, and after it. A log has what was destroyed since; the rest
 * is still on the disk, perhaps at another path.
 */
export class PastFiles {
  readonly #images: Images;
  readonly #moves = new Map<string, Array<{ readonly step: number; readonly to: string }>>();
  /** Number of puts of the first log. */
  readonly #end: number;

  /** @param logs in order, without gaps up to the newest */
  constructor(logs: readonly Log[]) {
    const done = logs.map(donePuts);
    this.#images = new Map(logs.flatMap((log, index) => [...imagesIn(done[index] ?? [], log.file)]));
    this.#end = done[0]?.length ?? 0;
    for (const [step, { path, movesTo: to }] of done.flat().entries())
      if (to !== undefined) this.#moves.set(path, [...(this.#moves.get(path) ?? []), { step, to }]);
  }

  /** Returns the bytes of a file before a change of the first log. Undefined for no file, or if they are not kept. */
  before({ path, from = path, before }: Pick<Put, "path" | "from" | "before">): Buffer | undefined {
    return this.#find(from, before, 0);
  }

  /** The same after that log. */
  after({ path, after }: Pick<Put, "path" | "after">): Buffer | undefined {
    return this.#find(path, after, this.#end);
  }

  /**
   * Like `before`, but passes the bytes on in pieces, whatever the size. Returns false if they are not kept; then the
   * pieces are incomplete. Rethrows errors of `take`.
   */
  read(path: string, content: FileBytes, take: (piece: Buffer) => void): boolean {
    return unlessSystemError(() => (readImageInPieces(this.#locate(path, content, 0), take), true), false, UNREADABLE);
  }

  #find(path: string, state: State | null, start: number): Buffer | undefined {
    if (state?.kind !== "file") return undefined;
    return unlessSystemError(() => readImage(this.#locate(path, state, start)), undefined);
  }

  /** @param start number of puts made up to then */
  #locate(path: string, { size, sha256 }: FileBytes, start: number): Image {
    let [place, from] = [path, start];
    for (let move = this.#next(place, from); move !== undefined; move = this.#next(place, from))
      [place, from] = [move.to, move.step + 1];
    return this.#images.get(sha256) ?? { log: place, offset: 0, length: size, sha256 };
  }

  #next(place: string, start: number): { readonly step: number; readonly to: string } | undefined {
    return this.#moves.get(place)?.find(({ step }) => step >= start);
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

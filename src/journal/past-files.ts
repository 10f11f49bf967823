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
  /** Where the logs left each content last, by its digest. */
  readonly #places: ReadonlyMap<string, string>;

  /** @param logs in order, without gaps up to the newest */
  constructor(logs: readonly Log[]) {
    const done = logs.map(donePuts);
    this.#images = new Map(logs.flatMap(({ file }, index) => [...imagesIn(done[index] ?? [], file)]));
    const left = done
      .flat()
      .flatMap(({ path, after }) => (after?.kind === "file" ? [[after.sha256, path] as const] : []));
    this.#places = new Map(left);
  }

  /** Returns the bytes of a file before a change of the first log. Undefined for no file, or if they are not kept. */
  before({ path, from = path, before }: Pick<Put, "path" | "from" | "before">): Buffer | undefined {
    return this.#find(from, before);
  }

  /** The same after that log. */
  after({ path, after }: Pick<Put, "path" | "after">): Buffer | undefined {
    return this.#find(path, after);
  }

  /**
   * Like `before`, but passes the bytes on in pieces, whatever the size. Returns false if they are not kept; then the
   * pieces are incomplete. Rethrows errors of `take`.
   */
  read(path: string, content: FileBytes, take: (piece: Buffer) => void): boolean {
    const [image] = this.#copies(path, content);
    return unlessSystemError(() => (readImageInPieces(image, take), true), false, UNREADABLE);
  }

  #find(path: string, state: State | null): Buffer | undefined {
    if (state?.kind !== "file") return undefined;
    const read = (image: Image): Buffer | undefined => unlessSystemError(() => readImage(image), undefined);
    const [likely, other] = this.#copies(path, state);
    return read(likely) ?? read(other);
  }

  /** Returns where the content of a file may be: the likely place first. */
  #copies(path: string, { size, sha256 }: FileBytes): readonly [Image, Image] {
    const at = (log: string): Image => ({ log, offset: 0, length: size, sha256 });
    return [this.#images.get(sha256) ?? at(this.#places.get(sha256) ?? path), at(path)];
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

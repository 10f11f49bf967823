import { createHash, hash } from "node:crypto";
import { Disk } from "../disk/disk.ts";
import { MOST_HELD, readImage, readImageInPieces } from "../disk/images.ts";
import { doneOperations } from "./inverse.ts";
import type { IntentRecord } from "./log-record.ts";
import type { Content, Image } from "../disk/operation.ts";
import { isWithin } from "../paths/path-segments.ts";
import type { Log } from "./read-log.ts";
import { isSystemError } from "../disk/system-error.ts";

type Step = IntentRecord & { readonly log: Log };

/** In a log, and what came next at the path, from which an image may take its beginning and end. */
interface Kept {
  readonly image: Image;
  readonly path: string;
  readonly after: IntentRecord["after"];
  /** How many operations had been made by then. */
  readonly next: number;
}

/** Finds what files held in the past. Until something destroyed it, it stood in the file; what did has an image of it in its log. */
export class PastFiles {
  readonly #steps: readonly Step[];
  /** The steps at each path, and those that move something: a run of thousands need not be gone through for each of its files. */
  readonly #at = new Map<string, number[]>();
  readonly #moves: number[] = [];
  readonly #disk = new Disk();

  /** @param logs in their order; all that came after them are among them */
  constructor(logs: readonly Log[]) {
    this.#steps = logs.flatMap((log) => doneOperations(log).map(({ intent }) => ({ ...intent, log })));
    for (const [step, { operation }] of this.#steps.entries()) {
      if (operation.kind === "rename") this.#moves.push(step);
      const path = operation.kind === "rename" ? operation.to : operation.path;
      const before = this.#at.get(path);
      if (before === undefined) this.#at.set(path, [step]);
      else before.push(step);
    }
  }

  /**
   * The bytes of a file that stood at a path, or undefined where they are not kept.
   *
   * @param start how many operations had been made by then
   */
  find(path: string, content: Content, start: number): Buffer | undefined {
    const found = this.#locate(path, content, start);
    if (found === undefined || "place" in found) return found && this.#onDisk(found.place, content);
    const { image, path: at, after, next } = found;
    return this.#fromImage(image, after && this.find(at, after, next));
  }

  /** The same piece by piece, however many they are. False where they are not kept: what was handed on is not all of them then. Throws what `take` throws. */
  read(path: string, content: Content, start: number, take: (piece: Buffer) => void): boolean {
    if (content.size <= MOST_HELD) {
      const bytes = this.find(path, content, start);
      if (bytes !== undefined) take(bytes);
      return bytes !== undefined;
    }
    const found = this.#locate(path, content, start);
    if (found === undefined) return false;
    let refused: { readonly thrown: unknown } | undefined;
    const handOn = (piece: Buffer): void => {
      try {
        take(piece);
      } catch (thrown) {
        refused = { thrown };
        throw thrown;
      }
    };
    const isRead = readable(() => ("place" in found ? this.#readOnDisk(found.place, content, handOn) : (readImageInPieces(found.image, handOn), true)));
    // A disk that has no room for them is not one that has lost them.
    if (refused !== undefined) throw refused.thrown;
    return isRead ?? false;
  }

  /** Where the bytes are: in a log, which may need those that came next, or in a file. */
  #locate(path: string, content: Content, start: number): Kept | { readonly place: string } | undefined {
    let place = path;
    for (let step = this.#next(place, start); step !== undefined; step = this.#next(place, step + 1)) {
      const { operation, before, after, log } = this.#steps[step] as Step;
      if (operation.kind === "rename" && isWithin(place, operation.from)) place = operation.to + place.slice(operation.from.length);
      else {
        if (before?.kind !== "file" || before.sha256 !== content.sha256) return undefined;
        if ("image" in before) return { image: { log: log.file, ...before.image, sha256: content.sha256 }, path: place, after, next: step + 1 };
        // The run destroyed what it had itself written; unless it wrote the same again.
        if (after?.sha256 !== content.sha256) return undefined;
      }
    }
    return { place };
  }

  /** The first step from `start` on that is about what stands at a place. */
  #next(place: string, start: number): number | undefined {
    const here = this.#at.get(place)?.find((step) => step >= start);
    const away = this.#moves.find((step) => step >= start && isMoved(place, this.#steps[step] as Step));
    return here === undefined || away === undefined ? (here ?? away) : Math.min(here, away);
  }

  /** @param replacing the bytes that came next, from which an image may take its beginning and end */
  #fromImage(image: Image, replacing: Buffer | undefined): Buffer | undefined {
    return isPart(image) && replacing === undefined ? undefined : readable(() => readImage(image, replacing));
  }

  #onDisk(path: string, { size, sha256 }: Content): Buffer | undefined {
    return readable(() => {
      if (this.#disk.entry(path)?.size !== size) return undefined;
      const { bytes } = this.#disk.readFile(path);
      return hash("sha256", bytes, "hex") === sha256 ? bytes : undefined;
    });
  }

  #readOnDisk(path: string, { size, sha256 }: Content, take: (piece: Buffer) => void): boolean {
    if (this.#disk.entry(path)?.size !== size) return false;
    const digest = createHash("sha256");
    this.#disk.readPieces(path, (piece) => {
      digest.update(piece);
      take(piece);
      return true;
    });
    return digest.digest("hex") === sha256;
  }
}

function isMoved(place: string, { operation }: Step): boolean {
  return operation.kind === "rename" && isWithin(place, operation.from);
}

function isPart({ prefix = 0, suffix = 0 }: Image): boolean {
  return prefix + suffix > 0;
}

/** What the system refuses to read is not there to be shown. */
function readable<Value>(read: () => Value | undefined): Value | undefined {
  try {
    return read();
  } catch (thrown) {
    if (isSystemError(thrown)) return undefined;
    throw thrown;
  }
}

import { createHash, hash } from "node:crypto";
import type { FileBytes } from "../core/change-set.ts";
import { Disk } from "../disk/disk.ts";
import { MAX_HELD, readImage, readImageInPieces } from "../disk/images.ts";
import type { Image } from "../disk/planned.ts";
import { unlessSystemError } from "../disk/system-error.ts";
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
  readonly #disk = new Disk();

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
    const kept = this.#locate(path, content, start);
    if (kept === undefined) return undefined;
    return "place" in kept ? this.#onDisk(kept.place, content) : unlessSystemError(() => readImage(kept), undefined);
  }

  /**
   * Like `find`, but passes the bytes on in pieces, whatever the size. Returns false if they are not kept; then the
   * pieces are incomplete. Rethrows errors of `take`.
   */
  read(path: string, content: FileBytes, start: number, take: (piece: Buffer) => void): boolean {
    if (content.size <= MAX_HELD) {
      const bytes = this.find(path, content, start);
      if (bytes !== undefined) take(bytes);
      return bytes !== undefined;
    }
    const kept = this.#locate(path, content, start);
    if (kept === undefined) return false;
    let refused: { readonly thrown: unknown } | undefined;
    const forward = (piece: Buffer): void => {
      try {
        take(piece);
      } catch (thrown) {
        refused = { thrown };
        throw thrown;
      }
    };
    const isRead = unlessSystemError(
      () =>
        "place" in kept ? this.#readOnDisk(kept.place, content, forward) : (readImageInPieces(kept, forward), true),
      false,
    );
    // An error of the receiver, such as a full disk, does not mean that the bytes are lost.
    if (refused !== undefined) throw refused.thrown;
    return isRead;
  }

  /** Finds the bytes: in a log or in a file. */
  #locate(path: string, content: FileBytes, start: number): Image | { readonly place: string } | undefined {
    let place = path;
    for (let step = this.#next(place, start); step !== undefined; step = this.#next(place, step + 1)) {
      const { movesTo, before, after, log } = this.#steps[step] as Step;
      if (movesTo !== undefined) place = movesTo;
      else {
        if (before?.kind !== "file" || before.sha256 !== content.sha256) return undefined;
        if ("image" in before) return { log: log.file, ...before.image, sha256: content.sha256 };
        // The run destroyed its own content, unless it wrote the same again.
        if (after?.kind !== "file" || after.sha256 !== content.sha256) return undefined;
      }
    }
    return { place };
  }

  /** Returns the first step from `start` on that touches a path. */
  #next(place: string, start: number): number | undefined {
    return this.#at.get(place)?.find((step) => step >= start);
  }

  #onDisk(path: string, { size, sha256 }: FileBytes): Buffer | undefined {
    return unlessSystemError(() => {
      if (this.#disk.entry(path)?.size !== size) return undefined;
      const { bytes } = this.#disk.readFile(path);
      return hash("sha256", bytes, "hex") === sha256 ? bytes : undefined;
    }, undefined);
  }

  #readOnDisk(path: string, { size, sha256 }: FileBytes, take: (piece: Buffer) => void): boolean {
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

/** What happens to the content of files on an overlay. */
import type { Image } from "./planned.ts";

/** A file's bytes, in memory or elsewhere. `modified` is in seconds since 1970. */
export interface PlacedFile {
  readonly content: Buffer | Image;
  readonly mode: number;
  readonly modified: number;
}

/** Receives the content of files as an overlay changes them. */
export interface Observer {
  written(path: string, file: Written): void;
  /** Called before it is gone. */
  removed?(path: string, before: Written["before"]): void;
  moved(from: string, to: string, replaced: Written["before"]): void;
}

export interface Written {
  /** Position of the action. */
  readonly author: number;
  readonly content: Buffer | Image;
  /** Whether a command made it. */
  readonly isPlaced: boolean;
  /** Reads the current content. Undefined if there is none. */
  before(): Buffer | undefined;
}

import type { LineCounts } from "../core/progress.ts";
import type { UndoLog } from "../core/undo-log.ts";
import { readImage } from "../disk/images.ts";
import type { Observer, Written } from "../disk/planned.ts";
import { unlessSystemError } from "../disk/system-error.ts";
import { countChangedLines } from "../edit/line-counts.ts";

/** Bytes of a file to compare with its former content. */
const MAX_COMPARED = 2 ** 20;

interface File {
  readonly before: Buffer | undefined;
  readonly after: Buffer | undefined;
}

/** Counts the lines that each action changes, while somebody watches. Lines of a file that only moves do not count. */
export class LineTally implements Observer {
  readonly #undo: UndoLog;
  /** By path. Undefined for a file too large to compare. */
  #files: Map<string, File | undefined> | undefined;

  constructor(undo: UndoLog) {
    this.#undo = undo;
  }

  /** Starts a new action. */
  begin(): void {
    this.#files = new Map();
  }

  written(path: string, { content, before }: Written): void {
    this.#note(path, before, () =>
      content.length > MAX_COMPARED ? null : Buffer.isBuffer(content) ? content : readImage(content),
    );
  }

  removed(path: string, before: Written["before"]): void {
    this.#note(path, before, () => undefined);
  }

  moved(_: string, to: string, replaced: Written["before"]): void {
    const bytes = this.#files && unlessSystemError(replaced, undefined);
    if (bytes !== undefined)
      this.#note(
        to,
        () => bytes,
        () => undefined,
      );
  }

  /**
   * Returns the counts of the last action and forgets them. Undefined if it changed no file, or a file is too large.
   */
  take(): LineCounts | undefined {
    const files = this.#files;
    this.#files = undefined;
    if (files === undefined || files.size === 0) return undefined;
    const known = [...files.values()].filter((file) => file !== undefined);
    return known.length < files.size ? undefined : countChangedLines(known);
  }

  /** @param after null if it is too large */
  #note(path: string, before: Written["before"], after: () => Buffer | undefined | null): void {
    const files = this.#files;
    if (files === undefined) return;
    const [known, earlier] = [files.has(path), files.get(path)];
    this.#undo.note(() => (known ? files.set(path, earlier) : files.delete(path)));
    const [old, now] = unlessSystemError(() => [known ? earlier?.before : before(), after()], [undefined, null]);
    const isTooLarge = now === null || (old?.length ?? 0) > MAX_COMPARED || (known && earlier === undefined);
    files.set(path, isTooLarge ? undefined : { before: old, after: now });
  }
}

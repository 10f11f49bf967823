import { Failed } from "../core/failure.ts";
import { UndoLog } from "../core/undo-log.ts";
import { addEdit, addRewrite, type ChangedZones, movedLines } from "../edit/changed-lines.ts";
import { withoutMark } from "../edit/codec.ts";
import type { LineRange } from "../edit/lines.ts";
import type { Splices } from "../edit/splice.ts";
import { isWithin } from "../paths/path-segments.ts";

/** What the run has done so far to the lines of one file. */
interface Numbering {
  /** Undefined where that is not known. */
  readonly zones: ChangedZones | undefined;
  /** Reads the file as it was before commands changed it; not called before the numbering is needed. */
  readonly beforeCommand?: (() => Buffer | undefined) | undefined;
}

const UNCHANGED: Numbering = { zones: [] };

/**
 * The line numbers of the files that a run changes. A model counts lines as they were before the run, so a number from before an edit may name other
 * lines after it. Paths are canonical.
 */
export class LineMoves {
  readonly #files = new Map<string, Numbering>();
  readonly #undo: UndoLog;

  constructor(undo = new UndoLog()) {
    this.#undo = undo;
  }

  /** The same, to try actions out. */
  copy(undo: UndoLog): LineMoves {
    const copy = new LineMoves(undo);
    for (const [path, numbering] of this.#files) copy.#files.set(path, numbering);
    return copy;
  }

  /** @param before without its byte order mark, as `after` */
  edited(path: string, before: Buffer, after: Buffer, splices: Splices): void {
    if (splices.length === 0) return;
    const zones = this.#zonesOf(path, before);
    this.#set(path, { zones: zones && addEdit(zones, before, after, splices) });
  }

  /** Numbers the lines of a file anew: it was written as a whole, or is gone. */
  restarted(path: string): void {
    this.#set(path, undefined);
  }

  /** What is known of a file, or of all files in a directory, follows it to its new path. */
  moved(from: string, to: string): void {
    const found = [...this.#files].filter(([path]) => isWithin(path, from));
    for (const path of this.#files.keys()) if (isWithin(path, from) || isWithin(path, to)) this.#set(path, undefined);
    for (const [path, numbering] of found) this.#set(to + path.slice(from.length), numbering);
  }

  /** @param before reads the file as it was before the command, or returns undefined where that is not kept */
  changedByCommand(path: string, before: () => Buffer | undefined): void {
    const { zones, beforeCommand = before } = this.#files.get(path) ?? UNCHANGED;
    this.#files.set(path, { zones, beforeCommand });
  }

  /** Files that a command created may be ones that it moved: where it deleted a file with known changes, their line numbers are unknown. */
  movedByCommand(created: readonly string[], deleted: readonly string[]): void {
    const isChanged = deleted.some((path) => this.#files.has(path));
    for (const path of deleted) this.#files.delete(path);
    if (isChanged) for (const path of created) this.#files.set(path, { zones: undefined });
  }

  /**
   * Throws `lines/moved` where an earlier action of the run has moved or changed the lines that a range named before it.
   *
   * @param read the file as it is now
   */
  check(path: string, range: LineRange, read: () => Buffer): void {
    if (!this.#files.has(path)) return;
    const bytes = withoutMark(read());
    const zones = this.#zonesOf(path, bytes);
    this.#files.set(path, { zones });
    const { lines } = range;
    if (zones === undefined) throw new Failed({ code: "lines/moved", lines, change: "unknown" }, READ_AGAIN);
    const moved = movedLines(zones, bytes, range);
    if (moved === undefined) return;
    throw new Failed({ code: "lines/moved", lines, ...moved }, moved.change === "moved" ? `send this block again with lines = "${moved.now}"` : READ_AGAIN);
  }

  #set(path: string, numbering: Numbering | undefined): void {
    const before = this.#files.get(path);
    this.#undo.note(() => this.#put(path, before));
    this.#put(path, numbering);
  }

  #put(path: string, numbering: Numbering | undefined): void {
    if (numbering === undefined) this.#files.delete(path);
    else this.#files.set(path, numbering);
  }

  #zonesOf(path: string, bytes: Buffer): ChangedZones | undefined {
    const { zones, beforeCommand } = this.#files.get(path) ?? UNCHANGED;
    if (zones === undefined || beforeCommand === undefined) return zones;
    const before = beforeCommand();
    return before && addRewrite(zones, withoutMark(before), bytes);
  }
}

const READ_AGAIN = "read the lines again with file_read_numbered before you replace them by number";

import { Failed } from "../core/failure.ts";
import { AttemptRollback } from "../core/attempt-rollback.ts";
import { addEdit, addRewrite, type ChangedZones, movedLines } from "../edit/changed-lines.ts";
import { withoutMark } from "../edit/codec.ts";
import { type LineRange, parseLineRange } from "../edit/lines.ts";
import type { Splices } from "../edit/splice.ts";
import { isWithin } from "../paths/path-segments.ts";

/** How the run has changed the lines of one file so far. */
interface Numbering {
  /** Undefined if unknown. */
  readonly zones: ChangedZones | undefined;
  /** Reads the file as it was before commands changed it. Only called once the numbering is needed. */
  readonly beforeCommand?: (() => Buffer | undefined) | undefined;
  /** Reads the file as it was at the start of the run. Undefined if that is not kept. */
  readonly start?: (() => Buffer | undefined) | undefined;
}

/** A run that has made an edit of the same answer before. */
interface EarlierRun {
  readonly run: number;
  /** Returns the file as it was before that run. Undefined if it did not exist, or is not kept. */
  before(): string | undefined;
}

const UNCHANGED: Numbering = { zones: [] };

/** Maximum bytes of a file at the start of the run to keep. No longer versions are remembered. */
const MAX_KEPT = 2_000_000;

/**
 * Tracks how a run moves the lines of files. A model counts lines as they were before the run, so a number may name
 * other lines after an edit. Paths are canonical.
 */
export class LineMoves {
  readonly #files = new Map<string, Numbering>();
  readonly #earlier = new Map<string, EarlierRun>();
  readonly #undo: AttemptRollback;

  constructor(undo = new AttemptRollback()) {
    this.#undo = undo;
  }

  /** Returns a copy on which actions can be tried. */
  copy(undo: AttemptRollback): LineMoves {
    const copy = new LineMoves(undo);
    for (const [path, numbering] of this.#files) copy.#files.set(path, numbering);
    for (const [path, earlier] of this.#earlier) copy.#earlier.set(path, earlier);
    return copy;
  }

  /** @param before without byte order mark, like `after` */
  edited(path: string, before: Buffer, after: Buffer, splices: Splices): void {
    if (splices.length === 0) return;
    const zones = this.#zonesOf(path, before);
    const kept = before.length > MAX_KEPT ? undefined : before;
    const { start = () => kept } = this.#files.get(path) ?? UNCHANGED;
    this.#set(path, { zones: zones && addEdit(zones, before, after, splices), start });
  }

  /** Notes that an edit of the answer is skipped, because an earlier run made it: line numbers may be older than that. */
  madeBefore(path: string, earlier: EarlierRun): void {
    if (!this.#earlier.has(path)) this.#earlier.set(path, earlier);
  }

  /** Forgets a file that was overwritten or deleted. */
  restarted(path: string): void {
    this.#set(path, undefined);
  }

  /** Carries the numbering of a file, or of all files in a directory, over to the new path. */
  moved(from: string, to: string): void {
    const inside = [...this.#files].filter(([path]) => isWithin(path, from));
    for (const path of this.#files.keys()) if (isWithin(path, from) || isWithin(path, to)) this.#set(path, undefined);
    for (const [path, numbering] of inside) this.#set(to + path.slice(from.length), numbering);
  }

  /** @param before reads the file as it was before the command; undefined if no pre-image was kept */
  changedByCommand(path: string, before: () => Buffer | undefined): void {
    const { zones, beforeCommand = before, start = before } = this.#files.get(path) ?? UNCHANGED;
    this.#files.set(path, { zones, beforeCommand, start });
  }

  /**
   * A created file may be a moved one. So if the command deleted a file with changed lines, the line numbers of created
   * files are unknown.
   */
  movedByCommand(created: readonly string[], deleted: readonly string[]): void {
    const isChanged = deleted.some((path) => this.#files.has(path));
    for (const path of deleted) this.#files.delete(path);
    if (isChanged) for (const path of created) this.#files.set(path, { zones: undefined });
  }

  /**
   * Returns the file as it was at the start of the run. Undefined if that is not kept.
   *
   * @param read returns the current bytes
   */
  startOf(path: string, read: () => Buffer): Buffer | undefined {
    const known = this.#files.get(path);
    const bytes = known === undefined ? read() : known.start?.();
    return bytes && withoutMark(bytes);
  }

  /**
   * Returns the lines that a range named at the start of the run. Throws `lines/moved` if an earlier action of the run
   * has changed them or, unless `follows` is set, moved them.
   *
   * @param read returns the current bytes
   */
  check(path: string, range: LineRange, read: () => Buffer, follows = false): LineRange {
    const known = this.#files.get(path);
    if (!follows) this.#checkEarlier(path, range, read);
    if (known === undefined) return range;
    const bytes = withoutMark(read());
    const zones = this.#zonesOf(path, bytes);
    this.#files.set(path, { zones, start: known.start });
    const { lines } = range;
    if (zones === undefined) throw new Failed({ code: "lines/moved", lines, change: "unknown" });
    const moved = movedLines(zones, bytes, range);
    if (moved === undefined) return range;
    if (follows && moved.change === "moved") return { ...parseLineRange(moved.now), lines };
    throw new Failed({ code: "lines/moved", lines, ...moved });
  }

  /** Nobody can tell whether a number was counted before or after an earlier run with the same answer. */
  #checkEarlier(path: string, range: LineRange, read: () => Buffer): void {
    const earlier = this.#earlier.get(path);
    const before = earlier?.before();
    if (earlier === undefined || before === undefined) return;
    const bytes = withoutMark(read());
    if (movedLines(addRewrite([], withoutMark(Buffer.from(before)), bytes), bytes, range) !== undefined)
      throw new Failed({ code: "lines/moved", lines: range.lines, change: "unknown", run: earlier.run });
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

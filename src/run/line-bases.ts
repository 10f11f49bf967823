/** Refuses line numbers that are those of an earlier version of the file. */
import { relative, resolve } from "node:path";
import { shownFile, ShownFiles } from "../context/shown-files.ts";
import { Failed } from "../core/failure.ts";
import { addRewrite, type ChangedZones, movedLines } from "../edit/changed-lines.ts";
import type { LineRange } from "../edit/lines.ts";
import { READ_AGAIN } from "../files/line-moves.ts";

/** A file as it was when the run first compared it with a version, and what had changed since that version. */
interface Comparison {
  readonly bytes: Buffer;
  readonly zones: ChangedZones;
}

export class LineBases {
  readonly #root: string;
  readonly #shown: ShownFiles;
  /** By path and tag. Undefined if the version is not kept. */
  readonly #comparisons = new Map<string, Comparison | undefined>();

  constructor(root: string) {
    this.#root = root;
    this.#shown = new ShownFiles(root);
  }

  /**
   * Throws `lines/moved` if the lines that a range names in the version with the tag `base` have moved or changed. The
   * run's own edits after the first call for a file are not compared: `LineMoves` tracks them. Accepts any range if the
   * version is not kept.
   *
   * @param read returns the file's current text; undefined if it cannot be read
   */
  check(file: string, base: string, range: LineRange, read: () => string | undefined): void {
    const path = relative(this.#root, resolve(this.#root, file));
    const key = `${base} ${path}`;
    if (!this.#comparisons.has(key)) this.#comparisons.set(key, this.#compare(path, base, read()));
    const moved = movedSince(this.#comparisons.get(key), range);
    if (moved === undefined) return;
    // The run may have moved the lines further. No number to resend: later blocks may move them again.
    const now = movedSince(this.#compare(path, base, read()), range) ?? moved;
    throw new Failed({ code: "lines/moved", lines: range.lines, base, ...now }, READ_AGAIN);
  }

  #compare(path: string, base: string, text: string | undefined): Comparison | undefined {
    const version = this.#shown.version(path, base);
    if (version === undefined || text === undefined) return undefined;
    const bytes = linesOnly(shownFile(path, text).text);
    return { bytes, zones: addRewrite([], linesOnly(version.text), bytes) };
  }
}

function movedSince(comparison: Comparison | undefined, range: LineRange): ReturnType<typeof movedLines> {
  return comparison && movedLines(comparison.zones, comparison.bytes, range);
}

/** A change of line endings moves no line. */
function linesOnly(text: string): Buffer {
  const lines = text.replaceAll("\r\n", "\n");
  return Buffer.from(lines === "" || lines.endsWith("\n") ? lines : `${lines}\n`);
}

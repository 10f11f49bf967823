/** Finds the lines that a number names in an earlier version of a file. */
import { isUtf8 } from "node:buffer";
import { relative, resolve } from "node:path";
import { shownFile, ShownFiles } from "../context/shown-files.ts";
import { Failed } from "../core/failure.ts";
import { withoutMark } from "../edit/codec.ts";
import { addRewrite, type ChangedZones, movedLines } from "../edit/changed-lines.ts";
import { type LineRange, parseLineRange } from "../edit/lines.ts";

/** What had changed in a file between a version and the start of the run. */
interface Comparison {
  readonly start: Buffer;
  /** Undefined if the version is not known. */
  readonly since: { readonly zones: ChangedZones; readonly bytes: Buffer } | undefined;
}

export class LineBases {
  readonly #root: string;
  readonly #shown: ShownFiles;
  /** By path and tag. */
  readonly #comparisons = new Map<string, Comparison>();

  constructor(root: string) {
    this.#root = root;
    this.#shown = new ShownFiles(root);
  }

  /**
   * Returns where the lines that a range names in the version with the tag `base` were at the start of the run.
   * `LineMoves` knows where they are now. Throws `lines/moved` if they had changed. Undefined if the version is not
   * known.
   *
   * @param start the file at the start of the run, if it is known
   * @param read returns the file as it is now
   */
  follow(
    file: string,
    base: string,
    range: LineRange,
    start: Buffer | undefined,
    read: () => Buffer,
  ): LineRange | undefined {
    if (start === undefined) return undefined;
    const path = relative(this.#root, resolve(this.#root, file));
    const key = `${base} ${path}`;
    let known = this.#comparisons.get(key);
    if (known === undefined || !known.start.equals(start))
      this.#comparisons.set(key, (known = { start, since: this.#compare(path, base, start) }));
    const { since } = known;
    const moved = since && movedLines(since.zones, since.bytes, range);
    if (moved === undefined) return since && range;
    if (moved.change === "moved") return { ...parseLineRange(moved.now), lines: range.lines };
    // The run may have moved the lines further.
    const now = this.#compare(path, base, read());
    const named = (now && movedLines(now.zones, now.bytes, range)) ?? moved;
    throw new Failed({ code: "lines/moved", lines: range.lines, base, ...named });
  }

  #compare(path: string, base: string, file: Buffer): Comparison["since"] {
    if (!isUtf8(file)) return undefined;
    const now = shownFile(path, withoutMark(file).toString());
    const version = now.base === base ? now : this.#shown.version(path, base);
    if (version === undefined) return undefined;
    const bytes = linesOnly(now.text);
    return { bytes, zones: addRewrite([], linesOnly(version.text), bytes) };
  }
}

/** A change of line endings moves no line. */
function linesOnly(text: string): Buffer {
  const lines = text.replaceAll("\r\n", "\n");
  return Buffer.from(lines === "" || lines.endsWith("\n") ? lines : `${lines}\n`);
}

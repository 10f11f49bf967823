import type { DiagnosticCode } from "../../core/block.ts";
import { isFence } from "../fence.ts";
import { labelAbove, pathAnnounced, pathInInfo } from "../path-label.ts";
import { actionInHeading } from "../headings.ts";
import type { Source } from "../source.ts";
import { isEnd } from "./markers.ts";

/** An error of a block. */
export interface Problem {
  /** Index of its line. */
  readonly at: number;
  readonly code: DiagnosticCode;
  readonly message: string;
}

/** Finds the file of a block: in the lines above it, or else that of the block before. */
export class PathFinder {
  readonly #lines: Source;
  #last: string | undefined;
  /** Index of the line after the last block. */
  #passed = 0;
  /** The fence asked about last. */
  #fence: { readonly at: number; readonly isLabelled: boolean } | undefined;

  /** @param last the file of the block before the text */
  constructor(lines: Source, last: string | undefined) {
    this.#lines = lines;
    this.#last = last;
  }

  /** @param next index of the line after a block */
  passed(next: number): void {
    this.#passed = next;
  }

  /**
   * @param head index of a block's first line
   * @returns undefined if no line names a file, a problem if several may be meant
   */
  pathFor(head: number): string | Problem | undefined {
    const label = this.#labelOf(head);
    if (label !== undefined) this.#last = label;
    else if (this.#last !== undefined && this.#namesAnother(head, this.#last)) {
      return {
        at: head,
        code: "INVALID_PATH",
        message: `No line above the block is the path of its file; the text before names another one than '${this.#last}'`,
      };
    }
    return this.#last ?? this.#sentenceAbove(head);
  }

  /** Returns what is wrong with the line above a block, if it is a sentence that names a file. */
  #sentenceAbove(head: number): Problem | undefined {
    let at = head - 1;
    while (at > this.#passed && at > head - MAX_LABELS && /^\s*(?:$|[`~]{3})/.test(this.#lines.at(at))) at -= 1;
    const path = at >= this.#passed ? pathAnnounced(this.#lines.at(at)) : undefined;
    if (path === undefined) return undefined;
    const message = `Line ${at + 1} above the block is not the path alone: write ${path} on a line of its own instead`;
    return { at: head, code: "INVALID_PATH", message };
  }

  /**
   * Returns whether the last fence before a line has a path, and begins after the last block.
   *
   * @param fence index of that fence
   */
  isLabelled(fence: number | undefined): boolean {
    if (fence === undefined || fence < this.#passed) return false;
    // Above it, or in its first line.
    if (this.#fence?.at !== fence)
      this.#fence = { at: fence, isLabelled: [1, 2].some((below) => this.#labelOf(fence + below) !== undefined) };
    return this.#fence.isLabelled;
  }

  /** Returns whether nothing but blank lines is between the last block and a line. */
  followsBlock(head: number): boolean {
    if (this.#last === undefined) return false;
    let at = head - 1;
    while (at >= this.#passed && this.#lines.at(at).trim() === "") at -= 1;
    return at < this.#passed;
  }

  /** Looks over fences and blank lines, and stops at the first other line. */
  #labelOf(head: number): string | undefined {
    let seen = 0;
    for (let at = head - 1; at >= this.#passed && at >= head - MAX_LINES_ABOVE && seen < MAX_LABELS; at--) {
      const line = this.#lines.at(at);
      if (line.trim() === "") continue;
      seen += 1;
      if (line.length > MAX_LINE_LENGTH) return undefined;
      const tagged = TAGGED_PATH.exec(line)?.[1];
      const path =
        tagged ??
        (isFence(line)
          ? pathInInfo(line.replace(/^\s*[`~]+/, ""))
          : (actionInHeading(line)?.["new_path"] ?? labelAbove(line)));
      if (path !== undefined) return path;
      if (!isFence(line) && !TAG.test(line.trim())) return undefined;
    }
    return undefined;
  }

  /** Returns whether the prose since the last block names a file, but not this one. */
  #namesAnother(head: number, last: string): boolean {
    const name = last.slice(last.lastIndexOf("/") + 1);
    for (let at = Math.max(this.#passed, head - MAX_PROSE_LINES); at < head; at++) {
      const line = this.#lines.at(at);
      if (isEnd(line, true)) continue;
      if (NAMED_FILE.test(line.slice(0, MAX_LINE_LENGTH)) && !line.includes(name)) return true;
    }
    return false;
  }
}

/** Labels with fences between them: path, fence, tag. */
const MAX_LABELS = 4;
const MAX_LINES_ABOVE = 8;
const MAX_PROSE_LINES = 40;
/** In UTF-16 units. */
const MAX_LINE_LENGTH = 1_000;
const TAGGED_PATH = /^\s*<path>\s*(\S.*?)\s*<\/path>\s*$/;
/** Tags that aider and Roo write where others have a fence. */
const TAG =
  /^(?:<(?:source|code|pre|codename|sourcecode|diff|content|args|file)>\w*|<apply_diff>|<replace_in_file>)?\s*(?:<!\[CDATA\[)?$/;
const NAMED_FILE = /(?:`[\w./@+-]*\.[A-Za-z]\w{0,9}`|(?:^|\s)[\w@+-]+(?:\/[\w.@+-]+)+\.[A-Za-z]\w{0,9}\b)/;

/**
 * Parses the replacer's syntax:
 *
 *     text        = *( explanation / block / prose )      prose is any line that is no marker
 *     explanation = <<<EXPLANATION>>> *prose [ end ]
 *     block       = file ( search / overwrite )
 *     file        = <<<FILE>>> *blank PATH *blank
 *     search      = <<<SEARCH>>> 1*content <<<REPLACE>>> 1*content end
 *     overwrite   = <<<OVERWRITE>>> 1*content end
 *     end         = <<<END>>>
 *
 * A marker stands alone on its line, from the first column; white space may follow. It is always a marker, so content
 * cannot contain one. Sections exclude empty lines at their start and end. Never fails: a block with an error is
 * yielded with it and continues to its end or the next FILE. Runs in linear time.
 */
import type { Diagnostic, DiagnosticCode, ReadBlock, ReadText } from "../../core/block.ts";
import { LineScanner } from "../line-scanner.ts";
import { Properties } from "../properties.ts";

export function readReplacer(text: string): ReadText {
  return { items: new ReplacerParser().parse(text) };
}

class ReplacerParser {
  readonly #items: Array<ReadBlock | Diagnostic> = [];
  readonly #lines = new LineScanner();
  #count = 0;
  #open: OpenBlock | undefined;
  #isExplanation = false;

  /** Returns each block, and the errors outside blocks. */
  parse(text: string): Array<ReadBlock | Diagnostic> {
    this.#lines.append(text);
    while (this.#lines.nextWith("<<<")) this.#readLine();
    this.#lines.last();
    this.#readLine();
    if (this.#open !== undefined) {
      this.#report("UNCLOSED_BLOCK", `Block '${this.#open.id}' not closed before EOF`, {
        line: this.#lines.number + 1,
        content: "",
      });
      this.#close(null, this.#lines.end);
    }
    this.#lines.fillLastContexts();
    return this.#items;
  }

  /**
   *     <<<FILE>>>
   *     ^
   *     src/app.js
   *     <<<SEARCH>>>
   *     ^
   *     old
   *     ^
   */
  #readLine(): void {
    const marker = markerIn(this.#lines);
    if (marker === undefined) return;
    if (marker === "FILE") return this.#begin();
    const open = this.#open;
    if (open === undefined) return this.#readOutside(marker);
    this.#endSection(open);
    if (!(FOLLOWS[open.section] ?? []).includes(marker))
      this.#report("MISPLACED_MARKER", `<<<${marker}>>> cannot follow <<<${open.section}>>>`);
    if (marker === "END") this.#close(this.#lines.number, this.#lines.end);
    else this.#beginSection(open, marker);
  }

  #readOutside(marker: string): void {
    if (marker !== "EXPLANATION" && !(marker === "END" && this.#isExplanation))
      this.#report("MISPLACED_MARKER", `<<<${marker}>>> without <<<FILE>>> before it`);
    this.#isExplanation = marker === "EXPLANATION";
  }

  #begin(): void {
    this.#isExplanation = false;
    if (this.#open !== undefined) {
      const { line, end } = this.#lines.previous;
      this.#report("UNCLOSED_BLOCK", `Block '${this.#open.id}' not closed before new block`, {
        line: this.#lines.number - 1,
        content: line,
      });
      this.#close(null, end);
    }
    this.#count += 1;
    const start = this.#lines.offsetOf(this.#lines.start);
    this.#open = {
      id: `block-${this.#count}`,
      startLine: this.#lines.number,
      start,
      section: "FILE",
      sections: new Map(),
      diagnostics: [],
    };
    this.#beginSection(this.#open, "FILE");
  }

  #beginSection(open: OpenBlock, section: string): void {
    open.section = section;
    this.#lines.capture();
  }

  #endSection(open: OpenBlock): void {
    const written = this.#lines.captured(this.#lines.start);
    const content = withoutEmptyEnds(written);
    open.sections.set(open.section, content);
    if (open.section === "FILE") {
      const problem = problemWithPath(content.trim());
      if (problem !== undefined) this.#report("INVALID_PATH", problem);
    } else if (written === "")
      this.#report(
        "EMPTY_SECTION",
        `<<<${open.section}>>> has no line${open.section === "SEARCH" ? "" : "; an empty one means no text"}`,
      );
    else if (open.section === "SEARCH" && content.trim() === "") this.#report("EMPTY_SEARCH", "Empty search text");
  }

  #close(endLine: number | null, end: number): void {
    const { id, startLine, start, sections, diagnostics } = this.#open as OpenBlock;
    this.#open = undefined;
    this.#items.push({
      id,
      properties: propertiesOf(sections),
      startLine,
      endLine,
      diagnostics,
      span: { start, end: this.#lines.offsetOf(end) },
      meant: { paths: "by-tail" },
    });
  }

  /** Reports an error in the current line or another one. */
  #report(code: DiagnosticCode, message: string, at?: Pick<Diagnostic, "line" | "content">): void {
    const { line, content } = at ?? { line: this.#lines.number, content: this.#lines.line };
    const length = at === undefined ? content.length : 0;
    const diagnostic = {
      code,
      line,
      column: 1,
      length,
      blockId: this.#open?.id ?? null,
      content,
      context: "",
      message,
    };
    this.#lines.fillContext(diagnostic);
    if (this.#open === undefined) this.#items.push(diagnostic);
    else this.#open.diagnostics.push(diagnostic);
  }
}

interface OpenBlock {
  readonly id: string;
  readonly startLine: number;
  readonly start: number;
  /** The marker of the current section. */
  section: string;
  readonly sections: Map<string, string>;
  readonly diagnostics: Diagnostic[];
}

const MARKERS: ReadonlySet<string> = new Set(["EXPLANATION", "FILE", "SEARCH", "REPLACE", "OVERWRITE", "END"]);

/** The markers that may follow a section. */
const FOLLOWS: Readonly<Record<string, readonly string[]>> = {
  FILE: ["SEARCH", "OVERWRITE"],
  SEARCH: ["REPLACE"],
  REPLACE: ["END"],
  OVERWRITE: ["END"],
};

function markerIn(lines: LineScanner): string | undefined {
  if (!lines.text.startsWith("<<<", lines.start)) return undefined;
  const marker = lines.line.trimEnd();
  const name = marker.slice("<<<".length, -">>>".length);
  return marker.endsWith(">>>") && MARKERS.has(name) ? name : undefined;
}

/** @param content whole lines, each with its LF */
function withoutEmptyEnds(content: string): string {
  let [start, end] = [0, content.length];
  while (content[start] === "\n") start += 1;
  while (end > start && content[end - 1] === "\n") end -= 1;
  return content.slice(start, end);
}

function problemWithPath(path: string): string | undefined {
  if (path === "") return "<<<FILE>>> has no path";
  if (path.includes("\n")) return "<<<FILE>>> has more than one line: it takes one path";
  return path.includes("<") ? "A path cannot contain '<'" : undefined;
}

function propertiesOf(sections: ReadonlyMap<string, string>): Record<string, string> {
  const properties = new Properties();
  const content = sections.get("OVERWRITE");
  if (content !== undefined) properties["action"] = "file_write";
  else if (sections.has("SEARCH")) properties["action"] = "file_replace_text";
  for (const [section, text] of sections)
    properties[PARAMETERS[section] ?? ""] = section === "FILE" ? text.trim() : text;
  return properties;
}

const PARAMETERS: Readonly<Record<string, string>> = {
  FILE: "path",
  SEARCH: "old_text",
  REPLACE: "new_text",
  OVERWRITE: "content",
};

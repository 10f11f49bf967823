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
import { bareProperties } from "../line-blocks.ts";
import type { Source } from "../source.ts";

export function readReplacer(source: Source): ReadText {
  return { items: new ReplacerParser(source).parse() };
}

/** A line that is a marker. */
interface Marker {
  readonly name: string;
  /** Index of its line. */
  readonly at: number;
}

class ReplacerParser {
  readonly #source: Source;
  /** Each block, and the errors outside blocks. */
  readonly #items: Array<ReadBlock | Diagnostic> = [];
  #count = 0;
  #open: OpenBlock | undefined;
  #isExplanation = false;

  constructor(source: Source) {
    this.#source = source;
  }

  parse(): ReadText["items"] {
    const { text, rows } = this.#source;
    for (const { 1: name = "", index } of text.matchAll(MARKER))
      this.#readMarker({ name, at: this.#source.lineAt(index) });
    if (this.#open !== undefined) {
      this.#report("UNCLOSED_BLOCK", `Block '${this.#open.id}' not closed before EOF`, rows);
      this.#close(null, text.length);
    }
    return this.#items;
  }

  /**
   *     <<<FILE>>>
   *     ^
   *     src/app.js
   *     <<<SEARCH>>>
   *     ^
   *     old
   */
  #readMarker({ name, at }: Marker): void {
    if (name === "FILE") return this.#begin(at);
    const open = this.#open;
    if (open === undefined) return this.#readOutside(name, at);
    this.#endSection(open, at);
    if (!(FOLLOWS[open.section] ?? []).includes(name))
      this.#report("MISPLACED_MARKER", `<<<${name}>>> cannot follow <<<${open.section}>>>`, at);
    if (name === "END") this.#close(at + 1, this.#source.end(at));
    else [open.section, open.at] = [name, at];
  }

  #readOutside(name: string, at: number): void {
    if (name !== "EXPLANATION" && !(name === "END" && this.#isExplanation))
      this.#report("MISPLACED_MARKER", `<<<${name}>>> without <<<FILE>>> before it`, at);
    this.#isExplanation = name === "EXPLANATION";
  }

  #begin(at: number): void {
    this.#isExplanation = false;
    if (this.#open !== undefined) {
      this.#report("UNCLOSED_BLOCK", `Block '${this.#open.id}' not closed before new block`, at - 1, 0);
      this.#close(null, this.#source.end(at - 1));
    }
    this.#count += 1;
    this.#open = { id: `block-${this.#count}`, first: at, section: "FILE", at, sections: new Map(), diagnostics: [] };
  }

  /** @param end index of the marker below the section */
  #endSection({ section, sections, at }: OpenBlock, end: number): void {
    const written = this.#source.text.slice(this.#source.start(at + 1), this.#source.start(end)).replaceAll("\r\n", "\n");
    const content = withoutEmptyEnds(written);
    sections.set(section, content);
    if (section === "FILE") {
      const problem = problemWithPath(content.trim());
      if (problem !== undefined) this.#report("INVALID_PATH", problem, end);
    } else if (written === "") {
      const more = section === "SEARCH" ? "" : "; an empty one means no text";
      this.#report("EMPTY_SECTION", `<<<${section}>>> has no line${more}`, end);
    } else if (section === "SEARCH" && content.trim() === "") this.#report("EMPTY_SEARCH", "Empty search text", end);
  }

  #close(endLine: number | null, end: number): void {
    const { id, first, sections, diagnostics } = this.#open as OpenBlock;
    this.#open = undefined;
    this.#items.push({
      id,
      properties: propertiesOf(sections),
      startLine: first + 1,
      endLine,
      diagnostics,
      span: { start: this.#source.start(first), end },
      meant: { paths: "by-tail" },
    });
  }

  /** Reports an error in a line, which may be the one below the text. */
  #report(code: DiagnosticCode, message: string, at: number, length?: number): void {
    const blockId = this.#open?.id ?? null;
    const content = this.#source.at(at);
    const [line, context] = [at + 1, this.#source.around(at)];
    const diagnostic = { code, line, column: 1, length: length ?? content.length, blockId, content, context, message };
    (this.#open?.diagnostics ?? this.#items).push(diagnostic);
  }
}

interface OpenBlock {
  readonly id: string;
  /** Index of its first line. */
  readonly first: number;
  /** The current section, and the index of its marker. */
  section: string;
  at: number;
  readonly sections: Map<string, string>;
  readonly diagnostics: Diagnostic[];
}

/** No pattern of lines: only LF ends one. */
const MARKER = /<<<(?<=(?:^\ufeff?|\n)<<<)(EXPLANATION|FILE|SEARCH|REPLACE|OVERWRITE|END)>>>[^\S\n]*(?=\n|$)/g;

/** The markers that may follow a section. */
const FOLLOWS: Readonly<Record<string, readonly string[]>> = {
  FILE: ["SEARCH", "OVERWRITE"],
  SEARCH: ["REPLACE"],
  REPLACE: ["END"],
  OVERWRITE: ["END"],
};

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
  const properties = bareProperties();
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

/** Translates CSL operations into blocks of the actions that perform them. */
import type { Diagnostic, DiagnosticCode, FatalError, Lines, ReadBlock, ReadText } from "../../core/block.ts";
import type { Fault } from "../source.ts";
import { bareProperties } from "../line-blocks.ts";
import { Source, startsLine } from "../source.ts";
import {
  DELIMITERS,
  type Delimiters,
  malformed,
  type Marker,
  markerName,
  OPENERS,
  readMarker,
  warningsOn,
} from "./marker.ts";

export function readCsl(text: string, delimiters: Delimiters): ReadText {
  return blocksOf(parseCsl(text, delimiters), delimiters);
}

/** Turns an invalid operation into a diagnostic, and a TASKS into a group. */
export function blocksOf(result: CslResult, delimiters: Delimiters = DELIMITERS): ReadText {
  if ("fatal" in result) return { items: [], fatal: result.fatal };
  const items: ReadBlock[] = [];
  for (const operation of result.operations) {
    if (operation.name !== "TASKS") items.push(blockOf(operation, undefined, delimiters));
    for (const nested of operation.operations) items.push(blockOf(nested, operation.id, delimiters));
  }
  return { items };
}

function blockOf(operation: Operation, group: string | undefined, delimiters: Delimiters): ReadBlock {
  const { id, name, place, endLine, span, content, to = "", replacement = "" } = operation;
  const { message, ...facts } = problemWith(operation) ?? {};
  return {
    id,
    properties: propertiesOf(operation),
    startLine: place.line,
    endLine,
    diagnostics: message === undefined ? [] : [{ ...diagnosticAt(place, "INVALID_OPERATION", id, message), ...facts }],
    span,
    warnings: warningsOn(operation, `${content}\n${to}\n${replacement}`, delimiters),
    meant: { paths: "from-root", operation: name, ...(group !== undefined && { group }) },
  };
}

function propertiesOf({ name, attributes, content, to, replacement }: Operation): Record<string, string> {
  const properties = bareProperties();
  const set = (key: string, value: string | undefined): void => {
    if (value !== undefined) properties[key] = value;
  };
  if (name === "RUN") {
    set("action", "run_commands");
    set("commands", content);
    set("dir", attributes.get("dir"));
    return properties;
  }
  set("action", name === "WRITE" ? writeAction(attributes.get("append")) : searchAction(attributes.get("count"), to));
  set("path", attributes.get("file"));
  if (name === "WRITE") set("content", content);
  else {
    set(to === undefined ? "old_text" : "old_text_beginning", content);
    set("old_text_end", to);
    set("new_text", replacement);
    if (properties["action"] === "file_replace_all_text" && attributes.get("count") !== "all")
      set("count", attributes.get("count"));
  }
  return properties;
}

function writeAction(append: string | undefined): string {
  return append === "true" ? "file_append" : "file_write";
}

function searchAction(count: string | undefined, to: string | undefined): string {
  if (to !== undefined) return "file_replace_text_range";
  return isOne(count) ? "file_replace_text" : "file_replace_all_text";
}

/** Returns the first problem of an operation. */
function problemWith({ name, attributes, content, to }: Operation): Problem | undefined {
  if (name === "RUN")
    return content.trim() === "" ? { message: "Empty content not allowed for RUN operation" } : undefined;
  if ((attributes.get("file") ?? "") === "") return { attribute: "file", message: "Missing required attribute 'file'" };
  const append = attributes.get("append");
  if (name === "WRITE")
    return append === undefined || append === "true" || append === "false"
      ? undefined
      : wrongValue("append", "must be 'true' or 'false'");
  const count = attributes.get("count");
  if (!isOne(count) && count !== "all" && !/^0*[1-9][0-9]*$/.test(count))
    return wrongValue("count", "must be positive integer or 'all'");
  if (content === "") return { message: "Empty search pattern not allowed" };
  if (to === "") return { message: "Empty TO pattern not allowed" };
  return to !== undefined && !isOne(count) ? wrongValue("count", "must be 1 with TO") : undefined;
}

type Problem = Pick<Diagnostic, "message" | "attribute">;

function wrongValue(attribute: string, rule: string): Problem {
  return { attribute, message: `Invalid value for '${attribute}': ${rule}` };
}

function isOne(count: string | undefined): count is "1" | undefined {
  return count === undefined || /^0*1$/.test(count);
}

/** An operation as written, or a TASKS with its operations. */
export interface Operation {
  /** E.g. `task-2`, or `task-2.1` in a TASKS. */
  readonly id: string;
  readonly name: string;
  /** By name, in the order written, including unknown ones. */
  readonly attributes: ReadonlyMap<string, string>;
  /** Text below its first marker; empty for a TASKS. */
  readonly content: string;
  /** Text below the TO of a SEARCH, if any, and below its REPLACE. */
  readonly to: string | undefined;
  readonly replacement: string | undefined;
  /** The operations of a TASKS. */
  readonly operations: readonly Operation[];
  readonly place: Place;
  /** 1-based. */
  readonly endLine: number;
  /** UTF-16 offsets, as a block's. */
  readonly span: { readonly start: number; readonly end: number };
}

/** A line and its context, for diagnostics. */
export type Place = Pick<Diagnostic, "line" | "content" | "context">;

/** The operations of a text, or the fatal error. */
export type CslResult = { readonly operations: readonly Operation[] } | { readonly fatal: FatalError };

/**
 * Parses CSL (see `marker.ts` for marker lines):
 *
 *     text      = *( operation / tasks / prose )          prose is any line that does not begin with START
 *     tasks     = <---TASKS *attribute---> *( operation / prose ) end
 *     operation = write / run / search
 *     write     = <---WRITE *attribute---> *content end
 *     run       = <---RUN *attribute---> *content end
 *     search    = <---SEARCH *attribute---> *content [ <---TO---> *content ] <---REPLACE---> *content end
 *     end       = <---END--->
 *
 * In content, only a marker that may follow there is a marker; every other line is content. Lines end with LF, CRLF or
 * a lone CR. The first error is fatal, so that no operation of such a text runs. `problemWith` checks what
 * operations say. Runs in linear time.
 */
export function parseCsl(text: string, delimiters: Delimiters): CslResult {
  // A lone CR becomes LF, which keeps the length.
  const source = new Source(text.includes("\r") ? text.replace(/\r(?!\n)/g, "\n") : text);
  return new CslParser(source, delimiters).parse();
}

class CslParser {
  readonly #source: Source;
  readonly #delimiters: Delimiters;
  readonly #operations: Operation[] = [];
  /** The TASKS and the operation that contain the current line. */
  #tasks: OpenOperation | undefined;
  #open: OpenOperation | undefined;
  #fatal: Omit<FatalError, "ranges"> | undefined;

  constructor(source: Source, delimiters: Delimiters) {
    this.#source = source;
    this.#delimiters = delimiters;
  }

  parse(): CslResult {
    const { text } = this.#source;
    const { start } = this.#delimiters;
    for (let place = text.indexOf(start); place !== -1; place = text.indexOf(start, place + start.length))
      if (startsLine(text, place)) this.#readMarker(this.#source.lineAt(place));
    const open = this.#open ?? this.#tasks;
    if (open !== undefined) this.#fatal ??= unterminated(open);
    if (this.#fatal === undefined) return { operations: this.#operations };
    return { fatal: { ...this.#fatal, ranges: this.#operations.map(linesOf) } };
  }

  /**
   *     Here is the file:
   *     ^
   *     <---SEARCH file="a.txt"--->
   *     ^
   *     old
   *     ^
   *     <---REPLACE--->
   *     ^
   */
  #readMarker(at: number): void {
    const line = this.#source.at(at);
    const name = markerName(line, this.#delimiters);
    const open = this.#open;
    if (open !== undefined && !mayFollow(open).includes(name)) return;

    const inside = open ?? this.#tasks;
    const marker = name === "" ? malformed(line) : readMarker(line, name, this.#delimiters);
    const fault = "code" in marker ? marker : misuse(marker, line, inside);
    if (fault !== undefined) this.#fail(fault, at, name);
    // After an error it counts only where operations begin and end, since other text there is content.
    if (name === "END") {
      if (inside !== undefined) this.#end(inside, at);
    } else if (open === undefined) {
      if (OPENERS.includes(name)) this.#begin("code" in marker ? { name, attributes: new Map() } : marker, at);
    } else {
      this.#endSection(open, at);
      [open.section, open.at] = [name, at];
    }
  }

  #begin({ name, attributes }: Marker, at: number): void {
    const start = this.#source.start(at);
    const operation: OpenOperation = {
      id: this.#nextId,
      name,
      attributes,
      place: { line: at + 1, content: this.#source.at(at), context: this.#source.around(at) },
      section: name,
      at,
      content: "",
      to: undefined,
      replacement: undefined,
      operations: [],
      endLine: 0,
      span: { start, end: start },
    };
    (this.#tasks?.operations ?? this.#operations).push(operation);
    if (name === "TASKS") this.#tasks = operation;
    else this.#open = operation;
  }

  #end(inside: OpenOperation, at: number): void {
    inside.endLine = at + 1;
    inside.span.end = this.#source.end(at);
    if (inside === this.#open) {
      this.#endSection(inside, at);
      this.#open = undefined;
    } else this.#tasks = undefined;
  }

  /**
   * Drops the newline before the marker that ends the section.
   *
   * @param end index of that marker
   */
  #endSection(open: OpenOperation, end: number): void {
    const lines = this.#source.text.slice(this.#source.start(open.at + 1), this.#source.start(end));
    const text = lines.replaceAll("\r\n", "\n").slice(0, -1);
    if (open.section === "TO") open.to = text;
    else if (open.section === "REPLACE") open.replacement = text;
    else open.content = text;
  }

  get #nextId(): string {
    return this.#tasks === undefined
      ? `task-${this.#operations.length + 1}`
      : `${this.#tasks.id}.${this.#tasks.operations.length + 1}`;
  }

  #fail({ code, message, at: before, length }: Fault, at: number, name: string): void {
    if (this.#fatal !== undefined) return;
    const blockId = this.#open?.id ?? this.#nextId;
    const [content, context] = [this.#source.at(at), this.#source.around(at)];
    const diagnostic = { code, line: at + 1, column: before + 1, length, blockId, content, context, message };
    this.#fatal = { diagnostic, operation: this.#open?.name ?? (name === "" ? "CSL" : name) };
  }
}

interface OpenOperation extends Operation {
  /** The marker of the current section, and the index of its line. */
  section: string;
  at: number;
  content: string;
  to: string | undefined;
  replacement: string | undefined;
  readonly operations: Operation[];
  endLine: number;
  readonly span: { readonly start: number; end: number };
}

/**
 * Returns the markers that may follow in an operation's content. A marker that `misuse` refuses is an error, not
 * content.
 */
function mayFollow({ name, section }: OpenOperation): readonly string[] {
  if (name !== "SEARCH" || section === "REPLACE") return ["END"];
  return section === "SEARCH" ? ["TO", "REPLACE", "END"] : ["REPLACE", "END"];
}

/** Returns why a marker is not allowed where it is. */
function misuse({ name, attributes }: Marker, line: string, inside: OpenOperation | undefined): Fault | undefined {
  const fault = (code: Fault["code"], message: string): Fault => ({ code, message, at: 0, length: line.length });
  const isOpener = OPENERS.includes(name);
  if (!isOpener && name !== "END" && name !== "TO" && name !== "REPLACE")
    return fault("UNKNOWN_OPERATION", `Unknown operation: ${name}`);
  if (isOpener)
    return name === "TASKS" && inside !== undefined ? fault("MISPLACED_MARKER", "TASKS cannot be nested") : undefined;
  if (attributes.size > 0) return fault("INVALID_ATTRIBUTE", `${name} marker cannot have attributes`);
  if (name === "END") {
    if (inside === undefined) return fault("MISPLACED_MARKER", "END marker without active operation");
    return inside.name === "SEARCH" && inside.section !== "REPLACE"
      ? fault("MISSING_REPLACE", "SEARCH operation without REPLACE")
      : undefined;
  }
  return inside?.name === "SEARCH"
    ? undefined
    : fault("MISPLACED_MARKER", `${name} marker not valid in ${inside?.name ?? "null"} operation`);
}

function linesOf({ place, endLine }: Operation): Lines {
  return { first: place.line, last: endLine === 0 ? Infinity : endLine };
}

function unterminated({ id, name, place }: Operation): Omit<FatalError, "ranges"> {
  return {
    operation: name,
    diagnostic: diagnosticAt(place, "UNTERMINATED_OPERATION", id, `Unterminated ${name} operation`),
  };
}

/** Creates a diagnostic about a whole operation, at its first line. */
function diagnosticAt(
  { line, content, context }: Place,
  code: DiagnosticCode,
  blockId: string,
  message: string,
): Diagnostic {
  return { code, line, column: 1, length: content.length, blockId, content, context, message };
}

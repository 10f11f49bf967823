/**
 * Parses NESL, and SHAM, its older spelling (`lines.ts`):
 *
 *     text       = *( block / prose )            prose is any line that is neither below nor claims to be a header
 *     block      = header *( quoted / heredoc / blank ) end
 *     header     = "#!nesl [@" LABEL ": " ID "]" from the first column to the last
 *     quoted     = KEY *WS "=" *WS JSON-STRING *WS
 *     heredoc    = KEY *WS "=" *WS "<<'" TERMINATOR "'" *WS  *content  closing
 *     closing    = [ content ] TERMINATOR [ "'" ] where `content` has no "<<"; any other line is content
 *     end        = *WS "#!end_" ID [ "'" ] *WS
 *     LABEL      = 1*( ASCII letter / digit / "-" )
 *     ID         = 2*8( ASCII letter / digit )
 *     TERMINATOR = "EOT_" ID                     with the ID of the header, as the end marker
 *     KEY        = 1*256( letter / digit / "_" ) of any script, no digit first
 *
 * Never fails: a line that does not fit yields a diagnostic and the block continues. A new header, an end marker with
 * another ID, or a header with an invalid ID closes the block. Runs in linear time.
 */
import type { Diagnostic, DiagnosticCode, ReadBlock } from "../../core/block.ts";
import { bareProperties } from "../line-blocks.ts";
import type { Fault } from "../source.ts";
import { type Assignment, type Header, readAssignment, readEndMarker, readHeader, type Spelling } from "./lines.ts";

/**
 * Reads a text that arrives in pieces, split anywhere. Yields each block once the line that closes it is complete. The
 * results do not depend on how the text is split. Diagnostics have their contexts after `end`.
 *
 * @example
 * const parser = new NeslParser((block) => run(block), () => {});
 * for await (const piece of answer) parser.write(piece);
 * parser.end();
 */
export class NeslParser {
  readonly #onBlock: (block: ReadBlock) => void;
  readonly #onStray: (diagnostic: Diagnostic) => void;
  /** The complete lines, without LF, and what has arrived of the next one. */
  readonly #lines: string[] = [];
  #arrived = "";
  /** The current line without its ending, and the offsets of it and of the next one. */
  #line = "";
  #start = 0;
  #next = 0;
  /** All diagnostics, which get their contexts at the end. */
  readonly #reported: Array<Diagnostic & { context: string }> = [];
  readonly #maxErrors: number;
  #errors = 0;
  /** The block that contains the current line. */
  #open: OpenBlock | undefined;

  /**
   * @param onStray called for errors outside blocks
   * @param maxErrors number of errors in blocks to report one by one; beyond it, each block reports its first few and
   * counts the rest
   */
  constructor(onBlock: (block: ReadBlock) => void, onStray: (diagnostic: Diagnostic) => void, maxErrors = Infinity) {
    this.#onBlock = onBlock;
    this.#onStray = onStray;
    this.#maxErrors = maxErrors;
  }

  write(piece: string): void {
    this.#arrived += piece;
    if (!piece.includes("\n")) return;
    const lines = this.#arrived.split("\n");
    this.#arrived = lines.pop() ?? "";
    for (const line of lines) this.#readLine(line, line.endsWith("\r") ? 1 : 0);
  }

  /** Reads the last line, which ends with the text. */
  end(): void {
    this.#readLine(this.#arrived, 0);
    if (this.#open !== undefined) this.#readEndOfText(this.#open);
    for (const diagnostic of this.#reported) {
      const end = Math.min(this.#lines.length, Math.max(WINDOW, diagnostic.line + HALF));
      diagnostic.context = this.#lines.slice(Math.max(0, end - WINDOW), end).join("\n");
    }
  }

  /** @param ending number of its last units that belong to its ending, beside LF */
  #readLine(written: string, ending: number): void {
    const mark = this.#lines.length === 0 && written.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
    this.#start = this.#next + mark;
    this.#next += written.length + 1;
    this.#lines.push(written.slice(mark));
    this.#line = written.slice(mark, written.length - ending);
    const open = this.#open;
    if (open === undefined) this.#outside();
    else if (open.heredoc === undefined) this.#inBlock(open);
    else this.#inHeredoc(open, open.heredoc);
  }

  /**
   *     Here is the file:
   *     ^
   *     #!nesl [@three-char-SHA-256: k7m]
   *     ^
   */
  #outside(): void {
    const header = readHeader(this.#line);
    if (header !== undefined) this.#readHeader(header);
  }

  #readHeader(header: Header | Fault): void {
    if ("code" in header) {
      this.#onStray(this.#diagnose(header, null));
      return;
    }
    this.#open = {
      spelling: header.spelling,
      endMarker: header.spelling.end + header.id,
      id: header.id,
      properties: bareProperties(),
      startLine: this.#lines.length,
      endLine: null,
      start: this.#start,
      end: this.#end,
      diagnostics: [],
      omitted: 0,
      heredoc: undefined,
    };
  }

  /**
   *     #!nesl [@three-char-SHA-256: k7m]
   *     action = "file_write"
   *     ^
   *     #!end_k7m
   *     ^
   */
  #inBlock(open: OpenBlock): void {
    const line = this.#line;
    const trimmed = line.trim();
    if (trimmed === "") return;
    const endId = trimmed === open.endMarker ? open.id : readEndMarker(trimmed, open.spelling);
    if (endId !== undefined) return this.#readEnd(open, endId);
    const header = readHeader(line);
    if (header !== undefined) return this.#readHeaderInBlock(open, header);
    const assignment = readAssignment(line);
    if (assignment === undefined) this.#reportMalformed(open);
    else this.#assign(open, assignment);
  }

  /** @param id "" if the line only resembles an end marker */
  #readEnd(open: OpenBlock, id: string): void {
    if (id === "") return this.#reportMalformed(open);
    if (id !== open.id) {
      const message = `End marker '${id}' doesn't match block ID '${open.id}'`;
      this.#report(open, { code: "MISMATCHED_END", message, at: 0, length: this.#line.length });
    }
    open.endLine = this.#lines.length;
    this.#extend(open);
    this.#close(open);
  }

  /** A malformed header counts as a line of this block. Any other header starts something new. */
  #readHeaderInBlock(open: OpenBlock, header: Header | Fault): void {
    if ("code" in header && header.code === "MALFORMED_HEADER") return this.#report(open, header);
    const above = this.#lines.at(-2) ?? "";
    const line = above.replace(/\r$/, "");
    const message = `Block '${open.id}' not closed before new block`;
    this.#report(open, { code: "UNCLOSED_BLOCK", message, at: 0, length: 0 }, this.#lines.length - 1, line);
    if (!endsItself(open)) open.end = this.#start - 1 - (above.length - line.length);
    this.#close(open);
    this.#readHeader(header);
  }

  #assign(open: OpenBlock, assignment: Assignment): void {
    if (assignment.kind === "fault") return this.#report(open, assignment.fault);

    const { name, fault, isName } = assignment.key;
    if (assignment.kind === "quoted" && assignment.trailing !== undefined) {
      this.#report(open, assignment.trailing);
      if (isName && open.properties[name] === undefined) open.properties[name] = assignment.value;
      return;
    }
    // Below a line with an error, even an assignment may be text of something else.
    if (fault === undefined && open.diagnostics.length === 0) this.#extend(open);
    if (fault !== undefined) this.#report(open, fault);
    else if (open.properties[name] !== undefined) {
      const message = `Duplicate key '${name}' in block '${open.id}'`;
      this.#report(open, { code: "DUPLICATE_KEY", message, at: 0, length: name.length });
    }
    if (assignment.kind === "quoted") {
      if (fault === undefined) open.properties[name] = assignment.value;
    } else if (isName) this.#openHeredoc(open, name, assignment.delimiter);
  }

  /** Opens the heredoc even for an indented key, because its content must not be read as lines of the block. */
  #openHeredoc(open: OpenBlock, key: string, delimiter: string): void {
    const terminator = open.spelling.heredoc + open.id;
    if (delimiter !== terminator) {
      const message = `Heredoc delimiter must be '${terminator}'`;
      const at = this.#line.indexOf(delimiter);
      return this.#report(open, { code: "INVALID_HEREDOC_DELIMITER", message, at, length: delimiter.length });
    }
    open.heredoc = { key, terminator, first: this.#lines.length };
  }

  /**
   *     content = <<'EOT_k7m'
   *     any text, verbatim
   *     ^
   *     EOT_k7m
   *     ^
   */
  #inHeredoc(open: OpenBlock, { key, terminator, first }: Heredoc): void {
    const line = this.#line;
    const at = line.length - terminator.length - (line.endsWith("'") ? 1 : 0);
    if (at < 0 || !line.startsWith(terminator, at)) return;
    const last = line.slice(0, at);
    if (last.includes("<<")) return;

    open.heredoc = undefined;
    this.#extend(open);
    const value = this.#lines.slice(first, -1).concat(last).join("\n").replaceAll("\r\n", "\n");
    // A terminator on its own line includes the preceding line ending.
    open.properties[key] = at > 0 ? value : value.slice(0, -1);
  }

  #readEndOfText(open: OpenBlock): void {
    const fault: Pick<Fault, "code" | "message"> =
      open.heredoc === undefined
        ? { code: "UNCLOSED_BLOCK", message: `Block '${open.id}' not closed before EOF` }
        : { code: "UNCLOSED_HEREDOC", message: `Heredoc '${open.heredoc.terminator}' not closed before EOF` };
    this.#report(open, { ...fault, at: 0, length: 0 }, this.#lines.length + 1, "");
    if (!endsItself(open)) this.#extend(open);
    this.#close(open);
  }

  /** Counts the current line as one of the block, with all above it. */
  #extend(open: OpenBlock): void {
    open.end = this.#end;
  }

  /** The offset after the current line. */
  get #end(): number {
    return this.#start + this.#line.length;
  }

  #close(open: OpenBlock): void {
    const { id, properties, startLine, endLine, start, end, diagnostics, omitted } = open;
    this.#open = undefined;
    if (omitted > 0)
      diagnostics.push(
        this.#diagnose(
          { code: "MALFORMED_ASSIGNMENT", message: `${omitted} more errors in block '${id}'`, at: 0, length: 0 },
          id,
        ),
      );
    this.#onBlock({ id, properties, startLine, endLine, diagnostics, span: { start, end } });
  }

  #reportMalformed(open: OpenBlock): void {
    const message = `Invalid line format in block '${open.id}': not a valid key-value assignment or empty line`;
    this.#report(open, { code: "MALFORMED_ASSIGNMENT", message, at: 0, length: this.#line.length });
  }

  #report(open: OpenBlock, fault: Fault, line?: number, content?: string): void {
    const isReported =
      this.#errors < this.#maxErrors || open.diagnostics.length < MIN_ERRORS || !REPEATED.has(fault.code);
    this.#errors += 1;
    if (isReported) open.diagnostics.push(this.#diagnose(fault, open.id, line, content));
    else open.omitted += 1;
  }

  #diagnose(
    { code, message, at, length }: Fault,
    blockId: string | null,
    line = this.#lines.length,
    content = this.#line,
  ): Diagnostic {
    const diagnostic = { code, line, column: at + 1, length, blockId, content, context: "", message };
    this.#reported.push(diagnostic);
    return diagnostic;
  }
}

/** A block without its end yet. */
interface OpenBlock {
  readonly spelling: Spelling;
  readonly endMarker: string;
  readonly id: string;
  readonly properties: Record<string, string>;
  readonly startLine: number;
  endLine: number | null;
  /** Offset of the header in the whole text. */
  readonly start: number;
  /** Offset of the end of its last line so far that is surely its own. */
  end: number;
  readonly diagnostics: Diagnostic[];
  /** Number of further errors. */
  omitted: number;
  heredoc: Heredoc | undefined;
}

interface Heredoc {
  readonly key: string;
  readonly terminator: string;
  /** Index of its first line. */
  readonly first: number;
}

/** Returns whether a block without its end marker ends after its last value. Lines below may be text of a broken one. */
function endsItself({ heredoc, diagnostics }: OpenBlock): boolean {
  const first = diagnostics[0]?.code;
  if (heredoc !== undefined || first === "UNCLOSED_QUOTE" || first === "INVALID_VALUE") return false;
  return diagnostics.every(({ code }) => code !== "INVALID_HEREDOC_DELIMITER");
}

/** Minimum number of errors that each block reports, even beyond the limit. */
const MIN_ERRORS = 10;

/** Errors that every line of a block may have. The others are about a block's end and occur once. */
const REPEATED: ReadonlySet<DiagnosticCode> = new Set<DiagnosticCode>([
  "INVALID_KEY",
  "EMPTY_KEY",
  "DUPLICATE_KEY",
  "INVALID_HEREDOC_DELIMITER",
  "INVALID_ASSIGNMENT_OPERATOR",
  "UNCLOSED_QUOTE",
  "INVALID_VALUE",
  "TRAILING_CONTENT",
  "MALFORMED_ASSIGNMENT",
  "MALFORMED_HEADER",
]);

const BYTE_ORDER_MARK = "\ufeff";
/** Lines of a context. */
const WINDOW = 5;
const HALF = (WINDOW - 1) / 2;

/** Tells how to write a line again that is a syntax error. */
import type { Diagnostic } from "../../core/block.ts";
import { NESL, readAssignment, readHeader, type Spelling, SPELLINGS } from "./lines.ts";

/**
 * Returns a hint for each error of a block, in their order. The lines that follow a value of several lines without a
 * heredoc are errors too, and get the hint of that value.
 *
 * @param text the block, or the line outside blocks
 */
export function advise(diagnostics: readonly Diagnostic[], text: string): readonly string[] {
  const [header = ""] = text.split("\n", 1);
  const spelling = SPELLINGS.find((known) => header.trimStart().startsWith(known.header)) ?? NESL;
  const lines = text.split(/\r?\n/);
  const unclosed = diagnostics.find(({ code }) => code === "UNCLOSED_BLOCK");
  const linesOfBlock = unclosed && new Set(lines);
  let heredoc: string | undefined;
  return diagnostics.map((given) => {
    // Lines below a block that lacks its end are right where it has one.
    const diagnostic = linesOfBlock?.has(given.content) === false ? unclosed as Diagnostic : given;
    if (heredoc !== undefined && !ABOUT_END.has(diagnostic.code)) return heredoc;
    const hint = hintOn(diagnostic, spelling, lines);
    if (typeof hint === "string") return hint;
    return (heredoc = hint.heredoc);
  });
}

const ABOUT_END: ReadonlySet<Diagnostic["code"]> = new Set<Diagnostic["code"]>([
  "MISMATCHED_END",
  "UNCLOSED_BLOCK",
  "UNCLOSED_HEREDOC",
]);

/** A hint to write the value as a heredoc is marked. */
type Hint = string | { readonly heredoc: string };

function hintOn(diagnostic: Diagnostic, spelling: Spelling, lines: readonly string[]): Hint {
  const { code, line, content, blockId } = diagnostic;
  const [end, terminator] = [`${spelling.end}${blockId ?? ""}`, `${spelling.heredoc}${blockId ?? ""}`];
  switch (code) {
    case "MALFORMED_HEADER":
    case "INVALID_BLOCK_ID":
      return hintOnHeader(content, line, spelling);
    case "MISMATCHED_END":
      return `write line ${line} as: ${end}`;
    case "UNCLOSED_BLOCK":
      return `end the block with this line: ${end}`;
    case "UNCLOSED_HEREDOC":
      return `end the value with the line ${terminator}, and the block with the line ${end}`;
    case "DUPLICATE_KEY":
      return `keep one line for each parameter: leave out line ${line}, or the one above it with the same name`;
    default:
      return hintOnAssignment({ code, content, line, next: lineAfter(content, lines) }, { end, terminator });
  }
}

/** Keeps what can be kept of the ID. */
function hintOnHeader(content: string, line: number, { header }: Spelling): string {
  const written =
    content
      .slice(0, MAX_SHOWN)
      .replace(/\][^\]]*$/, "")
      .split(/[\s:[\]@]+/)
      .at(-1) ?? "";
  const id = written.replace(/[^A-Za-z0-9]/g, "").slice(0, 8);
  const right = `${header}[@three-char-SHA-256: ${id.length < 2 || /^(?:nesl|SHAM|SHA256|SHA)$/i.test(id) ? "k7m" : id}]`;
  const isSameId = readHeader(right) !== undefined && content.includes(`: ${id}]`);
  return `write line ${line} as: ${right}${isSameId ? "" : ", with the same ID in the lines that end its values and the block"}`;
}

/** Returns the line of the block below the one with the error. */
function lineAfter(content: string, lines: readonly string[]): string | undefined {
  const at = lines.indexOf(content.replace(/\r$/, ""));
  return at === -1 ? undefined : lines[at + 1];
}

interface WrongLine extends Pick<Diagnostic, "code" | "content" | "line"> {
  readonly next: string | undefined;
}

/** A longer line is not shown again. */
const MAX_SHOWN = 300;

function hintOnAssignment(
  { code, content, line, next }: WrongLine,
  { end, terminator }: { readonly end: string; readonly terminator: string },
): Hint {
  const trimmed = content.trim();
  if (/^#!end/i.test(trimmed)) return `write line ${line} as: ${end}`;
  if (/^(?:`{3}|~{3}|#|\/\/|[{}[\],;]+$|<!--)/.test(trimmed))
    return `leave out line ${line}: between its header and ${end}, a block has only parameters`;
  const loose = content.length > MAX_SHOWN ? null : LOOSE_LINE.exec(content);
  const key = keyFrom(loose?.[1]);
  const heredoc = {
    heredoc: `write a value of several lines as follows, its last line alone from the first column:\n${key || "content"} = <<'${terminator}'\n…\n${terminator}`,
  };
  const opening = {
    heredoc: `write line ${line} as: ${key} = <<'${terminator}', and end the value with the line ${terminator}`,
  };
  if (code === "INVALID_HEREDOC_DELIMITER" && loose !== null) return opening;
  if (loose === null) return content.length > MAX_SHOWN || key === "" ? heredoc : `write line ${line} as: ${key} = "…"`;
  const value = loose[2] ?? "";
  if (value.startsWith("<<")) return opening;
  const isOpen =
    OPENS_LINES.test(value) || (/^["'“‘`]/.test(value) && !WHOLE.test(value) && !/["'”’`][,;]?$/.test(value.slice(1)));
  if ((isOpen || value === "") && next !== undefined && !isLineOfBlock(next)) return heredoc;
  if (key === "") return `write the parameter's name first, as in: path = ${quoted(value)}`;
  const right = `${key} = ${quoted(OPENS_LINES.test(value) ? "" : value)}`;
  return isRight(right) ? `write line ${line} as: ${right}` : heredoc;
}

/** A name, an operator and a value, with the marks of lists, YAML and JSON around them. */
const LOOSE_LINE =
  /^\s*(?:[-*>]\s+)?["'`“‘]?([^\s="'`“”‘’:][^="'`“”‘’:]{0,80}?)?["'`”’]?\s*(?::=|=>|==?|:)\s*(.*?)\s*$/u;
/** What begins a value of several lines in YAML, Python and Markdown. */
const OPENS_LINES = /^(?:[|>][-+]?|"""|'''|```\w*)$/;

const WHOLE = /^"(?:[^"\\]|\\.)*"/;

function keyFrom(written = ""): string {
  return written.replace(/[^\p{L}\p{N}_]+/gu, "_").replace(/^_+(?=\p{N}|$)|_+$/gu, "");
}

function isLineOfBlock(line: string): boolean {
  return line.trim() === "" || /^\s*(?:#!|(?:[-*>]\s+)?["'`“]?[\p{L}_][\p{L}\p{N}_]*["'`”]?\s*(?::?=|:))/u.test(line);
}

/** Returns a value between plain quotes, with JSON's escapes. */
function quoted(written: string): string {
  const value = written.replace(/[,;]$/, "");
  const whole = WHOLE.exec(value)?.[0];
  // What follows a value is a comment, or the rest of a value with quotes in it.
  if (whole !== undefined && isRight(`key = ${whole}`) && !value.endsWith('"')) return whole;
  const inner = value.replace(/^["'`“‘„]/, "").replace(/^(.*)["'`”’“]$/, "$1");
  // One escape that JSON does not have means that no backslash was meant as one.
  const unescaped = /\\(?!["\\/bfnrt]|u[0-9A-Fa-f]{4})/.test(inner)
    ? inner.replaceAll('\\"', '"')
    : inner
        .replace(/\\(["\\/])/g, "$1")
        .replaceAll("\\n", "\n")
        .replaceAll("\\t", "\t");
  return JSON.stringify(unescaped);
}

function isRight(line: string): boolean {
  const read = readAssignment(line);
  return read?.kind === "quoted" && read.trailing === undefined && read.key.fault === undefined;
}

/** Detects edits in the formats of other tools, and whole files in code fences. */
import type { Finding } from "../../core/finding.ts";
import { fileGoneIn } from "../headings.ts";
import type { Syntax } from "../syntax.ts";
import { type Fence, foreignEdits } from "./lines.ts";
import { CHANGING_TOOLS } from "../tool-calls/tools.ts";
import { nameOf, pathAbove, pathAnnounced, pathInComment, pathInInfo } from "../path-label.ts";

interface FormatWords {
  readonly name: string;
  readonly edit: string;
}

const FORMATS = {
  tool: { name: "the format of another tool's calls", edit: "call" },
  diff: { name: "the form of a diff without file headers", edit: "change" },
  shell: { name: "the form of a shell command", edit: "file" },
} as const satisfies Record<string, FormatWords>;

type Format = keyof typeof FORMATS;

interface WholeFile {
  readonly line: number;
  readonly path: string;
}

/** Names of files, without folders. */
interface Known {
  readonly named: ReadonlySet<string>;
  /** Those that blocks delete or rename. */
  readonly gone: ReadonlySet<string>;
}

/** Reads the lines outside blocks in order. */
export class ForeignEditReader {
  readonly #edits: Record<Format, number[]> = { tool: [], diff: [], shell: [] };
  readonly #headings: number[] = [];
  readonly #files: WholeFile[] = [];
  readonly #known: Known;
  readonly #isLoose: boolean;
  readonly #asked: Asked;
  readonly #calls: ToolCallReader;
  /** The last line that is not blank. */
  #label = { text: "", line: 0 };
  #fence:
    | { readonly path: string | undefined; readonly edits: number; lines: number; changes: number; hasBlock: boolean }
    | undefined;

  /**
   * @param known the files that the blocks name; showing one in a fence only explains it
   * @param options.asked how to ask for the edits in the syntax of the answer
   * @param options.isLoose whether a sentence with a path makes the fence below it a file; used if fences are files, or
   *   if there is no block
   */
  constructor(known: Known, { isLoose, asked }: { readonly isLoose: boolean; readonly asked: Asked }) {
    this.#known = known;
    this.#isLoose = isLoose;
    this.#asked = asked;
    this.#calls = new ToolCallReader(isLoose);
  }

  opens(fence: Fence): void {
    this.#calls.leave();
    const isNear = fence.line - this.#label.line <= 2;
    const path = pathInInfo(fence.info) ?? (isNear ? this.#pathIn(this.#label.text) : undefined);
    this.#fence = { path, edits: this.#count(), lines: 0, changes: 0, hasBlock: false };
  }

  #pathIn(label: string): string | undefined {
    const isPlace = !this.#isLoose && PLACE.test(label);
    return pathAbove(label, this.#isLoose) ?? (isPlace ? undefined : pathAnnounced(label));
  }

  /** @param fence the one that ends, with its closing line or with the text */
  closes({ line, info }: Fence): void {
    if (this.#fence === undefined) return;
    const { path, edits, lines, changes, hasBlock } = this.#fence;
    this.#fence = undefined;
    this.#calls.leave();
    if (lines === 0 || hasBlock || this.#count() > edits) return;
    if (DIFF_INFO.test(info)) {
      if (changes > 0) this.#edits.diff.push(line);
    } else if (path !== undefined && !this.#known.named.has(nameOf(path))) this.#files.push({ line, path });
  }

  /**
   * @param line not blank
   * @param facts.opensBlock whether it opens a block of a syntax, which says so itself
   * @param facts.call whether it is a line of a call in JSON
   */
  read(line: string, number: number, { opensBlock, call }: LineFacts): void {
    if (this.#fence === undefined) this.#readLabel(line, number);
    else this.#readInFence(line, opensBlock);
    const format = this.#formatOf(line, call);
    if (format !== undefined && !opensBlock) this.#edits[format].push(number);
  }

  #readLabel(text: string, line: number): void {
    this.#label = { text, line };
    const gone = fileGoneIn(text);
    if (gone !== undefined && !this.#known.gone.has(nameOf(gone))) this.#headings.push(line);
  }

  #readInFence(line: string, opensBlock: boolean): void {
    const fence = this.#fence;
    if (fence === undefined) return;
    if (fence.lines === 0 && fence.path === undefined) this.#fence = { ...fence, path: pathInComment(line, true) };
    const now = this.#fence ?? fence;
    now.lines += 1;
    if (/^[+-]/.test(line)) now.changes += 1;
    if (opensBlock) now.hasBlock = true;
  }

  #formatOf(line: string, inJson: CallLine): Format | undefined {
    const call = inJson ?? this.#calls.read(line);
    if (call !== undefined) return call === "begins" ? "tool" : undefined;
    return this.#isLoose && WRITTEN_BY_SHELL.test(line) ? "shell" : undefined;
  }

  #count(): number {
    return Object.values(this.#edits).reduce((sum, { length }) => sum + length, 0);
  }

  findings(): Finding[] {
    return [
      ...Object.entries(this.#edits).flatMap(([format, lines]) =>
        editFindings(FORMATS[format as Format], lines, this.#asked),
      ),
      ...headingFindings(this.#headings, this.#asked),
      ...fileFindings(this.#files, this.#asked),
    ];
  }
}

interface LineFacts {
  readonly opensBlock: boolean;
  readonly call: CallLine;
}

type CallLine = "begins" | "continues" | undefined;

type Asked = Syntax["asked"];

/** Begins a sentence that says what a file has, as far as anybody can tell. */
const PLACE = /^(?:in|from|dans|en|em|aus|в) /i;
const DIFF_INFO = /^(?:diff|patch)\b/i;
/** Matches `cat > src/app.js <<'EOF'`. */
const WRITTEN_BY_SHELL = /^\s*(?:cat\b[^<>|]{0,100}(?:>>?[^<>|]{1,200}<<|<<[^<>|]{1,80}>)|tee\b[^<>|]{1,200}<<)/;

function editFindings({ name, edit }: FormatWords, lines: readonly number[], { as, change, write }: Asked): Finding[] {
  const isOne = lines.length === 1;
  return foreignEdits(
    lines,
    `${isOne ? `a ${edit}` : `${lines.length} ${edit}s`} in ${name}, which Loaf does not run`,
    `Send ${isOne ? "it" : "them"} again as ${as}: for each change ${change}, for a new file ${write}`,
  );
}

/** Headings that delete or rename a file run elsewhere: alone in a text, and beside SEARCH/REPLACE blocks. */
function headingFindings(lines: readonly number[], { as, remove }: Asked): Finding[] {
  const isOne = lines.length === 1;
  const what = isOne ? "a heading that deletes or renames a file" : `${lines.length} headings that delete or rename files`;
  return foreignEdits(
    lines,
    `${what}, not run in this answer`,
    remove === undefined
      ? `Send ${isOne ? "it" : "them"} alone in a text of ${isOne ? "its" : "their"} own: ${as} cannot delete or rename a file`
      : `To delete or rename a file, write ${remove}`,
  );
}

function fileFindings(files: readonly WholeFile[], { as, write }: Asked): Finding[] {
  const isOne = files.length === 1;
  return foreignEdits(
    files.map(({ line }) => line),
    `${isOne ? `a code fence that looks like the whole file ${files[0]?.path}` : `${files.length} code fences that look like whole files`}, which Loaf does not write`,
    `Where ${isOne ? "it is" : "they are"} meant as ${isOne ? "a file" : "files"}, send ${isOne ? "it" : "them"} again as ${as}: ${write}`,
  );
}

/**
 * Detects calls of other tools that change files, which models write where a program would run them: as tags, JSON or
 * special tokens. Reads the lines outside blocks in order.
 */
class ToolCallReader {
  readonly #isLoose: boolean;
  /** The closing text of the current call. */
  #end: string | undefined;
  #isInReported = false;

  /** @param isLoose whether to accept forms that other texts contain too; used if there is no block */
  constructor(isLoose: boolean) {
    this.#isLoose = isLoose;
  }

  /** Must be called where a code fence starts or ends, because no call crosses it. */
  leave(): void {
    this.#end = undefined;
    this.#isInReported = false;
  }

  /** @returns whether the line begins a call or is part of one */
  read(line: string): CallLine {
    if (this.#end !== undefined) {
      if (line.includes(this.#end)) this.#end = undefined;
      return "continues";
    }
    const start = line.trimStart().slice(0, MAX_LENGTH);
    switch (start.charAt(0)) {
      case "<":
        return this.#readTag(start, line);
      case "{":
      case "[":
        this.#isInReported = false;
        if (start.startsWith("[TOOL_CALLS]")) return "begins";
        return this.#readJson(start);
      case '"':
        return this.#readJson(start);
      default:
        return undefined;
    }
  }

  #readTag(start: string, line: string): "begins" | undefined {
    const tag = (CALL.exec(start) ?? (this.#isLoose ? LOOSE_CALL.exec(start) : null))?.[1];
    if (tag === undefined) return TOKEN.test(start) ? "begins" : undefined;
    const end = `</${tag}>`;
    if (!line.includes(end)) this.#end = end;
    return "begins";
  }

  /** Reports only the first matching line of an object. */
  #readJson(start: string): "begins" | undefined {
    if (this.#isInReported || !(JSON_CALL.test(start) || (this.#isLoose && LOOSE_JSON_CALL.test(start))))
      return undefined;
    this.#isInReported = true;
    return "begins";
  }
}

/** Maximum length of a line to look at, in UTF-16 units. */
const MAX_LENGTH = 1_000;

const TOOLS = [...CHANGING_TOOLS, "file_replace_\\w+", "str_replace_\\w+"].join("|");
const CALL = new RegExp(
  `^<(${TOOLS}|(?:antml:)?function_calls|(?:antml:)?invoke|tool_calls?|tool_use|function(?==)|boltAction|lov-write|dyad-(?:write|search-replace)|antArtifact|old_str(?:ing)?)[ >=]`,
  "i",
);
/** Matches `<file path="src/app.js">`. */
const LOOSE_CALL = /^<(file|edit|change|code_edit|artifact)(?:>| (?:path|name|file|filename|file_path|identifier)=)/i;
/** Tokens with which some models mark calls. */
const TOKEN = /^<[|｜](?:tool[▁_]call|python_tag)/;
const JSON_CALL = new RegExp(
  `"old_?(?:str|string|text)"\\s*:|"(?:name|tool|tool_name|function|action|command|recipient_name)"\\s*:\\s*"(?:functions\\.)?(?:${TOOLS})"`,
  "i",
);
const LOOSE_JSON_CALL = /"tool_calls"\s*:|"type"\s*:\s*"(?:tool_use|function_call)"/;

/** Detects edits in forms that Loaf does not run: calls of unknown tools, files written by a shell, stray headings. */
import type { Finding } from "../../core/finding.ts";
import { fileGoneIn } from "../../syntaxes/headings.ts";
import { nameOf } from "../../syntaxes/path-label.ts";
import type { Syntax } from "../../syntaxes/syntax.ts";
import { CHANGING_TOOLS } from "../../syntaxes/tool-calls/tools.ts";
import { foreignEdits } from "../../syntaxes/advice.ts";

interface FormatWords {
  readonly name: string;
  readonly edit: string;
}

const FORMATS = {
  tool: { name: "the format of another tool's calls", edit: "call" },
  shell: { name: "the form of a shell command", edit: "file" },
  context: { name: "the format of a context diff", edit: "hunk" },
} as const satisfies Record<string, FormatWords>;

type Format = keyof typeof FORMATS;

interface ForeignEditOptions {
  /** Names of the files that blocks delete or rename, and of all that they name. */
  readonly gone: ReadonlySet<string>;
  readonly named: ReadonlySet<string>;
  /** Whether forms count that other texts contain too; used if there is no block. */
  readonly isLoose: boolean;
  /** How to ask for the edits in the syntax of the answer. */
  readonly asked: Asked;
}

/** Reads the lines outside blocks in order. */
export class ForeignEditReader {
  readonly #edits: Record<Format, number[]> = { tool: [], shell: [], context: [] };
  readonly #headings: number[] = [];
  readonly #options: ForeignEditOptions;
  readonly #calls: ToolCallReader;

  constructor(options: ForeignEditOptions) {
    this.#options = options;
    this.#calls = new ToolCallReader(options.isLoose);
  }

  /** Must be called where a code fence begins or ends. */
  passesFence(): void {
    this.#calls.leave();
  }

  /**
   * @param line not blank
   * @param facts.opensBlock whether it opens a block of a syntax, which says so itself
   * @param facts.call whether it is a line of a call in JSON
   */
  read(line: string, number: number, { opensBlock, call, isInFence }: LineFacts): void {
    const { gone, named } = this.#options;
    const file = isInFence ? undefined : fileGoneIn(line);
    if (file !== undefined && !gone.has(nameOf(file))) this.#headings.push(number);
    const tagged = isInFence ? undefined : PATH_TAG.exec(line)?.[2];
    const format =
      this.#formatOf(line, call) ?? (tagged === undefined || named.has(nameOf(tagged)) ? undefined : "tool");
    if (format !== undefined && !opensBlock) this.#edits[format].push(number);
  }

  #formatOf(line: string, inJson: CallLine): Format | undefined {
    const call = inJson ?? this.#calls.read(line);
    if (call !== undefined) return call === "begins" ? "tool" : undefined;
    if (CONTEXT_HUNK.test(line)) return "context";
    return this.#options.isLoose && WRITTEN_BY_SHELL.test(line) ? "shell" : undefined;
  }

  get count(): number {
    return Object.values(this.#edits).reduce((sum, { length }) => sum + length, 0);
  }

  findings(): Finding[] {
    const { asked } = this.#options;
    const edits = Object.entries(this.#edits) as Array<[Format, number[]]>;
    return [
      ...edits.flatMap(([format, lines]) => editFindings(FORMATS[format], lines, asked)),
      ...headingFindings(this.#headings, asked),
    ];
  }
}

interface LineFacts {
  readonly opensBlock: boolean;
  readonly call: CallLine;
  readonly isInFence: boolean;
}

type CallLine = "begins" | "continues" | undefined;

type Asked = Syntax["asked"];

/** Matches `*** 1,5 ****`. */
const CONTEXT_HUNK = /^\*{3} \d+(?:,\d+)? \*{4}$/;

/** In a call of a tool that nobody knows. */
const PATH_TAG = /^\s*<(path|file_?path|file_?name|target_file)>([^<>]{1,300})<\/\1>\s*$/i;

/** Matches `cat > src/app.js <<'EOF'`. */
export const WRITTEN_BY_SHELL = /^\s*(?:cat\b[^<>|]{0,100}(?:>>?[^<>|]{1,200}<<|<<[^<>|]{1,80}>)|tee\b[^<>|]{1,200}<<)/;

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
  const what = isOne
    ? "a heading that deletes or renames a file"
    : `${lines.length} headings that delete or rename files`;
  return foreignEdits(
    lines,
    `${what}, not run in this answer`,
    remove === undefined
      ? `Send ${isOne ? "it" : "them"} alone in a text of ${isOne ? "its" : "their"} own: ${as} cannot delete or rename a file`
      : `To delete or rename a file, write ${remove}`,
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
      case "@":
        return NAMED_CALL.test(start) ? "begins" : undefined;
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
  `^<(${TOOLS}|(?:antml:)?function_calls|(?:antml:)?invoke|tool_calls?|tool_use|function(?==)|boltAction|lov-write|dyad-(?:write|search-replace)|antArtifact|old_(?:str(?:ing)?|text))[ >=]`,
  "i",
);
/** Matches `<file path="src/app.js">`. */
const LOOSE_CALL =
  /^<(file|document|edit|change|code_edit|artifact)(?:>| (?:path|name|file|filename|file_path|identifier)=)/i;
/** Tokens with which some models mark calls. */
const TOKEN = /^<[|｜](?:tool[▁_]call|python_tag)/;
/** `@patch(call_1): {` */
const NAMED_CALL = /^@[a-z_]+\([\w-]*\): ?\{/;
const JSON_CALL = new RegExp(
  `"old_?(?:str|string|text)"\\s*:|"(?:name|tool|tool_name|function|action|command|recipient_name)"\\s*:\\s*"(?:functions\\.)?(?:${TOOLS})"`,
  "i",
);
const LOOSE_JSON_CALL = /"tool_calls"\s*:|"type"\s*:\s*"(?:tool_use|function_call)"/;

/**
 * Reads calls of other products' tools, as models write them where a program would run them: JSON in the forms of Anthropic,
 * OpenAI, Hermes and Mistral, and tags. `tools.ts` says which action does what a tool does. A damaged call is reported, and
 * the others run. Never fails. Runs in linear time.
 */
import type { DiagnosticCode, ReadBlock, ReadText } from "../../core/block.ts";
import { Properties } from "../properties.ts";
import { TextLines } from "../text-lines.ts";
import { callsIn, parsed, ValueScanner } from "./json-calls.ts";
import { TagReader } from "./tag-calls.ts";
import { actionsOf, type Call, isKnownTool } from "./tools.ts";

export function readToolCalls(text: string): ReadText {
  // Cheap, and nearly always the answer.
  return { items: mayHold(text) ? new CallReader(text).read() : [] };
}

function mayHold(text: string): boolean {
  return SIGN.test(text);
}

const SIGN = /"(?:name|tool|tool_name|function|recipient_name)"\s*:|<(?:antml:)?invoke\s|<function=|<tool_call>|\[TOOL_CALLS\]|^[ \t]*<[a-z]+(?:_[a-z]+)+>/m;

class CallReader {
  readonly #text: string;
  readonly #lines: TextLines;
  readonly #tags: TagReader;
  readonly #values: ValueScanner;
  readonly #blocks: ReadBlock[] = [];
  #calls = 0;
  /** Index of a line, and all offsets so far are not before it. */
  #line = 0;

  constructor(text: string) {
    this.#text = text;
    this.#lines = new TextLines(text);
    this.#tags = new TagReader(text);
    this.#values = new ValueScanner(text);
  }

  read(): readonly ReadBlock[] {
    const opening = new RegExp(OPENING);
    for (let match = opening.exec(this.#text); match !== null; match = opening.exec(this.#text)) {
      const start = match.index + (match[0].length - match[0].trimStart().length);
      const end = match[2] === undefined ? this.#readValue(start, match[1] !== undefined, match.index + match[0].length) : this.#readTag(match[2], start);
      opening.lastIndex = Math.max(end ?? 0, match.index + match[0].length, match.index + 1);
    }
    return this.#blocks;
  }

  /** @returns the offset after it, or undefined if the tag is no call */
  #readTag(tag: string, start: number): number | undefined {
    const name = /^<([a-z_]+)>$/.exec(tag)?.[1];
    if (name !== undefined && !isKnownTool(name)) return undefined;
    const read = this.#tags.read(tag, start);
    const span = { start, end: read.end };
    if ("call" in read) this.#yield(read.call, span);
    else this.#refuse(span, read.isOpen === true ? "UNCLOSED_BLOCK" : "MALFORMED_ASSIGNMENT", read.problem);
    return read.end;
  }

  /**
   * @param isCertain whether a mark before the value says that it is a call
   * @param at offset of the value
   */
  #readValue(start: number, isCertain: boolean, at: number): number | undefined {
    const head = this.#text.slice(at, at + MAX_HEAD);
    if (!isCertain && !HEAD.test(head)) return undefined;
    const end = this.#values.endOf(at);
    const value = end === undefined ? undefined : parsed(this.#text.slice(at, end));
    if (value === undefined) {
      const tool = CALLED.exec(head)?.[1];
      if (!isCertain && (tool === undefined || !isKnownTool(tool))) return undefined;
      const span = { start, end: end ?? this.#text.length };
      this.#refuse(span, end === undefined ? "UNCLOSED_BLOCK" : "INVALID_VALUE", end === undefined ? "The call's JSON has no end" : "The call is no valid JSON: a line break in a string is written \\n, a quote \\\"");
      return span.end;
    }
    for (const call of callsIn(value, isCertain)) this.#yield(call, { start, end: end as number });
    return end;
  }

  #yield(call: Call, span: Span): void {
    const actions = actionsOf(call);
    this.#calls += 1;
    const group = actions.length > 1 ? { group: `call-${this.#calls}` } : {};
    for (const action of actions) {
      if ("problem" in action) this.#refuse(span, "INVALID_OPERATION", `${call.tool}: ${action["problem"]}`, group);
      else this.#push(span, action, group);
    }
    if (actions.length === 0) this.#refuse(span, "EMPTY_SECTION", `${call.tool}: The call has no edit`);
  }

  #push({ start, end }: Span, given: Readonly<Record<string, string>>, group: Group = {}): void {
    // Blocks are told apart by their text, and edits of one call have the same.
    const edits = this.#blocks.filter(({ span }) => span.end === end).length;
    const startLine = this.#lineAt(start) + 1;
    const block = { id: `e${this.#blocks.length + 1}`, properties: Object.assign(new Properties(), given), startLine, endLine: this.#lineAt(end - 1) + 1 };
    this.#blocks.push({ block, diagnostics: [], span: { start: Math.min(start + edits, end), end }, translation: { paths: "by-told-tail", ...group } });
  }

  #refuse(span: Span, code: DiagnosticCode, message: string, group: Group = {}): void {
    this.#push(span, {}, group);
    const last = this.#blocks.pop() as ReadBlock;
    const { block } = last;
    const diagnostic = this.#lines.diagnostic(block.startLine - 1, code, block.id, message);
    this.#blocks.push({ ...last, block: { ...block, endLine: code === "UNCLOSED_BLOCK" ? null : block.endLine }, diagnostics: [diagnostic] });
  }

  /** Offsets come in ascending order of lines, but for those of one call. */
  #lineAt(offset: number): number {
    while (this.#line > 0 && this.#lines.start(this.#line) > offset) this.#line -= 1;
    while (this.#line + 1 < this.#lines.count && this.#lines.start(this.#line + 1) <= offset) this.#line += 1;
    return this.#line;
  }
}

interface Span {
  readonly start: number;
  readonly end: number;
}

interface Group {
  readonly group?: string;
}

/** A value at the start of a line or behind a mark, or a tag. */
const OPENING = /^[ \t]*(?:(<tool_call>\s*|\[TOOL_CALLS\]\s*)?(?=[{[])|(<(?:antml:)?invoke\s+name="[^"\n]{1,200}"[^>\n]{0,100}>|<function=[\w.:-]{1,200}>|<[a-z]+(?:_[a-z]+)*>))/gm;
/** How far to look whether a value may be a call, in UTF-16 units. */
const MAX_HEAD = 2_000;
const HEAD = /^[[{\s]*"(?:id|index|name|type|function|tool|tool_name|tool_calls|tool_uses|recipient_name|role|content|choices|message|arguments|input|parameters|function_call|output)"\s*:/;
const CALLED = /"(?:name|tool|tool_name|recipient_name)"\s*:\s*"([\w.:-]{1,200})"/;

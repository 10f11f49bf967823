/**
 * Reads calls of other products' tools, as models write them where a program would run them: JSON in the forms of
 * Anthropic, OpenAI, Hermes and Mistral, and tags. `tools.ts` says which action does what a tool does. A damaged call
 * is reported, and the others run. Never fails. Runs in linear time.
 */
import type { DiagnosticCode, ReadBlock, ReadText, Meant } from "../../core/block.ts";
import { bareProperties, damaged } from "../line-blocks.ts";
import type { FencedLines, Source } from "../source.ts";
import { callOf, callsIn, isPlainCall } from "./json-calls.ts";
import { appliesPatch, shellCommand } from "./shell.ts";
import { ATTRIBUTED_TAG, readAttributed, TagReader } from "./tags.ts";
import { readWritten, WRITTEN } from "./written-calls.ts";
import { isObject, parsedJson, wordsOf } from "./arguments.ts";
import { actionsOf, type Call, type CallInText, isKnownTool, runsWhole } from "./tools.ts";

export function readToolCalls(source: Source): ReadText {
  return { items: read(source, false) };
}

/**
 * Returns the calls in JSON, also of tools that nobody knows, where nothing but a name and arguments makes a call, and
 * of a shell.
 */
export function readJsonCalls(source: Source): readonly ReadBlock[] {
  return read(source, true).filter(({ span }) => /[[{]/.test(source.text.charAt(span.start)));
}

function read(source: Source, isAnyTool: boolean): readonly ReadBlock[] {
  // Cheap, and nearly always the answer.
  return SIGN.test(source.text) ? new CallReader(source, isAnyTool).read() : [];
}

const SIGN =
  /"(?:name|tool|tool_name|function|functionCall|recipient_name|operations?|op|files|edits)"\s*:|"(?:command|cmd)"\s*:\s*(?:\[|"\s*apply_patch\b)|<(?:antml:)?invoke\s|<function=|<tool_call>|\[TOOL_CALLS\]|<\|tool_call_begin\|>|<｜tool▁call▁begin｜>|<｜DSML｜invoke|<\|channel\|>commentary to=|<(?:dyad|lov)-|<boltAction|<antArtifact|<(?:patch|save|append|morph) args=|<file\s[^>\n]*\baction=|<change>\s*<file>|^@[\w.-]+\([\w-]*\):|^TOOL_NAME:|^<edits>|^```tool_code|^[ \t]*<[a-z]+(?:_[a-z]+)+>/m;

class CallReader {
  readonly #text: string;
  readonly #isAnyTool: boolean;
  readonly #source: Source;
  readonly #tags: TagReader;
  readonly #values: ValueScanner;
  /** Reads beyond fences. Its work is limited apart, so that calls without an end do not cost the others theirs. */
  readonly #beyond: ValueScanner;
  readonly #blocks: ReadBlock[] = [];
  /** Index of the first code fence that does not end above. */
  #fence = 0;
  #calls = 0;

  constructor(source: Source, isAnyTool: boolean) {
    const { text } = source;
    this.#text = text;
    this.#source = source;
    this.#isAnyTool = isAnyTool;
    this.#tags = new TagReader(text);
    this.#values = new ValueScanner(text);
    this.#beyond = new ValueScanner(text);
  }

  read(): readonly ReadBlock[] {
    const [opening, following] = [new RegExp(OPENING), new RegExp(FOLLOWING)];
    const next = () => following.exec(this.#text) ?? opening.exec(this.#text);
    for (let match = opening.exec(this.#text); match !== null; match = next()) {
      const start = match.index + (match[0].length - match[0].trimStart().length);
      const [all, tool, mark, written, tag] = match;
      const isCertain = mark !== undefined || tool !== undefined;
      const end =
        written !== undefined
          ? this.#take(readWritten(this.#text, written, start))
          : tag === undefined
            ? this.#readValue(start, { at: match.index + all.length, isCertain, tool })
            : this.#readTag(tag, start);
      opening.lastIndex = Math.max(end ?? 0, match.index + match[0].length, match.index + 1);
      following.lastIndex = end ?? this.#text.length;
    }
    return this.#withEnds();
  }

  /** Ends each call without an end where the next one begins, or the code fence around that. */
  #withEnds(): readonly ReadBlock[] {
    const { fences } = this.#source;
    let fence = 0;
    return this.#blocks.map((block, index) => {
      const next = this.#blocks[index + 1];
      if (block.endLine !== null || next === undefined) return block;
      const at = next.startLine - 1;
      while ((fences[fence]?.end ?? Infinity) < at) fence += 1;
      const end = this.#source.end(Math.max(block.startLine, Math.min(at, fences[fence]?.first ?? at)) - 1);
      return { ...block, span: { ...block.span, end } };
    });
  }

  /** @returns the offset after the calls, or undefined if there are none */
  #take(calls: readonly CallInText[] = []): number | undefined {
    for (const read of calls) {
      if ("call" in read) this.#yield(read.call, read);
      else this.#refuse(read, read.isOpen ? "UNCLOSED_BLOCK" : "MALFORMED_ASSIGNMENT", read.problem);
    }
    return calls.at(-1)?.end;
  }

  /** @returns the offset after it, or undefined if the tag is no call */
  #readTag(tag: string, start: number): number | undefined {
    if (IS_ATTRIBUTED.test(tag)) {
      const read = readAttributed(this.#text, tag, start);
      return this.#take(read && [read]);
    }
    const name = /^<([a-z_]+)>$/.exec(tag)?.[1];
    if (name !== undefined && !isKnownTool(name)) return undefined;
    // AI Studio's; elsewhere such words are elements of any document.
    if (/^<(?:change|save|append|patch)>$/.test(tag) && !/^\s{0,100}<file>/.test(this.#text.slice(start + tag.length)))
      return undefined;
    const read = this.#tags.read(tag, start);
    const end = this.#take([read]);
    // What stands below may be another call.
    return "problem" in read && read.isOpen ? start + tag.length : end;
  }

  /**
   * @param value.isCertain whether a mark before the value says that it is a call
   * @param value.tool the tool, if the value is its arguments
   * @returns the offset after it, or undefined if it is no call
   */
  #readValue(
    start: number,
    {
      at,
      isCertain,
      tool: named,
    }: { readonly at: number; readonly isCertain: boolean; readonly tool: string | undefined },
  ): number | undefined {
    const head = this.#text.slice(at, at + MAX_HEAD);
    if (!isCertain && !HEAD.test(head)) return undefined;
    const bound = this.#boundOf(at) ?? this.#values.nextCall(at);
    // A string may hold a fence, and so end below one. A list of calls ends below each of them.
    const end = this.#values.endOf(at, bound) ?? (bound === undefined ? undefined : this.#beyond.endOf(at));
    const text = this.#text.slice(at, end);
    const parsed = end === undefined ? undefined : parsedJson(text);
    if (end === undefined || parsed === undefined) {
      const tool = CALLED.exec(head)?.[1];
      if (!isCertain && !(tool === undefined ? PATCH.test(head) : isKnownTool(tool))) return undefined;
      if (bound !== undefined && (end === undefined || end > bound)) {
        this.#refuse(
          { start, end: bound },
          "INVALID_VALUE",
          "The call's JSON has no end: a bracket or a quote is missing",
        );
        return bound;
      }
      if (end === undefined)
        this.#refuse({ start, end: this.#text.length }, "UNCLOSED_BLOCK", "The call's JSON has no end");
      else
        this.#refuse(
          { start, end },
          "INVALID_VALUE",
          'The call is not valid JSON: a line break in a string is written \\n, a quote \\"',
        );
      return end ?? this.#text.length;
    }
    const { value, isRepaired } = parsed;
    const calls =
      named === undefined ? this.#callsIn(value, isCertain) : callOf({ name: named, arguments: value }, true);
    for (const call of calls) this.#yield({ ...call, isRepaired: call.isRepaired || isRepaired }, { start, end });
    return end;
  }

  /** Returns the offset before the line or tag that ends what a value stands in, if that has an end. */
  #boundOf(at: number): number | undefined {
    const { fences } = this.#source;
    const endOf = (fence: FencedLines | undefined): number =>
      fence?.end === undefined ? Infinity : this.#source.start(fence.end);
    while (endOf(fences[this.#fence]) < at) this.#fence += 1;
    const next = fences[this.#fence];
    const end = next !== undefined && this.#source.start(next.first) < at ? endOf(next) : Infinity;
    const tag = /<tool_call>\s*$/.test(this.#text.slice(Math.max(0, at - MAX_MARK), at))
      ? this.#text.indexOf("</tool_call>", at)
      : -1;
    const bound = Math.min(end, tag === -1 ? Infinity : tag);
    return bound === Infinity ? undefined : this.#text.slice(0, bound).trimEnd().length;
  }

  #callsIn(value: unknown, isCertain: boolean): readonly Call[] {
    const words = isObject(value) ? shellCommand(value) : undefined;
    if (isObject(value) && words !== undefined)
      return this.#isAnyTool || appliesPatch(words) ? [{ tool: "shell", given: value, isRepaired: false }] : [];
    return callsIn(value, isCertain || (this.#isAnyTool && isPlainCall(value)));
  }

  #yield(call: Call, span: Span): void {
    const { actions, warnings: notes, isRepaired } = actionsOf(call);
    const warnings = isRepaired ? [...notes, REPAIRED] : notes;
    const [other] = call.otherwise === undefined ? [] : actionsOf({ ...call, given: call.otherwise }).actions;
    const otherwise = other !== undefined && "given" in other ? other.given : undefined;
    this.#calls += 1;
    const group = actions.length > 1 && runsWhole(call.tool) ? { group: `call-${this.#calls}` } : {};
    const words = wordsOf(call.given);
    for (const action of actions) {
      if ("problem" in action) this.#refuse(span, "INVALID_OPERATION", `${call.tool}: ${action.problem}`, group);
      else {
        const { given, place } = action;
        this.#push(span, given, { ...group, words, ...(place && { place }), ...(otherwise && { otherwise }) }, warnings);
      }
    }
    if (actions.length === 0) this.#refuse(span, "EMPTY_SECTION", `${call.tool}: The call has no edit`);
  }

  #push(
    { start, end }: Span,
    given: Readonly<Record<string, string>>,
    meant: Omit<Meant, "paths"> = {},
    warnings: readonly string[] = [],
  ): void {
    // Blocks are told apart by their text, and edits of one call have the same.
    const previous = this.#blocks.at(-1)?.span;
    const from = previous?.end === end ? previous.start + 1 : start;
    this.#blocks.push({
      id: `e${this.#blocks.length + 1}`,
      properties: bareProperties(given),
      startLine: this.#source.lineAt(start) + 1,
      endLine: this.#source.lineAt(end - 1) + 1,
      diagnostics: [],
      span: { start: Math.min(from, end), end },
      ...(warnings.length > 0 && { warnings }),
      meant: { paths: "by-tail-with-warning", ...meant },
    });
  }

  #refuse(span: Span, code: DiagnosticCode, message: string, group: Pick<Meant, "group"> = {}): void {
    this.#push(span, {}, group);
    const last = this.#blocks.pop() as ReadBlock;
    this.#blocks.push(damaged(last, this.#source.diagnostic(last.startLine - 1, code, last.id, message)));
  }
}

interface Span {
  readonly start: number;
  readonly end: number;
}

const REPAIRED = "the call's JSON was repaired: it had an extra comma, or line breaks in a string";

/** A value, behind a mark or not, or a tag. */
const CALL =
  // The name stands before the arguments: Mistral's later form, and the tokens of Kimi, DeepSeek and gpt-oss.
  "(?:(?:@(?=[\\w.-]+\\([\\w-]*\\):)|\\[TOOL_CALLS\\]|(?:<\\|tool_calls_section_begin\\|>)?<\\|tool_call_begin\\|>|" +
  "(?:<｜tool▁calls▁begin｜>)?<｜tool▁call▁begin｜>(?:function<｜tool▁sep｜>)?|(?:<\\|start\\|>assistant)?<\\|channel\\|>commentary to=)" +
  "([\\w.:-]{1,200})" +
  "(?:\\([\\w-]*\\):\\s*|(?:\\[CALL_ID\\]\\w{1,40})?\\[ARGS\\]|<\\|tool_call_argument_begin\\|>|<｜tool▁sep｜>|\\s*```json\\s*|\\s*(?:<\\|constrain\\|>json)?<\\|message\\|>)(?=\\{)|" +
  "(<tool_call>\\s*|\\[TOOL_CALLS\\]\\s*)?(?=[{[])|" +
  `(${WRITTEN})|` +
  `(<(?:antml:|｜DSML｜)?invoke\\s+name="[^"\\n]{1,200}"[^>\\n]{0,100}>|<function=[\\w.:-]{1,200}>|<tool_call>[\\w.:-]{1,200}(?=\\s*\\n<arg_key>)|<[a-z]+(?:_[a-z]+)*>|${ATTRIBUTED_TAG}))`;
const IS_ATTRIBUTED = new RegExp(`^${ATTRIBUTED_TAG}$`);
const OPENING = new RegExp(`^[ \\t]*${CALL}`, "gm");
/** A call with a mark may begin right behind another one. */
const FOLLOWING = new RegExp(`[ \\t]*(?=\\[TOOL_CALLS\\])${CALL}`, "y");
/** `<tool_call>` and white space before a value, in UTF-16 units. */
const MAX_MARK = 40;
/** How far to look whether a value may be a call, in UTF-16 units. */
const MAX_HEAD = 2_000;
const HEAD = new RegExp(
  '^[[{\\s]*"(?:id|index|name|type|function|tool|tool_name|tool_calls|tool_uses|recipient_name|role|content|choices|message|arguments|input|parameters|summary|operations|operation|op|action|path|call_id|files|edits|' +
    'command|cmd|workdir|timeout|timeout_ms|args|tool_input|function_call|functionCall|output|parts|candidates|jsonrpc|method|params|object)"\\s*:',
);
/** A shell's arguments with a patch. */
const PATCH = /^\{\s*"(?:command|cmd)"\s*:\s*(?:\[[^\]]{0,40})?"\s*apply_patch\b/;
const CALLED = /"(?:name|tool|tool_name|recipient_name)"\s*:\s*"([\w.:-]{1,200})"/;

/** Finds where values end. Its work is limited, so that many values that never end take linear time. */
class ValueScanner {
  readonly #text: string;
  #left: number;

  constructor(text: string) {
    this.#text = text;
    this.#left = text.length * MAX_SCANS;
  }

  /**
   * @param start offset of a bracket
   * @returns the offset after the bracket that closes it; undefined if there is none
   */
  endOf(start: number, bound = this.#text.length): number | undefined {
    let depth = 0;
    let isQuoted = false;
    for (let at = start; at < bound && this.#left > 0; at++, this.#left--) {
      const unit = this.#text.charCodeAt(at);
      if (isQuoted) {
        if (unit === BACKSLASH) at += 1;
        else if (unit === QUOTE) isQuoted = false;
      } else if (unit === QUOTE) isQuoted = true;
      else if (unit === OPEN_BRACE || unit === OPEN_BRACKET) depth += 1;
      else if ((unit === CLOSE_BRACE || unit === CLOSE_BRACKET) && --depth === 0) return at + 1;
    }
    return undefined;
  }

  /** Returns the offset of the next line that begins a call and is in no string of the value at an offset. */
  nextCall(start: number): number | undefined {
    let isQuoted = false;
    for (let at = start; at < this.#text.length && this.#left > 0; at++, this.#left--) {
      const unit = this.#text.charCodeAt(at);
      if (isQuoted && unit === BACKSLASH) at += 1;
      else if (unit === QUOTE) isQuoted = !isQuoted;
      else if (unit === LINE_FEED && !isQuoted) {
        CALL_LINE.lastIndex = at;
        if (CALL_LINE.test(this.#text)) return at;
      }
    }
    return undefined;
  }
}

/** How many times the text is read at most. */
const MAX_SCANS = 6;
/** A line that begins a call. */
const CALL_LINE = /\n[ \t]*(?=\{\s*"(?:name|type|function|tool|tool_name|recipient_name)"\s*:)/y;
const [LINE_FEED, QUOTE, BACKSLASH, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [
  0x0a, 0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d,
];

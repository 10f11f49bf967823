/**
 * Reads calls that stand neither in JSON nor in tags of their own: Gemini's code, Continue's lines, Zed's pairs. Each
 * reader begins at the line that opens the calls, and tells where they end, so that what they hold is no call. Runs in
 * linear time.
 */
import { labelAbove } from "../path-label.ts";
import { type CallInText, isKnownTool } from "./tools.ts";

/** The lines that open such calls. */
export const WRITTEN = "```tool_code[ \\t]*$|TOOL_NAME:[ \\t]*[\\w.-]+[ \\t]*$|<edits>[ \\t]*$";

/** @returns undefined if the line opens none */
export function readWritten(text: string, opening: string, start: number): readonly CallInText[] | undefined {
  const at = start + opening.length;
  if (opening.startsWith("```")) return pythonCalls(text, at);
  return opening.startsWith("<") ? pairs(text, start, at) : namedArguments(text, opening, start, at);
}

/** `print(replace(file_path="a.py", old_string="""x""", new_string="y"))` */
function pythonCalls(text: string, from: number): readonly CallInText[] {
  const calls: CallInText[] = [];
  for (let at = nextLine(text, from); at < text.length && !text.startsWith("```", at);) {
    const head = matchAt(/[ \t]*(?:print\()?(?:default_api\.)?(\w+)\(/y, text, at);
    const tool = head?.[1] ?? "";
    if (head === undefined || !isKnownTool(tool)) {
      at = nextLine(text, at);
      continue;
    }
    const given: Record<string, string> = Object.create(null);
    let end = at + head[0].length;
    for (let name = matchAt(NAME, text, end); name !== undefined; name = matchAt(NAME, text, end)) {
      const first = end + name[0].length;
      const last = endOfLiteral(text, first);
      if (last === undefined) break;
      given[name[1] ?? ""] = valueOf(text.slice(first, last));
      end = last + (matchAt(/\s*,?/y, text, last)?.[0].length ?? 0);
    }
    const close = matchAt(/\s*\)+/y, text, end);
    const after = close === undefined ? nextLine(text, end) : end + close[0].length;
    const span = { start: at, end: Math.min(after, text.length) };
    if (close !== undefined) calls.push({ ...span, call: { tool, given, isRepaired: false } });
    else calls.push({ ...span, problem: `An argument of ${tool} is no text in quotes, or has no end`, isOpen: false });
    at = close === undefined ? after : nextLine(text, after);
  }
  return calls;
}

const NAME = /\s*(\w+)\s*=\s*/y;

/** Returns the offset after a text in quotes, a number or a constant. */
function endOfLiteral(text: string, start: number): number | undefined {
  const marks = matchAt(/"""|'''|"|'/y, text, start)?.[0];
  if (marks === undefined) {
    const plain = matchAt(/-?\d+|True|False|None/y, text, start);
    return plain && start + plain[0].length;
  }
  for (let at = start + marks.length; at < text.length; at++) {
    if (text.startsWith(marks, at)) return at + marks.length;
    if (text[at] === "\\") at += 1;
    else if (text[at] === "\n" && marks.length === 1) return undefined;
  }
  return undefined;
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "\n": "" };

function valueOf(literal: string): string {
  const marks = /^(?:"""|'''|"|')/.exec(literal)?.[0];
  if (marks === undefined) return literal.toLowerCase();
  return literal.slice(marks.length, -marks.length).replace(/\\([^])/g, (_, unit: string) => ESCAPES[unit] ?? unit);
}

/** `TOOL_NAME: edit`, and each argument between lines `BEGIN_ARG: name` and `END_ARG`. */
function namedArguments(
  text: string,
  opening: string,
  start: number,
  from: number,
): readonly CallInText[] | undefined {
  const tool = opening.replace(/^TOOL_NAME:/, "").trim();
  if (!isKnownTool(tool)) return undefined;
  const given: Record<string, string> = Object.create(null);
  let at = nextLine(text, from);
  const begin = /BEGIN_ARG:[ \t]*(\w+)[ \t]*(?=\n)/y;
  for (let head = matchAt(begin, text, at); head !== undefined; head = matchAt(begin, text, at)) {
    const first = at + head[0].length + 1;
    const last = text.indexOf("\nEND_ARG", first - 1);
    if (last === -1)
      return [{ start, end: text.length, problem: `The argument ${head[1]} has no END_ARG`, isOpen: true }];
    given[head[1] ?? ""] = text.slice(first, Math.max(first, last));
    at = nextLine(text, last + 1);
  }
  return [{ start, end: Math.min(at, text.length), call: { tool, given, isRepaired: false } }];
}

/** `<edits>` with pairs of texts, below the path of their file. */
function pairs(text: string, start: number, from: number): readonly CallInText[] | undefined {
  const edits: Array<{ readonly old_text: string; readonly new_text: string }> = [];
  let at = from;
  const old = /\s*<old_text[^>\n]*>/y;
  for (let head = matchAt(old, text, at); head !== undefined; head = matchAt(old, text, at)) {
    const sides = [old, /\s*<new_text>/y].map((opening, index) => {
      const tag = matchAt(opening, text, at);
      const closing = index === 0 ? "</old_text>" : "</new_text>";
      const first = at + (tag?.[0].length ?? 0);
      const last = tag === undefined ? -1 : text.indexOf(closing, first);
      if (last !== -1) at = last + closing.length;
      return last === -1 ? undefined : inner(text.slice(first, last));
    });
    const [before, after] = sides;
    if (before === undefined || after === undefined)
      return [{ start, end: text.length, problem: "A pair of <old_text> and <new_text> has no end", isOpen: true }];
    edits.push({ old_text: before, new_text: after });
  }
  const end = matchAt(/\s*<\/edits>/y, text, at);
  if (edits.length === 0) return undefined;
  if (end === undefined) {
    const isOpen = text.slice(at).trim() === "";
    return [{ start, end: at, problem: "The call has no </edits> behind its pairs", isOpen }];
  }
  const above = text.slice(Math.max(0, start - MAX_ABOVE), start).trimEnd();
  const path = labelAbove(above.slice(above.lastIndexOf("\n") + 1));
  const given = { ...(path !== undefined && { path }), edits };
  return [{ start, end: at + end[0].length, call: { tool: "multi_edit", given, isRepaired: false } }];
}

/** UTF-16 units above a call in which the path of its file stands. */
const MAX_ABOVE = 1_000;

/** Takes the layout off: a newline at the beginning, and the last one with the indentation of the closing tag. */
function inner(value: string): string {
  return value.replace(/^\r?\n/, "").replace(/\n[ \t]*$/, "\n");
}

function matchAt(sticky: RegExp, text: string, at: number): RegExpExecArray | undefined {
  sticky.lastIndex = at;
  return sticky.exec(text) ?? undefined;
}

/** Returns the offset after the line that an offset is in. */
function nextLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end + 1;
}

/** Reads calls that stand neither in JSON nor in tags of their own: Gemini's code, Continue's lines, Zed's pairs. */
import { labelAbove } from "../path-label.ts";
import { type Call, isKnownTool } from "./tools.ts";

export interface WrittenCall {
  readonly call: Call;
  /** UTF-16 offsets. */
  readonly start: number;
  readonly end: number;
}

export function writtenCalls(text: string): readonly WrittenCall[] {
  const found = [...pythonCalls(text), ...namedArguments(text), ...pairs(text)];
  return found.sort((one, other) => one.start - other.start);
}

/** `print(replace(file_path="a.py", old_string="""x""", new_string="y"))` in a fence of tool_code. */
function* pythonCalls(text: string): Generator<WrittenCall> {
  for (const { 1: code = "", index, 0: fence } of text.matchAll(/^```tool_code[ \t]*\n([^]*?)^```/gm)) {
    const from = index + fence.indexOf(code);
    for (const match of code.matchAll(/^[ \t]*(?:print\()?(?:default_api\.)?(\w+)\(/gm)) {
      const [head, tool = ""] = match;
      if (!isKnownTool(tool)) continue;
      const given: Record<string, string> = Object.create(null);
      let at = match.index + head.length;
      for (;;) {
        ARGUMENT.lastIndex = at;
        const argument = ARGUMENT.exec(code);
        if (argument === null) break;
        const [all, name = "", literal = ""] = argument;
        given[name] = valueOf(literal);
        at += all.length;
      }
      const end = /^\s*\)/.exec(code.slice(at))?.[0].length;
      if (end !== undefined)
        yield { call: { tool, given, isRepaired: false }, start: from + match.index, end: from + at + end };
    }
  }
}

const ARGUMENT =
  /\s*(\w+)\s*=\s*("""(?:[^\\]|\\[^])*?"""|'''(?:[^\\]|\\[^])*?'''|"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'|-?\d+|True|False|None)\s*,?/y;

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "\n": "" };

function valueOf(literal: string): string {
  const marks = /^(?:"""|'''|"|')/.exec(literal)?.[0];
  if (marks === undefined) return literal.toLowerCase();
  return literal.slice(marks.length, -marks.length).replace(/\\([^])/g, (_, unit: string) => ESCAPES[unit] ?? unit);
}

/** `TOOL_NAME: edit`, and each argument between lines `BEGIN_ARG: name` and `END_ARG`. */
function* namedArguments(text: string): Generator<WrittenCall> {
  for (const match of text.matchAll(
    /^TOOL_NAME:[ \t]*([\w.-]+)[ \t]*\n((?:BEGIN_ARG:[^\n]*\n[^]*?\nEND_ARG[ \t]*(?:\n|$))+)/gm,
  )) {
    const [all, tool = "", body = ""] = match;
    if (!isKnownTool(tool)) continue;
    const values = [...body.matchAll(/^BEGIN_ARG:[ \t]*(\w+)[ \t]*\n([^]*?)\nEND_ARG[ \t]*$/gm)];
    const given = Object.fromEntries(values.map(([, name = "", value = ""]) => [name, value]));
    yield { call: { tool, given, isRepaired: false }, start: match.index, end: match.index + all.trimEnd().length };
  }
}

/** `<edits>` with pairs of texts, below the path of their file. */
function* pairs(text: string): Generator<WrittenCall> {
  for (const match of text.matchAll(
    /^<edits>\s*\n((?:\s*<old_text[^>\n]*>[^]*?<\/old_text>\s*<new_text>[^]*?<\/new_text>)+)\s*<\/edits>/gm,
  )) {
    const above = text.slice(0, match.index).trimEnd();
    const path = labelAbove(above.slice(above.lastIndexOf("\n") + 1));
    const own = [...(match[1] ?? "").matchAll(/<old_text[^>\n]*>([^]*?)<\/old_text>\s*<new_text>([^]*?)<\/new_text>/g)];
    const edits = own.map(([, old = "", now = ""]) => ({ old_text: inner(old), new_text: inner(now) }));
    const given = { ...(path !== undefined && { path }), edits };
    yield {
      call: { tool: "multi_edit", given, isRepaired: false },
      start: match.index,
      end: match.index + match[0].length,
    };
  }
}

/** Takes the layout off: a newline at the beginning, and the last one with the indentation of the closing tag. */
function inner(value: string): string {
  return value.replace(/^\r?\n/, "").replace(/\n[ \t]*$/, "\n");
}

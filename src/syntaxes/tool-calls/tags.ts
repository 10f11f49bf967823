/** Reads calls of tools in tags. */
import { isObject, parsedJson } from "./arguments.ts";
import { type Call, type CallInText, deletedText, isContent, isEdited } from "./tools.ts";

/** What opens and closes a call and its parameters. */
interface Form {
  readonly tool: string;
  readonly opening: string;
  readonly closing: string;
  readonly parameter: RegExp;
}

/** Reads the calls of a text that begin with tags. Runs in linear time, however many of them never end. */
export class TagReader {
  readonly #text: string;
  /** Closing tags that do not occur any more. */
  readonly #missing = new Set<string>();

  constructor(text: string) {
    this.#text = text;
  }

  /**
   * @param tag the opening tag: `<invoke name="Edit">`, `<function=edit>`, `<write_to_file>`
   * @param start its offset
   */
  read(tag: string, start: number): CallInText {
    const { tool, opening, closing, parameter } = formOf(tag);
    const from = start + tag.length;
    const close = this.#missing.has(closing) ? -1 : this.#text.indexOf(closing, from);
    if (close === -1) {
      this.#missing.add(closing);
      const end = this.#endOfParameters(from, parameter);
      const isOpen = end === undefined || this.#text.slice(end).trim() === "";
      return { start, end: isOpen ? this.#text.length : end, problem: `The call has no ${closing}`, isOpen };
    }
    const end = close + closing.length;
    const refused = (problem: string, next = end): CallInText => ({ start, end: next, problem, isOpen: false });
    const body = this.#text
      .slice(from, close)
      .replace(GLM, "<parameter=$1>")
      .replaceAll("</arg_value>", "</parameter>");
    const json = opening === "<function=" && /^\s*\{/.test(body) ? parsedJson(body) : undefined;
    if (isObject(json?.value)) return { start, end, call: { tool, given: json.value, isRepaired: json.isRepaired } };
    const next = this.#text.indexOf(opening, from);
    if (next !== -1 && next < close) {
      // Below its last parameter, only its own end is missing.
      return /<\/[\w:｜.-]+>\s*$/.test(this.#text.slice(Math.max(from, next - MAX_TAIL), next))
        ? refused(`The call has no ${closing} before the next one`, next)
        : refused(`The call contains another ${opening}: it is unclear where it ends`);
    }
    const written: Record<string, string> = Object.create(null);
    for (let at = 0; at < body.length;) {
      parameter.lastIndex = at;
      const match = parameter.exec(body);
      if (match === null) break;
      const name = match[1] as string;
      const last = match[0].startsWith("</") ? "" : closingOf(match[0]);
      // Contents may hold the tag that closes them: the last one counts, but not one after another parameter.
      const next = nextParameter(body, parameter, match.index + match[0].length, last);
      if (next === undefined) return refused(`The parameter ${name} has no ${last}`);
      const value = body.slice(match.index + match[0].length, next).replaceAll("\r\n", "\n");
      // Nobody can tell whether `&lt;` is meant.
      if (dataIn(value) === undefined && /&(?:lt|gt);/.test(value) && !/[<>]/.test(value))
        return refused(`The parameter ${name} has &lt; or &gt; in place of < and >: send it unescaped`);
      written[name] = value;
      at = next + last.length;
    }
    return { start, end, call: { tool, ...valuesOf(tool, written), isRepaired: false } };
  }

  /** Returns the offset after the parameters of a call without an end. Undefined if one of them has none either. */
  #endOfParameters(from: number, { source }: RegExp): number | undefined {
    const parameter = new RegExp(`\\s*(${source})`, "y");
    let end: number | undefined;
    for (;;) {
      parameter.lastIndex = end ?? from;
      const tag = parameter.exec(this.#text)?.[1];
      if (tag === undefined) return end;
      const closing = closingOf(tag);
      const close = this.#missing.has(closing) ? -1 : this.#text.indexOf(closing, parameter.lastIndex);
      if (close === -1) {
        this.#missing.add(closing);
        return undefined;
      }
      end = close + closing.length;
    }
  }
}

/** UTF-16 units to look at before a tag. */
const MAX_TAIL = 200;

/** The name and the beginning of an argument, as GLM writes them. */
const GLM = /<arg_key>([\w.-]+)<\/arg_key>\s*<arg_value>/g;

function formOf(tag: string): Form {
  const [, prefix = "", invoked] = /^<((?:antml:|｜DSML｜)?)invoke\s+name="([^"]*)"/.exec(tag) ?? [];
  const parameter = new RegExp(`<${prefix}parameter\\s+name="([^"]*)"[^>]*>`, "g");
  if (invoked !== undefined)
    return { tool: invoked, opening: `<${prefix}invoke name=`, closing: `</${prefix}invoke>`, parameter };
  const [, opening = "", named] = /^(<function=|<tool_call>)([\w.:-]+)>?$/.exec(tag) ?? [];
  if (named !== undefined)
    return { tool: named, opening, closing: `</${/\w+/.exec(opening)?.[0]}>`, parameter: /<parameter=([\w.-]+)>/g };
  const tool = tag.slice(1, -1);
  return { tool, opening: `<${tool}>`, closing: `</${tool}>`, parameter: /<([a-zA-Z_]+)>/g };
}

function closingOf(tag: string): string {
  return `</${/^<([\w:｜]+)/.exec(tag)?.[1] ?? ""}>`;
}

/**
 * Returns the offset of the closing tag of a value: the last one before the next parameter that stands on its own line.
 */
function nextParameter(body: string, parameter: RegExp, from: number, closing: string): number | undefined {
  const first = body.indexOf(closing, from);
  if (first === -1) return undefined;
  const behind = body.slice(first + closing.length);
  // Only white space separates parameters. If other text follows, the closing tag belongs to the value.
  const follows = new RegExp(`^\\s*(?:$|${parameter.source})`);
  if (follows.test(behind)) return first;
  const last = body.lastIndexOf(closing);
  return last > first && follows.test(body.slice(last + closing.length)) ? last : undefined;
}

/**
 * Returns the values of a call. Newlines at the ends of an edit's texts are layout where all of them have one at each
 * end, or some have both and the others none, and the edit still changes something without them. Otherwise they are
 * text, unless only the texts without them fit the file.
 */
function valuesOf(tool: string, written: Readonly<Record<string, string>>): Pick<Call, "given" | "otherwise"> {
  const texts = Object.keys(written).filter(isEdited);
  const values = texts.map((name) => written[name] ?? "");
  const isBare = (value: string): boolean => !/^\n|\n[ \t]*$/.test(value);
  const inside = mapped(tool, written, (name, value) =>
    isContent(name) && !value.startsWith("\n") ? text(value) : within(value),
  );
  const isMixed =
    values.some((value) => PADDED.test(value) && value.trim() !== "") &&
    values.every((value) => PADDED.test(value) || isBare(value)) &&
    new Set(texts.map((name) => inside[name])).size > 1;
  if (isMixed || values.every((value) => PADDED.test(value))) return { given: inside };
  const given = mapped(tool, written, (name, value) => (isEdited(name) ? text(value) : (inside[name] as string)));
  return texts.every((name) => given[name] === inside[name]) ? { given } : { given, otherwise: inside };
}

/** Nothing, or a text on lines of its own between two tags. */
const PADDED = /^(?:\n(?:[^]*\n)?[ \t]*)?$/;

function mapped(
  tool: string,
  written: Readonly<Record<string, string>>,
  valueOf: (name: string, value: string) => string,
): Record<string, string> {
  const given: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(written)) given[name] = dataIn(value) ?? valueOf(name, value);
  const deleted = deletedText(tool, given);
  if (deleted !== undefined) given[deleted] = textToDelete(written[deleted] ?? "");
  return given;
}

/** Returns a value as it stands, but for the indentation of the tag that closes it. */
function text(written: string): string {
  return written.replace(/\n[ \t]+$/, "\n");
}

/** Takes off one newline at each end. */
function within(written: string): string {
  return written.replace(/\n[ \t]*$/, "").replace(/^\n/, "");
}

function dataIn(written: string): string | undefined {
  return /^\s*<!\[CDATA\[([^]*)\]\]>\s*$/.exec(written)?.[1]?.replace(/^\n/, "");
}

/** Returns a value as text to delete: with one of the newlines at its ends, so that no blank line stays. */
function textToDelete(written: string): string {
  const text = written.replace(/\n[ \t]+$/, "\n");
  return dataIn(written) ?? (/^\n[^]*\n$/.test(text) ? text.slice(1) : text);
}

/** `<dyad-write path="a.ts">`, up to the bracket. */
export const ATTRIBUTED_TAG =
  "<(?:dyad-(?:write|delete|rename|search-replace)|lov-(?:write|delete|rename)|boltAction|antArtifact|(?:patch|save|append|morph)(?= args=)|file(?=[^>\\n]{0,300}\\saction=))\\b[^>\\n]{0,500}>";

const TOOLS: Readonly<Record<string, string>> = {
  "dyad-write": "write_file",
  "lov-write": "write_file",
  boltAction: "write_file",
  antArtifact: "write_file",
  "dyad-delete": "delete_file",
  "lov-delete": "delete_file",
  "dyad-rename": "move_file",
  "lov-rename": "move_file",
  "dyad-search-replace": "apply_diff",
  patch: "apply_diff",
  save: "write_file",
  append: "append_file",
  morph: "edit_file",
};

/**
 * Reads a tag whose attributes name the file, as builders of web sites have models write them.
 *
 * @param tag the opening tag, at an offset of a text
 * @returns undefined if it is no call
 */
export function readAttributed(text: string, tag: string, start: number): CallInText | undefined {
  const name = /^<([\w-]+)/.exec(tag)?.[1] ?? "";
  const attributes = Object.fromEntries(
    [...tag.matchAll(/([\w-]+)=(?:"([^"\n]*)"|'([^'\n]*)')/g)].map(([, key = "", double, single]) => [
      key.toLowerCase(),
      double ?? single,
    ]),
  );
  // A shell's command, or an artifact that is no file.
  const words = ["path", "file_path", "filepath", "args", "title"];
  const path = words.map((key) => attributes[key]).find((value) => value !== undefined);
  const isFile =
    name === "boltAction" ? attributes["type"] === "file" : name !== "antArtifact" || /\.\w+$/.test(path ?? "");
  if (!isFile) return undefined;
  const isShort = tag.endsWith("/>");
  const from = start + tag.length;
  const closing = `</${name}>`;
  const close = isShort ? from : text.indexOf(closing, from);
  if (close === -1) return { start, end: text.length, problem: `The call has no ${closing}`, isOpen: true };
  const content = text.slice(from, close).replaceAll("\r\n", "\n").replace(/^\n/, "");
  const end = isShort ? from : close + closing.length;
  if (name === "file") return { start, end, call: changeOf(attributes["action"] ?? "", path, content) };
  const { from: source, to } = attributes;
  const given = { ...(path !== undefined && { path }), ...(source !== undefined && { source, destination: to }) };
  const tool = TOOLS[name] ?? name;
  const word = tool === "apply_diff" ? "diff" : tool === "edit_file" ? "code_edit" : "content";
  const body = content === "" && word === "content" ? {} : { [word]: content };
  return { start, end, call: { tool, given: { ...given, ...body }, isRepaired: false } };
}

/** RepoPrompt's: each change has its texts between lines of `===`. */
function changeOf(action: string, path = "", body: string): Call {
  const changes = textsIn("change", body);
  if (action === "delete") return { tool: "delete_file", given: { path }, isRepaired: false };
  if (action !== "modify") {
    const [content] = textsIn("content", changes[0] ?? body);
    return { tool: "write_file", given: { path, ...(content !== undefined && { content }) }, isRepaired: false };
  }
  const edits = changes.map((change) => ({
    old_text: textsIn("search", change)[0],
    new_text: textsIn("content", change)[0],
  }));
  return { tool: "multi_edit", given: { path, edits }, isRepaired: false };
}

/** Returns what stands between the tags, without the lines of `===` around it. Runs in linear time. */
function textsIn(tag: string, text: string): readonly string[] {
  const [opening, closing] = [`<${tag}>`, `</${tag}>`];
  const texts: string[] = [];
  for (let at = text.indexOf(opening); at !== -1;) {
    const end = text.indexOf(closing, at);
    if (end === -1) break;
    const lines = text
      .slice(at + opening.length, end)
      .replace(/^\n/, "")
      .replace(/\n?[ \t]*$/, "")
      .split("\n");
    const [first, last] = [lines[0], lines.at(-1)].map((line) => line?.trim() === "===");
    const inner = lines.slice(first === true ? 1 : 0, last === true ? -1 : undefined).join("\n");
    texts.push(last === true ? `${inner}\n` : inner);
    at = text.indexOf(opening, end);
  }
  return texts;
}

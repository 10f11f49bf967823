/** Reads tags whose attributes name the file, as builders of web sites have models write them. */
import type { Call, CallInText } from "./tools.ts";

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

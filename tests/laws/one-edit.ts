/** One edit of a file's lines, printed in each syntax as a model writes it. */
import { printBlock } from "../../src/syntaxes/nesl/teach.ts";

/** Lines of a file without their endings, and those that take the place of some of them. */
export interface LineEdit {
  readonly path: string;
  readonly lines: readonly string[];
  readonly at: number;
  readonly count: number;
  readonly now: readonly string[];
}

const old = ({ lines, at, count }: LineEdit): readonly string[] => lines.slice(at, at + count);
const joined = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");
const marked = (mark: string, lines: readonly string[]): string => joined(lines.map((line) => mark + line));

/** A text without a line above or below it cannot say that a line is gone. */
function widened(edit: LineEdit): LineEdit {
  const { lines, at, count, now } = edit;
  const [above = [], below = []] = now.length > 0 ? [] : at > 0 ? [lines.slice(at - 1, at)] : [[], lines.slice(at + count, at + count + 1)];
  return { ...edit, at: at - above.length, count: above.length + count + below.length, now: [...above, ...now, ...below] };
}

function strings(edit: LineEdit): [string, string] {
  const wide = widened(edit);
  return [old(wide).join("\n"), wide.now.join("\n")];
}

export function spliced({ lines, at, count, now }: LineEdit): string[] {
  return lines.toSpliced(at, count, ...now);
}

function hunk(edit: LineEdit): string {
  const { lines, at, count } = edit;
  const [above, below] = [lines.slice(Math.max(0, at - 1), at), lines.slice(at + count, at + count + 1)];
  return marked(" ", above) + marked("-", old(edit)) + marked("+", edit.now) + marked(" ", below);
}

function call(name: string, input: Readonly<Record<string, string>>): string {
  return `${JSON.stringify({ type: "tool_use", id: "t1", name, input })}\n`;
}

export const SYNTAXES: Readonly<Record<string, (edit: LineEdit) => string>> = {
  "NESL, a text": (edit) => {
    const [old_text, new_text] = strings(edit);
    return `${printBlock("k7m", { action: "file_replace_text", path: edit.path, old_text, new_text })}\n`;
  },
  "NESL, lines": (edit) =>
    edit.now.length === 0
      ? ""
      : `${printBlock("k7m", { action: "file_replace_lines", path: edit.path, lines: `${edit.at + 1}-${edit.at + edit.count}`, new_content: edit.now.join("\n") })}\n`,
  CSL: (edit) => {
    const [before, after] = strings(edit);
    return `<---SEARCH file="${edit.path}"--->\n${before}\n<---REPLACE--->\n${after}\n<---END--->\n`;
  },
  replacer: (edit) => {
    const [before, after] = strings(edit);
    return `<<<FILE>>>\n${edit.path}\n<<<SEARCH>>>\n${before}\n<<<REPLACE>>>\n${after}\n<<<END>>>\n`;
  },
  "SEARCH/REPLACE": (edit) => `${edit.path}\n<<<<<<< SEARCH\n${joined(old(edit))}=======\n${joined(edit.now)}>>>>>>> REPLACE\n`,
  "a call": (edit) => {
    const [old_string, new_string] = strings(edit);
    return call("Edit", { file_path: edit.path, old_string, new_string });
  },
  "a call of tags": (edit) => {
    const [old_string, new_string] = strings(edit);
    const parameters = Object.entries({ path: edit.path, old_str: old_string, new_str: new_string, command: "str_replace" });
    return `<invoke name="str_replace_based_edit_tool">\n${parameters.map(([name, value]) => `<parameter name="${name}">${value}</parameter>\n`).join("")}</invoke>\n`;
  },
  "Codex's patch": (edit) => `*** Begin Patch\n*** Update File: ${edit.path}\n@@\n${hunk(edit)}*** End Patch\n`,
  "a diff": (edit) => `\`\`\`diff\n--- a/${edit.path}\n+++ b/${edit.path}\n@@ -1,9 +1,9 @@\n${hunk(edit)}\`\`\`\n`,
  "a whole file": (edit) => `**${edit.path}**\n\n\`\`\`\n${joined(spliced(edit))}\`\`\`\n`,
  "before and after": (edit) =>
    `In \`${edit.path}\`, replace this:\n\n\`\`\`\n${joined(old(edit))}\`\`\`\n\nwith:\n\n\`\`\`\n${joined(edit.now)}\`\`\`\n`,
};

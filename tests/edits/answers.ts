/** Renders a change of a file as chats answer that were taught no format. */
import { structuredPatch } from "diff";
import { loadStructure, partsOf } from "../../src/addresses/structure.ts";
import { languageOf as languageFor } from "../../src/addresses/languages.ts";
import type { Part } from "../../src/addresses/part.ts";

export interface Change {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** A style of answers. Undefined for a change that nobody would show so. */
export type Style = (change: Change) => string | undefined;

const fence = (text: string, info = ""): string => `\`\`\`${info}\n${text.replace(/\n$/, "")}\n\`\`\``;
const languageOf = (path: string): string => path.slice(path.lastIndexOf(".") + 1);
const holeIn = (path: string): string => (/\.(?:py|rb|ya?ml|toml)$/.test(path) ? "# ... existing code ..." : /\.(?:css|html|md)$/.test(path) ? "/* ... existing code ... */" : "// ... existing code ...");

/** Returns no parts in a language without a grammar. */
function partsIn(path: string, text: string): readonly Part[] {
  return languageFor(path) === undefined ? [] : partsOf(path, text);
}

function namesIn(parts: readonly Part[]): readonly string[] {
  return parts.flatMap(({ name, children }) => [name, ...namesIn(children)]);
}

interface Changed {
  readonly part: Part;
  readonly around: readonly Part[];
  readonly text: string;
}

/** Returns a part with the white space before it on its line. */
function textOf(file: string, { start, end }: Pick<Part, "start" | "end">): string {
  const begin = file.lastIndexOf("\n", start - 1) + 1;
  return file.slice(file.slice(begin, start).trim() === "" ? begin : start, end);
}

/** Returns whether a part begins and ends with its lines, as all do that people move. */
function isWholeLines(file: string, { start, end }: Part): boolean {
  return file.slice(file.lastIndexOf("\n", start - 1) + 1, start).trim() === "" && /^[;,]?[ \t]*(?:\n|$)/.test(file.slice(end));
}

/** Returns whether texts differ by more than white space, which answers do not keep. */
function isChanged(one: string, other: string): boolean {
  return one.replaceAll(/\s+/g, "") !== other.replaceAll(/\s+/g, "");
}

const INNER = new Set(["class", "impl", "interface", "trait", "namespace", "module", "struct", "enum", "record"]);

/** Returns the smallest declarations that changed, or undefined if something outside of those did. */
function changed({ path, before, after }: Change): readonly Changed[] | undefined {
  const [old, now] = [partsIn(path, before), partsIn(path, after)];
  if ([...old, ...now].some(({ isUncertain }) => isUncertain)) return undefined;
  const found: Changed[] = [];
  const isSame = compare(old, now, [], before, after);
  return isSame && found.length > 0 ? found : undefined;

  function compare(olds: readonly Part[], news: readonly Part[], around: readonly Part[], oldText: string, newText: string): boolean {
    if (olds.map(({ step }) => step).join("\n") !== news.map(({ step }) => step).join("\n")) return false;
    for (const [index, part] of news.entries()) {
      const other = olds[index] as Part;
      const [a, b] = [textOf(oldText, other), textOf(newText, part)];
      if (a === b) continue;
      const inside = INNER.has(part.kind) && part.children.length > 0 && outside(oldText, other) === outside(newText, part);
      if (!inside || !compare(other.children, part.children, [...around, part], oldText, newText)) {
        // What is left out of a type stays.
        if (other.children.some(({ name }) => !part.children.some((one) => one.name === name))) return false;
        if (inside || !isChanged(a, b) || !isWholeLines(newText, part) || !isWholeLines(oldText, other)) return false;
        found.push({ part, around, text: b });
      }
    }
    const gaps = (text: string, parts: readonly Part[]): string => {
      let [gap, at] = ["", 0];
      for (const { start, end } of parts) [gap, at] = [gap + text.slice(at, start), end];
      return gap + text.slice(at);
    };
    return around.length > 0 || gaps(oldText, olds).replaceAll(/[ \t]/g, "") === gaps(newText, news).replaceAll(/[ \t]/g, "");
  }

  function outside(text: string, part: Part): string {
    let [gap, at] = ["", part.start];
    for (const { start, end } of part.children) [gap, at] = [gap + text.slice(at, start).trimEnd(), end];
    return gap + text.slice(at, part.end);
  }
}

function dedent(text: string): string {
  const indents = text.split("\n").filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length);
  const common = Math.min(...indents);
  return text.split("\n").map((line) => line.slice(Math.min(common, line.length - line.trimStart().length))).join("\n");
}

function isOnce({ part }: Changed, { path, before }: Change): boolean {
  const count = (parts: readonly Part[]): number => parts.reduce((sum, one) => sum + Number(one.name === part.name) + count(one.children), 0);
  return count(partsIn(path, before)) === 1 && !/#\d+$/.test(part.step);
}

export function hunksOf({ before, after }: Change, context: number) {
  return structuredPatch("", "", before, after, "", "", { context }).hunks;
}

export const STYLES: Readonly<Record<string, Style>> = {
  /** Update `a` and `b` in `x.ts`: and both. */
  excerpt(change) {
    const parts = changed(change)?.filter((one) => isOnce(one, change));
    if (parts === undefined || parts.length === 0 || parts.length !== changed(change)?.length) return undefined;
    return `Update ${parts.map(({ part }) => `\`${part.name}\``).join(" and ")} in \`${change.path}\`:\n\n${fence(parts.map(({ text }) => text).join(change.path.endsWith(".json") ? ",\n" : "\n\n"), languageOf(change.path))}\n`;
  },
  /** One fence for each, without the indentation of its class. */
  "method at column 0"(change) {
    const parts = changed(change);
    if (parts === undefined || !parts.some(({ around }) => around.length > 0) || !parts.every((one) => isOnce(one, change))) return undefined;
    return parts.map(({ part, around, text }) => `In \`${change.path}\`, change \`${[...around, part].map(({ name }) => name).at(-1)}\`${around.length > 0 ? ` of the \`${around.at(-1)?.name}\` class` : ""}:\n\n${fence(dedent(text), languageOf(change.path))}\n`).join("\n");
  },
  /** A class with the methods that changed alone. */
  "class with some methods"(change) {
    const parts = changed(change);
    const owner = parts?.[0]?.around[0];
    if (parts === undefined || owner === undefined || parts.some(({ around }) => around.length !== 1 || around[0] !== owner) || /#\d+$/.test(parts.map(({ part }) => part.step).join(" "))) return undefined;
    const own = textOf(change.after, owner);
    const first = owner.children[0] as Part;
    const head = change.after.slice(change.after.lastIndexOf("\n", owner.start - 1) + 1, change.after.lastIndexOf("\n", first.start) + 1).trimEnd();
    const tail = /\n[ \t]*[}\w]+;?$/.exec(own)?.[0] ?? "";
    const indent = /^[ \t]*/.exec(parts[0]?.text ?? "")?.[0] ?? "";
    if (head.trim() === "" || (!/\.(?:py)$/.test(change.path) && !/}/.test(tail))) return undefined;
    const hole = `${indent}${holeIn(change.path)}`;
    const body = parts.map(({ text }) => text).join(`\n\n${hole}\n\n`);
    return `Update \`${owner.name}\` in \`${change.path}\`:\n\n${fence(`${head}\n${hole}\n\n${body}\n\n${hole}${change.path.endsWith(".py") ? "" : tail}`, languageOf(change.path))}\n`;
  },
  /** The file with a mark for each stretch of declarations that stay. */
  "lazy file"(change) {
    const [old, now] = [partsIn(change.path, change.before), partsIn(change.path, change.after)];
    const kept = new Set(old.map((part) => textOf(change.before, part)));
    // What is left out stays: nothing else may go.
    const names = new Set(now.map(({ name }) => name));
    const gaps = (file: string, parts: readonly Part[]): readonly string[] => {
      let [gap, at] = ["", 0];
      for (const { start, end } of parts) [gap, at] = [gap + file.slice(at, start), end];
      return (gap + file.slice(at)).split("\n").map((line) => line.trim()).filter((line) => line !== "");
    };
    const there = new Set(gaps(change.after, now));
    if (!old.every(({ name }) => names.has(name)) || !gaps(change.before, old).every((line) => there.has(line))) return undefined;
    if (!now.every((part) => isWholeLines(change.after, part))) return undefined;
    if (now.length < 3 || !now.some((part) => kept.has(textOf(change.after, part)))) return undefined;
    const hole = holeIn(change.path);
    let [text, at] = ["", 0];
    let hadHole = false;
    for (const [index, part] of now.entries()) {
      const own = textOf(change.after, part);
      const start = change.after.lastIndexOf("\n", part.start - 1) + 1;
      // Files begin with what they show first.
      if (index > 0 && kept.has(own) && own.split("\n").length > 2 && change.after.slice(at, start).trim() === "") {
        if (!hadHole) text += `\n\n${hole}\n`;
        hadHole = true;
      } else {
        const gap = change.after.slice(at, start);
        text += (hadHole && gap.trim() === "" ? "\n" : gap) + own;
        hadHole = false;
      }
      at = part.end;
    }
    text += hadHole && change.after.slice(at).trim() === "" ? "\n" : change.after.slice(at);
    return text.includes(hole) ? `### ${change.path}\n\n${fence(text, languageOf(change.path))}\n` : undefined;
  },
  /** Statements with unchanged lines at both ends, one fence for each place. */
  fragment(change) {
    const hunks = hunksOf(change, 2);
    if (hunks.length > 3) return undefined;
    const shown = hunks.map(({ lines }) => lines.filter((line) => !/^[-\\]/.test(line)).map((line) => line.slice(1)));
    // What only goes cannot be shown.
    if (hunks.some(({ lines }) => !lines.some((line) => line.startsWith("+")))) return undefined;
    if (shown.some((lines) => lines.length < 3 || (lines[0] ?? "").trim() === "" || (lines.at(-1) ?? "").trim() === "")) return undefined;
    return shown.map((lines) => `In \`${change.path}\`:\n\n${fence(lines.join("\n"), languageOf(change.path))}\n`).join("\n");
  },
  /** Replace this, with this. */
  pair(change) {
    const hunks = hunksOf(change, 1);
    const side = (lines: readonly string[], sign: string): string => lines.filter((line) => line.startsWith(" ") || line.startsWith(sign)).map((line) => line.slice(1)).join("\n");
    if (hunks.length > 3 || hunks.some(({ lines }) => ["-", "+"].some((sign) => !/\w/.test(side(lines, sign))))) return undefined;
    return `In \`${change.path}\`:\n\n${hunks.map(({ lines }) => `Replace this:\n\n${fence(side(lines, "-"), languageOf(change.path))}\n\nwith this:\n\n${fence(side(lines, "+"), languageOf(change.path))}\n`).join("\n")}`;
  },
  /** The whole file under its name. */
  whole(change) {
    if (change.after.includes("```")) return undefined;
    // What goes, a sentence says.
    const names = namesIn(partsIn(change.path, change.after));
    if (!namesIn(partsIn(change.path, change.before)).every((name) => names.includes(name))) return undefined;
    return `Here is the full updated \`${change.path}\`:\n\n${fence(change.after, languageOf(change.path))}\n`;
  },
  /** A diff without its head. */
  diff(change) {
    const hunks = hunksOf(change, 2);
    return `\`${change.path}\`:\n\n${fence(hunks.map(({ lines }) => lines.filter((line) => !line.startsWith("\\")).join("\n")).join("\n@@\n"), "diff")}\n`;
  },
};

/** Must be called before a change is rendered. */
export async function prepare({ path }: Pick<Change, "path">): Promise<void> {
  await loadStructure(path);
}

import { FENCE_START } from "../fence.ts";
import { hasAt, type Source, startsLine } from "../source.ts";

/** What the lines above the hunks of a file say. */
export interface FileHead {
  /** Index of the line after it. */
  readonly next: number;
  /** Undefined for a file that does not exist. */
  readonly oldPath: string | undefined;
  readonly newPath: string | undefined;
  readonly isNew: boolean;
  readonly isDeleted: boolean;
  readonly isRenamed: boolean;
  readonly warnings: readonly string[];
  /** Why it cannot be done. */
  readonly problem?: string;
}

/** Returns false for most texts without a diff, at little cost. */
export function mayHoldDiff(text: string): boolean {
  const begins = (at: number): boolean =>
    startsLine(text, at) || /(?:^|\n)[ \t]+$/.test(text.slice(Math.max(0, at - MAX_MARGIN), at));
  if (hasAt(text, "+++ ", begins) || hasAt(text, "diff --git ", begins)) return true;
  return hasAt(text, "@@", begins) && DIFF_FENCE.test(text);
}

/** The indentation of a list item, in UTF-16 units. */
const MAX_MARGIN = 20;

export const DIFF_INFO = /^\s*(?:diff|patch|udiff)\b/i;
const DIFF_FENCE = new RegExp(FENCE_START + DIFF_INFO.source.slice(1), "im");

/** Returns whether the lines that name a file begin at an index. */
export function beginsFile(lines: Source, at: number): boolean {
  const line = lines.at(at);
  if (line.startsWith("diff --git ")) return true;
  if (!line.startsWith("--- ") || !lines.at(at + 1).startsWith("+++ ")) return false;
  // A removed line "-- x" above an added one "++ x" looks the same.
  return /^(?:@@|[+\-\s]|```|~~~|$)/.test(lines.at(at + 2));
}

export function readFileHead(lines: Source, first: number): FileHead {
  let at = first;
  const facts = new Map<string, string>();
  if (lines.at(at).startsWith("diff --git ")) {
    facts.set("git", lines.at(at).slice("diff --git ".length));
    for (at += 1; at < lines.count; at++) {
      const match = EXTENDED.exec(lines.at(at));
      if (match === null) break;
      facts.set(match[1] as string, match[2] ?? "");
    }
  }
  let names = namesInGit(facts.get("git"));
  if (lines.at(at).startsWith("--- ") && lines.at(at + 1).startsWith("+++ ")) {
    names = [nameIn(lines.at(at).slice(4)), nameIn(lines.at(at + 1).slice(4))];
    at += 2;
  }
  return headOf(facts, names, at);
}

/** Lines of git's heads. */
const EXTENDED =
  /^(old mode|new mode|deleted file mode|new file mode|similarity index|dissimilarity index|rename from|rename to|copy from|copy to|index|GIT binary patch|Binary files)(?: (.*))?$/;

function headOf(facts: ReadonlyMap<string, string>, [oldName, newName]: Names, next: number): FileHead {
  const isNew = oldName === NOTHING || facts.has("new file mode");
  const isDeleted = newName === NOTHING || facts.has("deleted file mode");
  const [from, to] = [facts.get("rename from"), facts.get("rename to")];
  const isRenamed = from !== undefined && to !== undefined;
  const [oldPath, newPath] = isRenamed
    ? [withoutQuotes(from), withoutQuotes(to)]
    : withoutCopySuffix(withoutPrefixes(oldName, newName));
  const mode = facts.get("new mode") ?? (facts.get("new file mode") === "100755" ? "100755" : undefined);
  const problem = problemOf(facts, { oldPath, newPath, isNew, isDeleted, isRenamed });
  return {
    next,
    oldPath: isNew ? undefined : oldPath,
    newPath: isDeleted ? undefined : newPath,
    isNew,
    isDeleted,
    isRenamed,
    warnings: mode === undefined ? [] : [`the file's mode was not changed to ${mode}`],
    ...(problem !== undefined && { problem }),
  };
}

function problemOf(
  facts: ReadonlyMap<string, string>,
  { oldPath, newPath, isNew, isDeleted, isRenamed }: Omit<FileHead, "next" | "warnings">,
): string | undefined {
  if (facts.has("GIT binary patch") || facts.has("Binary files"))
    return "The diff changes a binary file, which only git can do";
  if (facts.has("copy from")) return "The diff copies a file, which no action does";
  if (isNew && isDeleted) return "The diff both creates and deletes a file";
  if (!isNew && !isDeleted && !isRenamed && oldPath !== newPath)
    return `The diff names two files, '${oldPath ?? ""}' and '${newPath ?? ""}', without a rename from and a rename to`;
  return undefined;
}

type Names = readonly [oldName: string | undefined, newName: string | undefined];

const NOTHING = "/dev/null";

/** Returns the names in `a/x b/x`. Names with spaces are found by being the same twice. */
function namesInGit(names: string | undefined): Names {
  if (names === undefined) return [undefined, undefined];
  const quoted = /^("(?:[^"\\]|\\.)*"|\S+) ("(?:[^"\\]|\\.)*"|\S+)$/.exec(names);
  if (quoted !== null) return [nameIn(quoted[1] as string), nameIn(quoted[2] as string)];
  const half = (names.length - 1) / 2;
  const [left, right] = [names.slice(0, half), names.slice(half + 1)];
  return left.slice(2) === right.slice(2) ? [left, right] : [undefined, undefined];
}

/** Returns a name without the time behind it, and without git's quotes. */
function nameIn(text: string): string {
  const name = text
    .replace(/\t.*$/, "")
    .replace(/(?<!\s)\s+\d{4}-\d{2}-\d{2}[ T].*$/, "")
    .trim();
  return withoutQuotes(name);
}

function withoutQuotes(name: string): string {
  return name.startsWith('"') && name.endsWith('"') && name.length > 1 ? unquoted(name.slice(1, -1)) : name;
}

/** Decodes git's escapes, of which octal ones are bytes of UTF-8. */
function unquoted(text: string): string {
  const bytes = [...text.matchAll(/\\([0-7]{3}|.)|[^\\]+/g)].map(([piece, escape]) => {
    if (escape === undefined) return Buffer.from(piece);
    return /^[0-7]{3}$/.test(escape)
      ? Buffer.from([Number.parseInt(escape, 8) & 0xff])
      : Buffer.from(ESCAPES[escape] ?? escape);
  });
  return Buffer.concat(bytes).toString("utf8");
}

const ESCAPES: Readonly<Record<string, string>> = { t: "\t", n: "\n", r: "\r", a: "\u0007", b: "\b", f: "\f", v: "\v" };

/** What some models write behind a name. */
const NOTE = /(?<! ) +\((?:old|original|before|new|updated|modified|after)\)$/;

/** Takes `a/` and `b/`, or git's other prefixes, off where both names have them. */
function withoutPrefixes(oldName: string | undefined, newName: string | undefined): Names {
  const isPrefixed = (name: string | undefined, letters: string): boolean =>
    name === NOTHING || (name !== undefined && name[1] === "/" && letters.includes(name.charAt(0)));
  const bare = (name: string | undefined): string | undefined => (name === NOTHING ? NOTHING : name?.slice(2));
  const arePrefixed = isPrefixed(oldName, "aiwco") && isPrefixed(newName, "biwco") && oldName?.[0] !== newName?.[0];
  return arePrefixed ? [bare(oldName), bare(newName)] : [oldName, newName];
}

/** `diff app.js.orig app.js` shows what became of app.js, and so does `app.js (old)` beside `app.js (new)`. */
function withoutCopySuffix([oldName, newName]: Names): Names {
  if (oldName === newName) return [oldName, newName];
  const [oldBare, newBare] = [oldName?.replace(NOTE, ""), newName?.replace(NOTE, "")];
  if (oldBare === newBare || oldName === NOTHING || newName === NOTHING) return [oldBare, newBare];
  const isCopy = newBare !== undefined && [".orig", ".old", ".bak"].some((suffix) => oldBare === newBare + suffix);
  return isCopy ? [newBare, newBare] : [oldName, newName];
}

/** Finds decorators, annotations and attributes of a declaration that an excerpt shows in part. */
import { diffArrays } from "diff";
import { append } from "../core/lists.ts";
import type { Grammar } from "./contexts.ts";
import { everyPart } from "./parts.ts";

interface Changed {
  readonly before: string;
  readonly content: string;
  readonly text: string;
}

/**
 * Returns why a text may lose decorators of the file. A declaration that is shown without any keeps all of them, one
 * that is shown with some may have others or lack those that the answer left out.
 *
 * @param isTold whether the sentences take one of a name away
 */
export function lostDecorators(
  path: string,
  { parts }: Grammar,
  { before, content, text }: Changed,
  isTold: (name: string) => boolean,
): string | undefined {
  if (!DECORATED.test(content) || OTHER_SIGNS.test(path)) return undefined;
  const [old, now] = [before, text].map((file) => decoratorsIn(path, file, parts)) as [Decorated, Decorated];
  for (const [name, all] of old) {
    const [had, has] = [all, now.get(name) ?? []];
    // Of several with one name, such as a property and its setter, those that stay as they are cannot be meant.
    const [gone, come] = [without(had, has), without(has, had)];
    if (gone.length !== come.length) continue;
    for (const [index, decorators] of gone.entries()) {
      const lost = lostIn(decorators, come[index] ?? []).filter((one) => !isTold(one));
      if (lost.length > 0)
        return `would lose ${lost.map((one) => `"${one}"`).join(", ")} above ${name.split("\n").at(-1)}: show all its decorators, or none of them`;
    }
  }
  return undefined;
}

type Decorated = ReadonlyMap<string, ReadonlyArray<readonly string[]>>;

/** Returns the names of the decorators of each declaration that a file has, by its name and those around it. */
function decoratorsIn(path: string, file: string, parts: Grammar["parts"]): Decorated {
  const all = new Map<string, Array<readonly string[]>>();
  const add = (name: string, text: string): void => {
    all.set(name, [...(all.get(name) ?? []), decoratorsAbove(text, path.endsWith(".cs"))]);
  };
  for (const { part, around } of everyPart(parts(file)))
    add([...around, part].map(({ name }) => name).join("\n"), file.slice(part.start, part.end));
  // Where a grammar has no such part, what stands up to its first sign names a declaration.
  for (const { 0: lines, index } of file.matchAll(LINES_ABOVE)) {
    // The end of a decorator over several lines stands above it.
    if (/[)\]}],?[ \t]*\n$/.test(file.slice(0, index))) continue;
    HEAD.lastIndex = index + lines.length;
    add(HEAD.exec(file)?.[0].trim() ?? "", lines);
  }
  return all;
}

/** Returns the names of what stands above a declaration, each without its arguments: `app.route`, `derive`. */
function decoratorsAbove(text: string, isInBrackets: boolean): readonly string[] {
  const names: string[] = [];
  for (let at = 0; ;) {
    SKIPPED.lastIndex = at;
    SKIPPED.exec(text);
    at = SIGN.lastIndex = SKIPPED.lastIndex;
    const [sign = "", name] = SIGN.exec(text) ?? [];
    if (sign === "" || (sign === "[" && !isInBrackets)) return names;
    const isList = name === undefined;
    const opening = at + sign.length - (isList ? 1 : 0);
    const end = isList || text[opening] === "(" ? endOfBrackets(text, opening) : opening;
    if (end === undefined) return names;
    append(names, isList ? namesIn(text.slice(opening + 1, end - 1)) : [name]);
    at = end;
  }
}

/** Returns the names in a list of attributes: `test`, `derive(Debug)`. */
function namesIn(list: string): readonly string[] {
  let bare = list.replace(TEXTS, "");
  for (let last = ""; last !== bare && bare.length < MAX_LENGTH;) [last, bare] = [bare, bare.replace(INNER, "")];
  return bare.split(",").flatMap((item) => /[\p{L}_][\p{L}\p{N}_.:]*/u.exec(item)?.[0] ?? []);
}

/** Returns the offset behind the bracket that closes the one at an offset. */
function endOfBrackets(text: string, start: number): number | undefined {
  const code = text.slice(start, start + MAX_LENGTH).replace(TEXTS, (quoted) => "-".repeat(quoted.length));
  let depth = 0;
  for (const { 0: bracket, index } of code.matchAll(/[()[\]{}]/g)) {
    depth += "([{".includes(bracket) ? 1 : -1;
    if (depth === 0) return start + index + 1;
  }
  return undefined;
}

/** Returns the names that a list of decorators lacks, where another one has not come in their place. */
function lostIn(old: readonly string[], now: readonly string[]): readonly string[] {
  const parts = diffArrays([...old], [...now]);
  return parts.flatMap(({ removed, value }, index) => {
    const next = parts[index + 1];
    const gone = removed ? value.filter((name) => !now.includes(name)) : [];
    return gone.length > (next?.added === true ? next.value.length : 0) ? gone : [];
  });
}

/** Returns the lists that others lack. */
function without(all: ReadonlyArray<readonly string[]>, others: ReadonlyArray<readonly string[]>): typeof all {
  const left = others.map((names) => names.join());
  return all.filter((names) => {
    const at = left.indexOf(names.join());
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}

/** A line that may begin with a decorator. */
const DECORATED = /^\s*(?:@\w|#!?\[|\[\[?\w)/m;
const LINES_ABOVE = /(?:^[ \t]*(?:@\w|#\[|\[\[?\w).*\n)+/gm;
/** The begin of the line below them. */
const HEAD = /[^\n(={:;]*/y;
/** Files in which these signs mean something else: rules, instance variables, directives. */
const OTHER_SIGNS = /\.(?:css|less|scss|sass|rb|mm?|h|sql|md|mdx|ya?ml|json|toml|ini)$/i;
const SKIPPED = /(?:\s+|\/\/.*|#(?!!?\[).*|\/\*[^]*?\*\/)*/y;
const SIGN = /@(?!interface\b)([\p{L}_][\p{L}\p{N}_.:]*)|#!?\[|\[\[|\[/uy;
const TEXTS = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`/g;
const INNER = /\([^()]*\)|\[[^[\]]*\]|\{[^{}]*\}/g;
/** Characters of the longest list of arguments. */
const MAX_LENGTH = 5_000;

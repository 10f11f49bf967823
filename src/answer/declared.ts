/** Finds what lines of code declare by their first words, in whatever language. */
import { smallest } from "../core/lists.ts";
import { literalPattern } from "../core/literal.ts";

/** UTF-16 units. A longer line is generated, and declares nothing that code without a path means. */
const MAX_LINE = 500;

/** Returns the names that a text declares on lines that are indented no further; inside functions, only functions and types. */
export function namesIn(text: string, depth: number): ReadonlySet<string> {
  const names = new Set<string>();
  for (const line of text.split("\n")) {
    const indent = line.length - line.trimStart().length;
    const name = indent > depth ? undefined : (functionIn(line) ?? (indent === 0 ? valueIn(line) : undefined));
    if (name !== undefined) names.add(name);
  }
  return names;
}

/** Returns the name of the function or type that a line declares. */
function functionIn(line: string): string | undefined {
  if (line.length > MAX_LINE) return undefined;
  const name = DECLARED.exec(line)?.[1] ?? METHOD.exec(line)?.[1] ?? MEMBER.exec(line)?.[1];
  return name ?? C_FUNCTION.exec(line)?.[1] ?? IN_SQL.exec(line)?.[1];
}

function valueIn(line: string): string | undefined {
  return line.length > MAX_LINE ? undefined : VALUE.exec(line)?.[1];
}

export function typesIn(text: string): ReadonlySet<string> {
  const lines = text.split("\n").filter((line) => line.length <= MAX_LINE);
  return new Set(lines.flatMap((line) => TYPE.exec(line)?.[1] ?? []));
}

/** A declaration that is all that some code shows, but for imports and comments. */
export interface OnlyDeclaration {
  readonly name: string;
  /** What stands before the name, without words that change nothing of what it names. */
  readonly kind: string;
  /** Its first line. */
  readonly head: string;
}

/** Returns the one function or value that code consists of. A type may be shown in part. */
export function onlyDeclarationIn(content: string): OnlyDeclaration | undefined {
  const depth = indentOf(content);
  const lines = content.split("\n").filter((line) => line.trim() !== "" && !CLOSING.test(line));
  const heads = lines.filter((line) => line.length - line.trimStart().length === depth && !BESIDE.test(line));
  const [head, other] = heads;
  if (head === undefined || other !== undefined || TYPE.test(head)) return undefined;
  const name = functionIn(head) ?? (lines.length > 1 ? valueIn(head.trim()) : undefined);
  if (name === undefined) return undefined;
  const at = head.search(new RegExp(`(?<![\\p{L}\\p{N}_$])${literalPattern(name)}(?![\\p{L}\\p{N}_$])`, "u"));
  return { name, kind: head.slice(0, at).replace(PLAIN_WORDS, "").trim(), head: head.trim() };
}

/** Returns how many lines of a text declare a name. */
export function countDeclared(text: string, name: string): number {
  return text.split("\n").filter((line) => (functionIn(line) ?? valueIn(line.trim())) === name).length;
}

/** Returns the lines of the first declaration of a name: those that are deeper, and what closes it. */
export function declarationOf(text: string, name: string): string {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => (functionIn(line) ?? valueIn(line.trim())) === name);
  if (first === -1) return "";
  const depth = indentOf(lines[first] ?? "");
  const isBehind = (line: string, at: number): boolean =>
    at > first && line.trim() !== "" && indentOf(line) <= depth && !CLOSING.test(line);
  const next = lines.findIndex(isBehind);
  return lines.slice(first, next === -1 ? lines.length : next).join("\n");
}

/** Returns the name of the function or type that a line stands in, of its first place in a text. */
export function holderOf(text: string, line: string): string | undefined {
  const lines = text.split("\n");
  const at = lines.findIndex((other) => other.trim() === line);
  const depth = indentOf(lines[at] ?? "");
  const head = lines
    .slice(0, Math.max(at, 0))
    .findLast((above) => functionIn(above) !== undefined && indentOf(above) < depth);
  return head === undefined ? undefined : functionIn(head);
}

const CLOSING = /^\s*(?:[)}\]]|end\b)/;
/** Lines that may stand beside a declaration: comments, decorators, imports, and what ends a block. */
const BESIDE =
  /^\s*(?:\/\/|\/?\*|#|--|;|@|"""|'''|(?:import|from|use|using|require|package)\b)|^\s*(?:const|let|var) .*\brequire\(/;
const PLAIN_WORDS = /\b(?:async|const|default|export|fn|func|function|let|pub|var)\b/g;

export function indentOf(text: string): number {
  const indents = text
    .split("\n")
    .flatMap((line) => (line.trim() === "" ? [] : [line.length - line.trimStart().length]));
  return smallest(indents);
}

const MODIFIERS =
  "(?:@[\\w.]+(?:\\([^)\\n]*\\))?[ \\t]+)*(?:(?:export|default|public|private|protected|internal|static|final|abstract|async|override|virtual|sealed|readonly|pub(?:\\([^)]*\\))?|unsafe|open|data|suspend)\\s+)*";
const DECLARED = new RegExp(
  `^\\s*${MODIFIERS}(?:function\\*?|def|fn|func|class|interface|type|struct|enum|trait|module|record|object|fun)\\s+(?:\\([^)]*\\)\\s*)?(?:self\\.)?([\\p{L}_$][\\p{L}\\p{N}_$]*)`,
  "u",
);
const TYPE = new RegExp(
  `^[ \\t]*${MODIFIERS}(?:class|interface|struct|enum|trait|module|record|object|type)[ \\t]+([\\p{L}_$][\\p{L}\\p{N}_$]*)`,
  "u",
);
/** `public Money total(List<Item> items) {`, and `total(items) {` of JavaScript. */
const METHOD =
  /^(?:\s+|(?=(?:public|private|protected|internal)\s))(?:(?:public|private|protected|internal|static|final|abstract|async|override|virtual|get|set)\s+)*(?:[\w<>[\],.?]+\s+)?(?!(?:if|for|while|switch|catch|function|return|else|using|lock|with|do)\b)([\p{L}_$][\p{L}\p{N}_$]*)\s*\([^;]*\)\s*(?::[^={]+|throws [\w., ]+)?\{\s*$/u;
/** `public void Delete(Guid id)`, where the brace stands below. */
const MEMBER =
  /^\s*(?:(?:public|private|protected|internal|static|abstract|async|override|virtual)\s+)+(?:[\w<>[\],.?]+\s+)?([\p{L}_$][\p{L}\p{N}_$]*)\s*\([^;]*\)\s*$/u;
/** `static int parse(const char *text) {` */
const C_FUNCTION =
  /^(?!(?:await|case|echo|else|goto|new|print|puts|raise|return|throw|yield)\b)(?:[\w:<>]+[ *&]+)+([A-Za-z_]\w*)\([^;]*\)(?: const| noexcept)*\s*\{\s*$/;
/** `create table if not exists app.users (` */
const IN_SQL =
  /^\s*create (?:or replace )?(?:(?:materialized|temp|temporary|unique) )?(?:function|index|procedure|table|trigger|type|view) (?:if not exists )?(?:[\w":]+\.)*"?(\w+)/i;
const VALUE = /^(?:export\s+)?(?:const|let|var|val)\s+([\p{L}_$][\p{L}\p{N}_$]*)/u;

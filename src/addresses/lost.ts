/** Tells which declarations a new text of a source no longer has. */
import { isComment } from "../core/comment-styles.ts";
import { countsOf } from "../core/counted.ts";
import { once } from "../core/once.ts";
import { trimmedLines } from "../edit/lazy.ts";
import { type Kind, type Part, textBeside } from "./part.ts";

interface Declaration {
  /** With the names of those around it: `Cart.total`. */
  readonly name: string;
  readonly around: string;
  /** That, and which one it is of all of that name beside it: `Cart 1/2`. */
  readonly owner: string;
  readonly kind: Kind;
  readonly text: string;
  /** Whether it is a property in a rule of CSS. */
  readonly isStyle: boolean;
  /** The lines of a type beside its members, without its head. Empty for what has none. */
  readonly beside: readonly string[];
}

/**
 * Returns the names of the declarations of a text that another one lacks. One that only has another name there counts
 * as kept: it has the kind, the place and at least half of the lines of one that is new.
 *
 * @param isWhole whether the other text shows all that it has, so that a new name is not one of something more, and
 *   fields may go with what is around them
 * @param mayReplace whether a member may give way to a new one that has its place
 */
export function lostDeclarations(
  before: { readonly text: string; readonly parts: readonly Part[] },
  after: { readonly text: string; readonly parts: readonly Part[] },
  isWhole = true,
  mayReplace = true,
): readonly string[] {
  const kinds = isWhole ? COUNTED : new Set<Kind>([...COUNTED, "field", "property"]);
  const find = before.parts.length === 0 ? declaredByWords : (one: typeof before) => declarationsIn(one, kinds);
  const [old, now] = [find(before), find(after)];
  const [oldNames, newNames] = [old, now].map((all) => new Set(all.map(({ name }) => name))) as [
    Set<string>,
    Set<string>,
  ];
  const added = isWhole ? now.filter(({ name }) => !oldNames.has(name)) : [];
  const imported = once(() => importedBy(after.text));
  const members = once(() => [old, now].map(membersOf) as [Members, Members]);
  const lost: Declaration[] = [];
  for (const declaration of old) {
    if (newNames.has(declaration.name) || lost.some(({ name }) => declaration.around === name)) continue;
    if (isWhole && isImportedNow(declaration, imported())) continue;
    const renamed = added.findIndex((other) => isRenamed(declaration, other));
    const [had, has] = isWhole ? [[], []] : besideOf(declaration, members());
    if ((mayReplace && isReplaced(declaration, had, has)) || isLeftOut(declaration, had, has)) continue;
    if (renamed === -1) lost.push(declaration);
    else added.splice(renamed, 1);
  }
  const names = [...new Set(lost.map(({ name }) => name))];
  return isWhole ? names : [...names, ...old.flatMap((one) => lostBeside(one, now))];
}

/** Returns the words of the imports of an ES module, and the names that CommonJS has for what it exports. */
function importedBy(text: string): ReadonlySet<string> {
  const wordsOf = (statements: RegExp): string[] =>
    (text.match(statements) ?? []).flatMap((one) => one.match(/[\w$]+/g) ?? []);
  const exported = wordsOf(
    /^export\b(?: (?:async|class|const|default|function|let|var)\b\*?)* (?:[\w$]+|\{[^{}]{0,2000}\})/gm,
  );
  return new Set([
    ...wordsOf(/^import\b[^;"'`]{0,2000}?\bfrom\b/gm),
    ...(exported.length > 0 ? ["module.exports"] : []),
    ...exported.flatMap((name) => [`exports.${name}`, `module.exports.${name}`]),
  ]);
}

/** Returns whether what CommonJS requires or exports is imported or exported now. */
function isImportedNow({ name, text }: Declaration, imported: ReadonlySet<string>): boolean {
  return imported.has(name) && (/^(?:module\.)?exports\b/.test(name) || REQUIRED.test(text));
}

const REQUIRED = /=\s*require\s*\(\s*["'`][^"'`]*["'`]\s*\)\s*;?\s*$/;

/** The members of each type, by its owner. */
type Members = ReadonlyMap<string, readonly Declaration[]>;

function membersOf(all: readonly Declaration[]): Members {
  const members = new Map<string, Declaration[]>();
  for (const declaration of all) {
    const ofType = members.get(declaration.owner) ?? [];
    ofType.push(declaration);
    members.set(declaration.owner, ofType);
  }
  return members;
}

/** Returns the members of the type that one is a member of, in the two texts. */
function besideOf(
  { owner }: Declaration,
  [old, now]: readonly [Members, Members],
): readonly [readonly Declaration[], readonly Declaration[]] {
  return [old.get(owner) ?? [], now.get(owner) ?? []];
}

/**
 * Returns whether as many new members as are gone, or more, are in the place of a member of one line: between the same
 * neighbours.
 */
function isReplaced(gone: Declaration, had: readonly Declaration[], has: readonly Declaration[]): boolean {
  const at = had.indexOf(gone);
  if (at === -1 || !isLine(gone) || had.length > MAX_MEMBERS || !IS_ONLY.test(gone.owner)) return false;
  const [known, places] = [had, has].map((all) => new Map(all.map(({ name }, place) => [name, place])));
  const placeOf = (one: Declaration | undefined): number | undefined => places?.get(one?.name ?? "");
  const isKept = (one: Declaration): boolean => placeOf(one) !== undefined;
  const above = had.slice(0, at).findLastIndex(isKept);
  const below = had.findIndex((one, index) => index > at && isKept(one));
  const lines = had.slice(above + 1, below === -1 ? had.length : below);
  const fresh = has.slice((placeOf(had[above]) ?? -1) + 1, placeOf(had[below]));
  const areNew = fresh.every((one) => one.kind === gone.kind && isLine(one) && known?.has(one.name) !== true);
  return areNew && fresh.length >= lines.length && lines.every(isLine);
}

/**
 * Returns whether a property is gone from a rule that still has the last one, and repeats more properties as they were
 * than it lacks: who shows only what changes repeats none.
 */
function isLeftOut(gone: Declaration, had: readonly Declaration[], has: readonly Declaration[]): boolean {
  // One with a name of its own may be used anywhere.
  const isOwn = OWN_NAME.test(gone.name.slice(gone.around.length + 1));
  if (!gone.isStyle || isOwn || had.length > MAX_MEMBERS || !had.every(({ isStyle }) => isStyle)) return false;
  const [names, texts] = [new Set(has.map(({ name }) => name)), new Set(has.map(({ text }) => text.trim()))];
  const lacks = had.filter(({ name }) => !names.has(name)).length;
  return names.has(had.at(-1)?.name ?? "") && had.filter(({ text }) => texts.has(text.trim())).length > lacks;
}

const OWN_NAME = /^(?:--|[$@])/;
/** Ends the owner of the members of a type that is the only one of its name. */
const IS_ONLY = / 1\/1$/;
/** The work grows with their square. */
const MAX_MEMBERS = 500;

function isLine({ kind, text }: Declaration): boolean {
  return MEMBERS.has(kind) && !text.trim().includes("\n");
}

/** Returns the lines beside the members of a type that another form of it lacks, quoted, with none in their place. */
function lostBeside(old: Declaration, all: readonly Declaration[]): readonly string[] {
  const now = all.find(({ name }) => name === old.name);
  if (now === undefined) return [];
  const gone = old.beside.filter((line) => !now.text.includes(line));
  const isReplaced = now.beside.some((line) => !old.text.includes(line));
  return isReplaced ? [] : gone.map((line) => `'${line.slice(0, MAX_QUOTED)}'`);
}

/** UTF-16 units. */
const MAX_QUOTED = 60;

function isRenamed(left: Declaration, right: Declaration): boolean {
  if (left.kind !== right.kind || left.around !== right.around) return false;
  const [old, now] = [left, right].map(({ text }) => trimmedLines(text)) as [string[], string[]];
  // Lines of brackets are the same in all declarations.
  const body = old.slice(1).filter((line) => STATEMENT.test(line));
  const kept = body.filter((line) => now.includes(line)).length;
  return old.length > 2 && kept > 0 && kept * 2 >= body.length;
}

/** A line of more than brackets. */
const STATEMENT = /^(?!end\b)[^]*[\p{L}\p{N}]/u;

/** Returns the declarations of a source and of their members, but none of what functions have inside. */
function declarationsIn(
  { text, parts }: { readonly text: string; readonly parts: readonly Part[] },
  kinds: ReadonlySet<Kind>,
): Declaration[] {
  const declarations: Declaration[] = [];
  const visit = (siblings: readonly Part[], { around, owner, kind: outer }: Owner, depth: number): void => {
    const counts = countsOf(siblings.map(({ name }) => name));
    const seen = new Map<string, number>();
    for (const { name: simpleName, kind, start, end, children } of siblings) {
      const number = (seen.get(simpleName) ?? 0) + 1;
      seen.set(simpleName, number);
      if (!kinds.has(kind)) continue;
      const name = around === "" ? simpleName : `${around}.${simpleName}`;
      const isType = !BODIES.has(kind) && children.some((child) => BODIES.has(child.kind));
      const beside = isType ? linesBeside(text, { start, end, children }) : [];
      const isStyle = outer === "rule" && kind === "declaration";
      declarations.push({ name, around, owner, kind, text: text.slice(start, end), isStyle, beside });
      const inner = { around: name, owner: `${owner}.${simpleName} ${number}/${counts.get(simpleName)}`, kind };
      if (depth < MAX_DEPTH && !BODIES.has(kind)) visit(children, inner, depth + 1);
    }
  };
  visit(parts, { around: "", owner: "", kind: undefined }, 1);
  return declarations;
}

interface Owner extends Pick<Declaration, "around" | "owner"> {
  readonly kind: Kind | undefined;
}

/** Returns the lines with words that stand between the members of a type, and no comments. */
function linesBeside(text: string, part: Pick<Part, "start" | "end" | "children">): string[] {
  const lines = trimmedLines(textBeside(text, part));
  // A head may have several lines, which are written anew.
  const body = lines.slice(lines.findIndex((line) => /[{:]$/.test(line)) + 1 || 1);
  return body.filter((line) => STATEMENT.test(line) && !isComment(line));
}

/** Returns what a text declares, as far as one line tells, for a language without a grammar. */
function declaredByWords({ text }: { readonly text: string }): Declaration[] {
  const lines = text.split("\n");
  return lines.flatMap((line, row) => {
    const [, ...names] = (line.length > MAX_LINE ? null : BY_WORDS.exec(line)) ?? [];
    const name = names.find((candidate) => candidate !== undefined);
    if (name === undefined) return [];
    // Of a rule, which the last form finds, the styles tell whether it only has another name.
    const body = name === names.at(-1) ? lines.slice(row + 1, row + MAX_RULE) : [];
    const code = [line, ...body.slice(0, body.findIndex((other) => other.startsWith("}")) + 1)].join("\n");
    return [{ name, around: "", owner: "", kind: "declaration" as const, text: code, isStyle: false, beside: [] }];
  });
}

/** Lines of a rule that are compared. */
const MAX_RULE = 100;
/** UTF-16 units. A longer line is generated. */
const MAX_LINE = 500;
/** `CREATE TABLE a`, `a() {` of a shell, `fun a` of other languages, `id="a"` of HTML, a rule of SCSS. */
const BY_WORDS = new RegExp(
  [
    // Quoted in any of the ways of SQL.
    "^\\s*create\\s+(?:or\\s+replace\\s+)?(?:(?:temp|temporary|unique|materialized)\\s+)*(?:table|view|index|function|procedure|trigger|type|schema|sequence)\\s+(?:if\\s+not\\s+exists\\s+)?([\\w.\"`\\[\\]]+)",
    "^\\s*([\\w-]+)\\s*\\(\\)\\s*\\{",
    "^\\s*(?:(?:export|public|private|internal|local|static|open|data|override|suspend|final|abstract)\\s+)*(?:function|def|fun|func|class|interface|object|struct|enum|trait|protocol|extension|sub|proc)\\s+([\\p{L}_$][\\p{L}\\p{N}_$.:]*)",
    "^\\s*<\\w[^>]*\\sid=[\"']([^\"']+)",
    "^([.#%&:*[][^;{}]*?)\\s*\\{\\s*$",
  ].join("|"),
  "iu",
);

const MEMBERS: ReadonlySet<Kind> = new Set<Kind>(["constant", "declaration", "field", "property", "variable"]);
/** A member of a type in a file, or in a namespace of it. */
const MAX_DEPTH = 3;
const BODIES: ReadonlySet<Kind> = new Set<Kind>(["function", "method", "constructor"]);
/** Fields, properties and items of lists change with what is around them. */
const COUNTED: ReadonlySet<Kind> = new Set<Kind>([
  "class",
  "constant",
  "constructor",
  "declaration",
  "enum",
  "function",
  "impl",
  "interface",
  "key",
  "macro",
  "method",
  "module",
  "namespace",
  "record",
  "rule",
  "section",
  "struct",
  "table",
  "trait",
  "type",
  "union",
  "variable",
]);

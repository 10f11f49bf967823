/** Finds the file that code without a path is meant for: the only one of the project that declares its names. */
import { basename, extname } from "node:path";
import { languageOf } from "../addresses/languages.ts";
import type { Tree } from "../files/reader.ts";
import { once } from "../core/once.ts";
import type { Guard } from "../guard/guard.ts";
import { mainClauseOf, ordersChange, ordersEdit, withoutMarks } from "../syntaxes/plain/clause.ts";
import { holdsNewForm } from "../syntaxes/plain/new-form.ts";
import { extensionsFor } from "../syntaxes/path-label.ts";
import type { CodeShown, FileWith } from "../syntaxes/syntax.ts";
import { hasNewForm, IMPORT, rowIn, wordyLines } from "./changed-lines.ts";
import { indentOf, namesIn, typesIn } from "./declared.ts";
import { fileAbout } from "./file-about.ts";
import { KnownFiles } from "./known-files.ts";
import { scriptsOf, scriptWith } from "./script-shown.ts";
import { filesToldElsewhere, stemOf } from "./told-elsewhere.ts";

/** Files, and UTF-16 units of all their texts, that are looked through. In a larger project the path has to be told. */
const MAX_FILES = 5_000;
const MAX_TEXT = 50_000_000;

/** Caches what it finds until `forget`, so that a run finds what its preview found. */
export class FilesShown {
  readonly #session: () => Project;
  readonly #found = new Map<string, string | undefined>();
  #sources: readonly Source[] | undefined;
  #paths: readonly string[] | undefined;
  #scripts: ReturnType<typeof scriptsOf> | undefined;

  constructor(session: () => Project) {
    this.#session = session;
  }

  readonly fileWith: FileWith = Object.assign(
    (code: CodeShown): string | undefined => {
      const key = JSON.stringify(code);
      if (!this.#found.has(key)) this.#found.set(key, fileWith(code, this));
      return this.#found.get(key);
    },
    {
      textAt: (path: string): string | undefined => this.near(path)?.text,
      about: (...[code, names]: Parameters<FileWith["about"]>): string | undefined => {
        const sources = new Set(code.flatMap((one) => filesIn({ ...one, told: "" }, this.all())));
        return fileAbout(code, names, [...sources]);
      },
      redeclares: (code: Pick<CodeShown, "language" | "content">): boolean => redeclares(code, this.all()),
      scriptWith: (content: string, isOld: boolean): string | undefined =>
        scriptWith(content, isOld, (this.#scripts ??= scriptsOf(this.#session(), this.paths()))),
    },
  );

  /** Returns a file by its whole path, without reading the others, or by the end of its path. */
  near(path: string): Source | undefined {
    const text = this.#session().workspace.peek(path);
    if (text !== undefined) return sourceOf(path, text);
    return this.all().find((source) => source.path.endsWith(`/${path}`));
  }

  /** Returns the paths of all files, of whatever kind. */
  paths(): readonly string[] {
    const session = this.#session();
    return (this.#paths ??= new KnownFiles(session, session.site.root).all());
  }

  all(): readonly Source[] {
    return (this.#sources ??= sourcesOf(this.#session(), this.paths()));
  }

  forget(): void {
    this.#found.clear();
    [this.#sources, this.#paths, this.#scripts] = [undefined, undefined, undefined];
  }
}

/** The project as a session sees it. */
interface Project {
  readonly guard: Guard;
  readonly tree: Tree;
  readonly site: { readonly root: string };
  readonly workspace: { peek(path: string): string | undefined };
}

/** A file of the project, with what it declares, computed when it is asked for. */
interface Source {
  readonly path: string;
  readonly text: string;
  readonly names: () => ReadonlySet<string>;
  readonly types: () => ReadonlySet<string>;
}

function sourcesOf(session: Project, all: readonly string[]): readonly Source[] {
  const sources: Source[] = [];
  const paths = all.filter((path) => familyOf(path) !== undefined);
  if (paths.length > MAX_FILES) return [];
  let total = 0;
  for (const path of paths) {
    const text = session.workspace.peek(path);
    if (text === undefined) continue;
    total += text.length;
    if (total > MAX_TEXT) return [];
    sources.push(sourceOf(path, text));
  }
  return sources;
}

function sourceOf(path: string, text: string): Source {
  return { path, text, names: once(() => namesIn(text, Infinity)), types: once(() => typesIn(text)) };
}

function fileWith(code: CodeShown, files: FilesShown): string | undefined {
  const { near, language } = code;
  const [kind, another] = filesCalled(language, files.paths());
  if (kind !== undefined && familyIn(language) === undefined && basename(near ?? "").toLowerCase() !== language) {
    const file = another === undefined && !FURTHER.test(code.told) ? files.near(kind) : undefined;
    const lines = wordyLines(code.content);
    const isMostThere = file !== undefined && linesOf(code.content).countIn(file) * 2 > lines.length;
    const isOrder = ordersChange(mainClauseOf(withoutMarks(code.told.split("\n").at(-1) ?? "")));
    return isMostThere && lines.length >= MIN_LINES && isOrder ? kind : undefined;
  }
  if (near === undefined || !mayStandIn(near, code.language)) return ownerOf(code, files.all());
  const nearby = files.near(near);
  const { path, text } = nearby ?? { path: near, text: "" };
  const elsewhere = filesToldElsewhere(code, { path, text }, () => files.paths());
  if (elsewhere?.size === 0) return undefined;
  if (elsewhere !== undefined)
    return ownerOf(
      code,
      files.all().filter((file) => elsewhere.has(stemOf(file.path))),
    );
  const clue = clueIn(code);
  if (clue === undefined) return near;
  if (nearby === undefined) return ownerOf(code, files.all()) ?? near;
  if (clue.countIn(nearby) > 0) return near;
  const [only, other] = filesIn(code, files.all()).filter((file) => clue.countIn(file) >= clue.least);
  if (only === undefined || other !== undefined) return near;
  return mayBeIn(only, code) ? only.path : undefined;
}

function redeclares({ language, content }: Pick<CodeShown, "language" | "content">, all: readonly Source[]): boolean {
  const shown = [...namesIn(content, indentOf(content))];
  const holders = filesIn({ content, language, told: "" }, all).filter(({ names }) =>
    shown.some((name) => names().has(name)),
  );
  const [only, other] = holders;
  if (only === undefined || other !== undefined || !shown.every((name) => only.names().has(name))) return false;
  const known = new Set(["", ...only.text.split("\n").map((line) => line.trim())]);
  return wordyLines(content).some((line) => !known.has(line.replace(COMMENT, "").trim()));
}

/** One alone, or behind code. */
const COMMENT = /(?:^|\s)(?:\/\/|\/\*|\*|#|--|<!--).*$/;

/** Asks for one more of what the project has. */
const FURTHER = /\b(?:another|new|other|second|separate)\b/i;

/** Returns the files whose name is that of their language: `Dockerfile`. */
function filesCalled(language: string, paths: readonly string[]): readonly string[] {
  return language === "" ? [] : paths.filter((path) => basename(path).toLowerCase() === language);
}

/** What a file has of some code, and how much of it makes the code its own. */
interface Clue {
  readonly least: number;
  countIn(file: Source): number;
}

/** Returns undefined for code that may be new in any file. */
function clueIn(code: CodeShown): Clue | undefined {
  const { content, old, told } = code;
  const wanted = old?.trim();
  if (wanted !== undefined) return wanted === "" ? undefined : clueOf(({ text }) => text.includes(wanted));
  const [types, inside] = [typesAround(code), namesInside(told)];
  if (types.length > 0) return clueOf((file) => types.some((name) => file.types().has(name)));
  if (inside.length > 0) return clueOf((file) => inside.some((name) => file.names().has(name)));
  const shown = namesIn(content, indentOf(content));
  // Other files may have the same imports, and no file imports itself.
  if (shown.size === 0)
    return isOnlyImports(content) && !holdsModule(content, code.near) ? undefined : linesOf(content);
  return ADDED.test(told) ? undefined : clueOf((file) => [...shown].some((name) => file.names().has(name)));
}

function clueOf(has: (file: Source) => boolean): Clue {
  return { least: 1, countIn: (file) => Number(has(file)) };
}

/** Returns the lines of code that declares nothing. One import tells its file. */
function linesOf(content: string): Clue {
  const lines = wordyLines(content);
  const countIn = ({ text }: Source): number => lines.filter((line) => text.includes(line)).length;
  return { least: isOnlyImports(content) ? 1 : MIN_LINES, countIn };
}

/** Returns whether code is none that shows a use, which looks like the lines of a file that uses the same. */
function mayBeIn({ path, text }: Source, { content, told, old }: CodeShown): boolean {
  const lines = content.split("\n");
  const isUse = old === undefined && lines.some((line) => CALL.test(line)) && !isBlockOf(text, lines);
  return (
    !isUse || USING.test(told) || ordersEdit(told) || ORDERED.test(told) || told.includes(basename(path, extname(path)))
  );
}

/** Returns whether lines are a block of a file, from the line that opens it to the one that ends it. */
function isBlockOf(text: string, lines: readonly string[]): boolean {
  const [first = "", ...others] = lines.filter((line) => line.trim() !== "");
  const margin = /^\s*/.exec(first)?.[0] ?? "";
  const isOpen = /[[({:]$|\bdo(?: \|[^|]*\|)?$/.test(first.trimEnd());
  const isInside = others.slice(0, -1).every((line) => line.startsWith(`${margin} `) || line.startsWith(`${margin}\t`));
  return isOpen && isInside && text.split(/\r?\n/).filter((line) => line.trim() === first.trim()).length === 1;
}

/** What is called that uses something, and that it is to have another text. */
const USING =
  /\b(?:caller|call(?:ing)? (?:code|site)|entry point|script)s?\b(?! (?:can|may|must|should) (?:not\b|now\b)).*(?:\b(?:becomes?|needs?|should|too|updated)\b|:\s*$)/i;

/** Returns whether imports name the module that a path is of. */
function holdsModule(imports: string, path = ""): boolean {
  const name = basename(path, extname(path));
  return new Set(imports.match(/[\w-]+/g)).has(name);
}

function isOnlyImports(content: string): boolean {
  return wordyLines(content).every((line) => IMPORT.test(line));
}

const MIN_LINES = 2;
const CALL = /^(?:(?:await|yield) )?[\p{L}_$][\p{L}\p{N}_$.:]*[!?]?\(.*\)?;?$/u;
/** Orders a change in the middle of a sentence, or in another language. */
const ORDERED =
  /(?<!\b(?:an?|each|every|my|our|that|the|this|your) )\b(?:adapt|adjust|change|fix|modify|replace|rewrite|update)\b|\b(?:anpassen|passen?|änder\w*|ersetz\w*|modifie\w*|remplace\w*|cambia\w*|reemplaz\w*|modific\w*|substitu\w*|sostitu\w*)\b|改|替换|更新|変更|замен|измен|обнов/i;

/** Returns the types that code belongs in: those of its methods, and those that sentences call so. */
function typesAround({ content, told }: Pick<CodeShown, "content" | "told">): readonly string[] {
  return [...content.matchAll(RECEIVER), ...told.matchAll(CONTAINER)].flatMap(([, ...names]) =>
    names.filter((name) => name !== undefined),
  );
}

function namesInside(told: string): readonly string[] {
  return [...told.matchAll(INSIDE)].map(([, name = ""]) => name);
}

/** `func (c *Cart) Add(`, `impl Display for Cart {` */
const RECEIVER = /^(?:func \(\w+ \*?|impl(?:<[^>\n]*>)? (?:[^\n{]* for )?)([\p{L}_]\w*)/gmu;
/** In the `Cart` class, to the interface `Todo`. */
const CONTAINER =
  /\b(?:class|struct|interface|trait|enum|klasse|classe|clase) `([^`\n]+)`|`([^`\n]+)` (?:class|struct|interface|trait|enum)\b/giu;
/** In `main()`, inside the `load` function. */
const INSIDE =
  /\b(?:in|inside|within|into|after|before) (?:the )?`(?:[\p{L}\p{N}_$]+[.#:]+)?([\p{L}_$][\p{L}\p{N}_$]*)(?:\(\))?`/giu;
const ADDED = /\b(?:add|introduce|implement|create|define|insert|append|new|neue?|füge|ajoute[rz]?|añade|crea)\b/i;

/** Returns whether code in a language may stand in a file. */
function mayStandIn(path: string, language: string): boolean {
  const family = familyIn(language);
  return family === undefined || HOSTS.test(path) || isOfLanguage(path, language);
}

/** Files that hold other languages too. */
const HOSTS = /\.(?:html?|md|mdx|vue|svelte|astro|php|erb|ejs|hbs|j2|jinja|liquid|twig|cshtml|razor|ipynb|rst|adoc)$/;

function isOfLanguage(path: string, language: string): boolean {
  if (
    /^\.(?:html?|erb|xml)$/.test(familyIn(language) ?? "") &&
    (familyOf(path) === undefined || /\.[jt]sx$/.test(path))
  )
    return true;
  return familyOf(path) === familyIn(language) || extensionsFor(language).includes(extname(path).slice(1));
}

function familyIn(language: string): string | undefined {
  return language === "" ? undefined : familyOf(`x.${extensionsFor(language)[0] ?? language}`);
}

function filesIn({ language }: CodeShown, sources: readonly Source[]): readonly Source[] {
  return familyIn(language) === undefined ? sources : sources.filter(({ path }) => isOfLanguage(path, language));
}

/** Returns the only file that has what code shows, where no sentence tells one. */
function ownerOf(code: CodeShown, sources: readonly Source[]): string | undefined {
  const { content, old, told } = code;
  const files = filesIn(code, sources);
  if (old !== undefined) {
    const wanted = old.trimEnd();
    // A line alone counts as a whole, and where it is more than a word and a sign.
    const isLine = !wanted.includes("\n") && old.endsWith("\n") && (wanted.match(/\w{2,}/g) ?? []).length > 1;
    const hasLine = (text: string): boolean =>
      text.split(wanted.trim()).length === 2 && text.split(/\r?\n/).some((line) => line.trim() === wanted.trim());
    const code = isLine ? wanted.trim() : wanted;
    const holding = files.filter(({ text }) => (isLine || wanted.includes("\n")) && text.includes(code));
    const [only, other] = holding;
    return only !== undefined && other === undefined && (!isLine || hasLine(only.text)) ? only.path : undefined;
  }
  const shown = namesIn(content, indentOf(content));
  const holders = (names: ReadonlySet<string>): readonly Source[] =>
    files.filter((file) => [...names].some((name) => file.names().has(name)));
  const owners = holders(shown);
  if (owners.length > 0) {
    const [owner, rival] = owners.length === 1 ? owners : owners.filter((file) => hasTypeOf(code, file));
    return rival === undefined ? owner?.path : undefined;
  }
  const beside = [...told.matchAll(BESIDE)].map(([, line = ""]) =>
    files.filter(({ text }) => rowIn(text, line) !== -1),
  );
  if (beside[0]?.length === 1) return beside[0][0]?.path;
  const named = [...told.matchAll(/`([\p{L}_$][\p{L}\p{N}_$]*)`/gu)].map(([, name = ""]) => name);
  const types = [...typesAround(code), ...named.filter((name) => files.some((file) => file.types().has(name)))];
  const around =
    [types, namesInside(told), named].map((names) => holders(new Set(names))).find(({ length }) => length > 0) ?? [];
  if (around.length > 0) return around.length === 1 ? around[0]?.path : undefined;
  const { least, countIn } = linesOf(content);
  const [only, other] = files.filter((file) => countIn(file) >= least);
  if (only !== undefined) return other === undefined && mayBeIn(only, code) ? only.path : undefined;
  const changed = shown.size > 0 ? [] : files.filter(({ text }) => hasNewForm(text, content));
  // Of a block whose lines have changed, the first one may be all that is left.
  const head = wordyLines(content)[0];
  const begun = head === undefined ? [] : files.filter(({ text }) => text.includes(head));
  const [file, rival] = changed.length > 0 ? changed : begun;
  const isIn = file !== undefined && (changed.length > 0 || holdsNewForm(file.text, content, { keepsLine: true }));
  return isIn && rival === undefined ? file.path : undefined;
}

/** After `a = b()`: a line that the code stands beside. */
const BESIDE =
  /\b(?:above|after|before|below|beneath|under|après|avant|después de|nach|unter)\s+(?:the line )?`([^`\n]+)`/giu;

/** Returns whether a file has a method of the type that code shows it with, or the type that sentences call so. */
function hasTypeOf({ content, told }: CodeShown, file: Source): boolean {
  const methods = [...content.matchAll(METHOD_OF)];
  if (methods.length === 0) return typesAround({ content: "", told }).some((name) => file.types().has(name));
  return methods.some(([, type = "", name = ""]) =>
    new RegExp(`^func \\(\\w+ \\*?${type}\\) ${name}\\(`, "mu").test(file.text),
  );
}

/** `func (c *Cart) Add(` */
const METHOD_OF = /^func \(\w+ \*?([\p{L}_]\w*)\) ([\p{L}_]\w*)\(/gmu;

/** Files that code of one language may stand in. Prose only quotes code. */
function familyOf(path: string): string | undefined {
  const name = languageOf(path)?.name;
  if (name === "Markdown") return undefined;
  return name === undefined
    ? OTHER.exec(path)?.[0]
    : /^(?:TSX|TypeScript|JavaScript)$/.test(name)
      ? ".js"
      : extname(path);
}

const OTHER = /\.(?:sql|kt|swift|scala|lua|dart|ex|exs|vue|svelte|html?|erb|xml)$/;

/** Finds the path of a file in a code fence: above it, in its info string or in its first line. */
import { spanKept } from "./kept-words.ts";

/**
 * Returns the path in a line that consists of a path: `src/app.ts`, **src/app.ts**, ### File: `src/app.ts`. With
 * `isLoose`, also in a sentence such as Update `src/app.ts`:
 */
export function pathAbove(line: string, isLoose: boolean): string | undefined {
  if (line.length > MAX_LABEL_LENGTH) return undefined;
  const written = withoutTags(line.trim());
  const label = WRAPPED.exec(written)?.slice(1).find((path) => path !== undefined && isFilePath(path)) ?? written;
  const spaced = spacedPath(label);
  if (spaced !== undefined) return spaced;
  const path = wordIn(label) ?? (isLoose ? SENTENCE.exec(label)?.[1] : undefined);
  return (path === undefined ? undefined : asPath(path, label)) ?? pathInComment(label, true);
}

/**
 * Like `pathAbove`, but takes any name with a dot or a slash for a path, with the number of a line or a note behind it:
 * the line stands where only a path is expected, and what follows is found by its text.
 */
export function labelAbove(line: string): string | undefined {
  if (line.length > MAX_LABEL_LENGTH) return undefined;
  const label = withoutTags(line.trim()).replace(ARROW, "").replace(LINE_NOTE, "").replace(LINE_NUMBERS, "");
  const word = wordIn(label) ?? NOTED.exec(label)?.[1];
  if (word !== undefined && /[./]/.test(word) && !/^\.+$|\.$|:\/\/|\]\(|[<>|]/.test(word)) return word;
  return pathAbove(label, false) ?? (isSpacedPath(label) ? label : undefined);
}

/** Returns the path that a label consists of. What underlines it stands on both sides: `_app.tsx` begins with a line. */
function wordIn(label: string): string | undefined {
  const word = LABEL.exec(label)?.[1];
  if (word === undefined) return undefined;
  const at = label.lastIndexOf(word);
  const [above = ""] = /_*$/.exec(label.slice(0, at)) ?? [];
  const [behind = ""] = /^_*/.exec(label.slice(at + word.length)) ?? [];
  return "_".repeat(Math.max(0, above.length - behind.length)) + word;
}

/** Returns whether a line is a path with spaces also in the name of the file, as no sentence ends. */
function isSpacedPath(line: string): boolean {
  const name = nameOf(line);
  const isWritten = SPACED.test(line) && !VERB.test(line) && name !== line && /\S /.test(name);
  return isWritten && EXTENSIONS.has(extensionOf(line));
}

/** Returns what the summary of a folded part says, or a line without the text of its link. */
function withoutTags(line: string): string {
  const summary = SUMMARY.exec(line)?.[1];
  return withoutLink(summary === undefined ? line : summary.replace(/<\/?\w+>/g, "").trim());
}

/** Returns whether a line underlines a heading, or divides a text. */
export function isRule(line: string): boolean {
  return /^ {0,3}(?:-{3,}|={3,}|_{3,}|\*{3,})\s*$/.test(line);
}

/** Returns a line with the path alone, between marks, in place of a link to it: `[src/app.ts](./src/app.ts)`. */
export function withoutLink(line: string, mark = ""): string {
  return line.replace(LINK, (link, text: string, target: string) => {
    if (/^https?:/.test(target)) return mark === "" ? text : link;
    const [path = "", short = ""] = [text, target]
      .map((one) => one.replace(/^\.\//, ""))
      .sort((one, other) => other.length - one.length);
    return `/${path}`.endsWith(`/${short.replace(/^\//, "")}`) ? `${mark}${path}${mark}` : link;
  });
}

/** Returns a path with spaces or brackets in it, which counts only in quotes, or alone and with a folder. */
function spacedPath(line: string): string | undefined {
  const path = QUOTED.exec(line)?.[1] ?? ALONE.exec(line)?.[0];
  return path !== undefined && /[ ()[\]$]/.test(path) && EXTENSIONS.has(extensionOf(path))
    ? path
    : undefined;
}

/** Returns the path in `ts:src/app.ts`, `ts src/app.ts`, `js title="src/app.js"`, `ts [src/app.ts]`. */
export function pathInInfo(info: string): string | undefined {
  if (info.length > MAX_LABEL_LENGTH) return undefined;
  const words = info.split(/[\s:="'{}]+/).map((word) => word.replace(/^\[(.*)\]$/, "$1"));
  return words.map((word) => asPath(word)).find((path) => path !== undefined);
}

/** Returns whether a name behind the signs of a fence is only its language, as what stands above names another file. */
export function isKind(shown: string | undefined, named: string | undefined): boolean {
  return named !== undefined && named !== shown && /^[A-Z]\w+file$/.test(shown ?? "");
}

/**
 * Returns the path in a comment on the first line of code. A name without a folder may be part of the code, unless the
 * comment says that it is a file, or `isLabel` that only a path is expected.
 */
export function pathInComment(line: string, isLabel = false): string | undefined {
  if (line.length > MAX_LABEL_LENGTH) return undefined;
  const [, isFile = isLabel ? "" : undefined, path] = COMMENT.exec(line.trim()) ?? [];
  return path !== undefined && (isFile !== undefined || path.includes("/")) ? asPath(path) : undefined;
}

/**
 * Like `pathInComment`, but takes also a name without a folder, if its extension is that of the fence's language:
 * `// script.js` in a fence of js.
 */
export function pathInFirstLine(line: string, info: string): string | undefined {
  const path = pathInComment(line, true);
  return path !== undefined && isInLanguage(path, info) ? path : pathInComment(line);
}

/** Returns whether a path has an extension of the language that a fence names. */
export function isInLanguage(path: string, info: string): boolean {
  const language = /^\w+/.exec(info.trim())?.[0].toLowerCase() ?? "";
  return extensionsFor(language).includes(extensionOf(path));
}

/**
 * Returns the path in a heading or a line with a colon at its end, in whatever language, if nothing else there is
 * marked as code.
 */
export function pathAnnounced(line: string): string | undefined {
  const label = line.trim();
  if (label.length > MAX_LABEL_LENGTH || !/^#{1,6} |[:：][*_]{0,2}$/.test(label)) return undefined;
  const [, word, ...others] = label.split("`");
  return word !== undefined && others.length === 1 ? asPath(word, label) : undefined;
}

/**
 * Returns the path in a heading or a sentence with a colon at its end, if that names one file. A table or a quotation
 * tells of a file elsewhere.
 */
export function pathTold(line: string): string | undefined {
  const label = line.trim();
  const isTold = label.length <= MAX_LABEL_LENGTH && /^#{1,6} |[:：][*_]{0,2}$/.test(label) && !/^[|>]/.test(label);
  return isTold ? onlyPathIn(label) : undefined;
}

/** Returns the path in a sentence below a fence that says where to save it. */
export function pathToldBelow(line: string): string | undefined {
  const label = line.trim();
  return label.length <= MAX_LABEL_LENGTH && SAVED.test(label) ? onlyPathIn(label) : undefined;
}

/** Returns the path of the file that a sentence is about: the only one, or that which it creates. */
export function toldPath(text: string): string | undefined {
  const written = text.trim().split("\n").at(-1) ?? "";
  if (written.length > MAX_SENTENCE || /^[|>]/.test(written)) return undefined;
  const line = withoutKept(written);
  const made = ADDED_TO.exec(line)?.[1] ?? CREATED.exec(line)?.[1];
  return (made === undefined ? undefined : asPath(made, line)) ?? onlyPathIn(line) ?? README.exec(line)?.[0].concat(".md");
}

/** Returns the paths that a sentence names, and that are written as code. */
export function codePathsIn(line: string): readonly string[] {
  const words = line.length > MAX_SENTENCE ? [] : [...withoutKept(line).matchAll(/`([^`\s]+)`|\*\*([^*\s]+)\*\*/g)];
  const paths = words.map(([, code, bold]) => asPath((code ?? bold ?? "").replace(/:$/, ""), line));
  return [...new Set(paths.filter((path) => path !== undefined))];
}

/** Returns the two paths of a sentence that orders a change of both, and names no other file. */
export function bothIn(line: string): readonly string[] {
  const paths = codePathsIn(line);
  return paths.length === 2 && BOTH.exec(line)?.slice(1).join() === paths.join() ? paths : [];
}

/** In both `a` and `b`; add this import to both: what is only used in both goes into neither. */
const BOTH =
  /^\W*(?:(?:also|and|now|please|then) )*(?:(?:add|append|apply|insert|make|put) (?:(?!(?:and|for|helper|module|needed|shared|that|then|use[ds]?|which)\b)[\w`]+ ){1,6})?(?:in|into|to) both (?:the )?`([^`\s]+)` and (?:in |to )?(?:the )?`([^`\s]+)`(?:, (?:(?:add|append|insert|put)\b(?:(?!\bthat\b|\bwhich\b)[^`:])*|replace `[^`]+` (?:by|with)))?:\s*$/i;

/** Returns a line without what names no file of the code below: a file that is left as it is, or that gets no text. */
function withoutKept(line: string): string {
  const isKept = (span = ""): boolean => asPath(span) !== undefined;
  const isOrder = (text: string): boolean => /[:：]\W*$/.test(text) || !(isKept(spanKept(text)) || EMPTY.test(text));
  const orders = line.split(/(?<=[.!?][)]?) (?=[^a-z])/).filter(isOrder);
  return orders.join(" ").replace(NOT_IN, (aside, span: string) => (isKept(span) ? " " : aside));
}

const EMPTY = /\b(?:add|create|make) (?:an? )?(?:new )?empty (?:(?:file|module|package)(?: (?:at|called|named))? )?`/i;
/** (not `src/b.js`) */
const NOT_IN = /(?:\(|, )(?:and |but )?not (?:in |to )?(?:the (?:one|other) in )?`([^`\n]+)`\)?/g;
/** UTF-16 units. What is longer orders nothing. */
export const MAX_SENTENCE = 1_000;
/** Called by its name alone: add this to the README. */
const README = /(?<=\b(?:the|your|our) )(?:README|readme)\b/;
const CREATED = /\b(?:create|add|new file|save (?:this|it) as)\b(?: (?:a|an|the|new|file|called|named|second|small))*:?\s+[`*]{1,2}([^`*\s]+)[`*]{1,2}/i;

/** Add `.env` support to `a.js`. */
const ADDED_TO = /\badd\b[^`]*`[^`]+`[^`]*(?<!\bnext) to (?:the )?`([^`\s]+)`/i;

/** Returns the only path that a line names, however often it does so, also in part: `main.rs` of `src/main.rs`. */
function onlyPathIn(line: string): string | undefined {
  // Code has members, `app.use(express.json())`, and imports other files; a heading may name a project.
  const prose = withoutLink(line).replace(/`([^`]*)`/g, (span, code: string) =>
    /[(){};=]|^(?:#\s*include|#{1,6}|[a-z]+)\s/.test(code) && asPath(code) === undefined ? " " : span,
  );
  const pathIn = (word: string): string | undefined => asPath(word.replace(/[.:!?]+$/, ""), line);
  const words = prose.split(/[\s`"'“”„«»*,;：]+/);
  const inside = words.flatMap((word) => pathIn(word) ?? word.split(/[()[\]]+/).map(pathIn));
  const paths = new Set(inside.filter((path) => path !== undefined));
  const longest = [...paths].filter((path) => ![...paths].some((other) => other !== path && other.endsWith(`/${path}`)));
  return longest.length === 1 ? longest[0] : undefined;
}

/** Returns the extensions, without their dots, of files in the language that a fence names, the usual one first. */
export function extensionsFor(language: string): readonly string[] {
  return (LANGUAGES[language] ?? language).split(" ");
}

/** Extensions of the files in a language. Others have its name. */
const LANGUAGES: Readonly<Record<string, string>> = {
  html: "html htm",
  javascript: "js mjs cjs jsx",
  js: "js mjs cjs jsx",
  jsx: "jsx js",
  typescript: "ts mts cts tsx",
  ts: "ts mts cts tsx",
  tsx: "tsx ts",
  python: "py pyi",
  ruby: "rb",
  rust: "rs",
  golang: "go",
  kotlin: "kt kts",
  csharp: "cs",
  cpp: "cpp cc hpp h",
  "c++": "cpp cc hpp h",
  c: "c h",
  bash: "sh bash",
  shell: "sh bash",
  yaml: "yaml yml",
  yml: "yaml yml",
  markdown: "md",
};
const MAX_LABEL_LENGTH = 200;
const SAVED = /^(?:now |then |please |and )?(?:save|put|store|place|copy|paste|add|write|name)\b.{0,80}\b(?:as|in|into|to|at|under)\b/i;
const SUMMARY = /^(?:<details[^>]*>)?\s*<summary>(.+?)<\/summary>$/i;
/** `(src/app.ts)`, `[src/app.ts]`, `<src/app.ts>`, `__src/app.ts__` */
const WRAPPED = /^(?:\((\S+)\)|\[(\S+)\]|<([^\s<>]+)>|__(\S+)__):?$/;
const LINK = /\[`?((?:[^[\]`\s]|\[{1,2}[\w.=-]+\]{1,2})+)`?\]\(((?:[^()\s]|\([\w.-]+\))+)\)/;
const LINE_NUMBERS = /(?<=\w):\d{1,6}(?:-\d{1,6})?(?=[`"'*_]{0,3}:?$)/;
const ARROW = /^(?:[→➜⇒▶]|[=-]>) /u;
/** Matches `(lines 1-3)`, in whatever language. */
const LINE_NOTE = /(?<=[`\w]) \((?:\p{L}{1,20}\.? ?)?\d{1,6}(?: ?[-–] ?\d{1,6})?\)(?=:?$)/u;
const SPACED = /^[\p{L}\p{N}_@~./+()[\]$ -]+$/u;
const VERB = /^(?:see|in|and|now|then|update|edit|change|create|add|modify|replace|for) /i;
/** "File" in the languages that models answer in. */
const FILE =
  "(?:(?:new|updated|created|modified) )?file(?:[ -]?(?:name|path))?|path|(?:neue )?datei(?:name)?|(?:nouveau )?fichier|" +
  "(?:nuevo )?archivo|(?:novo )?arquivo|(?:nieuw )?bestand|(?:nowy )?plik|(?:новый )?файл|" +
  "新?(?:建|增)?文件(?:名|路径)?|新?檔案|(?:新規|新しい)?ファイル(?:名)?|(?:새 )?파일";
/** What may stand before a path: `## 2. `, `**1. `, `- **File:** `, `## Step 1: `, `📄 `. */
const BEFORE =
  "^(?:(?:[#*+-]+|={2,8}) )?(?:\\p{Extended_Pictographic}\\uFE0F? )?[*_]{0,2}(?:\\d{1,3}[.)] |step \\d{1,3}[.):]?[*_]{0,2}(?: ?[-–—:])? )?[*_]{0,2}" +
  `(?:(?:${FILE})(?: ?\\d{1,3})?(?=[\\s:：*_]))? ?[:：*_]{0,3} ?[*_]{0,2}`;
/** What may stand behind it. `(no changes)` may not. */
const BEHIND =
  "[:：]?[*_]{0,2}(?: \\((?:new|updated|modified|changed|edited|created|full|complete)(?: file| version| code)?\\))?[*_]{0,2}[:：]?(?: ={2,8})?$";
const LABEL = new RegExp(`${BEFORE}[\`"']?([^\\s\`"'*:：]+)[\`"']?${BEHIND}`, "iu");
const NOTED = new RegExp(`${BEFORE}\`([^\\s\`]+)\`[*_]{0,2} ?(?:[-–—]|[:：])(?: [^\`]+)$`, "iu");
const QUOTED = new RegExp(`${BEFORE}[\`"']([\\p{L}\\p{N}_@~./\\\\+()[\\]$ -]+)[\`"']${BEHIND}`, "iu");
const ALONE = /^[\p{L}\p{N}_@~.+()[\]$-]+\/[\p{L}\p{N}_@~./+()[\]$ -]+$/u;
const SENTENCE = new RegExp(
  "^(?:[#>*+-]+ |\\d{1,3}[.)] )?[*_]{0,2}(?:create|update|edit|replace|change|modify|add|write|rewrite|save|here(?: is|'s|’s))\\b" +
    "[^`]{0,80}`([^\\s`]+)`[^`]{0,40}:[*_]{0,2}$",
  "i",
);
const COMMENT = /^(?:\/\/|#|--|;|\/\*|<!--) ?(file(?:[ -]?(?:name|path))?: ?)?(\S+)(?: ?(?:\*\/|-->))?$/i;

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function extensionOf(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}

/** Returns whether a path is that of a text file, by its name. */
export function isFilePath(path: string): boolean {
  const name = nameOf(path);
  // A class of CSS begins with a dot, too: `.h`.
  const hasExtension = name.lastIndexOf(".") > 0 && (EXTENSIONS.has(extensionOf(name)) || IN_FOLDER.test(path));
  return hasExtension || isKnown(name) || isKnown(name.replace(SUFFIX, ""));
}

function isKnown(name: string): boolean {
  return NAMES.has(name) || NAMED_BY_KIND.test(name);
}

/**
 * Returns a word that is the path of a text file. `Node.js` and the like are names of products.
 *
 * @param line what it stands in: only there in backticks, a word of a script without spaces ends where its path does
 */
export function asPath(word: string, line = ""): string | undefined {
  const isThing =
    nameOf(word) === word && /^(?:[A-Z0-9]\w*|node|vue|next|express|three|d3|alpine|backbone)\.js$/.test(word);
  const isWritten = WRITTEN_AS_PATH.test(word) && (!UNSPACED.test(word) || line.includes(`\`${word}\``));
  return isFilePath(word) && !isThing && isWritten ? word : undefined;
}

/** With a folder, any short extension is one. The first folder is no host. `net/http.Client` is a member. */
const IN_FOLDER = /^(?![\w-]+(?:\.[\w-]+)+\/|\w+:)(?:[^\s/\\]+[/\\])+[\w@+.-]*\w\.(?!git$)[a-z][a-z0-9]{0,3}$/;
/** Folders of routes have brackets: `app/[id]/(shop)/page.tsx`, `routes/$slug.tsx`. */
const WRITTEN_AS_PATH =
  /^(?:[\p{L}\p{M}\p{N}_@~./\\+-]|(?<=[/\\.])\$(?=[a-z.])|(?<=[/\\-]|^)\[{1,2}[\w.=-]+\]{1,2}|(?<=[/\\]|^)\([\w.-]+\))+$/u;
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u;
const NAMES: ReadonlySet<string> = new Set(
  (
    "Dockerfile Makefile Gemfile Rakefile Procfile Jenkinsfile Justfile Pipfile Vagrantfile Podfile Containerfile Brewfile " +
    "Caddyfile Fastfile LICENSE CHANGELOG CODEOWNERS WORKSPACE BUILD.bazel MODULE.bazel gradlew go.mod go.sum go.work " +
    "Cargo.lock Gemfile.lock Pipfile.lock composer.lock poetry.lock uv.lock yarn.lock flake.lock requirements.in " +
    ".gitattributes .gitmodules .mailmap .env .editorconfig .htaccess .clang-format .clang-tidy .flake8 .rspec"
  ).split(" "),
);
/** `.npmrc`, `.dockerignore`, `.tool-versions` */
const NAMED_BY_KIND = /^\.[a-z][a-z_-]+(?:rc|ignore|-versions?)$/;
/** What tells one of several kinds: `.env.local`, `Dockerfile.dev`. */
const SUFFIX = /(?<=.)(?:\.[a-z][\w-]{0,20}){1,2}$/;
const EXTENSIONS: ReadonlySet<string> = new Set(
  (
    "js mjs cjs jsx ts mts cts tsx py pyi rb go rs java kt kts c h cc cpp hpp cs php swift sh bash zsh ps1 sql html htm css scss sass less vue svelte json jsonc yaml yml toml ini cfg conf " +
    "md mdx mdc rst txt xml csv tsv svg lua pl r scala dart ex exs erl hs clj cljs zig nim gradle tf tfvars proto graphql astro ipynb bat fish jl sol prisma " +
    "erb haml slim j2 jinja liquid twig njk phtml cshtml razor xaml rake gemspec podspec groovy psm1 rmd styl service mts " +
    "example sample properties hbs ejs pug cmake mk csproj sln fs fsx ml mli vb elm nix tex hcl wgsl glsl " +
    "hh hxx cxx cu cuh ipp inl mm plist xcconfig pbxproj storyboard gql json5 jsonl jsonnet bzl cljc edn coffee rkt purs " +
    "vbproj fsproj vcxproj resx aspx jsp ftl mustache eex heex hrl gleam odin vala cairo gd tscn ino qml bats csh ksh vbs " +
    "puml mmd webmanifest adoc rdoc textile kdl rego bicep thrift fbs dockerfile Dockerfile containerfile").split(" "),
);

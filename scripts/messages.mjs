/**
 * Makes docs/messages.md: every sentence in the sources, to be read side by side. `messages.mjs FOLDER` prints that of another folder's src.
 * A sentence is a literal with two words or more. A value in it is shown by its name in braces, and a choice between literals as {one|other}.
 */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { filesBelow } from "./files.mjs";

/** Where a reader meets what a folder says. A folder that is not named here stops the script. */
const PLACES = {
  "Errors and hints of actions": ["core", "edit", "excerpts", "files", "guard", "disk", "paths"],
  "Actions: descriptions, lines of the report, warnings": ["actions", "search", "addresses", "context"],
  "Syntaxes: errors, hints, instructions for the model": ["syntaxes"],
  "Answers: what was not read, unclear paths, hints": ["answer"],
  "Runs: warnings, notes, fatal errors": ["run", "loaf.ts", "index.ts"],
  "Reports and lines at the terminal": ["report"],
  "Programs, sandbox, hooks": ["process", "programs"],
  "Git: warnings, commit messages, refusals": ["git"],
  "Undo, redo, log, recovery": ["history", "journal"],
  "loaf.yml, trust, Loaf's own files": ["config", "trust", "state"],
  "Commands of loaf: help, questions, outcomes": ["faces/cli"],
  "loaf watch and the clipboard": ["faces/watch"],
  "loaf mcp: tools, questions": ["faces/mcp"],
  "The review page": ["faces/web"],
  "Instructions for the model": ["teach"],
  "XD5: disagreements of documents and sources": ["xd5"],
};

/** Tables of words that models write. */
const UNSPOKEN = new Set(["answer/findings/asked-elsewhere.ts", "core/synonyms.ts", "edit/placeholder-words.ts", "excerpts/declarations/import-place.ts", "syntaxes/path-label.ts", "syntaxes/plain/words.ts", "syntaxes/plain/hands-over.ts", "syntaxes/plain/spans.ts"]);

/** Functions that only make a value printable: the value's name tells more than theirs. */
const TRANSPARENT = new Set(["visible", "visibleOnOneLine", "quoted", "String", "basename", "relative"]);

/** The source of a pattern: it tells what others write. */
const PATTERN = /\(\?(?:[:=!]|<[=!\w])|\\[bdswp]\b|\\p\{/;

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(sentencesDocument(resolve(process.argv[2] ?? join(import.meta.dirname, ".."))));

/** The page of a project. `failures` are pairs of a code and its sentence. */
export function messagesDocument(root, failures) {
  return `# Messages

Every sentence that Loaf says, for reading side by side. \`npm run docs\` generates this page from the sources: it lists every literal of two words or more, with the file
that holds it. \`{name}\` is a value, \`{one|other}\` a choice. A sentence that is put together from several literals appears as its pieces.

## Failures, by code

${fenced(failures.map(([code, sentence]) => `${code.padEnd(24)} ${printed(sentence)}`))}

${sentencesDocument(root)}
`;
}

function sentencesDocument(root) {
  const files = filesBelow(join(root, "src")).map((path) => path.slice(join(root, "src/").length)).filter((file) => /\.tsx?$/.test(file) && !UNSPOKEN.has(file));
  const homeless = files.find((file) => placeOf(file) === undefined);
  if (homeless !== undefined) throw new Error(`src/${homeless} has no place in scripts/messages.mjs: add its folder to PLACES`);
  const sections = Object.keys(PLACES).map((place) => {
    const parts = files.filter((file) => placeOf(file) === place).sort().map((file) => [file, sentencesIn(join(root, "src", file))]).filter(([, sentences]) => sentences.length > 0);
    return parts.length === 0 ? "" : [`## ${place}`, ...parts.map(([file, sentences]) => `### ${file}\n\n${fenced(sentences.map(printed))}`)].join("\n\n");
  });
  return sections.filter((section) => section !== "").join("\n\n");
}

function placeOf(file) {
  return Object.keys(PLACES).find((place) => PLACES[place].some((folder) => file === folder || file.startsWith(`${folder}/`)));
}

/** The sentences of a file, in their order, each once. */
function sentencesIn(path) {
  const found = new Set();
  const visit = (node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node) || isClass(node)) return;
    if (!isText(node)) return void ts.forEachChild(node, visit);
    const { text, others } = read(node);
    if (isSentence(text)) found.add(text.trim());
    others.forEach(visit);
  };
  visit(ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest));
  return [...found];
}

function isText(node) {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) || ts.isJsxText(node);
}

function isClass(node) {
  return ts.isJsxAttribute(node) && node.name.escapedText === "class";
}

/** Words, with more than one of them or of the values between them. */
function isSentence(text) {
  return !PATTERN.test(text) && /[a-z]{2}/.test(text.replace(/\{[^}]*\}/g, "")) && /[\p{L}\d}'"`)]['",:;.)]* ['"(`{]*[\p{L}{]/u.test(text);
}

/** The text of an expression, and the expressions inside that it does not show: they may hold sentences of their own. */
function read(node) {
  if (ts.isStringLiteralLike(node) || ts.isJsxText(node)) return { text: node.text, others: [] };
  if (ts.isTemplateExpression(node)) {
    const parts = node.templateSpans.map(({ expression, literal }) => ({ ...read(expression), after: literal.text, quoted: !isText(expression) }));
    const text = parts.map((part) => `${part.quoted ? `{${part.text}}` : part.text}${part.after}`).join("");
    return { text: node.head.text + text, others: parts.flatMap(({ others }) => others) };
  }
  if (ts.isParenthesizedExpression(node)) return read(node.expression);
  if (ts.isConditionalExpression(node) && isText(node.whenTrue) && isText(node.whenFalse)) {
    const [one, other] = [read(node.whenTrue), read(node.whenFalse)];
    return { text: `${one.text}|${other.text}`, others: [...one.others, ...other.others] };
  }
  return { text: nameOf(node), others: [node] };
}

/** `path` for `path`, `failure.path`, `path.trim()` and `visible(path)`; `where` for `where(path)`. */
function nameOf(node) {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  if (!ts.isCallExpression(node)) return "…";
  const { expression, arguments: [first] } = node;
  if (ts.isPropertyAccessExpression(expression)) return nameOf(expression.expression);
  const name = nameOf(expression);
  return TRANSPARENT.has(name) && first !== undefined ? nameOf(first) : name;
}

/** With further lines indented, and control characters escaped. */
function printed(text) {
  return text.replaceAll("\n", "\n    ").replace(/ +$/gm, "").replace(/[^\P{Cc}\n]/gu, (character) => JSON.stringify(character).slice(1, -1));
}

function fenced(lines) {
  return ["~~~~text", ...lines, "~~~~"].join("\n");
}

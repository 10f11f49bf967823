/**
 * Finds where src looks for a sentence that Loaf itself has made: facts travel as data, and nobody reads a sentence to learn one. Looks at
 * patterns, and at the texts that `includes`, `startsWith` and the like are given, of two words or more, and tries them on docs/messages.md.
 * The rooms that read answers are left out: their patterns are for what models write. Exits 1 when there are any.
 * `own-sentences.mjs FOLDER` looks at another project.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { filesBelow } from "./files.mjs";

process.chdir(process.argv[2] ?? join(import.meta.dirname, ".."));

const READS_ANSWERS = /^src\/(?:answer|edit|excerpts|syntaxes)\//;
const LOOKS = new Set(["includes", "startsWith", "endsWith", "indexOf", "lastIndexOf", "split", "match", "search", "replace", "replaceAll"]);
const TWO_WORDS = /[\p{L}']{2,} [\p{L}']{2,}/u;

/** Texts that come from elsewhere: other programs and packages, git's log, a file with a report that was pasted. */
const KNOWN = new Map([
  ["src/faces/watch/watcher.ts", "LOAF RESULTS"],
  ["src/git/commit-reversal.ts", "Before AI: "],
  ["src/git/git.ts", "git config --global user.email"],
  ["src/programs/sandbox/run-confined.ts", "file"],
  ["src/search/regex.ts", "too large"],
  // Left to do: the remark on hunks that were left out, which the page shows itself.
  ["src/faces/web/items.ts", "partly taken: "],
]);

const sentences = existsSync("docs/messages.md") ? sentencesOf(readFileSync("docs/messages.md", "utf8")) : [];
const problems = filesBelow("src").filter((file) => /\.tsx?$/.test(file) && !READS_ANSWERS.test(file)).flatMap(problemsIn);
for (const problem of problems) console.log(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

function problemsIn(file) {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  const problems = [];
  const visit = (node) => {
    const isIn = lookedFor(node);
    const isKnown = KNOWN.has(file) && node.getText().includes(KNOWN.get(file));
    const sentence = isIn && !isKnown && sentences.find(isIn);
    if (sentence) problems.push(`${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1} looks for a sentence of Loaf's: ${sentence}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return problems;
}

/** Returns whether a text has what a node looks for; undefined where that are not words. */
function lookedFor(node) {
  if (ts.isRegularExpressionLiteral(node)) {
    const [, pattern, flags] = /^\/(.*)\/(\w*)$/s.exec(node.text);
    return TWO_WORDS.test(pattern) ? (text) => new RegExp(pattern, flags.replace(/[gy]/g, "")).test(text) : undefined;
  }
  const { parent } = node;
  const isGiven = ts.isStringLiteralLike(node) && ts.isCallExpression(parent) && parent.arguments[0] === node && LOOKS.has(parent.expression.name?.text);
  return isGiven && TWO_WORDS.test(node.text) ? (text) => text.includes(node.text) : undefined;
}

/** Returns the lines of the page's text blocks, with the names of what is put in. */
function sentencesOf(page) {
  return [...page.matchAll(/^~~~~text\n(.*?)^~~~~$/gms)].flatMap(([, block]) => block.split("\n")).filter((line) => line !== "").map((line) => line.replace(/[{}]/g, ""));
}

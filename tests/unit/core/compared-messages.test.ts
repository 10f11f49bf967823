/** Sentences may be reworded: no code of Loaf decides by one, or takes one apart. Failures, errors and findings have codes and facts for that. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

const SENTENCES = new Set(["message", "error", "sentence", "hint", "complaint", "problem", "warning", "remark", "notice", "rule"]);
const MAKERS = new Set(["explain", "explainInLine", "sentenceOf", "nextStep", "messageOf"]);
const ON_TEXT = new Set(["startsWith", "endsWith", "includes", "indexOf", "lastIndexOf", "match", "matchAll", "search", "replace", "replaceAll", "slice", "split"]);
const ON_PATTERN = new Set(["test", "exec"]);
const EQUALITY = new Set([ts.SyntaxKind.EqualsEqualsEqualsToken, ts.SyntaxKind.ExclamationEqualsEqualsToken]);

/** Texts of other programs, and those that are no sentences of Loaf. */
const EXEMPT: Readonly<Record<string, string>> = {
  "git/squash.ts": "the message is that of a commit",
  "git/commit-reversal.ts": "the message is that of a commit",
  "config/parse.ts": "the YAML parser has one code for all brackets and quotes",
  "edit/fit.ts": "the rule is a code",
  "context/context-set.ts": "takes the system's own words out of an error of Node",
};

/** Returns `file:line: code` for each decision by a sentence. */
function decisionsIn(file: string, code: string): string[] {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isOnSentence(node)) add(node);
    if (ts.isBinaryExpression(node) && EQUALITY.has(node.operatorToken.kind) && isText(node.right) && isSentence(node.left)) add(node);
    ts.forEachChild(node, visit);
  };
  const add = (node: ts.Node): void => void found.push(`${file}:${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1}: ${node.getText(source)}`);
  visit(source);
  return found;
}

function isOnSentence({ expression, arguments: given }: ts.CallExpression): boolean {
  if (!ts.isPropertyAccessExpression(expression)) return false;
  const { name: { text: method }, expression: object } = expression;
  // Its lines are printed one by one, and its first letter is made large.
  const [first] = given;
  if (first !== undefined && ((method === "split" && ts.isStringLiteral(first) && first.text === "\n") || (method === "slice" && ts.isNumericLiteral(first)))) return false;
  return (ON_TEXT.has(method) && isSentence(object)) || (ON_PATTERN.has(method) && given.some(isSentence));
}

function isText(node: ts.Node): boolean {
  return ts.isStringLiteral(node) || ts.isTemplateExpression(node) || ts.isNoSubstitutionTemplateLiteral(node);
}

/** A name or property that holds a sentence, or a call that makes one. */
function isSentence(node: ts.Node): boolean {
  if (ts.isCallExpression(node)) return ts.isIdentifier(node.expression) && MAKERS.has(node.expression.text);
  const name = ts.isPropertyAccessExpression(node) ? node.name : node;
  return ts.isIdentifier(name) && SENTENCES.has(name.text);
}

test.each([
  'if (error.message.startsWith("a")) act();', 'const is = /a/.test(result?.error);', 'const is = message === "a";', 'const at = PATTERN.exec(message);',
  "const bare = error.slice(`${action}: `.length);", 'const short = result.error.replace(/^a: /, "");', 'const [kind] = remark.split(": ");', 'if (warning.includes("b")) act();',
  "const isDefault = rule === `deny ${pattern}`;", 'const plain = messageOf(thrown).replace(/ENOENT/, "File not found");', 'const is = /^fs-guard/.test(explain(failure));',
])("a decision by a sentence is found: %s", (code) => expect(decisionsIn("a.ts", code)).toHaveLength(1));

test("no code decides by a sentence", () => {
  const root = join(import.meta.dirname, "../../../src");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  expect(files.length).toBeGreaterThan(300);
  const found = files.flatMap((file) => decisionsIn(file, readFileSync(join(root, file), "utf8")));
  expect(found.filter((one) => EXEMPT[one.split(":")[0] as string] === undefined)).toEqual([]);
  // A file without such code needs no exemption.
  expect(Object.keys(EXEMPT).filter((file) => !found.some((one) => one.startsWith(`${file}:`)))).toEqual([]);
});

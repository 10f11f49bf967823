/** Finds small faults that a source file could have, and writes the file with a switch for each of them. */
import ts from "typescript";

const { SyntaxKind: Kind } = ts;

/** Operators, with the operators that a slip could have put in their place. */
const SWAPS = new Map([
  [Kind.EqualsEqualsEqualsToken, ["!=="]],
  [Kind.ExclamationEqualsEqualsToken, ["==="]],
  [Kind.LessThanToken, ["<=", ">="]],
  [Kind.LessThanEqualsToken, ["<", ">"]],
  [Kind.GreaterThanToken, [">=", "<="]],
  [Kind.GreaterThanEqualsToken, [">", "<"]],
  [Kind.AmpersandAmpersandToken, ["||"]],
  [Kind.BarBarToken, ["&&"]],
  [Kind.PlusToken, ["-"]],
  [Kind.MinusToken, ["+"]],
]);
const EQUALITY = new Set([Kind.EqualsEqualsEqualsToken, Kind.ExclamationEqualsEqualsToken]);

/** Returns the mutants of a file: `replacement` takes the place of the expression from `start` to `end`. */
export function mutantsIn(file, text) {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const mutants = [];
  const add = (node, replacement, what) => {
    // A switch around a part of `a?.b.c` would end the chain there.
    if (ts.isOptionalChain(node) && ts.isOptionalChain(node.parent) && node.parent.expression === node) return;
    const start = node.getStart(tree);
    mutants.push({ file, line: tree.getLineAndCharacterOfPosition(start).line + 1, start, end: node.end, replacement, what });
  };
  const visit = (node) => {
    if (ts.isTypeNode(node) || ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    // Messages are held by the tests of the sentences, and a bug's message by none.
    if (ts.isNewExpression(node) && node.expression.getText(tree).endsWith("Error")) return;
    for (const { of = node, replacement, what } of faultsOf(node, text, tree)) add(of, replacement, what);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return mutants;
}

/** Returns the text with the mutants in it, of which `globalThis.isMutant(id)` chooses one. Line numbers stay. */
export function withSwitches(text, mutants) {
  const sorted = mutants.toSorted((a, b) => a.start - b.start || b.end - a.end);
  let next = 0;
  const write = (start, end) => {
    let written = "";
    let at = start;
    while (next < sorted.length && sorted[next].start >= start && sorted[next].end <= end) {
      const mutant = sorted[next++];
      written += `${text.slice(at, mutant.start)}(globalThis.isMutant?.(${mutant.id}) ? (${mutant.replacement}) : ${write(mutant.start, mutant.end)})`;
      at = mutant.end;
    }
    return written + text.slice(at, end);
  };
  return write(0, text.length);
}

function faultsOf(node, text, tree) {
  const faults = [];
  const say = (one) => one.getText(tree);
  const condition = ts.isConditionalExpression(node) || ts.isForStatement(node) ? node.condition : ts.isIfStatement(node) || ts.isWhileStatement(node) || ts.isDoStatement(node) ? node.expression : undefined;
  if (condition !== undefined && !isEquality(condition) && !isBoolean(condition)) faults.push({ of: condition, replacement: `!(${say(condition)})`, what: "negate the condition" });
  if (ts.isBinaryExpression(node)) {
    const { operatorToken: operator } = node;
    for (const other of hasText(node) ? [] : (SWAPS.get(operator.kind) ?? [])) {
      faults.push({ replacement: text.slice(node.getStart(tree), operator.getStart(tree)) + other + text.slice(operator.end, node.end), what: `${say(operator)} → ${other}` });
    }
  }
  if (isBoolean(node)) faults.push({ replacement: node.kind === Kind.TrueKeyword ? "false" : "true", what: `negate ${say(node)}` });
  // One more than a large limit is no fault, and fractions are tuned by measuring.
  if (ts.isNumericLiteral(node) && isValue(node) && /^(?:\d\d?|0\w+)$/.test(say(node))) faults.push({ replacement: `${say(node)} + 1`, what: `${say(node)} → ${say(node)} + 1` });
  // Text with a space in it is a message.
  if (ts.isStringLiteral(node) && node.text !== "" && !node.text.includes(" ") && isValue(node)) faults.push({ replacement: '""', what: `empty ${say(node)}` });
  if (ts.isArrayLiteralExpression(node) && node.elements.length > 0 && isValue(node)) faults.push({ replacement: "[]", what: "empty the list" });
  if (ts.isExpressionStatement(node) && isRemovable(node.expression)) faults.push({ of: node.expression, replacement: "undefined", what: "remove the statement" });
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression) && node.expression.name.text === "filter") faults.push({ replacement: say(node.expression.expression), what: "remove .filter(…)" });
  const result = ts.isReturnStatement(node) ? node.expression : ts.isArrowFunction(node) && !ts.isBlock(node.body) ? node.body : undefined;
  const other = result === undefined ? undefined : otherResult(result, ts.findAncestor(node, ts.isFunctionLike)?.type?.getText(tree) ?? "", say);
  if (other !== undefined) faults.push({ of: result, replacement: other, what: `return ${other.startsWith("!") ? "the opposite" : other}` });
  return faults;
}

/** Returns another result of the declared type, unless another kind of mutant yields it already. */
function otherResult(result, type, say) {
  if (ts.isLiteralExpression(result) || ts.isArrayLiteralExpression(result) || isBoolean(result) || isEquality(result) || say(result) === "undefined") return undefined;
  if (type.endsWith("| undefined")) return "undefined";
  if (type.endsWith("[]")) return "[]";
  if (type === "string") return '""';
  return type === "boolean" ? `!(${say(result)})` : undefined;
}

function isEquality(node) {
  return ts.isBinaryExpression(node) && EQUALITY.has(node.operatorToken.kind);
}

function isBoolean(node) {
  return node.kind === Kind.TrueKeyword || node.kind === Kind.FalseKeyword;
}

/** Whether `+` joins text. */
function hasText(node) {
  return node.operatorToken.kind === Kind.PlusToken && [node.left, node.right].some((one) => ts.isStringLiteralLike(one) || ts.isTemplateExpression(one) || (ts.isBinaryExpression(one) && hasText(one)));
}

/** Whether a literal is neither the name of a property nor a pattern to assign to. */
function isValue(node) {
  const { parent } = node;
  if (ts.isImportTypeNode(parent) || ts.isExternalModuleReference(parent) || (ts.isCallExpression(parent) && parent.expression.kind === Kind.ImportKeyword)) return false;
  return !(parent.name === node || (ts.isBinaryExpression(parent) && parent.left === node && parent.operatorToken.kind === Kind.EqualsToken) || (ts.isForOfStatement(parent) && parent.initializer === node));
}

function isRemovable(expression) {
  const call = ts.isAwaitExpression(expression) ? expression.expression : expression;
  if (ts.isCallExpression(call)) return call.expression.kind !== Kind.SuperKeyword;
  return ts.isBinaryExpression(call) && call.operatorToken.kind >= Kind.FirstAssignment && call.operatorToken.kind <= Kind.LastAssignment;
}

/** What readers that know nothing of Loaf find in a source file: Python's `ast`, the TypeScript compiler, Universal Ctags, and plain parsers of data. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import ts from "typescript";
import { parseAllDocuments } from "yaml";

export interface Declared {
  readonly name: string;
  /** From 1. */
  readonly line: number;
}

/** The kinds of tags that are functions, classes and the like. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  Go: ["func", "struct", "interface", "type", "methodSpec"],
  Rust: ["function", "struct", "enum", "interface", "method", "module", "macro"],
  Java: ["class", "interface", "method", "enum"],
  C: ["function", "struct"],
  "C++": ["function", "class", "struct"],
  "C#": ["class", "interface", "method", "struct", "enum"],
  Ruby: ["class", "method", "module", "singletonMethod"],
  PHP: ["class", "interface", "function", "trait"],
  CSS: ["class", "selector", "id"],
  Markdown: ["chapter", "section", "subsection", "subsubsection", "l4subsection", "l5subsection"],
};

export function declaredIn(language: string, file: string): Declared[] {
  switch (language) {
    case "TypeScript":
    case "JavaScript":
      return byCompiler(file);
    case "Python":
      return byPython(file);
    case "JSON":
      return keysOf(JSON.parse(readFileSync(file, "utf8")));
    case "YAML":
      return parseAllDocuments(readFileSync(file, "utf8")).flatMap((document) => keysOf(document.toJS()));
    default:
      return byCtags(language, file);
  }
}

export function hasCtags(): boolean {
  try {
    return execFileSync("ctags", ["--version"], { encoding: "utf8" }).includes("Universal Ctags");
  } catch {
    return false;
  }
}

function byCtags(language: string, file: string): Declared[] {
  const lines = execFileSync("ctags", ["--output-format=json", "-f", "-", "--fields=+nK", "--sort=no", `--language-force=${language}`, file], { encoding: "utf8", maxBuffer: 2 ** 28 });
  const tags = lines.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line) as Declared & { readonly kind: string });
  return tags.filter(({ name, kind }) => KINDS[language]?.includes(kind) === true && !/^(?:__anon|AnonymousFunction)/.test(name));
}

const PYTHON = `
import ast, json, sys
kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
tree = ast.parse(open(sys.argv[1], "rb").read())
print(json.dumps([{"name": node.name, "line": node.lineno} for node in ast.walk(tree) if isinstance(node, kinds)]))
`;

function byPython(file: string): Declared[] {
  return JSON.parse(execFileSync("python3", ["-c", PYTHON, file], { encoding: "utf8", maxBuffer: 2 ** 28 })) as Declared[];
}

/** Declarations and methods, and variables and properties that hold a function. */
function byCompiler(file: string): Declared[] {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  const found: Declared[] = [];
  const visit = (node: ts.Node): void => {
    const name = isDeclaration(node) ? node.name : undefined;
    if (name !== undefined && (ts.isIdentifier(name) || ts.isStringLiteral(name) || ts.isPrivateIdentifier(name))) {
      found.push({ name: name.text, line: source.getLineAndCharacterOfPosition(name.getStart()).line + 1 });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isDeclaration(node: ts.Node): node is ts.NamedDeclaration {
  if (ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node) || ts.isPropertyAssignment(node)) {
    return node.initializer !== undefined && (ts.isArrowFunction(node.initializer) || ts.isFunctionExpression(node.initializer));
  }
  const isType = ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isEnumDeclaration(node);
  return isType || ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node) || ts.isMethodDeclaration(node) || ts.isAccessor(node);
}

/** Values have no lines: 0 stands for any. */
function keysOf(value: unknown): Declared[] {
  if (Array.isArray(value)) return value.flatMap(keysOf);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [{ name, line: 0 }, ...keysOf(inner)]);
}

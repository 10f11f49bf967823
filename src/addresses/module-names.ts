/** Parses the imports and exports of a JavaScript or TypeScript source. */
import type { Node, Tree } from "web-tree-sitter";
import { append } from "../core/lists.ts";
import { languageOf } from "./languages.ts";
import { loadParser } from "./parser.ts";

/** An import or re-export. */
export interface Import {
  /** As written: `../fs/src/index.js`, `zod`. */
  readonly from: string;
  /** The imported names. `*` for all names or the default export; then only the usage shows which names are used. */
  readonly names: readonly string[] | "*";
  /** 1-based. */
  readonly line: number;
}

export interface ModuleNames {
  readonly imports: readonly Import[];
  readonly exports: readonly string[];
  /** Modules whose exports are all re-exported. */
  readonly exportsAllOf: readonly string[];
}

const LANGUAGES: ReadonlySet<string | undefined> = new Set(["TypeScript", "TSX", "JavaScript"]);

/** Returns whether `moduleNames` can read a file. */
export function isModule(file: string): boolean {
  return LANGUAGES.has(languageOf(file)?.name) && !/\.d\.[mc]?ts$/.test(file);
}

export async function moduleNames(file: string, text: string): Promise<ModuleNames> {
  const parse = await loadParser(languageOf(file)?.grammar ?? "typescript");
  return parse(text, namesIn);
}

function namesIn(tree: Tree): ModuleNames {
  const statements = present(
    tree.rootNode.descendantsOfType(["import_statement", "export_statement", "call_expression"]),
  );
  const imports: Import[] = [];
  const exports: string[] = [];
  const exportsAllOf: string[] = [];
  for (const node of statements) {
    const from = sourceOf(node);
    const line = node.startPosition.row + 1;
    if (node.type !== "export_statement") {
      if (from !== undefined) imports.push({ from, line, names: namesOf(node, "import_specifier") });
      continue;
    }
    const specifiers = present(node.descendantsOfType("export_specifier"));
    if (from !== undefined) imports.push({ from, line, names: namesOf(node, "export_specifier") });
    const isAll =
      from !== undefined && specifiers.length === 0 && node.descendantsOfType("namespace_export").length === 0;
    if (isAll) exportsAllOf.push(from);
    else append(exports, exportedBy(node, specifiers));
  }
  return { imports, exports, exportsAllOf };
}

/** Returns the source of an import, `require` or `import()`. */
function sourceOf(node: Node): string | undefined {
  if (node.type !== "call_expression")
    return stringOf(node.childForFieldName("source") ?? undefined) ?? requiredBy(node);
  const callee = node.childForFieldName("function")?.text;
  return callee === "require" || callee === "import"
    ? stringOf(node.childForFieldName("arguments")?.namedChild(0) ?? undefined)
    : undefined;
}

/** Reads TypeScript's `import x = require("y")`. */
function requiredBy(node: Node): string | undefined {
  const clause = node.namedChildren.find((child) => child?.type === "import_require_clause");
  return stringOf(clause?.childForFieldName("source") ?? undefined);
}

function stringOf(node: Node | undefined): string | undefined {
  return node?.type === "string" ? node.text.slice(1, -1) : undefined;
}

/** Returns the named imports, or `*` if there are none or others as well. */
function namesOf(node: Node, specifier: string): readonly string[] | "*" {
  const clause = node.namedChildren.find((child) => child?.type === "import_clause");
  const isNamedOnly = clause === undefined || clause?.namedChildren.every((child) => child?.type === "named_imports");
  const names = present(node.descendantsOfType(specifier)).map((named) => named.childForFieldName("name")?.text ?? "");
  const isEffectOnly = node.type === "import_statement" && clause === undefined;
  return (names.length > 0 && isNamedOnly) || isEffectOnly ? names : "*";
}

function exportedBy(node: Node, specifiers: readonly Node[]): string[] {
  if (specifiers.length > 0)
    return specifiers.map(
      (specifier) => (specifier.childForFieldName("alias") ?? specifier.childForFieldName("name"))?.text ?? "",
    );
  const space = node.descendantsOfType("namespace_export")[0]?.namedChild(0)?.text;
  if (space !== undefined) return [space];
  const isDefault = node.children.some((child) => child?.type === "default");
  const declaration = node.childForFieldName("declaration");
  const declarators = present(declaration?.namedChildren ?? []).filter(({ type }) => type === "variable_declarator");
  const declared = declarators.length > 0 ? declarators : declaration === null ? [] : [declaration];
  const names = declared
    .map((declarator) => declarator.childForFieldName("name")?.text)
    .filter((name) => name !== undefined);
  return isDefault ? ["default", ...names] : names;
}

function present<Value>(values: ReadonlyArray<Value | null>): Value[] {
  return values.filter((value) => value !== null);
}

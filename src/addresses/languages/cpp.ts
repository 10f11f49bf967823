/** Grammar of C++, and with `c.ts` also of C. */
import type { Node } from "web-tree-sitter";
import type { Grammar, PartRule } from "../grammar.ts";

/** A type without a body is only mentioned, not declared. */
const typed = (kind: "class" | "struct" | "union" | "enum"): PartRule => ({
  kind,
  name: (node) => (node.childForFieldName("body") === null ? undefined : node.childForFieldName("name")?.text),
});
const macro: PartRule = { kind: "macro" };

export const cpp: Grammar = {
  parts: {
    function_definition: { kind: "function", name: declaredNames },
    declaration: { kind: declarationKind("variable"), name: declaredNames, notLocal: true },
    field_declaration: { kind: declarationKind("field"), name: declaredNames },
    type_definition: { kind: "type", name: declaredNames, notLocal: true },
    alias_declaration: { kind: "type", notLocal: true },
    concept_definition: { kind: "type" },
    class_specifier: typed("class"),
    struct_specifier: typed("struct"),
    union_specifier: typed("union"),
    enum_specifier: typed("enum"),
    namespace_definition: { kind: "namespace" },
    preproc_def: macro,
    preproc_function_def: macro,
  },
  functions: ["function_definition", "lambda_expression"],
  wrappers: ["template_declaration", "friend_declaration"],
  comments: ["comment"],
  hasSemicolons: true,
};

/** Returns `a, b` for a statement that declares both. A function defined outside its class keeps its qualified name. */
function declaredNames(node: Node): string | undefined {
  const declarators = node.childrenForFieldName("declarator").filter((declarator) => declarator !== null);
  const names = declarators.map(declaredName).filter((name) => name !== undefined);
  return names.length === 0 ? undefined : names.join(", ");
}

/** The name is the innermost node: `*(*name[3])(int)`. */
function declaredName(declarator: Node): string | undefined {
  let node = declarator;
  for (let inner: Node | null | undefined = node; inner !== null && inner !== undefined; inner = innerDeclarator(node)) node = inner;
  if (node.type === "operator_cast") return castName(node);
  if (node.type === "qualified_identifier") return qualifiedName(node);
  return node.text;
}

function innerDeclarator(node: Node): Node | null | undefined {
  if (node.type === "operator_cast" || node.type === "qualified_identifier") return null;
  const inner = node.childForFieldName("declarator");
  const isBracket = ["parenthesized_declarator", "reference_declarator", "attributed_declarator"].includes(node.type);
  return inner ?? (isBracket ? node.namedChildren.find((child) => child !== null && !child.type.startsWith("attribute") && !child.type.startsWith("ms_")) : null);
}

/** Removes the parameters, which the name of `X::operator bool()` includes. */
function qualifiedName(node: Node): string {
  return node.text.replace(/\s*\([^()]*\)[^()]*$/, (parameters) => (node.descendantsOfType("operator_cast").length > 0 ? "" : parameters));
}

function castName(node: Node): string {
  return `operator ${node.childForFieldName("type")?.text ?? ""}`;
}

/** A prototype has the kind of its declaration. */
function declarationKind(kind: "variable" | "field"): PartRule["kind"] {
  return (node) => {
    let declarator = node.childForFieldName("declarator");
    while (declarator !== null && /^(?:pointer|reference)_declarator$/.test(declarator.type)) {
      declarator = declarator.childForFieldName("declarator") ?? declarator.namedChildren.at(-1) ?? null;
    }
    if (declarator?.type !== "function_declarator" || declarator.childForFieldName("declarator")?.type === "parenthesized_declarator") return kind;
    return kind === "field" ? "method" : "function";
  };
}

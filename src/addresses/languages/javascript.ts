/** Grammars of JavaScript and TypeScript, with JSX. */
import type { Node } from "web-tree-sitter";
import { field, type Grammar, type PartRule, unquoted } from "../grammar.ts";

const FUNCTIONS = ["arrow_function", "function_expression", "generator_function"];
const CLASSES = ["class"];

const isFunction = (node: Node | null): boolean => node !== null && FUNCTIONS.includes(node.type);
const isDeclaration = (node: Node | null): boolean =>
  node !== null && (isFunction(node) || CLASSES.includes(node.type));

const name = (node: Node): string | undefined => unquoted(node.childForFieldName("name"));
const functionDeclaration: PartRule = { kind: "function" };
const classDeclaration: PartRule = { kind: "class" };
const method: PartRule = { kind: "method", name };
const signature: PartRule = { kind: "method", name, joinsNext: true };
const namespace: PartRule = { kind: "namespace", name };

/** Derives the kind of a variable, property or key from its value. */
const valued =
  (kind: "variable" | "field"): PartRule["kind"] =>
  (node) =>
    isFunction(node.childForFieldName("value")) ? (kind === "field" ? "method" : "function") : kind;

/** How a type parameter varies: `<in out A, out B = never>`. */
const VARIANCE = /([<,]\s*)(in\s+out|in|out)(?=\s+[A-Z]\w*(?:,|>|\s+extends\b|\s*=))/g;

export const javascript: Grammar = {
  blanked: (text) => text.replace(VARIANCE, (_, lead: string, words: string) => lead + " ".repeat(words.length)),
  parts: {
    function_declaration: functionDeclaration,
    generator_function_declaration: functionDeclaration,
    function_signature: { kind: "function", joinsNext: true },
    class_declaration: classDeclaration,
    abstract_class_declaration: classDeclaration,
    interface_declaration: { kind: "interface" },
    type_alias_declaration: { kind: "type" },
    enum_declaration: { kind: "enum" },
    module: namespace,
    internal_module: namespace,
    ambient_declaration: {
      kind: "namespace",
      name: (node) => (node.namedChildren.some((child) => child?.type === "statement_block") ? "global" : undefined),
    },
    method_definition: method,
    method_signature: signature,
    abstract_method_signature: signature,
    property_signature: { kind: "field", name },
    public_field_definition: { kind: valued("field"), name },
    field_definition: { kind: valued("field"), name: (node) => unquoted(node.childForFieldName("property")) },
    variable_declarator: {
      kind: valued("variable"),
      // Skips destructuring, which declares several names.
      name: field("name", "identifier"),
      notLocal: (node) => !isDeclaration(node.childForFieldName("value")),
    },
    pair: {
      kind: "method",
      name: (node) =>
        isFunction(node.childForFieldName("value")) ? unquoted(node.childForFieldName("key")) : undefined,
    },
    assignment_expression: {
      kind: (node) => (isFunction(node.childForFieldName("right")) ? "function" : "variable"),
      name: assignedName,
      notLocal: (node) => !isDeclaration(node.childForFieldName("right")),
    },
    // `export default` of a value. A declaration in its place has its own name, or none.
    export_statement: {
      kind: "variable",
      name: (node) => (node.childForFieldName("value") === null ? undefined : "default"),
    },
  },
  functions: [
    ...FUNCTIONS,
    "function_declaration",
    "generator_function_declaration",
    "method_definition",
    "class_static_block",
  ],
  wrappers: [
    "export_statement",
    "lexical_declaration",
    "variable_declaration",
    "ambient_declaration",
    "expression_statement",
  ],
  comments: ["comment"],
  attributes: ["decorator"],
  hasSemicolons: true,
};

/** Accepts `Shape.prototype.area = function …` and `exports.area = …`. Other assignments declare nothing. */
function assignedName(node: Node): string | undefined {
  const left = node.childForFieldName("left")?.text ?? "";
  const isExport = /^(?:module\.)?exports\b/.test(left);
  return /^[\w$.#]+$/.test(left) && (isExport || isDeclaration(node.childForFieldName("right"))) ? left : undefined;
}

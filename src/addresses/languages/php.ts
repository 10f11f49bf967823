import type { Node } from "web-tree-sitter";
import { field, type Grammar } from "../grammar.ts";

export const php: Grammar = {
  parts: {
    namespace_definition: {
      kind: "namespace",
      name: (node) =>
        node.childForFieldName("body") === null ? undefined : (node.childForFieldName("name")?.text ?? "namespace"),
    },
    class_declaration: { kind: "class" },
    interface_declaration: { kind: "interface" },
    trait_declaration: { kind: "trait" },
    enum_declaration: { kind: "enum" },
    enum_case: { kind: "constant" },
    function_definition: { kind: "function" },
    method_declaration: { kind: "method" },
    const_declaration: { kind: "constant", name: (node) => elementNames(node, "const_element") },
    property_declaration: { kind: "property", name: (node) => elementNames(node, "property_element") },
    assignment_expression: { kind: "variable", name: field("left", "variable_name"), notLocal: true },
  },
  functions: [
    "function_definition", "method_declaration", "anonymous_function", "anonymous_function_creation_expression",
    "arrow_function",
  ],
  wrappers: ["expression_statement"],
  comments: ["comment"],
  hasSemicolons: true,
};

/** Returns `a, b` for a statement that declares both. The name is an element's first child. */
function elementNames(node: Node, type: string): string {
  return node.namedChildren
    .filter((child) => child?.type === type)
    .map((child) => child?.namedChild(0)?.text)
    .join(", ");
}

import type { Node } from "web-tree-sitter";
import { type Grammar, namesOf, type PartRule } from "../grammar.ts";

const variables: PartRule = {
  kind: "field", name: (node) => namesOf(node.descendantsOfType("variable_declarator"))
};

export const csharp: Grammar = {
  parts: {
    namespace_declaration: { kind: "namespace" },
    class_declaration: { kind: "class" },
    struct_declaration: { kind: "struct" },
    interface_declaration: { kind: "interface" },
    enum_declaration: { kind: "enum" },
    record_declaration: { kind: "record" },
    enum_member_declaration: { kind: "constant" },
    delegate_declaration: { kind: "type" },
    method_declaration: { kind: "method", name: implementedName },
    local_function_statement: { kind: "function" },
    constructor_declaration: { kind: "constructor" },
    destructor_declaration: { kind: "method", name: (node) => `~${node.childForFieldName("name")?.text}` },
    operator_declaration: { kind: "method", name: (node) => `operator ${node.childForFieldName("operator")?.text}` },
    conversion_operator_declaration: {
      kind: "method",
      name: (node) => `operator ${node.childForFieldName("type")?.text}`,
    },
    indexer_declaration: { kind: "property", name: () => "this[]" },
    property_declaration: { kind: "property", name: implementedName },
    event_declaration: { kind: "property", name: implementedName },
    event_field_declaration: variables,
    field_declaration: variables,
  },
  functions: [
    "method_declaration", "constructor_declaration", "local_function_statement", "lambda_expression",
    "anonymous_method_expression",
  ],
  comments: ["comment"],
  hasSemicolons: true,
};

/** Returns `IDisposable.Dispose` for an explicit implementation of an interface. */
function implementedName(node: Node): string | undefined {
  const specifier = node.namedChildren.find((child) => child?.type === "explicit_interface_specifier")?.text ?? "";
  const name = node.childForFieldName("name")?.text;
  if (name === undefined || specifier === "") return name;
  return specifier.endsWith(".") ? specifier + name : `${specifier}.${name}`;
}

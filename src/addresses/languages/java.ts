import { type Grammar, namesOf, type PartRule } from "../grammar.ts";

const constructor: PartRule = { kind: "constructor" };
const variables: PartRule = { kind: "field", name: (node) => namesOf(node.childrenForFieldName("declarator")) };

export const java: Grammar = {
  parts: {
    class_declaration: { kind: "class" },
    interface_declaration: { kind: "interface" },
    annotation_type_declaration: { kind: "interface" },
    enum_declaration: { kind: "enum" },
    record_declaration: { kind: "record" },
    enum_constant: { kind: "constant" },
    constructor_declaration: constructor,
    compact_constructor_declaration: constructor,
    method_declaration: { kind: "method" },
    annotation_type_element_declaration: { kind: "method" },
    field_declaration: variables,
    constant_declaration: variables,
  },
  functions: ["method_declaration", "constructor_declaration", "lambda_expression", "static_initializer"],
  comments: ["line_comment", "block_comment"],
  hasSemicolons: true,
};

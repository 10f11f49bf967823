import type { Node } from "web-tree-sitter";
import type { Grammar } from "../grammar.ts";

export const rust: Grammar = {
  parts: {
    function_item: { kind: "function" },
    function_signature_item: { kind: "function" },
    struct_item: { kind: "struct" },
    enum_item: { kind: "enum" },
    union_item: { kind: "union" },
    trait_item: { kind: "trait" },
    impl_item: { kind: "impl", name: implName, alias: typeName },
    mod_item: { kind: "module" },
    type_item: { kind: "type", notLocal: true },
    associated_type: { kind: "type" },
    const_item: { kind: "constant", notLocal: true },
    static_item: { kind: "variable", notLocal: true },
    macro_definition: { kind: "macro" },
  },
  functions: ["function_item", "closure_expression"],
  comments: ["line_comment", "block_comment"],
  attributes: ["attribute_item"],
};

/** Returns `Point` for `impl Display for Point<T>`, so that `@@Point@@fmt` names a method as in other languages. */
function typeName(node: Node): string | undefined {
  return /^[\p{L}_][\p{L}\p{N}_]*/u.exec(node.childForFieldName("type")?.text ?? "")?.[0];
}

/** Returns `impl Display for Point<T>`, without the block's own type parameters and bounds. */
function implName(node: Node): string {
  const type = node.childForFieldName("type")?.text ?? "";
  const trait = node.childForFieldName("trait");
  const isNegative = trait !== null && node.children.some((child) => child?.type === "!");
  return trait === null ? `impl ${type}` : `impl ${isNegative ? "!" : ""}${trait.text} for ${type}`;
}

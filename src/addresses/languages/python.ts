import type { Node } from "web-tree-sitter";
import type { Grammar } from "../grammar.ts";

export const python: Grammar = {
  parts: {
    function_definition: { kind: "function" },
    class_definition: { kind: "class" },
    type_alias_statement: { kind: "type", name: (node) => node.childForFieldName("left")?.text },
    assignment: { kind: "variable", name: assignedName, notLocal: true },
  },
  functions: ["function_definition", "lambda"],
  wrappers: ["decorated_definition", "expression_statement"],
  comments: ["comment"],
  endsByIndentation: true,
};

function assignedName(node: Node): string | undefined {
  const left = node.childForFieldName("left");
  return left?.type === "identifier" ? left.text : undefined;
}

import type { Node } from "web-tree-sitter";
import { STEP } from "../../paths/address.ts";
import { fields, type Grammar } from "../grammar.ts";

export const go: Grammar = {
  parts: {
    function_declaration: { kind: "function" },
    method_declaration: { kind: "method", name: methodName, alias: (node) => methodName(node)?.replace(".", STEP) },
    type_spec: { kind: typeKind, notLocal: true },
    type_alias: { kind: "type", notLocal: true },
    method_elem: { kind: "method" },
    const_spec: { kind: "constant", name: fields("name"), notLocal: true },
    var_spec: { kind: "variable", name: fields("name"), notLocal: true },
  },
  functions: ["function_declaration", "method_declaration", "func_literal"],
  wrappers: ["type_declaration", "const_declaration", "var_declaration", "var_spec_list"],
  comments: ["comment"],
};

/** Returns `Server.Start`, as in Go's documentation, also for a pointer receiver. */
function methodName(node: Node): string | undefined {
  const receiver = /([\p{L}_][\p{L}\p{N}_]*)\s*(?:\[[^\]]*\]\s*)?\)$/u.exec(
    node.childForFieldName("receiver")?.text.replaceAll(/,?\s*\)$/g, ")") ?? "",
  )?.[1];
  const name = node.childForFieldName("name")?.text;
  return receiver === undefined ? name : `${receiver}.${name}`;
}

function typeKind(node: Node): "struct" | "interface" | "type" {
  const type = node.childForFieldName("type")?.type;
  if (type === "struct_type") return "struct";
  return type === "interface_type" ? "interface" : "type";
}

import type { Node } from "web-tree-sitter";
import type { Grammar, PartRule } from "../grammar.ts";

const named = (kind: PartRule["kind"]): PartRule => ({ kind, name: keyOf, last: lastOf });

/** Keys with their values, tables by the name in their header, and elements of lists of tables: `[[bin]]`. */
export const toml: Grammar = {
  parts: { pair: named("key"), table: named("table"), table_array_element: named("item") },
  functions: [],
  comments: ["comment"],
  endsByIndentation: true,
};

/** `tool.poetry` of `[tool.poetry]`, and `a b` of `"a b" = 1` */
function keyOf(node: Node): string | undefined {
  const key = node.namedChild(0);
  return key?.type === "quoted_key" ? key.text.slice(1, -1) : key?.text;
}

/** The grammar counts the comments below the last key for the table above them. */
function lastOf(node: Node): Node | undefined {
  return (
    node.children.findLast((child) => child !== null && child.type !== "comment" && child.text.trim() !== "") ??
    undefined
  );
}

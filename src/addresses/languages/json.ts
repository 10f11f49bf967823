import type { Node, Tree } from "web-tree-sitter";
import { attacher, judge, toRemarks } from "../certainty.ts";
import type { FoundPart, Kind } from "../part.ts";
import { tryOr } from "../../core/errors.ts";

/**
 * Wraps JSON in parentheses to parse it as a JavaScript expression, not as a block. This also covers its dialects with
 * comments, trailing commas and bare keys.
 */
export const wrapJson = (text: string): string => `(${text}\n)`;

/** Finds keys with their values, and list items by 0-based index. The comma after a part does not belong to it. */
export function readJson(tree: Tree, text: string): FoundPart[] {
  const nodes = tree.rootNode.descendantsOfType(["pair", "array", "comment"]).filter((node) => node !== null);
  const wrapped = wrapJson(text);
  const attach = attacher(toRemarks(nodes.filter(({ type }) => type === "comment"), wrapped, () => true), wrapped);
  const isCertain = judge(tree, true);
  const toFound = (node: Node, name: string, kind: Kind): FoundPart => {
    // The wrapping parentheses are not in the file. A damaged part may extend over them.
    const [start, end] = [Math.max(0, node.startIndex - 1), Math.min(text.length, node.endIndex - 1)];
    return {
      name, kind, start, end, from: Math.max(0, attach(node.startIndex) - 1), to: end, isUncertain: !isCertain(node)
    };
  };
  const named = nodes.flatMap((node): Array<{ node: Node; name: string; kind: Kind }> => {
    if (node.type === "pair") return [{ node, name: keyOf(node), kind: "key" }];
    return node.type === "array"
      ? itemsOf(node).map((item, index) => ({ node: item, name: String(index), kind: "item" }))
      : [];
  });
  return named
    .sort((a, b) => a.node.startIndex - b.node.startIndex)
    .map(({ node, name, kind }) => toFound(node, name, kind));
}

function itemsOf(array: Node): Node[] {
  return array.namedChildren.filter((child) => child !== null && child.type !== "comment" && !child.isError) as Node[];
}

function keyOf(pair: Node): string {
  const key = pair.childForFieldName("key")?.text ?? "";
  return tryOr(() => String(JSON.parse(key)), key.replace(/^'(.*)'$/s, "$1"));
}

import type { Node } from "web-tree-sitter";
import type { Grammar, PartRule } from "../grammar.ts";

/** Named like `@media (max-width: 30em)`: the text before the block, or a whole statement without one. */
const atRule: PartRule = { kind: "rule", name: prelude };

export const css: Grammar = {
  parts: {
    rule_set: { kind: "rule", name: prelude },
    media_statement: atRule,
    supports_statement: atRule,
    keyframes_statement: atRule,
    keyframe_block: atRule,
    import_statement: atRule,
    charset_statement: atRule,
    namespace_statement: atRule,
    scope_statement: atRule,
    at_rule: atRule,
    declaration: { kind: "declaration", name: (node) => node.namedChild(0)?.text },
  },
  functions: [],
  comments: ["comment", "js_comment"],
  hasSemicolons: true,
};

function prelude(node: Node): string {
  const block = node.namedChildren.findLast((child) => child !== null && /block/.test(child.type));
  return node.text
    .slice(0, block === null || block === undefined ? undefined : block.startIndex - node.startIndex)
    .replace(/;\s*$/, "")
    .replaceAll(/\/\*[^]*?\*\//g, " ")
    .trim();
}

import type { Node } from "web-tree-sitter";
import type { Kind } from "./part.ts";

/**
 * What Loaf has to know of a language to find its parts: the node types of its tree-sitter grammar that matter, as data. One
 * walker, `read-tree.ts`, reads them all. To see a grammar's nodes, print `tree.rootNode.toString()`.
 */
export interface Grammar {
  /** Node types that are parts. */
  readonly parts: Readonly<Record<string, PartRule>>;
  /** What is declared in these is local: rules that are `notLocal` do not count in them. */
  readonly functions: readonly string[];
  /** Statements that are there for the one part in them, and belong to it: `export`, decorators, `template <…>`. */
  readonly wrappers?: readonly string[];
  /** They belong to the part right below them, where no blank line stands between. */
  readonly comments: readonly string[];
  /** Decorators and attributes that stand before a part, not in it. They belong to it whatever stands between. */
  readonly attributes?: readonly string[];
  /** Parts end by indentation or a word, not by a bracket or `;`. */
  readonly endsByIndentation?: boolean;
  /** Whether a `;` that follows a part belongs to it. */
  readonly hasSemicolons?: boolean;
}

export interface PartRule {
  readonly kind: Kind | ((node: Node) => Kind);
  /** Undefined where this one has no name, and so is no part. Without it, the text of the field `name`. */
  readonly name?: (node: Node) => string | undefined;
  /** What an address may call it besides, in the way of other languages; it may hold several steps. */
  readonly alias?: (node: Node) => string | undefined;
  /** Only outside of functions. */
  readonly notLocal?: boolean | ((node: Node) => boolean);
  /** Signatures of one name that follow each other, and the implementation after them, are one part. */
  readonly joinsNext?: boolean;
}

/** The texts of all nodes in a field, as `a, b`: one statement may declare several. */
export function fields(name: string): (node: Node) => string | undefined {
  return (node) => {
    const texts = node.childrenForFieldName(name).filter((child) => child?.isNamed).map((child) => child?.text);
    return texts.length === 0 ? undefined : texts.join(", ");
  };
}

/** A string literal's content, any other node's text. */
export function unquoted(node: Node | null): string | undefined {
  return node?.type === "string" ? node.text.slice(1, -1) : node?.text;
}

import type { Node } from "web-tree-sitter";
import type { Kind } from "./part.ts";
import type { Fault } from "./syntax.ts";

/**
 * What Loaf must know about a language to find its parts: the relevant node types of its tree-sitter grammar, as data.
 * One walker, `read-tree.ts`, handles them all. To see a grammar's nodes, print `tree.rootNode.toString()`.
 */
export interface Grammar {
  /** Node types that are parts. */
  readonly parts: Readonly<Record<string, PartRule>>;
  /** Declarations inside these are local: rules with `notLocal` do not apply there. */
  readonly functions: readonly string[];
  /** Statements that belong to the only part inside them: `export`, decorators, `template <…>`. */
  readonly wrappers?: readonly string[];
  /** They belong to the part below them, unless a blank line separates them. */
  readonly comments: readonly string[];
  /** Decorators and attributes before a part. They belong to it at any distance. */
  readonly attributes?: readonly string[];
  /** Whether parts end by indentation or a word, not by a bracket or `;`. */
  readonly endsByIndentation?: boolean;
  /** Whether a `;` after a part belongs to it. */
  readonly hasSemicolons?: boolean;
  /** Blanks what the grammar does not know, so that it reads the rest. */
  readonly blanked?: (text: string) => string;
  /** Finds errors of indentation, which the grammar itself tolerates. */
  readonly layoutFaults?: (root: Node) => readonly Fault[];
}

export interface PartRule {
  readonly kind: Kind | ((node: Node) => Kind);
  /** Returns undefined for a node without a name, which is no part. Defaults to the text of the field `name`. */
  readonly name?: (node: Node) => string | undefined;
  /** Another name for addresses, in the style of other languages. It may contain several steps. */
  readonly alias?: (node: Node) => string | undefined;
  /** The last node that belongs to it, where the grammar adds others. */
  readonly last?: (node: Node) => Node | undefined;
  /** Applies only outside functions. */
  readonly notLocal?: boolean | ((node: Node) => boolean);
  /** Whether consecutive signatures of one name, and the implementation after them, form one part. */
  readonly joinsNext?: boolean;
}

/** Returns the texts of all nodes in a field as `a, b`, because one statement may declare several. */
export function fields(name: string): (node: Node) => string | undefined {
  return (node) => {
    const texts = node
      .childrenForFieldName(name)
      .filter((child) => child?.isNamed)
      .map((child) => child?.text);
    return texts.length === 0 ? undefined : texts.join(", ");
  };
}

/** Returns the text of the node in a field, if there is one and it has the type. */
export function field(name: string, type?: string): (node: Node) => string | undefined {
  return (node) => {
    const child = node.childForFieldName(name);
    return child === null || (type !== undefined && child.type !== type) ? undefined : child.text;
  };
}

/** Returns the names of nodes as `a, b`. */
export function namesOf(nodes: ReadonlyArray<Node | null>): string {
  return nodes.map((node) => node?.childForFieldName("name")?.text).join(", ");
}

/** Returns the content of a string literal, or any other node's text. */
export function unquoted(node: Node | null): string | undefined {
  return node?.type === "string" ? node.text.slice(1, -1) : node?.text;
}

/** Thrown if a file's parts cannot be determined. The message is half a sentence. */
export class Unreadable extends Error {
  override readonly name = "Unreadable";
}

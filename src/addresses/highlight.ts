/** Kinds of tokens in a text, for a diff on the review page. */
import type { TreeCursor } from "web-tree-sitter";
import { Unreadable } from "./grammar.ts";
import { languageOf } from "./languages.ts";

/** UTF-16 offsets. A token may span lines. */
export type Token = readonly [start: number, end: number, kind: TokenKind];

type TokenKind = "keyword" | "string" | "number" | "comment" | "type";

/** Returns the tokens that have a colour, in order. None in a language without a grammar, or of a text too large. */
export async function highlight(path: string, text: string): Promise<readonly Token[]> {
  const grammar = languageOf(path)?.grammar;
  if (grammar === undefined) return [];
  const { loadParser } = await import("./parser.ts");
  const parse = await loadParser(grammar);
  try {
    return parse(text, (tree) => {
      const cursor = tree.walk();
      try {
        return tokensOf(cursor);
      } finally {
        cursor.delete();
      }
    });
  } catch (thrown) {
    if (thrown instanceof Unreadable) return [];
    throw thrown;
  }
}

function tokensOf(cursor: TreeCursor): Token[] {
  const tokens: Token[] = [];
  for (;;) {
    const kind = kindOf(cursor);
    if (kind !== undefined) tokens.push([cursor.startIndex, cursor.endIndex, kind]);
    if (kind === undefined && cursor.gotoFirstChild()) continue;
    while (!cursor.gotoNextSibling()) if (!cursor.gotoParent()) return tokens;
  }
}

/** A node with a kind is coloured as a whole. */
function kindOf({ nodeType: type, nodeIsNamed: isNamed }: TreeCursor): TokenKind | undefined {
  if (!isNamed) return /^[a-z][a-z_]+$/.test(type) ? "keyword" : undefined;
  if (type.includes("comment")) return "comment";
  if (STRING.test(type)) return "string";
  if (NUMBER.test(type)) return "number";
  return TYPE.test(type) ? "type" : undefined;
}

const STRING =
  /^(?:\w+_)?string(?:_literal|_value)?$|^(?:char_literal|character_literal|rune_literal|regex|heredoc_body)$/;
const NUMBER =
  /^(?:number|integer|float|true|false|null|nil|none|undefined|boolean)$|(?:number|integer|float|boolean)_(?:literal|value)$/;
const TYPE = /^(?:type_identifier|primitive_type|predefined_type|integral_type|floating_point_type)$/;

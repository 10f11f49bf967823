import type { Tree } from "web-tree-sitter";
import type { Found } from "../part.ts";
import type { Parse } from "../parser.ts";
import { readTree } from "../read-tree.ts";
import { disguise, isCpp, reveal } from "./c.ts";
import { cpp } from "./cpp.ts";
import { blankMacros } from "./macros.ts";

type Read = (text: string) => Found[];

/** Reads C, C++ and the headers of both with one grammar. */
export function cFamily(parse: Parse): Readonly<Record<"c" | "cpp" | "header", Read>> {
  const readCpp: Read = (text) => {
    const unmodified = readOnce(parse, text);
    if (unmodified.errors === 0) return unmodified.found;
    const withoutMacros = readOnce(parse, blankMacros(text));
    return withoutMacros.errors < unmodified.errors ? withoutMacros.found : unmodified.found;
  };
  const readC: Read = (text) => readCpp(disguise(text)).map((part) => ({ ...part, name: reveal(part.name) }));
  return { c: readC, cpp: readCpp, header: (text) => (isCpp(text) ? readCpp(text) : readC(text)) };
}

function readOnce(parse: Parse, text: string): { readonly found: Found[]; readonly errors: number } {
  return parse(text, (tree) => ({ found: readTree(tree, text, cpp), errors: tree.rootNode.hasError ? countErrors(tree) : 0 }));
}

/** Tokens that the parser inserts with zero width if they are missing. */
const OFTEN_MISSING = [";", "::", ")", "}", ">", ","];

/** Returns an estimate. A query for all missing tokens takes quadratic time in nested texts. */
function countErrors({ rootNode: root }: Tree): number {
  const tokens = root.descendantsOfType(OFTEN_MISSING);
  return 1 + root.descendantsOfType("ERROR").length + tokens.filter((token) => token?.startIndex === token?.endIndex).length;
}

import type { Tree } from "web-tree-sitter";
import type { Found } from "../part.ts";
import type { Parse } from "../parser.ts";
import { readTree } from "../read-tree.ts";
import { disguise, isCpp, reveal } from "./c.ts";
import { cpp } from "./cpp.ts";
import { blankMacros } from "./macros.ts";

type Read = (text: string) => Found[];

/** C, C++ and the headers of both, by one grammar. */
export function cFamily(parse: Parse): Readonly<Record<"c" | "cpp" | "header", Read>> {
  const readCpp: Read = (text) => {
    const asItIs = readOnce(parse, text);
    if (asItIs.errors === 0) return asItIs.found;
    const withoutMacros = readOnce(parse, blankMacros(text));
    return withoutMacros.errors < asItIs.errors ? withoutMacros.found : asItIs.found;
  };
  const readC: Read = (text) => readCpp(disguise(text)).map((part) => ({ ...part, name: reveal(part.name) }));
  return { c: readC, cpp: readCpp, header: (text) => (isCpp(text) ? readCpp(text) : readC(text)) };
}

function readOnce(parse: Parse, text: string): { readonly found: Found[]; readonly errors: number } {
  return parse(text, (tree) => ({ found: readTree(tree, text, cpp), errors: tree.rootNode.hasError ? countErrors(tree) : 0 }));
}

/** What a parser adds where it misses something has no width. */
const OFTEN_MISSING = [";", "::", ")", "}", ">", ","];

/** About. A query for all of them takes quadratic time in nested texts. */
function countErrors({ rootNode: root }: Tree): number {
  const tokens = root.descendantsOfType(OFTEN_MISSING);
  return 1 + root.descendantsOfType("ERROR").length + tokens.filter((token) => token?.startIndex === token?.endIndex).length;
}

/** The parsers of tree-sitter, which are WebAssembly: loaded when one is needed, and kept. */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Parser, Tree } from "web-tree-sitter";
import { Unreadable } from "./unreadable.ts";

/** Parses a text and hands its tree to `read`; the tree is gone after that. Throws `Unreadable` where that takes too long. */
export type Parse = <Value>(text: string, read: (tree: Tree) => Value) => Value;

const loaded = new Map<string, Promise<Parse>>();

/** @param grammar as its file is called: `typescript` */
export function loadParser(grammar: string): Promise<Parse> {
  const known = loaded.get(grammar);
  if (known !== undefined) return known;
  const loading = load(grammar);
  loaded.set(grammar, loading);
  return loading;
}

/** Milliseconds. A real file of the size that Loaf edits takes a second or two; only made-up ones take longer. */
const LONGEST = 20_000;

async function load(grammar: string): Promise<Parse> {
  const { Parser, Language } = await import("web-tree-sitter");
  await Parser.init();
  const parser = new Parser();
  parser.setLanguage(await Language.load(grammarFile(grammar)));
  return (text, read) => {
    const tree = parseInTime(parser, text);
    try {
      return read(tree);
    } finally {
      // The garbage collector does not know of memory in WebAssembly.
      tree.delete();
    }
  };
}

function parseInTime(parser: Parser, text: string): Tree {
  const deadline = Date.now() + LONGEST;
  const tree = parser.parse(text, null, { progressCallback: () => Date.now() > deadline });
  if (tree !== null) return tree;
  parser.reset();
  throw new Unreadable(`parsing it takes longer than ${LONGEST / 1000} s`);
}

function grammarFile(grammar: string): string {
  const { resolve } = createRequire(import.meta.url);
  return join(dirname(resolve("@vscode/tree-sitter-wasm/package.json")), "wasm", `tree-sitter-${grammar}.wasm`);
}

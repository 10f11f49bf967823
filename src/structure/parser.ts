/** The parsers of tree-sitter, which are WebAssembly: loaded when one is needed, and kept. */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Parser, Tree } from "web-tree-sitter";
import { Failed } from "../core/failure.ts";
import { Unreadable } from "./unreadable.ts";

export interface Parse {
  /** Parses a text and hands its tree to `read`; the tree is gone after that. Throws `Unreadable` where that takes too long. */
  <Value>(text: string, read: (tree: Tree) => Value): Value;
  /** Parses a text in short stretches, between which the event loop turns. The next call takes that tree. Returns whether the text has syntax errors. Throws `Unreadable`, and `skip/stopped`. */
  ahead(text: string, isStopped?: () => boolean): Promise<boolean>;
}

const loaded = new Map<string, Promise<Parse>>();

/** @param grammar as its file is called: `typescript` */
export function loadParser(grammar: string): Promise<Parse> {
  const known = loaded.get(grammar);
  if (known !== undefined) return known;
  const loading = load(grammar);
  loaded.set(grammar, loading);
  return loading;
}

/** Milliseconds for one text. A real file of the size that Loaf edits takes a second or two; only made-up ones take longer. */
const LONGEST = 4_000;
/** The same in one stretch. */
const STRETCH = 100;
const LONGEST_AT_ONCE = 2_000;

async function load(grammar: string): Promise<Parse> {
  const { Parser, Language } = await import("web-tree-sitter");
  await Parser.init({ wasmMemory: new WebAssembly.Memory({ initial: 512, maximum: MOST_MEMORY / PAGE }), printErr: () => {} });
  const parser = new Parser();
  parser.setLanguage(await Language.load(grammarFile(grammar)));
  let ready: { readonly text: string; readonly tree: Tree } | undefined;
  const parse = <Value>(text: string, read: (tree: Tree) => Value): Value =>
    exclusively(() => {
      const tree = ready?.text === text ? ready.tree : parseAtOnce(parser, text);
      if (ready?.text === text) ready = undefined;
      try {
        return read(tree);
      } finally {
        // The garbage collector does not know of memory in WebAssembly.
        tree.delete();
      }
    });
  const ahead = async (text: string, isStopped = () => false): Promise<boolean> => {
    exclusively(() => {
      parser.reset();
      ready?.tree.delete();
    });
    ready = undefined;
    const deadline = Date.now() + LONGEST;
    for (;;) {
      const tree = exclusively(() => parseFor(parser, text, STRETCH));
      if (tree !== null) {
        ready = { text, tree };
        return tree.rootNode.hasError;
      }
      if (Date.now() > deadline) throw tooLong(parser);
      await new Promise((resolve) => void setImmediate(resolve));
      if (isStopped()) throw new Failed({ code: "skip/stopped" });
    }
  };
  return Object.assign(parse, { ahead });
}

function parseAtOnce(parser: Parser, text: string): Tree {
  // Else it would go on with a text that was given up.
  parser.reset();
  const tree = parseFor(parser, text, LONGEST_AT_ONCE);
  if (tree === null) throw tooLong(parser);
  return tree;
}

/** Null where that was not long enough: the next call goes on with it. */
function parseFor(parser: Parser, text: string, time: number): Tree | null {
  const deadline = Date.now() + time;
  return parser.parse(text, null, { progressCallback: () => Date.now() > deadline });
}

function tooLong(parser: Parser): Unreadable {
  parser.reset();
  return new Unreadable(`parsing it takes longer than ${LONGEST / 1_000} s`);
}

/** All parsers share one memory. After it was full, or work in it was interrupted, nothing in it can be relied on. */
function exclusively<Value>(act: () => Value): Value {
  if (isInUse) throw new Unreadable("reading another file took all the time or memory of the parser: run the answer again without that file");
  isInUse = true;
  try {
    const value = act();
    isInUse = false;
    return value;
  } catch (thrown) {
    if (thrown instanceof WebAssembly.RuntimeError) throw new Unreadable("parsing it takes more memory than there is");
    isInUse = false;
    throw thrown;
  }
}

let isInUse = false;

/** Node's types do not have it. */
declare const WebAssembly: {
  readonly Memory: new (size: { readonly initial: number; readonly maximum: number }) => object;
  readonly RuntimeError: new () => Error;
};

/** Bytes. A text of a few megabytes that can be read in very many ways takes any amount. */
const MOST_MEMORY = 2 ** 30;
const PAGE = 65_536;

function grammarFile(grammar: string): string {
  const { resolve } = createRequire(import.meta.url);
  return join(dirname(resolve("@vscode/tree-sitter-wasm/package.json")), "wasm", `tree-sitter-${grammar}.wasm`);
}

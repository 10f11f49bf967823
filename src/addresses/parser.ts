/** The parsers of tree-sitter, which are WebAssembly: loaded when one is needed, and kept. All of them share one module and its memory. */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Parser, Tree } from "web-tree-sitter";
import { Unreadable } from "./unreadable.ts";

/** Parses a text and hands its tree to `read`; the tree is gone after that. Throws `Unreadable` where that takes too much memory. */
export type Parse = <Value>(text: string, read: (tree: Tree) => Value) => Value;

interface Engine {
  parser(grammar: string): Promise<Parser>;
  /** By their grammars, as far as they are loaded. */
  readonly ready: ReadonlyMap<string, Parser>;
  /** Still set once a parser was ended half-way: then nothing in their memory can be relied on. */
  isBusy: boolean;
  discard(): void;
}

let engine: Promise<Engine> | undefined;
let current: Engine | undefined;
const known = new Set<string>();

/** @param grammar as its file is called: `typescript` */
export async function loadParser(grammar: string): Promise<Parse> {
  known.add(grammar);
  await restoreParsers([grammar]);
  return (text, read) => parse(grammar, text, read);
}

/** Loads parsers anew where they were ended half-way, or had no memory left. */
export async function restoreParsers(grammars: Iterable<string> = known): Promise<void> {
  if (current?.isBusy === true) discard(current);
  if (known.size === 0) return;
  current = await (engine ??= start());
  for (const grammar of grammars) await current.parser(grammar);
}

function parse<Value>(grammar: string, text: string, read: (tree: Tree) => Value): Value {
  const parser = current?.ready.get(grammar);
  if (current === undefined || parser === undefined || current.isBusy) throw new Unreadable("reading another file took all the time or memory of the parser: run the answer again without that file");
  const used = current;
  used.isBusy = true;
  let tree: Tree | null = null;
  try {
    tree = parser.parse(text);
    if (tree === null) throw new Unreadable("it cannot be parsed");
    return read(tree);
  } catch (thrown) {
    if (thrown instanceof Unreadable) throw thrown;
    discard(used);
    // At the end of the memory, or of the stack.
    throw thrown instanceof WebAssembly.RuntimeError || thrown instanceof RangeError ? new Unreadable("parsing it takes more memory than there is") : thrown;
  } finally {
    // The garbage collector does not know of memory in WebAssembly.
    tree?.delete();
    used.isBusy = false;
  }
}

function discard(broken: Engine): void {
  broken.discard();
  engine = undefined;
  current = undefined;
}

/** Bytes. A text of a few megabytes that can be read in very many ways takes any amount. */
const MOST_MEMORY = 2 ** 30;
const PAGE = 65_536;

async function start(): Promise<Engine> {
  const { resolve, cache } = createRequire(import.meta.url);
  const path = resolve("web-tree-sitter");
  // It keeps one module for as long as it lives itself.
  delete cache[path];
  const { Parser, Language } = createRequire(import.meta.url)(path) as typeof import("web-tree-sitter");
  const module: Record<string, unknown> = { wasmMemory: new WebAssembly.Memory({ initial: 512, maximum: MOST_MEMORY / PAGE }), printErr: () => {} };
  await Parser.init(module);
  const loading = new Map<string, Promise<Parser>>();
  const ready = new Map<string, Parser>();
  const load = async (grammar: string): Promise<Parser> => {
    const parser = new Parser().setLanguage(await Language.load(grammarFile(grammar)));
    ready.set(grammar, parser);
    return parser;
  };
  return {
    parser: (grammar) => {
      const parser = loading.get(grammar) ?? load(grammar);
      loading.set(grammar, parser);
      return parser;
    },
    ready,
    isBusy: false,
    discard: () => {
      // When the garbage collector frees what was left, nothing in that memory is touched any more.
      for (const name of Object.keys(module)) if (typeof module[name] === "function") module[name] = () => {};
    },
  };
}

/** Node's types do not have it. */
declare const WebAssembly: {
  readonly Memory: new (size: { readonly initial: number; readonly maximum: number }) => object;
  readonly RuntimeError: new () => Error;
};

function grammarFile(grammar: string): string {
  const { resolve } = createRequire(import.meta.url);
  return join(dirname(resolve("@vscode/tree-sitter-wasm/package.json")), "wasm", `tree-sitter-${grammar}.wasm`);
}

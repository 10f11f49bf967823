/** Loads the WebAssembly parsers of tree-sitter on first use. All of them share one module and its memory. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import type { Edit, Parser, Point, Tree } from "web-tree-sitter";
import { tryOr } from "../core/errors.ts";
import { lineAt } from "../edit/lines.ts";
import { changeBetween } from "./change.ts";
import { Unreadable } from "./grammar.ts";

/**
 * Parses a text and passes its tree to `read`, which must not keep it. Throws `Unreadable` if parsing takes too
 * much memory.
 */
export type Parse = <Value>(text: string, read: (tree: Tree) => Value) => Value;

interface Engine {
  parser(grammar: string): Promise<Parser>;
  /** Loaded parsers by grammar. */
  readonly ready: ReadonlyMap<string, Parser>;
  /** Remains set after an interrupted parse, because the shared memory is then unreliable. */
  isBusy: boolean;
  discard(): void;
}

let engine: Promise<Engine> | undefined;
let current: Engine | undefined;
const known = new Set<string>();

/** @param grammar the name of its file: `typescript` */
export async function loadParser(grammar: string): Promise<Parse> {
  await restoreParsers([grammar]);
  known.add(grammar);
  return (text, read) => parse(grammar, text, read);
}

/** Reloads the parsers after an interrupted parse, or if they ran out of memory. */
export async function restoreParsers(grammars: Iterable<string> = known): Promise<void> {
  if (current?.isBusy === true) discard(current);
  const wanted = [...grammars];
  if (wanted.length === 0) return;
  current = await (engine ??= start());
  for (const grammar of wanted) await current.parser(grammar);
}

function parse<Value>(grammar: string, text: string, read: (tree: Tree) => Value): Value {
  const parser = current?.ready.get(grammar);
  if (current === undefined || parser === undefined || current.isBusy)
    throw new Unreadable("another file used up the parser's time or memory: run the answer again without that file");
  const used = current;
  used.isBusy = true;
  const known = kept.find((one) => one.grammar === grammar && one.text === text);
  let tree = known?.tree ?? null;
  try {
    tree ??=
      parseAnew(
        parser,
        text,
        kept.findLast((one) => one.grammar === grammar),
      ) ?? parser.parse(text);
    if (tree === null) throw new Unreadable("it cannot be parsed");
    return read(tree);
  } catch (thrown) {
    if (thrown instanceof Unreadable) throw thrown;
    discard(used);
    // Out of memory, or stack overflow.
    throw thrown instanceof WebAssembly.RuntimeError || thrown instanceof RangeError
      ? new Unreadable("parsing it takes more memory than is available")
      : thrown;
  } finally {
    // The garbage collector does not track WebAssembly memory.
    if (tree !== null && text.length > MIN_KEPT && text.length < MAX_KEPT && current === used) {
      if (known === undefined) kept.push({ grammar, text, tree });
      if (kept.length > MOST_KEPT) kept.shift()?.tree.delete();
    } else tree?.delete();
    used.isBusy = false;
  }
}

/**
 * Parses a new version of a text with the tree of an old one, of which it keeps what has not changed. Returns null for
 * a text with errors: how the parser recovers from those depends on the old tree.
 */
function parseAnew(parser: Parser, text: string, version: Kept | undefined): Tree | null {
  if (version === undefined || version.tree.rootNode.hasError) return null;
  const { before, after } = changeBetween(version.text, text);
  if (before.end - before.start > version.text.length / 2) return null;
  const old = version.tree.copy();
  try {
    old.edit({
      startIndex: before.start,
      oldEndIndex: before.end,
      newEndIndex: after.end,
      startPosition: pointAt(text, after.start),
      oldEndPosition: pointAt(version.text, before.end),
      newEndPosition: pointAt(text, after.end),
    } as Edit);
    const tree = parser.parse(text, old);
    if (tree?.rootNode.hasError !== true) return tree;
    tree.delete();
    return null;
  } finally {
    old.delete();
  }
}

/** 0-based. */
function pointAt(text: string, offset: number): Point {
  return { row: lineAt(text, offset) - 1, column: offset - (text.lastIndexOf("\n", offset - 1) + 1) };
}

interface Kept {
  readonly grammar: string;
  readonly text: string;
  readonly tree: Tree;
}

/** Trees of the last texts, because what changes a file asks for the parts and the faults of its old and new text. */
const kept: Kept[] = [];
const MOST_KEPT = 2;
/** UTF-16 units. Less is parsed at once, and more takes too much memory. */
const MIN_KEPT = 4_000;
const MAX_KEPT = 1_000_000;

function discard(broken: Engine): void {
  kept.length = 0;
  broken.discard();
  engine = undefined;
  current = undefined;
}

/** Maximum memory in bytes. A highly ambiguous text of a few megabytes would take any amount. */
const MAX_MEMORY = 2 ** 30;
const PAGE = 65_536;

async function start(): Promise<Engine> {
  const { resolve, cache } = createRequire(import.meta.url);
  const path = resolve("web-tree-sitter");
  // The library keeps one module for its own lifetime, so load the library again.
  delete cache[path];
  const { Parser, Language } = createRequire(import.meta.url)(path) as typeof import("web-tree-sitter");
  const module: Record<string, unknown> = {
    wasmMemory: new WebAssembly.Memory({ initial: 512, maximum: MAX_MEMORY / PAGE }),
    printErr: () => {},
  };
  await Parser.init(module);
  const loading = new Map<string, Promise<Parser>>();
  const ready = new Map<string, Parser>();
  const load = async (grammar: string): Promise<Parser> => {
    const parser = new Parser().setLanguage(await Language.load(grammarBytes(grammar)));
    ready.set(grammar, parser);
    return parser;
  };
  return {
    parser: (grammar) => {
      const parser = loading.get(grammar) ?? load(grammar);
      loading.set(grammar, parser);
      parser.catch(() => loading.delete(grammar));
      return parser;
    },
    ready,
    isBusy: false,
    discard: () => {
      // Prevents finalizers from touching that memory later.
      for (const name of Object.keys(module)) if (typeof module[name] === "function") module[name] = () => {};
    },
  };
}

/** Missing in Node's types. */
declare const WebAssembly: {
  readonly Memory: new (size: { readonly initial: number; readonly maximum: number }) => object;
  readonly RuntimeError: new () => Error;
};

/**
 * Reads a grammar of Loaf's package, where it is compressed. A clone that was not built has that of the package it is
 * made from.
 */
function grammarBytes(grammar: string): Uint8Array {
  const { resolve } = createRequire(import.meta.url);
  const ours = tryOr(
    () => readFileSync(join(dirname(resolve("loaf-cli/package.json")), "dist/grammars", `${grammar}.wasm.br`)),
    undefined,
  );
  if (ours !== undefined) return brotliDecompressSync(ours);
  const originals = ["@vscode/tree-sitter-wasm/wasm", `@tree-sitter-grammars/tree-sitter-${grammar}`];
  const original = originals
    .map((folder) => tryOr(() => readFileSync(resolve(`${folder}/tree-sitter-${grammar}.wasm`)), undefined))
    .find((bytes) => bytes !== undefined);
  if (original === undefined) {
    throw new Unreadable(
      "its grammar is missing from Loaf's package: install Loaf again, or @vscode/tree-sitter-wasm beside it",
    );
  }
  return original;
}

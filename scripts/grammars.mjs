/** The grammars of the languages with addresses: 20 MB of WebAssembly, shipped compressed to about 1 MB. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { brotliCompressSync, constants } from "node:zlib";

/** The package with the grammars. It is not installed with Loaf. */
export const GRAMMARS = "@vscode/tree-sitter-wasm";

export function compressGrammars(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of grammarNames()) {
    const bytes = readFileSync(`node_modules/${GRAMMARS}/wasm/tree-sitter-${name}.wasm`);
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    writeFileSync(`${folder}/${name}.wasm.br`, brotliCompressSync(bytes, { params }));
  }
}

/** Those that the sources load. */
function grammarNames() {
  const source = readFileSync("src/addresses/languages.ts", "utf8");
  return [...new Set([...source.matchAll(/(?:withGrammar|loadParser)\("([\w-]+)"/g)].map(([, name]) => name))];
}

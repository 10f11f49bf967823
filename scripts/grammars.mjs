/** The grammars of the languages with addresses: 20 MB of WebAssembly, shipped compressed to about 1 MB. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { brotliCompressSync, constants } from "node:zlib";

/** The packages with the grammars. They are not installed with Loaf. */
export const GRAMMARS = ["@vscode/tree-sitter-wasm", "@tree-sitter-grammars/tree-sitter-toml"];

export function compressGrammars(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of grammarNames()) {
    const files = GRAMMARS.flatMap((folder) => ["", "wasm/"].map((below) => `node_modules/${folder}/${below}tree-sitter-${name}.wasm`));
    const bytes = readFileSync(files.find((file) => existsSync(file)) ?? files[0]);
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    writeFileSync(`${folder}/${name}.wasm.br`, brotliCompressSync(bytes, { params }));
  }
}

/** Returns the names of those that the table of languages has. */
export function grammarNames() {
  const source = readFileSync("src/addresses/languages.ts", "utf8");
  return [...new Set([...source.matchAll(/\b(?:grammar: |loadParser\()"([\w-]+)"/g)].map(([, name]) => name))];
}

/** Makes programs of a few lines that use Loaf's sources, for tests that need a process of its own. */
import { build } from "esbuild";
import { projectRoot } from "./documents.ts";

/** The text of an ES module that needs no other file. The imports of the source begin at the project's root: `./src/…`. */
export async function bundle(source: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: projectRoot, loader: "ts" },
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
    banner: { js: `import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);` },
    logLevel: "error",
  });
  return outputFiles[0]?.text ?? "";
}

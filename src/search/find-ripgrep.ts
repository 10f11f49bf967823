import { createRequire } from "node:module";
import { findProgram } from "../commands/find-program.ts";
import { tryOr } from "../core/try-or.ts";

let found: { readonly path: string | undefined } | undefined;

/** Returns the path of ripgrep: the optional package's, else an installed one. Looks it up only once. */
export function findRipgrep(): string | undefined {
  found ??= { path: ofPackage() ?? findProgram("rg") };
  return found.path;
}

/** Does what `@vscode/ripgrep` would do. That package throws on import if it has no program for this system. */
function ofPackage(): string | undefined {
  const program = process.platform === "win32" ? "rg.exe" : "rg";
  return tryOr(() => {
    const near = createRequire(createRequire(import.meta.url).resolve("@vscode/ripgrep"));
    return near.resolve(`@vscode/ripgrep-${process.platform}-${process.arch}/bin/${program}`);
  }, undefined);
}

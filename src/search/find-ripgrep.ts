import { createRequire } from "node:module";
import { findProgram } from "../commands/find-program.ts";

let found: { readonly path: string | undefined } | undefined;

/** The path of ripgrep: the one that came with Loaf as an optional package, else one that is installed; undefined where there is none. Looked up once. */
export function findRipgrep(): string | undefined {
  found ??= { path: ofPackage() ?? findProgram("rg") };
  return found.path;
}

/** `@vscode/ripgrep` would tell the same, but throws while it is loaded where it has no program for this system. */
function ofPackage(): string | undefined {
  const program = process.platform === "win32" ? "rg.exe" : "rg";
  try {
    const near = createRequire(createRequire(import.meta.url).resolve("@vscode/ripgrep"));
    return near.resolve(`@vscode/ripgrep-${process.platform}-${process.arch}/bin/${program}`);
  } catch {
    return undefined;
  }
}

import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import type { TestRepository } from "./repository.ts";

/** All that a step and its way back may not change: the work tree with its modes, the index with its flags, what git makes of both, and HEAD. */
export function stateOf({ root, git }: TestRepository): string {
  return [...linesIn(root).toSorted(), git("ls-files", "--stage", "-v"), git("status", "--porcelain=v2", "--branch", "--ignored", "-uall")].join("\n");
}

/** All but the repository: kind, mode and bytes. */
export function linesIn(root: string, folder = ""): string[] {
  return readdirSync(join(root, folder)).flatMap((name) => {
    const one = folder + name;
    if (one === ".git") return [];
    const stats = lstatSync(join(root, one));
    if (stats.isSymbolicLink()) return [`${one} -> ${readlinkSync(join(root, one))}`];
    const mode = (stats.mode & 0o7777).toString(8);
    if (stats.isDirectory()) return [`${one}/ ${mode}`, ...linesIn(root, `${one}/`)];
    return [`${one} ${mode} ${createHash("sha1").update(readFileSync(join(root, one))).digest("hex")}`];
  });
}

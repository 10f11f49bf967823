/**
 * Which loaf.yml files the user has trusted: the hash of each lies in the state folder. A file that changed since, by a pull
 * or by hand, is no longer trusted.
 */
import { createHash } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolders } from "./make-folders.ts";
import { projectStateFolder } from "./project-state-folder.ts";

/** Whether this text of the root's loaf.yml is the one that was trusted. What cannot be read is not trusted. */
export function isTrusted(root: string, text: string): boolean {
  try {
    return readFileSync(trustFile(root), "utf8") === hash(text);
  } catch {
    return false;
  }
}

/** Remembers this text as trusted, in place of an earlier one. Throws where the state folder cannot be written. */
export function trust(root: string, text: string): void {
  const file = trustFile(root);
  makeFolders(dirname(file));
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, hash(text), { mode: 0o600 });
  renameSync(unfinished, file);
}

function trustFile(root: string): string {
  return join(projectStateFolder(root), "trusted-config");
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/**
 * Which loaf.yml files the user has trusted: the text of each lies in the state folder, so that a difference can be shown. A file that
 * changed since, by a pull or by hand, is no longer trusted.
 */
import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { projectConfigPath } from "../state/config-files.ts";
import { projectStateFolder } from "../state/project-state-folder.ts";
import { readStateFile, writeStateFile } from "../state/state-file.ts";

const FILE = "trusted-loaf.yml";

/** Whether this text of the root's loaf.yml is the one that was trusted. What cannot be read is not trusted. */
export function isTrusted(root: string, text: string): boolean {
  return trustedText(root) === text;
}

/** What was trusted last; undefined where nothing was, or it cannot be read. */
export function trustedText(root: string): string | undefined {
  try {
    return readStateFile(root, FILE);
  } catch {
    return undefined;
  }
}

/** Remembers this text as trusted, in place of an earlier one. Throws where the state folder cannot be written. */
export function trust(root: string, text: string): void {
  writeStateFile(root, FILE, text);
}

/** Trusts no text of the root's loaf.yml any more. Throws where the state folder cannot be written. */
export function dropTrust(root: string): void {
  rmSync(join(projectStateFolder(root), FILE), { force: true });
}

/** Tells the root's loaf.yml, as it stands now, from any other text, and from none. */
export function configDigest(root: string): string {
  try {
    return hash(readFileSync(projectConfigPath(root), "latin1"));
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code ?? "";
  }
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

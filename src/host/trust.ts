/**
 * Which loaf.yml files the user has trusted: the text of each lies in the state folder, so that a difference can be shown. A file that
 * changed since, by a pull or by hand, is no longer trusted.
 */
import { readStateFile, writeStateFile } from "./state-file.ts";

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

/**
 * Which loaf.yml files the user trusts. The state folder keeps the trusted text of each, so that a difference can be
 * shown. A file that has changed since, by a pull, a hook or by hand, is no longer trusted.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { tryOr } from "../core/errors.ts";
import { projectConfigPath } from "../state/config-files.ts";
import { readStateFile, removeStateFile, writeStateFile } from "../state/state-file.ts";

const FILE = "trusted-loaf.yml";

/** Returns whether the user trusted exactly this text of the root's loaf.yml. False if the record is unreadable. */
export function isTrusted(root: string, text: string): boolean {
  return trustedText(root) === text;
}

/** Returns the text that was trusted last. Undefined if there is none, or the record is unreadable. */
export function trustedText(root: string): string | undefined {
  return tryOr(() => readStateFile(root, FILE), undefined);
}

/** Trusts this text and no earlier one. Throws if the state folder is not writable. */
export function trust(root: string, text: string): void {
  writeStateFile(root, FILE, text);
}

/** Revokes the trust in the root's loaf.yml. Throws if the state folder is not writable. */
export function dropTrust(root: string): void {
  removeStateFile(root, FILE);
}

/** Returns a digest of the root's current loaf.yml, or the error code if it is unreadable or missing. */
export function configDigest(root: string): string {
  try {
    return createHash("sha256")
      .update(readFileSync(projectConfigPath(root), "latin1"))
      .digest("hex");
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code ?? "";
  }
}

/**
 * Which loaf.yml files the user trusts. The state folder keeps the trusted text of each, so that a difference can be
 * shown. A file that has changed since, by a pull, a hook or by hand, is no longer trusted.
 */
import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { tryOr } from "../core/errors.ts";
import { projectConfigPath } from "../state/config-files.ts";
import { projectStateFolder } from "../state/places.ts";
import { readStateFile, writeStateFile } from "../state/state-file.ts";

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
  rmSync(join(projectStateFolder(root), FILE), { force: true });
}

/** Returns a digest of the root's current loaf.yml, or the error code if it is unreadable or missing. */
export function configDigest(root: string): string {
  try {
    return createHash("sha256").update(readFileSync(projectConfigPath(root), "latin1")).digest("hex");
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code ?? "";
  }
}

/**
 * A file of the work tree that git may run, or read as configuration. It is trusted by the digest of its bytes. A short
 * text is kept too, so that a difference can be shown.
 */
export interface TrustedGitFile {
  readonly digest: string;
  /** Undefined for a binary or long file. */
  readonly text?: string;
}

/** Maximum bytes of a text that is kept and shown. */
const MAX_TEXT_BYTES = 65_536;

/** Reads a file once, so that the user trusts the very bytes that are shown. Throws a system error. */
export function readGitFile(path: string): TrustedGitFile {
  const bytes = readFileSync(path);
  const isText = bytes.length <= MAX_TEXT_BYTES && isUtf8(bytes) && !bytes.includes(0);
  return { digest: createHash("sha256").update(bytes).digest("hex"), ...(isText && { text: bytes.toString() }) };
}

const GIT_FILES = "trusted-git-files.json";

/** Returns the trusted files by absolute path. None if the record is unreadable. */
export function trustedGitFiles(root: string): ReadonlyMap<string, TrustedGitFile> {
  return tryOr(
    () => new Map(Object.entries(JSON.parse(readStateFile(root, GIT_FILES) ?? "{}") as Record<string, TrustedGitFile>)),
    new Map(),
  );
}

/** Trusts these files and no others. Throws if the state folder is not writable. */
export function trustGitFiles(root: string, files: ReadonlyMap<string, TrustedGitFile>): void {
  writeStateFile(root, GIT_FILES, JSON.stringify(Object.fromEntries(files)));
}

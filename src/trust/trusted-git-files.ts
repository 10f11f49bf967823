/**
 * Files of the work tree that git may run, or read as configuration. Each is trusted by the digest of its bytes.
 * Short texts are kept too, so that a difference can be shown.
 */
import { createHash } from "node:crypto";
import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import { readStateFile, writeStateFile } from "../state/state-file.ts";
import { tryOr } from "../core/try-or.ts";

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

const FILE = "trusted-git-files.json";

/** Returns the trusted files by absolute path. None if the record is unreadable. */
export function trustedGitFiles(root: string): ReadonlyMap<string, TrustedGitFile> {
  return tryOr(() => new Map(Object.entries(JSON.parse(readStateFile(root, FILE) ?? "{}") as Record<string, TrustedGitFile>)), new Map());
}

/** Trusts these files and no others. Throws if the state folder is not writable. */
export function trustGitFiles(root: string, files: ReadonlyMap<string, TrustedGitFile>): void {
  writeStateFile(root, FILE, JSON.stringify(Object.fromEntries(files)));
}

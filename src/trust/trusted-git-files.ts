/**
 * Which files in the work tree the user lets git run, or read as configuration: each by the digest of its bytes, with its text where that is short, so that a
 * difference can be shown.
 */
import { createHash } from "node:crypto";
import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import { readStateFile, writeStateFile } from "../state/state-file.ts";

export interface TrustedGitFile {
  readonly digest: string;
  /** Undefined where it is binary or long. */
  readonly text?: string;
}

/** Bytes of a text that is kept and shown. */
const LONGEST_TEXT = 65_536;

/** As it is now: what is shown of it and what is trusted are the same bytes. Throws the system's error. */
export function readGitFile(path: string): TrustedGitFile {
  const bytes = readFileSync(path);
  const isText = bytes.length <= LONGEST_TEXT && isUtf8(bytes) && !bytes.includes(0);
  return { digest: createHash("sha256").update(bytes).digest("hex"), ...(isText && { text: bytes.toString() }) };
}

const FILE = "trusted-git-files.json";

/** By absolute path. What cannot be read is not trusted. */
export function trustedGitFiles(root: string): ReadonlyMap<string, TrustedGitFile> {
  try {
    return new Map(Object.entries(JSON.parse(readStateFile(root, FILE) ?? "{}") as Record<string, TrustedGitFile>));
  } catch {
    return new Map();
  }
}

/** Trusts these files and no other. Throws where the state folder cannot be written. */
export function trustGitFiles(root: string, files: ReadonlyMap<string, TrustedGitFile>): void {
  writeStateFile(root, FILE, JSON.stringify(Object.fromEntries(files)));
}

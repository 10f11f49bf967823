/**
 * What the user has agreed to for good, kept in the state folder, where no project can forge it: the trusted text of
 * each loaf.yml, commands, files that default rules protect, and commands without a sandbox.
 */
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { tryOr } from "../core/errors.ts";
import { projectConfigPath } from "../state/config-files.ts";
import { stateFolder } from "../state/places.ts";
import { readStateFile, readStateJson, removeStateFile, replaceFile, writeStateFile } from "../state/state-file.ts";

/**
 * The trusted text of loaf.yml, so that a difference can be shown. A file that has changed since, by a pull, a hook or
 * by hand, is no longer trusted.
 */
const TRUSTED = "trusted-loaf.yml";

/** Returns whether the user trusted exactly this text of the root's loaf.yml. False if the record is unreadable. */
export function isTrusted(root: string, text: string): boolean {
  return trustedText(root) === text;
}

/** Returns the text that was trusted last. Undefined if there is none, or the record is unreadable. */
export function trustedText(root: string): string | undefined {
  return tryOr(() => readStateFile(root, TRUSTED), undefined);
}

/** Trusts this text and no earlier one. Throws if the state folder is not writable. */
export function trust(root: string, text: string): void {
  writeStateFile(root, TRUSTED, text);
}

/** Revokes the trust in the root's loaf.yml. Throws if the state folder is not writable. */
export function dropTrust(root: string): void {
  removeStateFile(root, TRUSTED);
}

/** Returns a digest of the root's current loaf.yml, or the error code if it is unreadable or missing. */
export function configDigest(root: string): string {
  try {
    return hash("sha256", readFileSync(projectConfigPath(root), "latin1"), "hex");
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code ?? "";
  }
}

const NO_SANDBOX = "no-sandbox-allowed";

/** What is allowed in a project for good. Throws if the state folder is not writable. */
class Allowed {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** None if the file is unreadable. */
  of(root: string): string[] {
    const value: unknown = tryOr(() => readStateJson(root, this.#file), []);
    return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
  }

  add(root: string, entry: string): void {
    writeStateFile(root, this.#file, JSON.stringify([...new Set([...this.of(root), entry])]));
  }

  /** Returns false if it was not allowed. */
  remove(root: string, entry: string): boolean {
    const allowed = this.of(root);
    if (!allowed.includes(entry)) return false;
    writeStateFile(root, this.#file, JSON.stringify(allowed.filter((other) => other !== entry)));
    return true;
  }
}

/** The commands that run without asking, as written when they were allowed. */
export const allowedCommands = new Allowed("allowed-commands");

/** Canonical paths of files that may be written although a default rule denies it. */
export const allowedPaths = new Allowed("allowed-paths");

/** Returns whether commands may run without a sandbox if this machine has none. */
export function mayLackSandbox(): boolean {
  return tryOr(() => readFileSync(join(stateFolder(), NO_SANDBOX), "utf8") === "yes\n", false);
}

/** Throws if the state folder is not writable. */
export function allowNoSandbox(): void {
  replaceFile(join(stateFolder(), NO_SANDBOX), "yes\n");
}

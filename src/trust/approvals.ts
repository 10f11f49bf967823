/**
 * Permanent approvals: commands of a project, files that default rules protect, and commands without a sandbox. Kept
 * in the state folder, where no project can forge them.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stateFolder } from "../state/places.ts";
import { readStateJson, replaceFile, writeStateFile } from "../state/state-file.ts";
import { tryOr } from "../core/errors.ts";

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
    return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
  }

  add(root: string, one: string): void {
    writeStateFile(root, this.#file, JSON.stringify([...new Set([...this.of(root), one])]));
  }

  /** Returns false if it was not allowed. */
  remove(root: string, one: string): boolean {
    const allowed = this.of(root);
    if (!allowed.includes(one)) return false;
    writeStateFile(root, this.#file, JSON.stringify(allowed.filter((other) => other !== one)));
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

/**
 * Permanent approvals: commands of a project, and commands without a sandbox. Kept in the state folder, where no
 * project can forge them.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stateFolder } from "../state/places.ts";
import { readStateFile, replaceFile, writeStateFile } from "../state/state-file.ts";
import { tryOr } from "../core/errors.ts";

const COMMANDS = "allowed-commands";
const NO_SANDBOX = "no-sandbox-allowed";

/**
 * Returns the commands of a project that run without asking, as written when they were allowed. None if the file is
 * unreadable.
 */
export function allowedCommands(root: string): string[] {
  const value: unknown = tryOr(() => JSON.parse(readStateFile(root, COMMANDS) ?? "[]"), []);
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

/** Throws if the state folder is not writable. */
export function allowCommand(root: string, command: string): void {
  writeStateFile(root, COMMANDS, JSON.stringify([...new Set([...allowedCommands(root), command])]));
}

/** Returns false if the command was not allowed. Throws if the state folder is not writable. */
export function forbidCommand(root: string, command: string): boolean {
  const allowed = allowedCommands(root);
  if (!allowed.includes(command)) return false;
  writeStateFile(root, COMMANDS, JSON.stringify(allowed.filter((one) => one !== command)));
  return true;
}

/** Returns whether commands may run without a sandbox if this machine has none. */
export function mayLackSandbox(): boolean {
  return tryOr(() => readFileSync(join(stateFolder(), NO_SANDBOX), "utf8") === "yes\n", false);
}

/** Throws if the state folder is not writable. */
export function allowNoSandbox(): void {
  replaceFile(join(stateFolder(), NO_SANDBOX), "yes\n");
}

/** What the user has agreed to once and for all: commands of a project, and commands without a sandbox. It lies in the state folder, where no project can plant it. */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolders } from "../state/make-folders.ts";
import { stateFolder } from "../state/places.ts";
import { readStateFile, writeStateFile } from "../state/state-file.ts";

const COMMANDS = "allowed-commands";
const NO_SANDBOX = "no-sandbox-allowed";

/** The commands of a project that run without asking, as they were allowed. What cannot be read is not allowed. */
export function allowedCommands(root: string): string[] {
  try {
    const value: unknown = JSON.parse(readStateFile(root, COMMANDS) ?? "[]");
    return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
  } catch {
    return [];
  }
}

/** Throws where the state folder cannot be written. */
export function allowCommand(root: string, command: string): void {
  writeStateFile(root, COMMANDS, JSON.stringify([...new Set([...allowedCommands(root), command])]));
}

/** False where it was not allowed. Throws as `allowCommand` does. */
export function forbidCommand(root: string, command: string): boolean {
  const allowed = allowedCommands(root);
  if (!allowed.includes(command)) return false;
  writeStateFile(root, COMMANDS, JSON.stringify(allowed.filter((one) => one !== command)));
  return true;
}

/** Whether commands may run here, on this machine, where it has no sandbox. */
export function mayLackSandbox(): boolean {
  try {
    return readFileSync(join(stateFolder(), NO_SANDBOX), "utf8") === "yes\n";
  } catch {
    return false;
  }
}

/** Throws where the state folder cannot be written. */
export function allowNoSandbox(): void {
  makeFolders(stateFolder());
  const file = join(stateFolder(), NO_SANDBOX);
  writeFileSync(`${file}.${process.pid}`, "yes\n", { mode: 0o600 });
  renameSync(`${file}.${process.pid}`, file);
}

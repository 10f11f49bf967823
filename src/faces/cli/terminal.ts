/** Finds the user's terminal, whatever standard input and output are. Loads no code that reads keys. */
import { closeSync, constants, openSync } from "node:fs";
import { tryOr } from "../../core/errors.ts";
import { statFields } from "../../state/process-identity.ts";

export const [INPUT, OUTPUT] = process.platform === "win32" ? ["\\\\.\\CONIN$", "\\\\.\\CONOUT$"] : ["/dev/tty", "/dev/tty"];

/** Also returns false if Loaf runs in the background. */
export function hasTerminal(): boolean {
  return tryOr(() => (closeSync(openDevice(INPUT)), isInForeground()), false);
}

export function openDevice(path: string, more = 0): number {
  return openSync(path, constants.O_RDWR | (constants.O_NOCTTY ?? 0) | more);
}

/** The system stops background processes that read from a terminal. */
function isInForeground(): boolean {
  const [, , group, , , foreground] = statFields("self") ?? [];
  // Elsewhere than on Linux, both are unknown.
  return group === foreground;
}

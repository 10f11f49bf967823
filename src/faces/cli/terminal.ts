/** The user's terminal, whatever standard input and output are: finds it, and who uses it. Loads no code that reads keys. */
import { closeSync, constants, openSync } from "node:fs";
import { tryOr } from "../../core/errors.ts";
import { statFields } from "../../state/process-identity.ts";

export const [INPUT, OUTPUT] =
  process.platform === "win32" ? ["\\\\.\\CONIN$", "\\\\.\\CONOUT$"] : ["/dev/tty", "/dev/tty"];

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

/** Lets go of the terminal. Returns a function that takes it again. */
type LetGo = () => () => void;

const users = new Set<LetGo>();
let isAside = false;

/** Uses the terminal, except while a question or a command needs it. Returns a function that ends that. */
export function useTerminal(letGo: LetGo): () => void {
  users.add(letGo);
  return () => void users.delete(letGo);
}

/** Does something with exclusive use of the terminal. */
export async function aside<Value>(act: () => Promise<Value>): Promise<Value> {
  if (isAside) return act();
  isAside = true;
  const takeAgain = [...users].map((letGo) => letGo());
  try {
    return await act();
  } finally {
    isAside = false;
    for (const take of takeAgain.toReversed()) take();
  }
}

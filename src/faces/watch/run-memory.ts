/** Remembers what ran, in the state folder, so that a restart does not run it again. */
import { readStateFile, writeStateFile } from "../../state/state-file.ts";
import { type Memory, NOTHING_RAN } from "./what-to-run.ts";

export interface RunMemory extends Memory {
  /** A run has started and not reported its results yet. */
  readonly isRunning?: boolean;
  /** The hash of the last text that was run from the clipboard. */
  readonly copied?: string;
}

const FILE = "watched";

/** Treats a damaged file, as after a power cut, as empty. */
export function readMemory(root: string): RunMemory {
  try {
    const found = JSON.parse(readStateFile(root, FILE) ?? "{}") as Partial<RunMemory>;
    return { ...NOTHING_RAN, ...found };
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return NOTHING_RAN;
    throw thrown;
  }
}

/** Throws if the state folder is not writable. Then nothing must run. */
export function writeMemory(root: string, memory: RunMemory): void {
  writeStateFile(root, FILE, JSON.stringify(memory));
}

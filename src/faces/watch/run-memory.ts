/** What ran, kept in the state folder: no start of Loaf runs it again. */
import { readStateFile, writeStateFile } from "../../state/state-file.ts";
import { type Memory, NOTHING_RAN } from "./what-to-run.ts";

export interface RunMemory extends Memory {
  /** A run was begun that has not told its results yet. */
  readonly isRunning?: boolean;
  /** The hash of the last text that was run from the clipboard. */
  readonly copied?: string;
}

const FILE = "watched";

/** What cannot be read, as after a power cut, is taken for nothing. */
export function readMemory(root: string): RunMemory {
  try {
    const found = JSON.parse(readStateFile(root, FILE) ?? "{}") as Partial<RunMemory>;
    return { ...NOTHING_RAN, ...found };
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return NOTHING_RAN;
    throw thrown;
  }
}

/** Throws where the state folder cannot be written: then nothing must run. */
export function writeMemory(root: string, memory: RunMemory): void {
  writeStateFile(root, FILE, JSON.stringify(memory));
}

import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import { logPath } from "./read-log.ts";
import { versionOf } from "../disk/version.ts";
import type { Version } from "../disk/volume.ts";

/** The last log that this process ended, by folder. */
const ended = new Map<string, { readonly sequence: number; readonly version: Version }>();

/** @param version of the complete log, including its end record */
export function noteEnded(path: string, sequence: number, version: Version): void {
  ended.set(dirname(path), { sequence, version });
}

/** Call it when others may have changed the folder: there may be newer logs, or gaps from dropped ones. */
export function forgetEnded(folder: string): void {
  ended.delete(folder);
}

/**
 * Returns the sequence of the last log that this process ended, if it is unmodified and has no successor. Such a log needs neither reading
 * nor recovery. The caller must know whether others have changed the folder.
 */
export function lastEnded(folder: string): number | undefined {
  const last = ended.get(folder);
  if (last === undefined) return undefined;
  const stats = lstatSync(logPath(folder, last.sequence), { throwIfNoEntry: false, bigint: true });
  const isLast = stats !== undefined && versionOf(stats) === last.version && lstatSync(logPath(folder, last.sequence + 1), { throwIfNoEntry: false }) === undefined;
  return isLast ? last.sequence : undefined;
}

import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import { logPath } from "./read-log.ts";
import { versionOf } from "../disk/version.ts";
import type { Version } from "../disk/volume.ts";

/** The log that this process has ended last, by its folder. */
const ended = new Map<string, { readonly sequence: number; readonly version: Version }>();

/** @param version of the whole log, its end included */
export function noteEnded(path: string, sequence: number, version: Version): void {
  ended.set(dirname(path), { sequence, version });
}

/** To be called where others may have changed the folder since: there may be newer logs, and gaps where some of them were dropped. */
export function forgetEnded(folder: string): void {
  ended.delete(folder);
}

/**
 * The sequence of the log that this process has ended last, if it is just as it was left and none has come next to it: it needs neither reading nor recovery.
 * Whether others have changed the folder since is for the caller to know.
 */
export function lastEnded(folder: string): number | undefined {
  const last = ended.get(folder);
  if (last === undefined) return undefined;
  const stats = lstatSync(logPath(folder, last.sequence), { throwIfNoEntry: false, bigint: true });
  const isLast = stats !== undefined && versionOf(stats) === last.version && lstatSync(logPath(folder, last.sequence + 1), { throwIfNoEntry: false }) === undefined;
  return isLast ? last.sequence : undefined;
}

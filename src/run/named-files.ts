/**
 * Names the files that a run has just changed, and among them those that run code, or instruct an agent, once the
 * project is built, tested or opened.
 */
import { relative } from "node:path";
import type { ChangeSet, Put, State } from "../core/change-set.ts";
import { tryOr } from "../core/errors.ts";
import type { ExecutionResult } from "../core/outcome.ts";
import { RUN_WHEN_USED } from "../guard/default-rules.ts";
import { PastFiles } from "../journal/past-files.ts";
import { donePuts, type Log } from "../journal/read-log.ts";
import { compilePattern } from "../paths/path-pattern.ts";

const patterns = RUN_WHEN_USED.flatMap((pattern) => compilePattern(pattern, "/") ?? []);

/** Bytes of a package.json, to read for its scripts. */
const MAX_SIZE = 2 ** 20;

interface RunChanges {
  readonly root: string;
  readonly changes: ChangeSet;
  /** Relative to the root. */
  readonly modifiedFiles: readonly string[];
}

export function namedFiles(
  log: Log | undefined,
  { root, changes, modifiedFiles }: RunChanges,
): Pick<ExecutionResult, "modifiedFiles" | "runsCode"> {
  const changeOf = new Map(changes.map((change) => [relative(root, change.path), change]));
  const runsCode = modifiedFiles.flatMap((file) => partsThatRun(log, file, changeOf.get(file)));
  return { ...(modifiedFiles.length > 0 && { modifiedFiles }), ...(runsCode.length > 0 && { runsCode }) };
}

/** Returns the file, or the scripts that changed in a package.json: `package.json scripts.test`. */
function partsThatRun(log: Log | undefined, file: string, change: Put | undefined): string[] {
  if (change === undefined || change.after === null || change.after.kind === "directory") return [];
  if (/(^|\/)package\.json$/.test(file)) return scriptsChanged(log, change).map((name) => `${file} scripts.${name}`);
  return patterns.some((matches) => matches(file)) ? [file] : [];
}

function scriptsChanged(log: Log | undefined, { path, from, before, after }: Put): string[] {
  if (log === undefined) return [];
  const past = new PastFiles([log]);
  const old = scriptsIn(past, from ?? path, before, 0);
  const scripts = scriptsIn(past, path, after, donePuts(log).length);
  return Object.keys(scripts).filter((name) => JSON.stringify(scripts[name]) !== JSON.stringify(old[name]));
}

/** Returns none if the file is not there, too large or not JSON. */
function scriptsIn(past: PastFiles, path: string, state: State | null, step: number): Record<string, unknown> {
  if (state?.kind !== "file" || state.size > MAX_SIZE) return {};
  const text = past.find(path, state, step)?.toString() ?? "";
  return tryOr(() => Object((JSON.parse(text) as { scripts?: unknown }).scripts) as Record<string, unknown>, {});
}

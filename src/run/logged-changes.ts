/**
 * What a run has changed, as its log tells: the files, those that run code once the project is used, and the lines. The
 * lines of each action are counted as it runs.
 */
import { relative, sep } from "node:path";
import type { ChangeSet, Put, State } from "../core/change-set.ts";
import { tryOr } from "../core/errors.ts";
import type { ExecutionResult, LineCounts } from "../core/outcome.ts";
import type { AttemptRollback } from "../core/attempt-rollback.ts";
import { readImage } from "../disk/images.ts";
import { unlessSystemError } from "../disk/system-error.ts";
import { RUN_WHEN_USED } from "../guard/default-rules.ts";
import { compose, donePuts, isOfFile, PastFiles } from "../journal/change-set.ts";
import type { Log } from "../journal/log.ts";
import type { Observer, WrittenFile } from "../disk/planned.ts";
import { PathMap } from "../paths/path-segments.ts";
import { compilePattern } from "../paths/glob.ts";
import { countChangedLines } from "../edit/changed-lines.ts";

const patterns = RUN_WHEN_USED.flatMap((pattern) => compilePattern(pattern, "/") ?? []);

/** Bytes of a package.json, to read for its scripts. */
const MAX_SIZE = 2 ** 20;

/**
 * Names the files, and among them those that run code, or instruct an agent, once the project is built, tested or
 * opened.
 */
export function namedFiles(
  log: Log | undefined,
  root: string,
  { changes, modifiedFiles }: RunFootprint,
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

function scriptsChanged(log: Log | undefined, put: Put): string[] {
  if (log === undefined) return [];
  const past = new PastFiles([log]);
  const [old, scripts] = [scriptsIn(put.before, () => past.before(put)), scriptsIn(put.after, () => past.after(put))];
  return Object.keys(scripts).filter((name) => JSON.stringify(scripts[name]) !== JSON.stringify(old[name]));
}

/** Returns none if the file is not there, too large or not JSON. */
function scriptsIn(state: State | null, read: () => Buffer | undefined): Record<string, unknown> {
  const text = sizeOf(state) > MAX_SIZE ? "" : (read()?.toString() ?? "");
  return tryOr(() => Object((JSON.parse(text) as { scripts?: unknown }).scripts) as Record<string, unknown>, {});
}

/** Bytes of files, before and after, to read for a count. */
const MAX_COUNTED_BYTES = 4 * 2 ** 20;

/** Never throws: the run is over, and the counts are only shown. */
export function linesOfRun(log: Log | undefined): LineCounts | undefined {
  return tryOr(() => log && countLines(log), undefined);
}

/**
 * Counts the lines that a run has just added and removed, as `loaf diff` shows them. Undefined if that would take long,
 * or if a file has changed since. Counting them for `loaf log` would read the pre-images of every run.
 */
function countLines(log: Log): LineCounts | undefined {
  const past = new PastFiles([log]);
  const changes = past.changes.filter(hasOtherBytes);
  if (changes.reduce((sum, { before, after }) => sum + sizeOf(before) + sizeOf(after), 0) > MAX_COUNTED_BYTES)
    return undefined;
  const versions = changes.map((put) => ({ put, before: past.before(put), after: past.after(put) }));
  const isLost = (state: State | null, bytes: Buffer | undefined) => state?.kind === "file" && bytes === undefined;
  const isPart = versions.some(({ put, before, after }) => isLost(put.before, before) || isLost(put.after, after));
  return isPart ? undefined : countChangedLines(versions);
}

function hasOtherBytes({ before, after }: Put): boolean {
  return before?.kind !== "file" || after?.kind !== "file" || before.sha256 !== after.sha256;
}

function sizeOf(state: State | null): number {
  return state?.kind === "file" ? state.size : 0;
}

/** The net changes of a run, by its actions, commands and hooks, as recorded in its log. */
export interface RunFootprint {
  /** State before and after the run, with digests and modes. Sorted by absolute path. */
  readonly changes: ChangeSet;
  /**
   * Files changed by actions and commands, without those that only hooks changed. Relative to the root, in the order of
   * the first change.
   */
  readonly modifiedFiles: readonly string[];
}

/** Remembers in which order the actions of a run first touched paths. */
export class TouchedPaths implements Observer {
  readonly #places = new PathMap<number>();

  written(path: string): void {
    if (!this.#places.has(path)) this.#places.set(path, this.#places.size);
  }

  removed(path: string): void {
    this.written(path);
  }

  moved(from: string, to: string): void {
    this.written(from);
    this.written(to);
  }

  /** Returns the place of a path, or of the directory that moved with it. What no action touched comes last. */
  placeOf(path: string): number {
    return this.#places.get(this.#places.nearest(path) ?? "") ?? Number.MAX_SAFE_INTEGER;
  }
}

/** @param log undefined for a run that changed nothing */
export function footprintOf(log: Log | undefined, root: string, touched: TouchedPaths): RunFootprint {
  const done = log === undefined ? [] : donePuts(log);
  const changes = compose(done);
  const byActions = done.filter(({ authors }) => authors.some((author) => author > 0));
  const isChanged = new Set(filesOf(changes));
  const modified = filesOf(byActions.length === done.length ? changes : compose(byActions)).filter((path) =>
    isChanged.has(path),
  );
  const modifiedFiles = modified
    .toSorted((left, right) => touched.placeOf(left) - touched.placeOf(right))
    .map((path) => relative(root, path).split(sep).join("/"));
  return { changes, modifiedFiles };
}

function filesOf(changes: ChangeSet): string[] {
  return [
    ...new Set(changes.filter(isOfFile).flatMap(({ path, from }) => (from === undefined ? [path] : [from, path]))),
  ];
}

/**
 * Returns a file's pre-image from before an action's command, taken from the run's log. Undefined where the log has
 * none.
 */
export function bytesBeforeCommand(log: Log | undefined, path: string, author: number): Buffer | undefined {
  if (log === undefined) return undefined;
  const step = donePuts(log).find(
    (put) => put.path === path && !put.isRename && put.after?.kind === "file" && put.authors.includes(author),
  );
  return step && new PastFiles([log]).before({ path, before: step.before });
}

/** Bytes of a file to compare with its former content. */
const MAX_COMPARED = 2 ** 20;

interface File {
  readonly before: Buffer | undefined;
  readonly after: Buffer | undefined;
}

/** Counts the lines that each action changes, while somebody watches. Lines of a file that only moves do not count. */
export class LineTally implements Observer {
  readonly #undo: AttemptRollback;
  /** By path. Undefined for a file too large to compare. */
  #files: Map<string, File | undefined> | undefined;

  constructor(undo: AttemptRollback) {
    this.#undo = undo;
  }

  /** Starts a new action. */
  begin(): void {
    this.#files = new Map();
  }

  written(path: string, { content, before }: WrittenFile): void {
    this.#note(path, before, () =>
      content.length > MAX_COMPARED ? null : Buffer.isBuffer(content) ? content : readImage(content),
    );
  }

  removed(path: string, before: WrittenFile["before"]): void {
    this.#note(path, before, () => undefined);
  }

  moved(_: string, to: string, replaced: WrittenFile["before"]): void {
    const bytes = this.#files && unlessSystemError(replaced, undefined);
    if (bytes !== undefined)
      this.#note(
        to,
        () => bytes,
        () => undefined,
      );
  }

  /**
   * Returns the counts of the last action and forgets them. Undefined if it changed no file, or a file is too large.
   */
  take(): LineCounts | undefined {
    const files = this.#files;
    this.#files = undefined;
    if (files === undefined || files.size === 0) return undefined;
    const known = [...files.values()].filter((file) => file !== undefined);
    return known.length < files.size ? undefined : countChangedLines(known);
  }

  /** @param after null if it is too large */
  #note(path: string, before: WrittenFile["before"], after: () => Buffer | undefined | null): void {
    const files = this.#files;
    if (files === undefined) return;
    const [known, earlier] = [files.has(path), files.get(path)];
    this.#undo.note(() => (known ? files.set(path, earlier) : files.delete(path)));
    const [old, now] = unlessSystemError(() => [known ? earlier?.before : before(), after()], [undefined, null]);
    const isTooLarge = now === null || (old?.length ?? 0) > MAX_COMPARED || (known && earlier === undefined);
    files.set(path, isTooLarge ? undefined : { before: old, after: now });
  }
}

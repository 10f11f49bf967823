import { hash } from "node:crypto";
import { dirname } from "node:path";
import {
  type DirectoryState,
  type FileState,
  type ImagePlace,
  isSame,
  type Owner,
  type Put,
} from "../core/change-set.ts";
import { readImage } from "../disk/images.ts";
import { look } from "../disk/look.ts";
import { type Basis, type Operation, operationKey, pathsOf, type Staged, timesTouched } from "../disk/operation.ts";
import type { Pins } from "../disk/pin.ts";
import { unlessSystemError } from "../disk/system-error.ts";
import { mergeBytes } from "../edit/merge.ts";
import { isWithin } from "../paths/path-segments.ts";
import type { IntentRecord, LoggedOutcome } from "./log-record.ts";
import { compose } from "./change-set.ts";
import { type DoneOperation, doneOperations, type Log } from "./read-log.ts";

/**
 * Returns the operations that undo a run, last one first. Each expects the state that the run left, with mode and
 * bytes. `commit` refuses it and its dependents if the state differs.
 */
export function inverseOf(log: Log): Staged[] {
  return inverses(doneOperations(log), log.file);
}

/** @param file the log's path */
export function inverses(done: readonly DoneOperation[], file: string): Staged[] {
  const staged = done
    .toReversed()
    .flatMap(({ intent, outcome }) =>
      inverse(intent, outcome, file).map((operation) => ({ operation, authors: intent.authors })),
    );
  const touches = timesTouched(staged.map(({ operation }) => operation));
  // If a path changed several times, an intermediate state must not count as already restored. For a directory's
  // removal, absence is always enough.
  return staged.map((one) => ({
    ...one,
    isRepeatable:
      one.operation.kind === "removeDirectory" || pathsOf(one.operation).every((path) => touches.get(path) === 1),
  }));
}

function inverse(
  { operation, before, moved, after }: IntentRecord,
  { mode }: LoggedOutcome,
  file: string,
): Operation[] {
  switch (operation.kind) {
    case "write":
      return [
        restore(
          operation.path,
          before,
          { kind: "file", ...(after ?? NO_CONTENT), ...(mode !== undefined && { mode }) },
          file,
        ),
      ];
    case "link":
      return [restore(operation.path, before, { kind: "link", target: operation.target }, file)];
    case "unlink":
    case "removeDirectory":
      return [restore(operation.path, before, null, file)];
    case "rename":
      return [
        { kind: "rename", from: operation.to, to: operation.from, replaced: null, basis: moved ?? null },
        ...(before === null ? [] : [restore(operation.to, before, null, file)]),
      ];
    case "makeDirectory":
      return [{ kind: "removeDirectory", path: operation.path }];
  }
}

/** For a log that was tampered with: reading from it fails the digest check. */
const NO_CONTENT = { size: 0, sha256: "" };
const NO_IMAGE = { offset: 0, length: 0 };

/** @param basis the expected current state */
function restore(path: string, before: IntentRecord["before"], basis: Basis, log: string): Operation {
  if (before === null) return { kind: "unlink", path, basis };
  switch (before.kind) {
    case "file": {
      const { image = NO_IMAGE, sha256 } = before;
      return { kind: "write", path, content: { log, sha256, ...image }, basis, ...keptOf(before) };
    }
    case "link":
      return { kind: "link", path, target: before.target, basis };
    case "directory":
      return { kind: "makeDirectory", path, ...keptOf(before) };
  }
}

function keptOf({ mode, uid, gid }: FileState | DirectoryState): { readonly mode?: number; readonly owner?: Owner } {
  return {
    ...(mode !== undefined && { mode }),
    ...(uid !== undefined && gid !== undefined && { owner: { uid, gid } }),
  };
}

/**
 * Adds operations that make missing parent directories before each operation that restores something. A user may have
 * removed them, or a command that emptied them, and no log records that.
 */
export function withMissingFolders(staged: readonly Staged[], pins: Pins): Staged[] {
  const folders = new KnownDirectories(pins);
  return staged.flatMap((one) => {
    const { operation, authors } = one;
    const place = restoredPathOf(operation);
    const missing = place === undefined ? [] : folders.missingAbove(place);
    for (const path of missing) folders.note(path, true);
    if (operation.kind === "unlink" || operation.kind === "removeDirectory") folders.note(operation.path, false);
    if (operation.kind === "makeDirectory") folders.note(operation.path, true);
    if (operation.kind === "rename") {
      folders.note(operation.from, false);
      folders.note(operation.to, true);
    }
    return [...missing.map((path) => ({ operation: { kind: "makeDirectory", path } as const, authors })), one];
  });
}

/** Returns the path that an operation restores, where nothing should exist yet. */
function restoredPathOf(operation: Operation): string | undefined {
  if (operation.kind === "rename") return operation.replaced === null ? operation.to : undefined;
  if (operation.kind === "makeDirectory") return operation.path;
  return (operation.kind === "write" || operation.kind === "link") && operation.basis === null
    ? operation.path
    : undefined;
}

/** Tracks which directories will exist. */
class KnownDirectories {
  readonly #pins: Pins;
  readonly #known = new Map<string, boolean>();

  constructor(pins: Pins) {
    this.#pins = pins;
  }

  /** @param isThere false also for a file in the place of a directory; it is removed before the directory is needed */
  note(path: string, isThere: boolean): void {
    this.#known.set(path, isThere);
  }

  /** Returns the missing ones, outermost first. */
  missingAbove(path: string): string[] {
    const directory = dirname(path);
    return directory === path || this.#isThere(directory) ? [] : [...this.missingAbove(directory), directory];
  }

  #isThere(path: string): boolean {
    const known = this.#known.get(path) ?? look(this.#pins, path)?.state.kind === "directory";
    this.#known.set(path, known);
    return known;
  }
}

export interface Merged {
  /** The operations that undo the run, writing merged files instead of pre-images. */
  readonly staged: readonly Staged[];
  /** Current paths of the merged files. */
  readonly paths: ReadonlySet<string>;
}

/**
 * Replaces operations of a run's inverse that restore text files edited since. Skips a file if both sides changed the
 * same lines or permissions; its inverse is then refused.
 *
 * @param undone operations that an interrupted undo of the run has made already
 */
export function mergeEdits(log: Log, undone: readonly DoneOperation[], pins: Pins): Merged {
  const done = doneOperations(log);
  const contents = contentsIn(done, log.file);
  const read: ReadEdited = (place, change) => readEdited(place, change, { contents, pins });
  const paths = new Set<string>();
  let staged: Steps = inverseOf(log);
  for (const change of compose(done)) {
    const merged = isEdited(change, undone, pins) ? mergeFile(change, staged, undone, read) : undefined;
    if (merged === undefined) continue;
    staged = merged.staged;
    paths.add(merged.place);
  }
  return { staged: staged.filter((one) => one !== undefined), paths };
}

/** An operation that a merge makes unnecessary becomes undefined. */
type Steps = ReadonlyArray<Staged | undefined>;

/** Returns whether a file may need a merge, before the costlier walk through the operations. */
function isEdited({ path, before, after }: Put, undone: readonly DoneOperation[], pins: Pins): boolean {
  if (before?.kind !== "file" || after?.kind !== "file") return false;
  const found = undone.length > 0 ? undefined : look(pins, path)?.state;
  return undone.length > 0 || (found?.kind === "file" && !isSame(found, after) && !isSame(found, before));
}

/** Reads the content of a file before or after the run. Undefined if the log does not have it or is damaged. */
type Contents = (sha256: string) => Buffer | undefined;

function contentsIn(done: readonly DoneOperation[], log: string): Contents {
  const images = new Map<string, ImagePlace>();
  for (const { intent } of done) {
    for (const state of [intent.before, intent.after])
      if (state && "sha256" in state && state.image !== undefined) images.set(state.sha256, state.image);
  }
  return (sha256) => {
    const image = images.get(sha256);
    return image && unlessSystemError(() => readImage({ log, sha256, ...image }), undefined);
  };
}

/**
 * Follows one file through the inverse operations, from its current path to its original one. The first that would
 * restore its content writes the merge, later ones are dropped, and moves expect the edited file. Returns undefined if
 * there is nothing to merge or the merge conflicts.
 */
function mergeFile(
  { path, from, before, after }: Put,
  staged: Steps,
  undone: readonly DoneOperation[],
  read: ReadEdited,
): { readonly staged: Steps; readonly place: string } | undefined {
  const steps = [...staged];
  const left = [...undone];
  let at = path;
  let file: EditedFile | undefined;
  let isWritten = false;
  for (const [index, one] of staged.entries()) {
    if (one === undefined) continue;
    const { operation } = one;
    const past = takeFirst(left, ({ intent }) => operationKey(intent.operation) === operationKey(operation));
    if (operation.kind === "rename" && operation.to === at) return undefined;
    if (operation.kind === "rename" ? !isWithin(at, operation.from) : operation.path !== at) continue;
    if (past === undefined) file ??= read(at, { before, after });
    if (past === undefined && file === undefined) return undefined;
    if (operation.kind === "rename") {
      if (file !== undefined && operation.from === at)
        steps[index] = { ...one, operation: { ...operation, basis: file.state } };
      at = operation.to + at.slice(operation.from.length);
    } else if (past?.intent.isMerged === true && past.intent.after !== undefined) {
      // An interrupted undo has written the merge already.
      file = { place: at, state: { kind: "file", ...past.intent.after, ...past.outcome } };
      isWritten = true;
    } else if (past !== undefined || operation.kind === "makeDirectory" || operation.kind === "removeDirectory") {
      return undefined;
    } else {
      steps[index] = isWritten ? undefined : writeMerged(one, at, file as EditedFile);
      file = { ...(file as EditedFile), state: file?.merged?.state ?? (file as EditedFile).state };
      isWritten = true;
    }
  }
  const isBack = at === (from ?? path) && (isWritten || file?.merged === undefined);
  return file === undefined || !isBack ? undefined : { staged: steps, place: file.place };
}

interface EditedFile {
  /** Its current path. */
  readonly place: string;
  /** Its state when the next operation is made. */
  readonly state: FileState;
  /** The content to write. Undefined if the file has it already. */
  readonly merged?: { readonly bytes: Buffer; readonly state: FileState } | undefined;
}

type Sides = Pick<Put, "before" | "after">;
type ReadEdited = (place: string, sides: Sides) => EditedFile | undefined;

/** Returns undefined if the user has not edited the file, or the merge conflicts. */
function readEdited(
  place: string,
  { before, after }: Sides,
  { contents, pins }: { readonly contents: Contents; readonly pins: Pins },
): EditedFile | undefined {
  const { state, bytes } = look(pins, place) ?? {};
  if (
    before?.kind !== "file" ||
    after?.kind !== "file" ||
    state?.kind !== "file" ||
    isSame(state, after) ||
    isSame(state, before)
  )
    return undefined;
  const mode = mergeModes(after.mode, state.mode, before.mode);
  const content =
    before.sha256 === after.sha256 ? bytes : mergeContents(contents(after.sha256), bytes, contents(before.sha256));
  if (mode === "conflict" || content === undefined) return undefined;
  const merged: FileState = {
    kind: "file",
    size: content.length,
    sha256: hash("sha256", content, "hex"),
    ...(mode !== undefined && { mode }),
  };
  return { place, state, merged: isSame(state, merged) ? undefined : { bytes: content, state: merged } };
}

function mergeContents(
  base: Buffer | undefined,
  ours: Buffer | undefined,
  theirs: Buffer | undefined,
): Buffer | undefined {
  return base && ours && theirs && mergeBytes(base, ours, theirs);
}

function mergeModes(
  base: number | undefined,
  ours: number | undefined,
  theirs: number | undefined,
): number | "conflict" | undefined {
  if (base === undefined || theirs === undefined || theirs === base) return ours;
  return ours === base || ours === theirs ? theirs : "conflict";
}

/** Returns undefined if nothing is to be written. */
function writeMerged({ operation, ...rest }: Staged, path: string, { state, merged }: EditedFile): Staged | undefined {
  if (merged === undefined) return undefined;
  const {
    bytes,
    state: { mode },
  } = merged;
  const owner = operation.kind === "write" ? operation.owner : undefined;
  return {
    ...rest,
    operation: {
      kind: "write",
      path,
      content: bytes,
      basis: state,
      ...(mode !== undefined && { mode }),
      ...(owner && { owner }),
    },
    isMerged: true,
  };
}

function takeFirst<Item>(items: Item[], isWanted: (item: Item) => boolean): Item | undefined {
  const index = items.findIndex(isWanted);
  return index === -1 ? undefined : items.splice(index, 1)[0];
}

/** Change sets as values: in the order in which they can be made, composed, and taken back. And past contents. */
import { basename, dirname } from "node:path";
import { type ChangeSet, type FileBytes, isChange, isSame, type Put, type State } from "../core/change-set.ts";
import { DAMAGED, readImage, readImageInPieces } from "../disk/images.ts";
import { look } from "../disk/look.ts";
import type { Image, Planned, Wanted } from "../disk/planned.ts";
import { unlessSystemError } from "../disk/system-error.ts";
import type { Log, LoggedGroup, PutRecord } from "./log.ts";

/** A change with its position in the plan. */
export interface Numbered extends Planned {
  readonly position: number;
}

export interface StagedPut {
  readonly put: Numbered;
  /** The path that the entry is renamed from, made together with it. */
  readonly source?: Numbered;
}

/**
 * Splits a plan so that no path changes between a directory and something else at once: after a crash, a look at a path
 * then tells whether its put was made. What becomes a directory is removed first, and what was one is made last, once
 * everything has moved out of it. Each set is in an order in which it can be made.
 */
export function stages(all: readonly Numbered[]): StagedPut[][] {
  const places = new Map(all.map((change) => [change.path, change]));
  const renamed = new Set(all.flatMap(({ after }) => (after?.kind === "moved" ? [after.origin] : [])));
  const removed = (change: Numbered): Numbered => {
    const { from: _, ...unmoved } = change;
    return { ...unmoved, after: null };
  };
  const made = (change: Numbered): Numbered => ({ ...change, basis: null });
  const turning = all.filter(isTurning);
  const toDirectory = turning.filter(({ after }) => after?.kind === "directory");
  const fromDirectory = turning.filter(({ after }) => after?.kind !== "directory");
  const others = turning.length === 0 ? all : all.filter((change) => !isTurning(change));
  return [
    toDirectory.map(removed),
    [...others, ...toDirectory.map(made), ...fromDirectory.map(removed)],
    fromDirectory.map(made),
  ]
    .filter((stage) => stage.length > 0)
    .map((stage) =>
      inOrder(stage)
        .filter(({ after, path }) => after !== null || !renamed.has(path))
        .map((put): StagedPut => {
          const source = put.after?.kind === "moved" ? places.get(put.after.origin) : undefined;
          return { put, ...(source !== undefined && { source }) };
        }),
    );
}

/** Returns whether a path changes between a directory and something else. */
export function isTurning({ basis, after }: Pick<Planned, "basis"> & { readonly after: Kind | null }): boolean {
  return basis !== null && after !== null && isDirectory(basis) !== (after.kind === "directory");
}

interface Kind {
  readonly kind: string;
}

export function isDirectory(basis: Planned["basis"]): boolean {
  return typeof basis === "object" && basis?.kind === "directory";
}

/** What goes, then directories, then files, then what was copied away, then directories that go. */
function inOrder(stage: readonly Numbered[]): Numbered[] {
  const sources = new Set(stage.flatMap(({ from }) => from ?? []));
  const byPath = stage.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const gone = byPath.filter(({ after }) => after === null);
  return [
    ...gone.filter(({ basis, path }) => !isDirectory(basis) && !sources.has(path)),
    ...byPath.filter(({ after }) => after?.kind === "directory"),
    ...byPath.filter(({ after }) => after !== null && after.kind !== "directory"),
    ...gone.filter(({ basis, path }) => !isDirectory(basis) && sources.has(path)),
    ...gone.filter(({ basis }) => isDirectory(basis)).toReversed(),
  ];
}

/**
 * Returns the net change of each path, sorted by path, without paths that end as they began. `from` is the path that
 * the entry had before, even if it replaced another one.
 */
export function netOf(puts: readonly DonePut[]): ChangeSet {
  const net = new Map<string, Put>();
  /** Where the entry at a path came from, if the run has moved it. */
  const origins = new Map<string, string | undefined>();
  let group: unknown;
  /** As it was before the group, whose puts all start from there. */
  let earlier = new Map(origins);
  const arrived = new Set<string>();
  for (const { path, from, before, after, group: ofPut } of puts) {
    net.set(path, { path, before: net.has(path) ? (net.get(path)?.before ?? null) : before, after });
    if (from === undefined) continue;
    if (ofPut === undefined || ofPut !== group) {
      [group, earlier] = [ofPut, new Map(origins)];
      arrived.clear();
    }
    origins.set(path, earlier.has(from) ? earlier.get(from) : from);
    arrived.add(path);
    if (!arrived.has(from)) origins.set(from, undefined);
  }
  return [...net.values()]
    .filter(({ before, after }) => !isSame(before, after))
    .map((change): Put => {
      const origin = origins.get(change.path);
      const old = net.get(origin ?? "")?.before ?? null;
      const isMoved =
        old !== null && origin !== change.path && (old.kind === "directory") === (change.after?.kind === "directory");
      return isMoved && origin !== undefined && change.after !== null ? { ...change, from: origin } : change;
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** A path that a run changed, with the mode that a new file was given. */
export interface DonePut extends PutRecord {
  /** Equal for the puts of one group. */
  readonly group?: unknown;
}

/** Returns what a run changed and took back, in order. Skips an interrupted group: run recovery first. */
export function donePuts(log: Pick<Log, "groups">): DonePut[] {
  return log.groups.filter(({ isDropped }) => !isDropped).flatMap(donePutsIn);
}

export function donePutsIn({ puts, outcomes = [] }: Pick<LoggedGroup, "puts" | "outcomes">): DonePut[] {
  return puts.flatMap((put, index): DonePut[] => {
    const outcome = outcomes[index];
    if (outcome === undefined || outcome.failure !== undefined) return [];
    const { authors, from } = put;
    const after = withMode(put, outcome.mode);
    if (from === undefined) return after === put.after ? [put] : [{ ...put, after }];
    const done = { ...put, after, group: puts };
    return put.isRename ? [done, { type: "put", path: from, authors, before: put.after, after: null }] : [done];
  });
}

/** A file has the mode that it was written with, or that of the file it replaced. */
function withMode({ before, after }: PutRecord, written: number | undefined): State | null {
  if (after?.kind !== "file") return after;
  const mode = written ?? after.mode ?? (before?.kind === "file" ? before.mode : undefined);
  return mode === after.mode ? after : { ...after, ...(mode !== undefined && { mode }) };
}

/** Returns whether a run has changed something and not taken back all of it. */
export function hasChanges(log: Pick<Log, "groups">): boolean {
  const done = donePuts(log);
  return log.groups.some(({ isRollback }) => isRollback) ? netOf(done).length > 0 : done.length > 0;
}

/** Returns the net changes as a user sees them: a moved directory is one change, without the files that moved with it. */
export function compose(puts: readonly DonePut[]): ChangeSet {
  const files = composeFiles(puts);
  const directories = new Map(
    files.flatMap(({ path, from, after }) => (after?.kind === "directory" ? [[path, from]] : [])),
  );
  return files.filter((change) => !isSame(change.before, change.after) || !movedWithDirectory(change, directories));
}

/** @param moved old paths of moved directories, by their new ones */
export function movedWithDirectory(
  { path, from }: { readonly path: string; readonly from?: string | undefined },
  moved: ReadonlyMap<string, string | undefined>,
): boolean {
  return from !== undefined && moved.get(dirname(path)) === dirname(from) && basename(path) === basename(from);
}

/** Returns the net changes, where a move to a free path is one change, with the state of the old path. */
export function composeFiles(puts: readonly DonePut[]): ChangeSet {
  const net = netOf(puts);
  const places = new Map(net.map((change) => [change.path, change]));
  const moved = new Map(
    net.flatMap(({ path, from, before }) => (from !== undefined && before === null ? [[path, from] as const] : [])),
  );
  const sources = new Set(moved.values());
  return net
    .map(({ path, before, after }): Put => {
      const from = moved.get(path);
      if (from !== undefined) return { path, from, before: places.get(from)?.before ?? null, after };
      return { path, before: sources.has(path) ? null : before, after };
    })
    .filter(isChange);
}

/** Returns whether a change concerns a file or link. A moved directory counts, because its files moved. */
export function isOfFile({ before, after, from }: Put): boolean {
  return from !== undefined || [before, after].some((state) => state !== null && state.kind !== "directory");
}

/** Where a log keeps the contents of files, by their digests. */
export type Images = ReadonlyMap<string, Image>;

/** @param log its path */
export function imagesIn(puts: readonly DonePut[], log: string): Images {
  const images = new Map<string, Image>();
  for (const { before, after } of puts)
    for (const state of [before, after])
      if (state && "sha256" in state && state.image !== undefined)
        images.set(state.sha256, { log, sha256: state.sha256, ...state.image });
  return images;
}

/**
 * Returns the changes that restore what was before. Each expects the state that the run left, with mode and bytes: it
 * is refused if that differs.
 */
export function inverse(net: ChangeSet, images: Images): Planned[] {
  const movedTo = new Map(net.flatMap((change) => (change.from === undefined ? [] : [[change.from, change] as const])));
  const holders = new Map(
    net.flatMap((change) => (change.after?.kind === "file" ? [[change.after.sha256, change] as const] : [])),
  );
  return net.map(({ path, before, after }): Planned => {
    const planned = { path, basis: after, authors: [] };
    if (before?.kind === "directory") {
      const from = after === null ? movedTo.get(path)?.path : undefined;
      return { ...planned, ...(from !== undefined && { from }), after: before };
    }
    const moved = movedTo.get(path);
    if (before === null || (moved === undefined && before.kind === "link"))
      return { ...planned, after: before && wanted(before, images) };
    if (moved !== undefined && after === null && moved.before === null && isSame(moved.after, before))
      return { ...planned, from: moved.path, after: { kind: "moved", origin: moved.path } };
    const holder = before.kind === "file" && !images.has(before.sha256) ? holders.get(before.sha256) : undefined;
    const from = (holder ?? moved)?.path;
    const contents = holder === undefined ? images : new Map([[copyAt(holder).sha256, copyAt(holder)]]);
    return { ...planned, ...(from !== undefined && { from }), after: wanted(before, contents) };
  });
}

/** Returns the content at a path, which is there until the last change is made. */
function copyAt({ path, after }: Put): Image {
  const { size = 0, sha256 = "" } = after?.kind === "file" ? after : {};
  return { log: path, offset: 0, length: size, sha256 };
}

function wanted(state: State, images: Images): Wanted {
  if (state.kind !== "file") return state;
  const { sha256 } = state;
  // A log without it was tampered with: reading from it fails.
  return { ...state, content: images.get(sha256) ?? { log: "", offset: 0, length: 0, sha256 } };
}

/**
 * Adds the missing parents of what is restored. A user may have removed them, or a command that emptied them, and no
 * log records that.
 */
export function withMissingFolders(planned: readonly Planned[]): Planned[] {
  const known = new Map(planned.map(({ path, after }) => [path, after?.kind === "directory"]));
  const bases = new Map(planned.map(({ path, basis }) => [path, basis]));
  const missing = new Map<string, Planned>();
  for (const { path, after, authors } of planned) {
    if (after === null) continue;
    for (let at = dirname(path); at !== dirname(at); at = dirname(at)) {
      const isThere = known.get(at) ?? look(at)?.state.kind === "directory";
      const basis = bases.get(at) ?? null;
      if (!isThere) missing.set(at, { path: at, basis, after: { kind: "directory" }, authors, isImplied: true });
      if (isThere || known.has(at)) break;
      known.set(at, true);
    }
  }
  return [...missing.values(), ...planned.filter(({ path }) => !missing.has(path))];
}

/**
 * Finds the content of files before the first of some logs, and after it. A log has what was destroyed since; the rest
 * is still on the disk, perhaps at another path.
 */
export class PastFiles {
  readonly #first: readonly DonePut[];
  readonly #images: Images;
  /** Where the logs left each content last, by its digest. */
  readonly #places: ReadonlyMap<string, string>;

  /** @param logs in order, without gaps up to the newest */
  constructor(logs: readonly Log[]) {
    const done = logs.map(donePuts);
    this.#first = done[0] ?? [];
    this.#images = new Map(logs.flatMap(({ file }, index) => [...imagesIn(done[index] ?? [], file)]));
    const left = done
      .flat()
      .flatMap(({ path, after }) => (after?.kind === "file" ? [[after.sha256, path] as const] : []));
    this.#places = new Map(left);
  }

  /** Net changes of the first log, as a user sees them. */
  get changes(): ChangeSet {
    return compose(this.#first);
  }

  /** Returns the bytes of a file before a change of the first log. Undefined for no file, or if they are not kept. */
  before({ path, from = path, before }: Pick<Put, "path" | "from" | "before">): Buffer | undefined {
    return this.#find(from, before);
  }

  /** The same after that log. */
  after({ path, after }: Pick<Put, "path" | "after">): Buffer | undefined {
    return this.#find(path, after);
  }

  /**
   * Like `before`, but passes the bytes on in pieces, whatever the size. Returns false if they are not kept; then the
   * pieces are incomplete. Rethrows errors of `take`.
   */
  read(path: string, content: FileBytes, take: (piece: Buffer) => void): boolean {
    const [image] = this.#copies(path, content);
    return unlessSystemError(() => (readImageInPieces(image, take), true), false, UNREADABLE);
  }

  #find(path: string, state: State | null): Buffer | undefined {
    if (state?.kind !== "file") return undefined;
    const read = (image: Image): Buffer | undefined => unlessSystemError(() => readImage(image), undefined);
    const [likely, other] = this.#copies(path, state);
    return read(likely) ?? read(other);
  }

  /** Returns where the content of a file may be: the likely place first. */
  #copies(path: string, { size, sha256 }: FileBytes): readonly [Image, Image] {
    const at = (log: string): Image => ({ log, offset: 0, length: size, sha256 });
    return [this.#images.get(sha256) ?? at(this.#places.get(sha256) ?? path), at(path)];
  }
}

/** Errors of the caller that takes the pieces, such as a full disk, are not among them. */
const UNREADABLE = ["EACCES", "EISDIR", "ELOOP", "ENOENT", "ENOTDIR", "ENXIO", DAMAGED];

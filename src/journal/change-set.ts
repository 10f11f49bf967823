/** What a run changed in the end, from the operations in its log. */
import { basename, dirname } from "node:path";
import {
  type ChangeSet,
  type FileState,
  isChange,
  isSame,
  type ImagePlace,
  type Put,
  type State,
} from "../core/change-set.ts";
import type { Image, Planned, Wanted } from "../disk/operation.ts";
import type { IntentRecord, LoggedOutcome } from "./log-record.ts";
import type { DoneOperation } from "./read-log.ts";

/**
 * Returns the net change of each path, sorted by path, without paths that end as they began. `from` is the path that
 * the entry had before, even if it replaced another one.
 */
export function netOf(operations: readonly DoneOperation[]): ChangeSet {
  const net = new Map<string, Put>();
  const put = (path: string, before: State | null, after: State | null): void =>
    void net.set(path, { path, before: net.has(path) ? (net.get(path)?.before ?? null) : before, after });
  /** Where the entry at a path came from, if the run has moved it. */
  const origins = new Map<string, string | undefined>();
  let group: unknown;
  /** As it was before the group, whose operations all start from there. */
  let before = new Map(origins);
  const arrived = new Set<string>();
  const move = (from: string, to: string): void => {
    origins.set(to, before.has(from) ? before.get(from) : from);
    arrived.add(to);
    if (!arrived.has(from)) origins.set(from, undefined);
  };
  for (const { intent, outcome, group: own } of operations) {
    const { operation } = intent;
    const isMove = operation.kind === "rename" || "source" in operation;
    if (isMove && (own === undefined || own !== group)) {
      [group, before] = [own, new Map(origins)];
      arrived.clear();
    }
    if (operation.kind !== "rename") {
      put(operation.path, intent.before, stateAfter(intent, outcome));
      if ("source" in operation && operation.source !== undefined) move(operation.source, operation.path);
    } else {
      put(operation.to, intent.before, intent.moved ?? null);
      put(operation.from, intent.moved ?? null, null);
      move(operation.from, operation.to);
    }
  }
  return [...net.values()]
    .filter(({ before, after }) => !isSame(before, after))
    .map((one): Put => {
      const origin = origins.get(one.path);
      const old = net.get(origin ?? "")?.before ?? null;
      const isMoved =
        old !== null && origin !== one.path && (old.kind === "directory") === (one.after?.kind === "directory");
      return isMoved && origin !== undefined && one.after !== null ? { ...one, from: origin } : one;
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Returns the net changes as a user sees them: a moved directory is one change, without the files that moved with it. */
export function compose(operations: readonly DoneOperation[]): ChangeSet {
  const files = composeFiles(operations);
  const directories = new Map(
    files.flatMap(({ path, from, after }) => (after?.kind === "directory" ? [[path, from]] : [])),
  );
  return files.filter((one) => !isSame(one.before, one.after) || !movedWithDirectory(one, directories));
}

/** @param moved old paths of moved directories, by their new ones */
export function movedWithDirectory(
  { path, from }: { readonly path: string; readonly from?: string | undefined },
  moved: ReadonlyMap<string, string | undefined>,
): boolean {
  return from !== undefined && moved.get(dirname(path)) === dirname(from) && basename(path) === basename(from);
}

/** Returns the net changes, where a move to a free path is one change, with the state of the old path. */
export function composeFiles(operations: readonly DoneOperation[]): ChangeSet {
  const net = netOf(operations);
  const places = new Map(net.map((one) => [one.path, one]));
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

function stateAfter({ operation, before, after }: IntentRecord, { mode }: LoggedOutcome): State | null {
  switch (operation.kind) {
    case "write":
      return after === undefined ? null : { kind: "file", ...after, ...modeOf(mode, before) };
    case "link":
      return { kind: "link", target: operation.target };
    case "makeDirectory":
      return { kind: "directory" };
    default:
      return null;
  }
}

/** Returns the mode that a file was written with, or that of the file it replaced. */
function modeOf(written: number | undefined, before: State | null): Pick<FileState, "mode"> {
  const mode = written ?? (before?.kind === "file" ? before.mode : undefined);
  return mode === undefined ? {} : { mode };
}

/** Where a log keeps the contents of files, by their digests. */
export type Images = ReadonlyMap<string, Image>;

/** @param log its path */
export function imagesIn(operations: readonly DoneOperation[], log: string): Images {
  const images = new Map<string, Image>();
  for (const {
    intent: { before, after },
  } of operations)
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
  const movedTo = new Map(net.flatMap((one) => (one.from === undefined ? [] : [[one.from, one] as const])));
  const holders = new Map(net.flatMap((one) => (one.after?.kind === "file" ? [[one.after.sha256, one] as const] : [])));
  return net.map(({ path, before, after }): Planned => {
    const planned = { path, basis: after, authors: [] };
    if (before?.kind === "directory") {
      const from = after === null ? movedTo.get(path)?.path : undefined;
      return { ...planned, ...(from !== undefined && { from }), after: { kind: "directory", ...keptOf(before) } };
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
  const content = images.get(state.sha256) ?? { log: "", ...NO_IMAGE, sha256: state.sha256 };
  return { kind: "file", content, ...keptOf(state) };
}

/** For a log that was tampered with: reading from it fails. */
const NO_IMAGE: ImagePlace = { offset: 0, length: 0 };

function keptOf({
  mode,
  uid,
  gid,
}: Exclude<State, { kind: "link" }>): Pick<Wanted & { kind: "file" }, "mode" | "owner"> {
  return {
    ...(mode !== undefined && { mode }),
    ...(uid !== undefined && gid !== undefined && { owner: { uid, gid } }),
  };
}

/** Keeps a user's edits of files that are taken back: a three-way merge. */
import { hash } from "node:crypto";
import { type ChangeSet, type FileState, isSame, type Put } from "../core/change-set.ts";
import { readImage } from "../disk/images.ts";
import { look } from "../disk/look.ts";
import type { Planned } from "../disk/operation.ts";
import type { Pins } from "../disk/pin.ts";
import { unlessSystemError } from "../disk/system-error.ts";
import { mergeBytes } from "../edit/merge.ts";
import type { Images } from "./change-set.ts";

export interface MergeContext {
  readonly net: ChangeSet;
  /** Paths that are neither as before the run nor as after it. */
  readonly edited: ReadonlySet<string>;
  readonly images: Images;
  readonly pins: Pins;
}

export interface Merged {
  readonly planned: readonly Planned[];
  /** Paths of the merged files. */
  readonly merged: ReadonlySet<string>;
}

/** Replaces changes that restore text files edited since. Leaves those whose edits conflict: they will be refused. */
export function mergeEdits(planned: readonly Planned[], { net, edited, images, pins }: MergeContext): Merged {
  const places = new Map(net.map((one) => [one.path, one]));
  const contentOf = ({ sha256 }: FileState): Buffer | undefined => {
    const image = images.get(sha256);
    return image && unlessSystemError(() => readImage(image), undefined);
  };
  const states = new Map<string, FileState>();
  const all = planned.map((one): Planned => {
    const place = one.from ?? one.path;
    const [target, source] = [places.get(one.path), places.get(place)];
    if (!edited.has(place) || (one.from !== undefined && source?.before !== null)) return one;
    const merge = mergeFile(target?.before, source?.after, look(pins, place), contentOf);
    if (merge === undefined) return one;
    states.set(place, merge.found);
    return withMerge(one, merge);
  });
  return {
    planned: all.map((one) => {
      const state = states.get(one.path);
      return state === undefined ? one : { ...one, basis: state };
    }),
    merged: new Set(states.keys()),
  };
}

interface Merge {
  readonly found: FileState;
  readonly bytes: Buffer;
  readonly state: FileState;
}

/** Returns undefined if it is no file, or the merge conflicts. */
function mergeFile(
  before: Put["before"] | undefined,
  after: Put["after"] | undefined,
  found: ReturnType<typeof look>,
  contentOf: (state: FileState) => Buffer | undefined,
): Merge | undefined {
  if (before?.kind !== "file" || after?.kind !== "file" || found?.state.kind !== "file") return undefined;
  const { state, bytes: ours } = found;
  const mode = mergeModes(after.mode, state.mode, before.mode);
  const [base, theirs] = before.sha256 === after.sha256 ? [] : [contentOf(after), contentOf(before)];
  const bytes = before.sha256 === after.sha256 ? ours : base && ours && theirs && mergeBytes(base, ours, theirs);
  if (mode === "conflict" || bytes === undefined) return undefined;
  const merged: FileState = {
    kind: "file",
    size: bytes.length,
    sha256: hash("sha256", bytes, "hex"),
    ...(mode !== undefined && { mode }),
  };
  return { found: state, bytes, state: merged };
}

/** A file that only has to move back is not written. */
function withMerge(planned: Planned, { found, bytes, state }: Merge): Planned {
  if (planned.after?.kind === "moved" && isSame(found, state)) return planned;
  const owner = planned.after?.kind === "file" ? planned.after.owner : undefined;
  const kept = { ...(state.mode !== undefined && { mode: state.mode }), ...(owner && { owner }) };
  return { ...planned, after: { kind: "file", content: bytes, ...kept }, isMerged: true };
}

function mergeModes(
  base: number | undefined,
  ours: number | undefined,
  theirs: number | undefined,
): number | "conflict" | undefined {
  if (base === undefined || theirs === undefined || theirs === base) return ours;
  return ours === base || ours === theirs ? theirs : "conflict";
}

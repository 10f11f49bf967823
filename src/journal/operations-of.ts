import type { Operation, Planned, Staged } from "../disk/operation.ts";

/** An operation, with the positions of the changes that it makes. */
export interface StagedChange extends Staged {
  readonly changes: readonly number[];
}

interface Numbered extends Planned {
  readonly position: number;
}

/**
 * Returns the operations that make changes, in groups and in an order in which they can be made. No path is touched
 * twice in a group: after a crash, a look at the path then tells whether its operation was made.
 */
export function operationsOf(planned: readonly Planned[]): StagedChange[][] {
  const all = planned.map((change, position): Numbered => ({ ...change, position }));
  const places = new Map(all.map((one) => [one.path, one]));
  const renamed = new Set(all.flatMap(({ after }) => (after?.kind === "moved" ? [after.origin] : [])));
  return stages(all).map((stage) =>
    inOrder(stage)
      .filter(({ after, path }) => after !== null || !renamed.has(path))
      .map((one) => stagedFor(one, places)),
  );
}

/**
 * Splits changes so that no path changes between a directory and something else at once. What becomes a directory is
 * removed first, and what was one is made last, once everything has moved out of it.
 */
function stages(all: readonly Numbered[]): Numbered[][] {
  const turning = all.filter(isTurning);
  if (turning.length === 0) return [[...all]];
  const removed = (one: Numbered): Numbered => ({
    path: one.path,
    basis: one.basis,
    after: null,
    authors: one.authors,
    position: one.position,
  });
  const made = (one: Numbered): Numbered => ({ ...one, basis: null });
  const toDirectory = turning.filter(({ after }) => after?.kind === "directory");
  const fromDirectory = turning.filter(({ after }) => after?.kind !== "directory");
  const others = all.filter((one) => !isTurning(one));
  return [
    toDirectory.map(removed),
    [...others, ...toDirectory.map(made), ...fromDirectory.map(removed)],
    fromDirectory.map(made),
  ].filter((stage) => stage.length > 0);
}

/** Returns whether a path changes between a directory and something else. */
export function isTurning({ basis, after }: Planned): boolean {
  return basis !== null && after !== null && isDirectory(basis) !== (after.kind === "directory");
}

function isDirectory(basis: Planned["basis"]): boolean {
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

function stagedFor(one: Numbered, places: ReadonlyMap<string, Numbered>): StagedChange {
  const { after, authors, position } = one;
  const source = after?.kind === "moved" ? places.get(after.origin) : undefined;
  return {
    operation: operationFor(one, source?.basis ?? null),
    authors,
    changes: [position, ...(source === undefined ? [] : [source.position])],
  };
}

function operationFor({ path, from, basis, after }: Numbered, basisOfSource: Planned["basis"]): Operation {
  switch (after?.kind) {
    case undefined:
      return isDirectory(basis) ? { kind: "removeDirectory", path } : { kind: "unlink", path, basis };
    case "file":
      return { ...after, kind: "write", path, basis, ...(from !== undefined && { source: from }) };
    case "moved":
      return { kind: "rename", from: after.origin, to: path, basis: basisOfSource, replaced: basis };
    case "link":
      return { kind: "link", path, target: after.target, basis };
    case "directory":
      return { ...after, kind: "makeDirectory", path, ...(from !== undefined && { source: from }) };
  }
}

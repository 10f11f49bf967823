/** Runs a command on a view of the project and turns its changes into changes of the run. */
import * as fs from "node:fs";
import { join, relative } from "node:path";
import type { Change } from "../../core/change-set.ts";
import { messageOf } from "../../core/errors.ts";
import { Failed, type Failure } from "../../core/failure.ts";
import { AttemptRollback } from "../../core/attempt-rollback.ts";
import { Overlay } from "../../disk/overlay.ts";
import { attempt, isSystemError } from "../../disk/system-error.ts";
import { mayPlace, type PlacedEntry } from "../../guard/placement.ts";
import { asBytes, fromBytes } from "../../paths/names.ts";
import { isWithin, joinPath } from "../../paths/path-segments.ts";
import { readStateFile, writeStateFile } from "../../state/state-file.ts";
import { type CommandSite, mountedRepositories, type ViewedProject } from "../sandbox/confinement.ts";
import { type ClosedPlaces, closedPlaces } from "./closed-places.ts";
import { makeCopyView } from "./copy.ts";
import { land, type Landed, type LandingOptions } from "./land.ts";
import { makeOverlayView } from "./overlay.ts";
import { newViewFolder, removeLayer, setAside } from "./view-folders.ts";
import { type RefusedChange, type View, ViewError, type ViewMaker, type ViewPlace } from "./view.ts";

/** Result of a command on a view, staged on the overlay and not written yet. */
export interface ViewResult<Value> extends Landed {
  readonly value: Value;
  /** Why none of its changes are staged. */
  readonly failure?: Failure;
  /** Call it when the staged bytes are no longer needed. */
  close(): Promise<void>;
}

export interface ViewingOptions {
  readonly overlay: Overlay;
  /** Records the changes of the overlay. */
  readonly undo: AttemptRollback;
  /** Bytes that may be held in memory, so that the view can be closed at once. */
  readonly mostHeld: number;
  /** Leaves nothing in the state folder. */
  readonly isDry: boolean;
  readonly noteBefore?: ((path: string, bytes: Buffer) => void) | undefined;
}

/** Decides on a command's result before it lands. If false, nothing lands. */
export type Agree<Value> = (came: { readonly value: Value; readonly changes: readonly Change[] }) => Promise<boolean>;

/**
 * Makes a view of the project with the overlay's pending changes, runs `act`, and stages its changes. Throws `Failed`
 * if no view can be made; then nothing was started. If `act` throws, nothing is staged.
 */
export async function onView<Value>(
  site: CommandSite,
  { overlay, undo, mostHeld, isDry, noteBefore }: ViewingOptions,
  act: (project: ViewedProject) => Promise<Value>,
  agree?: Agree<Value>,
): Promise<ViewResult<Value>> {
  const { root, policy } = site;
  const { view, made, closed } = await openProjectView(site, isDry);
  try {
    populate(view.files, root, overlay, (entry) => view.layer.noteAdded(entry));
    const mounted = mountedRepositories(site, closed);
    const value = await act({ view, closed });
    const landing = {
      root,
      layer: view.layer,
      ruleAgainst: (path: string, placed: PlacedEntry, of: "target" | "itself") =>
        mayPlace({ volume: overlay, root, policy }, path, placed, of),
      closed: new Set([...closed.files, ...closed.directories]),
      mounted: new Set(mounted.map((path) => entryOf(root, path))),
      repositories: closed.repositories.map((entry) => `${root}/${fromBytes(entry)}`),
      made,
      mostSparse: site.settings.limits.max_file_size,
      mostHeld,
      named: (path: string) => relative(root, path),
    };
    if (agree !== undefined) {
      const trial = new Overlay(overlay);
      const { failure } = landWhole({ ...landing, before: trial }, new AttemptRollback());
      // Nobody is asked about changes that cannot land.
      const isAgreed = failure !== undefined || (await agree({ value, changes: trial.changes(() => true) }));
      if (!isAgreed) throw new Failed({ code: "skip/refused" });
    }
    const landed = landWhole({ ...landing, before: overlay, noteBefore }, undo);
    return {
      value,
      ...landed,
      refused: isDry ? landed.refused : await saveRefused(root, landed.refused),
      close: () => view.close(),
    };
  } catch (thrown) {
    await view.close();
    if (isSystemError(thrown)) throw new Failed({ code: "exec/view-lost", reason: messageOf(thrown) });
    throw thrown;
  }
}

/** Stages all changes or, if one of them cannot be made, none. */
function landWhole(landing: LandingOptions, undo: AttemptRollback): Landed & { readonly failure?: Failure } {
  undo.begin();
  try {
    return land(landing);
  } catch (thrown) {
    undo.rewind();
    if (thrown instanceof Failed) return { changed: [], refused: [], isHeld: true, failure: thrown.failure };
    throw thrown;
  } finally {
    undo.end();
  }
}

/** Like `onView`, but discards what `act` changes. */
export async function onThrowawayView<Value>(
  site: CommandSite,
  { overlay, isDry }: Pick<ViewingOptions, "overlay" | "isDry">,
  act: (project: ViewedProject) => Promise<Value>,
): Promise<Value> {
  const { view, closed } = await openProjectView(site, isDry);
  try {
    populate(view.files, site.root, overlay, (entry) => view.layer.noteAdded(entry));
    return await act({ view, closed });
  } finally {
    await view.close();
  }
}

/** Saves the command's version of files that somebody else has changed. */
async function saveRefused(root: string, refused: readonly RefusedChange[]): Promise<readonly RefusedChange[]> {
  const files = refused.flatMap(({ path, source }) =>
    source === undefined ? [] : [{ path, write: (to: string) => fs.copyFileSync(source, to) }],
  );
  if (files.length === 0) return refused;
  try {
    const kept = await setAside(root, files);
    return refused.map((entry) => (entry.source === undefined ? entry : { ...entry, kept }));
  } catch (thrown) {
    // Even then, the command's other changes land: they are staged already.
    if (isSystemError(thrown)) return refused;
    throw thrown;
  }
}

async function openProjectView(
  site: CommandSite, isDry: boolean
): Promise<{ readonly view: View; readonly made: bigint; readonly closed: ClosedPlaces }> {
  const {
    root,
    settings: { exec },
    onCopying,
  } = site;
  const closed = withSealed(findClosed(site, isDry), site);
  try {
    const makers = exec.view === "auto" ? MAKERS : [exec.view];
    return { ...(await openView(makers, { project: root, closed, onCopying }, isDry, exec.copy_limit)), closed };
  } catch (thrown) {
    if (thrown instanceof ViewError || isSystemError(thrown))
      throw new Failed({ code: "exec/no-view", reason: messageOf(thrown) });
    throw thrown;
  }
}

/** Caches directory listings, except in a dry run, which leaves nothing in the state folder. */
function findClosed(site: CommandSite, isDry: boolean): ClosedPlaces {
  let known: string | undefined;
  // Without the cache, the walk is slower.
  attempt(() => void (known = readStateFile(site.root, LISTINGS)));
  const closed = closedPlaces({ ...site, known });
  const { cache } = closed;
  if (cache !== undefined && !isDry) attempt(() => writeStateFile(site.root, LISTINGS, cache));
  return closed;
}

const LISTINGS = "listings";

/** Loaf's own folders may lie in the project. */
function withSealed(closed: ClosedPlaces, { root, sealed, volume }: CommandSite): ClosedPlaces {
  const sealedEntries = sealed
    .filter((path) => path !== root && isWithin(path, root) && volume.entry(path)?.kind === "directory")
    .map((path) => entryOf(root, path));
  return { ...closed, directories: [...new Set([...closed.directories, ...sealedEntries])] };
}

/** Returns the layer's name of a path. */
function entryOf(root: string, path: string): string {
  return asBytes(relative(root, path));
}

/**
 * Writes a run's pending changes into a view, so that a command sees them.
 *
 * @param files writable folder of the view
 * @param noteAdded receives each entry, relative to the root, as bytes in latin1
 */
function populate(files: string, root: string, overlay: Overlay, noteAdded: (entry: string) => void): void {
  for (const path of overlay.touched()) {
    if (path === root || !isWithin(path, root)) continue;
    fs.rmSync(inView(path), { recursive: true, force: true });
    put(path);
  }

  function put(path: string): void {
    const entry = overlay.entry(path);
    const at = inView(path);
    if (entry === undefined || entry.kind === "other") return;
    if (entry.kind === "file") {
      fs.writeFileSync(at, overlay.readFile(path).bytes, { flag: "wx" });
      fs.utimesSync(at, entry.modified / 1_000, entry.modified / 1_000);
    } else if (entry.kind === "link") fs.symlinkSync(overlay.readLink(path), at);
    else fs.mkdirSync(at, { mode: 0o700 });
    noteAdded(entryOf(root, path));
    if (entry.kind === "directory") for (const { name } of overlay.namesIn(path)) put(joinPath(path, name));
    if (entry.kind !== "link") fs.chmodSync(at, entry.mode);
  }

  function inView(path: string): string {
    return join(files, relative(root, path));
  }
}

const MAKERS: readonly ViewMaker[] = ["overlay", "clone", "copy"];

/**
 * Tries kinds of views, best first. Throws `ViewError` with the reason of each if none works. Removes what failed
 * attempts left.
 *
 * @param mostBytes for a copy
 */
async function openView(
  makers: readonly ViewMaker[], place: Omit<ViewPlace, "layer">, isDry: boolean, mostBytes: number
): Promise<{ readonly view: View; readonly made: bigint }> {
  const reasons: string[] = [];
  for (const maker of makers) {
    const { path: layer, made, later } = newViewFolder(place.project, isDry);
    try {
      // An overlay shows changes made until the command begins. A copy misses changes made after it was begun.
      if (maker !== "overlay") {
        await later();
        return { view: await makeCopyView({ ...place, layer, maker, mostBytes }), made };
      }
      const view = await makeOverlayView({ ...place, layer });
      await later().catch(async (thrown: unknown) => {
        await view.close();
        throw thrown;
      });
      return { view, made };
    } catch (thrown) {
      removeLayer(layer);
      if (!(thrown instanceof ViewError)) throw thrown;
      reasons.push(`${maker}: ${thrown.message}`);
    }
  }
  throw new ViewError(reasons.join("; "));
}

const NOTHING = { files: [], directories: [], repositories: [] };

/**
 * Returns why the kernel's overlay does not work for a project, or undefined if it does. Tests it and leaves nothing
 * behind.
 */
export async function overlayProblem(root: string): Promise<string | undefined> {
  try {
    const { view } = await openView(["overlay"], { project: root, closed: NOTHING }, true, 0);
    await view.close();
    return undefined;
  } catch (thrown) {
    if (thrown instanceof ViewError) return thrown.message;
    throw thrown;
  }
}

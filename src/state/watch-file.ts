import { type FSWatcher, realpathSync, statSync, watch } from "node:fs";
import { basename, dirname } from "node:path";
import { tryOr } from "../core/errors.ts";

/**
 * Calls back when a file, or the target of a link there, may have been saved, replaced, deleted or created.
 *
 * Watches the folders, since a watch on a file ends when the file is replaced. Also polls, for systems and network
 * drives that report no events.
 *
 * @returns a function that stops watching
 */
export function watchFile(path: string, onChange: () => void): () => void {
  let watchers = new Map<string, FSWatcher>();
  let seen = stampOf(path);
  const notify = (): void => {
    // Before the callback reads the file, so that the next poll reports only later changes.
    seen = stampOf(path);
    onChange();
  };
  const arm = (): void => {
    const wanted = placesOf(path);
    const kept = new Map<string, FSWatcher>();
    for (const [folder, names] of wanted) {
      const watcher =
        watchers.get(folder) ??
        watchFolder(folder, (name) => (name === null || names.has(name)) && notify(), () => watchers.delete(folder));
      if (watcher !== undefined) kept.set(folder, watcher);
    }
    for (const [folder, watcher] of watchers) if (!kept.has(folder)) watcher.close();
    watchers = kept;
  };
  const poll = (): void => {
    // A link may have changed its target.
    arm();
    if (stampOf(path) !== seen) notify();
  };
  arm();
  const timer = setInterval(poll, POLL_EVERY_MS);
  return () => {
    clearInterval(timer);
    for (const watcher of watchers.values()) watcher.close();
  };
}

const POLL_EVERY_MS = 2_000;

/** Returns the folders to watch, with the relevant names: those of the link and of its target. */
function placesOf(path: string): Map<string, Set<string>> {
  const places = new Map<string, Set<string>>();
  for (const file of [path, tryOr(() => realpathSync(path), undefined)]) {
    if (file !== undefined) places.set(dirname(file), (places.get(dirname(file)) ?? new Set()).add(basename(file)));
  }
  return places;
}

/** Returns undefined if the system refuses. */
function watchFolder(folder: string, onEvent: (name: string | null) => void, onEnd: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, (_, name) => onEvent(name));
    watcher.on("error", () => {
      watcher.close();
      onEnd();
    });
    return watcher;
  } catch {
    return undefined;
  }
}

/** Changes when the file does. */
export function stampOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stats === undefined ? "" : `${stats.dev} ${stats.ino} ${stats.size} ${stats.mtimeNs}`;
}

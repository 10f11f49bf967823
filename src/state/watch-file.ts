import { type FSWatcher, realpathSync, statSync, watch } from "node:fs";
import { basename, dirname } from "node:path";

/**
 * Calls back when something may have happened to a file, or to what a link there leads to: saved in place or by renaming, deleted, made again. The
 * folders are watched, since a watch on the file itself ends with the file. Where the system cannot do that, and for what it misses (network drives), the file
 * is looked at now and then.
 *
 * @returns what ends it
 */
export function watchFile(path: string, onChange: () => void): () => void {
  let watchers = new Map<string, FSWatcher>();
  let seen = stampOf(path);
  const told = (): void => {
    // Looked at before it is read: the next look need not tell what whoever reads it now sees.
    seen = stampOf(path);
    onChange();
  };
  const arm = (): void => {
    const wanted = placesOf(path);
    const kept = new Map<string, FSWatcher>();
    for (const [folder, names] of wanted) {
      const watcher = watchers.get(folder) ?? watchFolder(folder, (name) => (name === null || names.has(name)) && told(), () => watchers.delete(folder));
      if (watcher !== undefined) kept.set(folder, watcher);
    }
    for (const [folder, watcher] of watchers) if (!kept.has(folder)) watcher.close();
    watchers = kept;
  };
  const look = (): void => {
    // A link may lead elsewhere by now.
    arm();
    if (stampOf(path) !== seen) told();
  };
  arm();
  const timer = setInterval(look, LOOK_EVERY);
  return () => {
    clearInterval(timer);
    for (const watcher of watchers.values()) watcher.close();
  };
}

/** Milliseconds. */
const LOOK_EVERY = 2_000;

/** Folder to the names in it that matter: that of the link, and that of what it leads to. */
function placesOf(path: string): Map<string, Set<string>> {
  const places = new Map<string, Set<string>>();
  for (const file of [path, targetOf(path)]) {
    if (file !== undefined) places.set(dirname(file), (places.get(dirname(file)) ?? new Set()).add(basename(file)));
  }
  return places;
}

function targetOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** Undefined where the system refuses it. */
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

/** Differs when the file does. */
function stampOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  return found === undefined ? "" : `${found.dev} ${found.ino} ${found.size} ${found.mtimeNs}`;
}

/**
 * Finds where a command moved files from whose new place is refused. They stay there, or the project would lose them.
 */
import { lstatSync, readdirSync, readlinkSync, type Stats } from "node:fs";
import { dirname } from "node:path";
import { attempt } from "../../disk/system-error.ts";
import type { Volume } from "../../disk/volume.ts";
import { entryPath, type Layer } from "./view.ts";
import type { Wanted } from "./view-changes.ts";

export class StrandedEntries {
  readonly #layer: Pick<Layer, "path" | "openToOwner">;
  /** What a move does not change. */
  readonly #marks = new Set<string>();

  constructor(layer: Pick<Layer, "path" | "openToOwner">) {
    this.#layer = layer;
  }

  /** @param entry that does not land, with all below it */
  note(entry: string): void {
    const pending = [entry];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) pending.push(...this.#noteOnly(next));
  }

  /** Returns the entries below it. */
  #noteOnly(entry: string): string[] {
    const path = entryPath(this.#layer.path, entry);
    const below: string[] = [];
    attempt(() => {
      const stats = lstatSync(path);
      if (stats.isFile())
        for (const rounding of [-1, 0, 1]) this.#marks.add(fileMark(stats.size, stats.mtimeMs + rounding));
      else if (stats.isSymbolicLink()) this.#marks.add(linkMark(readlinkSync(path)));
      else if (stats.isDirectory()) {
        if (isClosedToOwner(stats)) this.#layer.openToOwner(entry);
        for (const name of readdirSync(path, "latin1")) below.push(`${entry}/${name}`);
      }
    });
    return below;
  }

  /** Returns the deleted paths that may be their origins, with the directories around them. */
  origins(wanted: readonly Wanted[], before: Volume): ReadonlySet<string> {
    const kept = new Set<string>();
    if (this.#marks.size === 0) return kept;
    for (const { kind, path, old } of wanted) {
      const mark =
        old?.kind === "file"
          ? fileMark(old.size, old.modified)
          : old?.kind === "link"
            ? linkMark(before.readLink(path))
            : undefined;
      if (kind !== "gone" || mark === undefined || !this.#marks.has(mark)) continue;
      for (let at = path; !kept.has(at) && at !== dirname(at); at = dirname(at)) kept.add(at);
    }
    return kept;
  }
}

/** @param modified in milliseconds */
function fileMark(size: number, modified: number): string {
  return `file ${size} ${Math.trunc(modified)}`;
}

function linkMark(target: string): string {
  return `link ${target}`;
}

function isClosedToOwner({ mode }: Stats): boolean {
  return (mode & 0o700) !== 0o700;
}

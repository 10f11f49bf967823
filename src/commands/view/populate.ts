/** Writes a run's pending changes into a view, so that a command sees them. */
import * as fs from "node:fs";
import { join, relative } from "node:path";
import type { Overlay } from "../../disk/overlay.ts";
import { isWithin, joinPath } from "../../paths/path-segments.ts";

/**
 * @param files writable folder of the view
 * @param noteAdded receives each entry, relative to the root, as bytes in latin1
 */
export function populate(files: string, root: string, overlay: Overlay, noteAdded: (entry: string) => void): void {
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
    noteAdded(Buffer.from(relative(root, path)).toString("latin1"));
    if (entry.kind === "directory") for (const { name } of overlay.namesIn(path)) put(joinPath(path, name));
    if (entry.kind !== "link") fs.chmodSync(at, entry.mode);
  }

  function inView(path: string): string {
    return join(files, relative(root, path));
  }
}

/** What it costs that every path is judged where it is used, and that nothing can come between: against the bare calls of `node:fs`. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { Disk } from "../dist/modules/disk/disk.js";
import { createGuard } from "../dist/modules/guard/guard.js";
import { Overlay } from "../dist/modules/disk/overlay.js";
import { ProjectFiles } from "../dist/modules/files/project-files.js";
import { longer, medians } from "./measure.mjs";

const FILES = 1_000;
const ROUNDS = 11;
const source = "export const answer = 42; // a line of a source file\n".repeat(77);

export async function workspaceRows() {
  const root = mkdtempSync(join(tmpdir(), "loaf-bench-"));
  try {
    const folder = join(root, "packages/server/src");
    mkdirSync(folder, { recursive: true });
    const paths = Array.from({ length: FILES }, (_, index) => join(folder, `file-${index}.js`));
    for (const path of paths) writeFileSync(path, source);
    const reads = await medians({ loaf: () => readAll(paths, filesOn(root)), peer: () => paths.forEach((path) => readFileSync(path, "utf8")) }, ROUNDS);
    return [longer("guarded read of 1,000 files of 4 KB, against readFileSync", reads, 7)];
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** Made anew for each round, as for each run: nothing is remembered from the last one. */
function filesOn(root) {
  const volume = new Overlay(new Disk());
  const guard = createGuard({ volume, root, home: homedir(), rules: [{ read: {}, write: {} }], sealed: ["/var/lib/loaf"], readOnly: [], platform: process.platform });
  return new ProjectFiles({ volume, guard, maxFileSize: 2 ** 20, finalNewline: "as-is" });
}

function readAll(paths, files) {
  for (const path of paths) files.read(path);
}

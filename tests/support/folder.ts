/** A fresh folder for each test, gone after it. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** @param files path to content */
export function createFolder(files: Readonly<Record<string, string | Uint8Array>> = {}, parent = tmpdir()): string {
  const folder = realpathSync(mkdtempSync(join(parent, "loaf-test-")));
  // Of a law in its long form there are thousands. A process that outlives its command may still write its code cache.
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }), 300_000);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

/** Runs keep their journals in a folder of their own, which goes with the test file. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "loaf-state-"));
process.env["XDG_STATE_HOME"] = folder;
// Of ten thousand runs there is much to remove.
afterAll(() => rmSync(folder, { recursive: true, force: true }), 300_000);

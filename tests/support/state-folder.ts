/** Runs keep their journals in a folder of their own, which goes with the test file. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "loaf-state-"));
process.env["XDG_STATE_HOME"] = folder;
// Long tests leave thousands of projects' state.
afterAll(() => rmSync(folder, { recursive: true, force: true }), 120_000);

/** Runs keep their journals in a folder of their own, which goes with the test file. It is not made here: where all tests are left out, nobody would remove it. */
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach } from "vitest";
import { startWorkBudget } from "../../src/edit/work-budget.ts";

const folder = join(tmpdir(), `loaf-state-${randomUUID()}`);
process.env["XDG_STATE_HOME"] = folder;
// Of ten thousand runs there is much to remove.
afterAll(() => rmSync(folder, { recursive: true, force: true }), 300_000);
// A run begins with it; a test of a part must not inherit what another one has spent.
beforeEach(startWorkBudget);

/** What a hook changed, as the log of its run has it. */
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { look } from "../../../src/disk/look.ts";
import { recordHookChanges } from "../../../src/journal/journal.ts";
import { LogWriter } from "../../../src/journal/log-writer.ts";
import { createFolder } from "../../support/folder.ts";

type Made = { readonly kind: "file"; readonly bytes: Buffer; readonly mode: number } | { readonly kind: "link"; readonly target: string } | "directory" | undefined;

const FILE = { kind: "file", bytes: Buffer.from("one"), mode: 0o644 } as const;
const LINK = { kind: "link", target: "one" } as const;

function make(path: string, made: Made): void {
  rmSync(path, { recursive: true, force: true });
  if (made === "directory") mkdirSync(path);
  else if (made?.kind === "link") symlinkSync(made.target, path);
  else if (made?.kind === "file") {
    writeFileSync(path, made.bytes);
    chmodSync(path, made.mode);
  }
}

test.each<[string, Made, Made, boolean]>([
  ["a file that stays as it is", FILE, FILE, false],
  ["a link that stays as it is", LINK, LINK, false],
  ["nothing where nothing was", undefined, undefined, false],
  ["a directory where nothing was", undefined, "directory", false],
  ["other bytes", FILE, { ...FILE, bytes: Buffer.from("two") }, true],
  ["another mode", FILE, { ...FILE, mode: 0o755 }, true],
  ["another target", LINK, { ...LINK, target: "two" }, true],
  ["a link in place of a file", FILE, LINK, true],
  ["a file in place of a link", LINK, FILE, true],
  ["a new file", undefined, FILE, true],
  ["a new link to nothing", undefined, LINK, true],
  ["a file that is gone", FILE, undefined, true],
  ["a directory in place of a file", FILE, "directory", true],
])("%s", async (_, before, after, isChange) => {
  const root = createFolder();
  const path = join(root, "a");
  make(path, before);
  const watched = [{ path, before: look(path) }];
  make(path, after);
  const log = LogWriter.create(createFolder(), { kind: "run", started: "2026-01-01T00:00:00.000Z", root });
  expect(await recordHookChanges(watched, log)).toBe(isChange);
  const left = after === "directory" || after === undefined ? null : look(path)?.state;
  const flags = { isAtomic: false, continues: false, isRollback: false, isObserved: true };
  // Position 0 is no action's.
  expect(log.toLog()?.groups).toMatchObject(isChange ? [{ ...flags, puts: [{ path, after: left, authors: [0] }], outcomes: [{}] }] : []);
  log.close();
});

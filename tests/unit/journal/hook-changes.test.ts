/** What a hook changed, as the log of its run has it. */
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { choosePins } from "../../../src/disk/choose-pins.ts";
import { look } from "../../../src/disk/look.ts";
import { recordHookChanges } from "../../../src/journal/hook-changes.ts";
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

test.each<[string, Made, Made, readonly string[]]>([
  ["a file that stays as it is", FILE, FILE, []],
  ["a link that stays as it is", LINK, LINK, []],
  ["nothing where nothing was", undefined, undefined, []],
  ["a directory where nothing was", undefined, "directory", []],
  ["other bytes", FILE, { ...FILE, bytes: Buffer.from("two") }, ["write"]],
  ["another mode", FILE, { ...FILE, mode: 0o755 }, ["write"]],
  ["another target", LINK, { ...LINK, target: "two" }, ["link"]],
  ["a link in place of a file", FILE, LINK, ["link"]],
  ["a file in place of a link", LINK, FILE, ["write"]],
  ["a new file", undefined, FILE, ["write"]],
  ["a new link to nothing", undefined, LINK, ["link"]],
  ["a file that is gone", FILE, undefined, ["unlink"]],
  ["a directory in place of a file", FILE, "directory", ["unlink"]],
])("%s", async (_, before, after, kinds) => {
  const root = createFolder();
  const path = join(root, "a");
  make(path, before);
  const watched = [{ path, before: look(choosePins(), path) }];
  make(path, after);
  const log = LogWriter.create(createFolder(), { kind: "run", started: "2026-01-01T00:00:00.000Z", root, transaction: "keep" });
  expect(await recordHookChanges(watched, { pins: choosePins(), log })).toBe(kinds.length > 0);
  const groups = log.toLog()?.groups.map(({ intents, ...rest }) => ({ ...rest, intents: intents.map(({ operation: { kind }, authors }) => [kind, ...authors]) }));
  const outcomes = kinds.map((kind) => (kind === "write" ? { mode: after !== "directory" && after?.kind === "file" ? after.mode : 0 } : {}));
  const flags = { isAtomic: false, continues: false, isRollback: false, isObserved: true };
  // Position 0 is no action's.
  expect(groups).toMatchObject(kinds.length === 0 ? [] : [{ ...flags, intents: kinds.map((kind) => [kind, 0]), outcomes }]);
  log.close();
});

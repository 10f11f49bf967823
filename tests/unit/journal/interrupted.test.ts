/** What recovery concludes from the disk, for each operation that a crash may have interrupted. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { hash } from "node:crypto";
import { join } from "node:path";
import { expect, test } from "vitest";
import { choosePins } from "../../../src/disk/choose-pins.ts";
import type { State } from "../../../src/core/change-set.ts";
import { statusOf } from "../../../src/journal/interrupted.ts";
import type { IntentRecord } from "../../../src/journal/log-record.ts";
import { createFolder } from "../../support/folder.ts";

const contentOf = (text: string) => ({ size: text.length, sha256: hash("sha256", text, "hex") });
const file = (text: string): State => ({ kind: "file", ...contentOf(text) });

/** Returns the status in a folder with these files, of which "" makes a directory, and "-> x" a link. */
function statusIn(files: Readonly<Record<string, string>>, intentAt: (root: string) => Omit<IntentRecord, "type" | "authors">): string {
  const root = createFolder();
  for (const [name, text] of Object.entries(files)) {
    const path = join(root, name);
    if (text === "") mkdirSync(path);
    else if (text.startsWith("-> ")) symlinkSync(text.slice(3), path);
    else writeFileSync(path, text, { mode: 0o640 });
  }
  const status = statusOf(choosePins(), { type: "intent", authors: [1], ...intentAt(root) });
  if (status.is !== "done") return status.is;
  const mode = status.outcome.mode === undefined ? "" : ` with mode ${status.outcome.mode.toString(8)}`;
  return `${status.is}${mode}, ${status.isCertain ? "certainly" : "perhaps by others"}`;
}

test.each<[string, string | undefined, Readonly<Record<string, string>>, string]>([
  ["a new file", undefined, { t: "new" }, "pending"],
  ["a new file", undefined, { a: "new" }, "done with mode 640, certainly"],
  ["a new file", undefined, {}, "lost"],
  ["a new file", undefined, { a: "theirs" }, "overwritten"],
  ["a new file", undefined, { a: "theirs", t: "new" }, "changed"],
  ["a changed file", "old", { a: "old", t: "new" }, "pending"],
  ["a changed file", "old", { a: "new" }, "done with mode 640, certainly"],
  ["a changed file", "old", { a: "old" }, "lost"],
  ["a changed file", "old", { a: "theirs" }, "overwritten"],
  ["a changed file", "old", { a: "theirs", t: "new" }, "changed"],
  ["a changed file", "old", { t: "new" }, "changed"],
  ["a file with the same content", "new", { a: "new" }, "done with mode 640, perhaps by others"],
])("%s, from %s, with %j on the disk: %s", (_, old, files, expected) => {
  const intent = (root: string) => ({
    operation: { kind: "write", path: join(root, "a") } as const,
    before: old === undefined ? null : file(old),
    after: contentOf("new"),
    temporary: join(root, "t"),
  });
  expect(statusIn(files, intent)).toBe(expected);
});

test.each<[Readonly<Record<string, string>>, string]>([
  [{ t: "-> new" }, "pending"],
  [{ a: "-> new" }, "done, certainly"],
  [{ a: "-> other" }, "overwritten"],
  [{ a: "new" }, "overwritten"],
  [{}, "lost"],
])("a new link with %j on the disk: %s", (files, expected) => {
  const intent = (root: string) => ({ operation: { kind: "link", path: join(root, "a"), target: "new" } as const, before: null, temporary: join(root, "t") });
  expect(statusIn(files, intent)).toBe(expected);
});

test.each<["unlink" | "makeDirectory" | "removeDirectory", Readonly<Record<string, string>>, string]>([
  ["unlink", {}, "done, certainly"],
  ["unlink", { a: "old" }, "pending"],
  ["unlink", { a: "theirs" }, "changed"],
  ["unlink", { a: "" }, "changed"],
  ["makeDirectory", {}, "pending"],
  ["makeDirectory", { a: "" }, "done, perhaps by others"],
  ["makeDirectory", { a: "theirs" }, "changed"],
  ["removeDirectory", {}, "done, certainly"],
  ["removeDirectory", { a: "" }, "pending"],
  ["removeDirectory", { a: "theirs" }, "changed"],
])("%s with %j on the disk: %s", (kind, files, expected) => {
  expect(statusIn(files, (root) => ({ operation: { kind, path: join(root, "a") }, before: kind === "unlink" ? file("old") : null }))).toBe(expected);
});

test.each<[Readonly<Record<string, string>>, string]>([
  [{ a: "old" }, "pending"],
  [{ a: "old", b: "theirs" }, "changed"],
  [{ b: "old" }, "done with mode 640, certainly"],
  [{ b: "theirs" }, "changed"],
  [{}, "changed"],
])("a rename with %j on the disk: %s", (files, expected) => {
  expect(statusIn(files, (root) => ({ operation: { kind: "rename", from: join(root, "a"), to: join(root, "b") }, before: null, moved: file("old") }))).toBe(expected);
});

test.each<[Readonly<Record<string, string>>, string]>([
  [{ a: "old", copy: "old" }, "pending"],
  [{ aside: "old", copy: "old" }, "pending"],
  [{ aside: "old", copy: "old", b: "theirs" }, "pending"],
  [{ aside: "old" }, "pending"],
  [{ aside: "old", b: "old" }, "done, certainly"],
  [{ aside: "old", b: "theirs" }, "pending"],
  [{ b: "old" }, "done, certainly"],
  [{}, "lost"],
  [{ a: "old" }, "lost"],
  [{ a: "old", copy: "old", b: "theirs" }, "changed"],
])("a move to another file system with %j on the disk: %s", (files, expected) => {
  const intent = (root: string) => ({
    operation: { kind: "rename", from: join(root, "a"), to: join(root, "b") } as const,
    before: null,
    moved: file("old"),
    temporary: join(root, "copy"),
    aside: join(root, "aside"),
  });
  expect(statusIn(files, intent)).toBe(expected);
});

/** What recovery concludes from the disk, for each put that a crash may have interrupted. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { hash } from "node:crypto";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { State } from "../../../src/core/change-set.ts";
import { putStatus } from "../../../src/journal/recover.ts";
import type { PutRecord } from "../../../src/journal/log.ts";
import { createFolder } from "../../support/folder.ts";

const file = (text: string): State => ({ kind: "file", size: text.length, sha256: hash("sha256", text, "hex") });

/** Returns the status in a folder with these files, of which "" makes a directory, and "-> x" a link. */
function statusIn(files: Readonly<Record<string, string>>, putAt: (root: string) => Omit<PutRecord, "type" | "authors">): string {
  const root = createFolder();
  for (const [name, text] of Object.entries(files)) {
    const path = join(root, name);
    if (text === "") mkdirSync(path);
    else if (text.startsWith("-> ")) symlinkSync(text.slice(3), path);
    else writeFileSync(path, text, { mode: 0o640 });
  }
  const status = putStatus({ type: "put", authors: [1], ...putAt(root) });
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
  const put = (root: string) => ({ path: join(root, "a"), before: old === undefined ? null : file(old), after: file("new"), temporary: join(root, "t") });
  expect(statusIn(files, put)).toBe(expected);
});

test.each<[Readonly<Record<string, string>>, string]>([
  [{ t: "-> new" }, "pending"],
  [{ a: "-> new" }, "done, certainly"],
  [{ a: "-> other" }, "overwritten"],
  [{ a: "new" }, "overwritten"],
  [{}, "lost"],
])("a new link with %j on the disk: %s", (files, expected) => {
  const put = (root: string) => ({ path: join(root, "a"), before: null, after: { kind: "link", target: "new" } as const, temporary: join(root, "t") });
  expect(statusIn(files, put)).toBe(expected);
});

test.each<[string, Readonly<Record<string, string>>, string]>([
  ["a removed file", {}, "done, certainly"],
  ["a removed file", { a: "old" }, "pending"],
  ["a removed file", { a: "theirs" }, "changed"],
  ["a removed file", { a: "" }, "changed"],
  ["a new directory", {}, "pending"],
  ["a new directory", { a: "" }, "done, perhaps by others"],
  ["a new directory", { a: "theirs" }, "changed"],
  ["a removed directory", {}, "done, certainly"],
  ["a removed directory", { a: "" }, "pending"],
  ["a removed directory", { a: "theirs" }, "changed"],
])("%s with %j on the disk: %s", (name, files, expected) => {
  const state: State = name === "a removed file" ? file("old") : { kind: "directory" };
  const isNew = name === "a new directory";
  expect(statusIn(files, (root) => ({ path: join(root, "a"), before: isNew ? null : state, after: isNew ? state : null }))).toBe(expected);
});

test.each<[Readonly<Record<string, string>>, string]>([
  [{ a: "old" }, "pending"],
  [{ a: "old", b: "theirs" }, "changed"],
  [{ b: "old" }, "done with mode 640, certainly"],
  [{ b: "theirs" }, "changed"],
  [{}, "changed"],
])("a rename with %j on the disk: %s", (files, expected) => {
  const put = (root: string) => ({ path: join(root, "b"), from: join(root, "a"), before: null, after: file("old"), isRename: true }) as const;
  expect(statusIn(files, put)).toBe(expected);
});

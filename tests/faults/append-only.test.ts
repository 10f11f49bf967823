/** Folders in which entries can be made and not removed again (`chattr +a`). */
import { spawnSync } from "node:child_process";
import { chownSync, mkdtempSync, readdirSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { fullReport, Loaf } from "../../src/index.ts";
import { createFolder } from "../support/folder.ts";
import { block } from "../support/hostile.ts";

/** Returns whether it worked, which takes root and a file system that knows the attribute. */
function setAttribute(change: "+a" | "-a", folder: string): boolean {
  return spawnSync("sh", ["-c", 'chattr "$0" "$1"', change, folder]).status === 0;
}

function makeAppendOnly(folder: string): void {
  onTestFinished(() => void setAttribute("-a", folder));
  expect(setAttribute("+a", folder)).toBe(true);
}

function canMakeAppendOnly(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "loaf-append-only-"));
  const isMade = setAttribute("+a", folder);
  setAttribute("-a", folder);
  rmdirSync(folder);
  return isMade;
}

const canTest = process.platform === "linux" && process.getuid?.() === 0 && canMakeAppendOnly();

const command = (code: string): string => block({ action: "exec", lang: "bash", code });
const write = (path: string): string => block({ action: "file_write", path, content: "new" });

async function run(repoPath: string, answer: string, transaction: "keep" | "all-or-nothing" = "keep") {
  const loaf = await Loaf.create({ repoPath, config: { relative_paths: true, transaction, git: { commit: false } } });
  const result = await loaf.execute(answer);
  return { result, report: fullReport(result, loaf) };
}

test.skipIf(!canTest).each([
  ["a file", write("log/new.txt")],
  ["a file in a new folder", write("log/new/new.txt")],
  ["a replaced file", write("log/a.txt")],
  ["a new folder", block({ action: "dir_create", path: "log/new" })],
  ["what a command makes", command("mkdir log/new && echo x > log/new/n && echo x > b.txt")],
])("116: nothing lands in an append-only folder, and no temporary file stays: %s", async (_, answer) => {
  const root = createFolder({ "log/a.txt": "a", "b.txt": "b" });
  makeAppendOnly(join(root, "log"));
  const { result, report } = await run(root, answer);
  expect(result.results[0]).toMatchObject({ success: false });
  expect(report).toContain("note: nothing is applied; not applied: abc");
  expect(readdirSync(root, { recursive: true }).toSorted()).toEqual(["b.txt", "log", "log/a.txt"]);
});

test.skipIf(!canTest)("104: what could not be taken back is never told as nothing", async () => {
  const root = createFolder({ "log/a.txt": "a", "b.txt": "b" });
  // Only its owner learns beforehand that the folder is append-only.
  chownSync(join(root, "log"), 65_534, 65_534);
  makeAppendOnly(join(root, "log"));
  const { result, report } = await run(root, block({ action: "dir_create", path: "log/new" }) + write("log/n"), "all-or-nothing");
  expect(readdirSync(join(root, "log"))).toContain("new");
  expect(result.results.map(({ code }) => code)).toEqual(["run/torn", "run/torn"]);
  expect(report).not.toContain("nothing is applied");
  expect(report).toContain("note: failed after changing files, do not send again unchanged: abc, abc");
  expect(result.notices?.join("\n")).toContain("Part of the run's changes could not be rolled back");
});

import { appendFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectStateFolder } from "../../../../src/host/project-state-folder.ts";
import { Loaf } from "../../../../src/index.ts";
import { committedRuns, forgetCommits, rememberCommit } from "../../../../src/run/commit/committed-runs.ts";
import { journalFolder } from "../../../../src/run/turn.ts";
import { shell } from "../../../support/command-run.ts";
import { createFolder } from "../../../support/folder.ts";

const named = (digit: number): string => String(digit).repeat(40);
const file = (root: string): string => join(projectStateFolder(root), "commits");

test("commits are known by the number of their run, and those of a repository with longer names too", () => {
  const root = createFolder();
  expect([...committedRuns(root)]).toEqual([]);
  rememberCommit(root, 1, named(1));
  rememberCommit(root, 4, "a".repeat(64));
  expect([...committedRuns(root)]).toEqual([[1, named(1)], [4, "a".repeat(64)]]);
  expect(statSync(file(root)).mode & 0o777).toBe(0o600);
});

test("a line that was cut short is passed over, and does not spoil the next", () => {
  const root = createFolder();
  rememberCommit(root, 1, named(1));
  appendFileSync(file(root), `\n2 ${named(2).slice(0, 11)}`);
  rememberCommit(root, 3, named(3));
  expect([...committedRuns(root)]).toEqual([[1, named(1)], [3, named(3)]]);
  writeFileSync(file(root), Buffer.of(0, 255, 10, 0));
  expect([...committedRuns(root)]).toEqual([]);
});

test("what stands for a number that is given anew, or a later one, is no longer known", () => {
  const root = createFolder();
  for (const run of [1, 2, 5]) rememberCommit(root, run, named(run));
  rememberCommit(root, 2, named(9));
  expect([...committedRuns(root)]).toEqual([[1, named(1)], [2, named(9)]]);
});

test("what the log has dropped is forgotten", async () => {
  const root = createFolder();
  for (const run of [1, 2, 5]) rememberCommit(root, run, named(run));
  forgetCommits(root, 2);
  expect(readFileSync(file(root), "utf8")).toBe(`\n5 ${named(5)}`);
});

test("a run that the log drops takes along what is known of its commit", async () => {
  const root = createFolder();
  shell(root, "git init -q . && git config user.name t && git config user.email t@example.com");
  const write = async (text: string): Promise<number | undefined> => {
    const loaf = await Loaf.create({ repoPath: root, config: { history: { max_age: 1 } } });
    return (await loaf.execute(`#!nesl [@three-char-SHA-256: abc]\naction = "file_write"\npath = "${root}/a.txt"\ncontent = "${text}"\n#!end_abc\n`)).run;
  };
  await write("first");
  shell(journalFolder(root), "touch -d '3 days ago' 1.log");
  for (let run = 2; run <= 16; run += 1) expect(await write(`text ${run}`)).toBe(run);
  expect([...committedRuns(root).keys()]).toEqual(Array.from({ length: 15 }, (_, index) => index + 2));
});

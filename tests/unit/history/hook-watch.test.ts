/** What hooks change in the files that the run wrote belongs to the run. What they change elsewhere is named, and stays. */
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isTrusted, trust } from "../../../src/trust/trust.ts";
import { Loaf } from "../../../src/index.ts";
import { printBlock } from "../../../src/syntaxes/nesl/teach.ts";
import { createFolder } from "../../support/folder.ts";
import { createRepository } from "../../support/repository.ts";
import { snapshot } from "../../support/sandbox.ts";

const answer = printBlock("wrt", { action: "file_write", path: "own.txt", content: "own\n" });

/** Runs an answer with a hook after it, and takes all of it back. */
async function runAndUndo(root: string, hook: string, when: "before" | "after" = "after", text = answer) {
  const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true, git: { commit: false } }, hooks: { [when]: [{ run: hook }] } });
  const { success, hookErrors, notices = [] } = await loaf.execute(text);
  expect({ success, hookErrors }).toEqual({ success: true, hookErrors: undefined });
  const after = filesOf(root);
  const { runs } = await loaf.undo();
  return { notices, after, refused: runs.flatMap(({ refused }) => refused) };
}

function namesOf(paths: readonly string[]): string {
  return `A hook changed files that undo does not cover: ${paths.join(", ")}`;
}

/** Without git's own. */
function filesOf(root: string): Record<string, string> {
  return Object.fromEntries(Object.entries(snapshot(root)).filter(([name]) => !/^\.git(\/|$)/.test(name)));
}

const files = { "a.txt": "a\n", "b.sh": "b\n", "d/e.txt": "e\n", ".gitignore": "ignored/\n" };

describe("in a repository", () => {
  test.each([
    ["changes a file that the run has written", "echo more >> own.txt", []],
    ["deletes it", "rm own.txt", []],
    ["makes it a link", "ln -sf a.txt own.txt", []],
    ["makes it one that may be executed", "chmod +x own.txt", []],
    ["changes a file that is as it was committed", "echo more >> own.txt; echo more >> a.txt", ["a.txt"]],
    ["deletes one, with its folder", "rm -r d", ["d/e.txt"]],
    ["moves one", "mv a.txt c.txt", ["a.txt", "c.txt"]],
    ["moves a folder", "mv d f", ["d/e.txt", "f/e.txt"]],
    ["makes one that may be executed so, and another a link", "chmod +x b.sh; ln -sf b.sh a.txt", ["a.txt", "b.sh"]],
    ["makes files in new folders", "mkdir -p x/y; echo z > x/y/z.txt", ["x/y/z.txt"]],
    ["puts a folder in a file's place, and the reverse", "rm a.txt; mkdir a.txt; echo in > a.txt/in; rm -r d; echo d > d", ["a.txt", "a.txt/in", "d", "d/e.txt"]],
    ["commits what it has changed", "echo more >> a.txt; git -c user.name=n -c user.email=e commit -qam hook", ["a.txt"]],
  ])("a hook that %s", async (_, hook, others) => {
    const { root } = createRepository(files);
    const { notices, after, refused } = await runAndUndo(root, hook);
    expect({ notices, refused }).toEqual({ notices: others.length === 0 ? [] : [namesOf(others)], refused: [] });
    const { "own.txt": _own, ...left } = after;
    expect(filesOf(root)).toEqual(left);
  });

  test("what it changed elsewhere enters no commit of the run", async () => {
    const repository = createRepository(files);
    const loaf = await Loaf.create({ repoPath: repository.root, config: { relative_paths: true }, hooks: { after: [{ run: "echo more >> own.txt; echo more >> a.txt; echo n > n.txt" }] } });
    const { notices } = await loaf.execute(answer);
    expect(notices).toEqual([namesOf(["a.txt", "n.txt"])]);
    expect(repository.git("show", "--format=", "--name-only")).toBe("own.txt");
    expect(repository.git("show", "HEAD:own.txt")).toBe("own\nmore");
    expect(repository.git("status", "--porcelain")).toBe(" M a.txt\n?? n.txt");
  });

  test("a hook that runs before the answer", async () => {
    const { root } = createRepository(files);
    const { refused } = await runAndUndo(root, "echo more >> a.txt; rm -r d", "before");
    const { "a.txt": edited, "d/b.txt": gone } = filesOf(root) as Record<string, string | undefined>;
    expect([refused, edited, gone]).toEqual([[], expect.stringContaining("more"), undefined]);
  });

  test("what the user had changed before and it changed again is named as well, and nothing else of the user's", async () => {
    const { root } = createRepository(files);
    for (const name of ["a.txt", "b.sh", "new.txt"]) writeFileSync(join(root, name), "the user's\n");
    const { notices } = await runAndUndo(root, "echo more >> a.txt; rm new.txt");
    expect(notices).toEqual([namesOf(["a.txt", "new.txt"])]);
    expect(filesOf(root)).toMatchObject({ "a.txt": "644 the user's\nmore\n", "b.sh": "644 the user's\n" });
  });

  test("a file of the run that is too large to be held is named", async () => {
    const { root } = createRepository(files);
    writeFileSync(join(root, "large.bin"), Buffer.alloc(65 * 2 ** 20));
    const move = printBlock("mov", { action: "file_move", old_path: "large.bin", new_path: "own.txt" });
    const { notices, refused } = await runAndUndo(root, "echo more >> own.txt", "after", move);
    expect({ notices, refused }).toMatchObject({ notices: [namesOf(["own.txt"])], refused: [{ path: join(root, "own.txt") }] });
    expect(statSync(join(root, "own.txt")).size).toBe(65 * 2 ** 20 + 5);
  });

  test("before the first commit, too, other files are named", async () => {
    const { root } = createRepository({});
    writeFileSync(join(root, "a.txt"), "a\n");
    const { notices } = await runAndUndo(root, "echo more >> a.txt");
    expect(notices).toEqual([namesOf(["a.txt"])]);
  });

  test("a project in a folder of the repository: what lies beside it is not its business", async () => {
    const { root } = createRepository({ "p/a.txt": "a\n", "beside.txt": "b\n" });
    const { notices } = await runAndUndo(join(root, "p"), "echo more >> a.txt; echo more >> ../beside.txt");
    expect(notices).toEqual([namesOf(["a.txt"])]);
  });
});

test("without a repository, what the run has written is watched", async () => {
  const root = createFolder({ "a.txt": "a\n" });
  await runAndUndo(root, "echo more >> own.txt; echo more >> a.txt");
  expect(snapshot(root)).toEqual({ "a.txt": "644 a\nmore\n" });
});

test("a hook that changes a trusted loaf.yml makes it untrusted, and that is told", async () => {
  const root = createFolder({ "loaf.yml": "version: 1\n" });
  trust(root, "version: 1\n");
  const { notices } = await runAndUndo(root, "echo 'relative_paths: true' >> loaf.yml");
  expect(notices.join("\n")).toContain("A hook changed loaf.yml, which controls what Loaf may do. It is no longer trusted");
  expect(isTrusted(root, "version: 1\n")).toBe(false);
});

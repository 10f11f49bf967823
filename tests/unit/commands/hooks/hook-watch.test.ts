/** What hooks change on the files themselves belongs to the run: undo gives it back as far as HEAD or Loaf has it, and the rest is named. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isTrusted, trust } from "../../../../src/trust/trust.ts";
import { Loaf } from "../../../../src/index.ts";
import { printBlock } from "../../../../src/syntaxes/nesl/print.ts";
import { createFolder } from "../../../support/folder.ts";
import { createRepository } from "../../../support/repository.ts";
import { snapshot } from "../../../support/sandbox.ts";

const answer = printBlock("wrt", { action: "file_write", path: "own.txt", content: "own\n" });

/** Runs an answer with a hook after it, and takes all of it back. */
async function runAndUndo(root: string, hook: string, when: "before" | "after" = "after") {
  const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true, git: { commit: false } }, hooks: { [when]: [{ run: hook }] } });
  const { success, hookErrors, notices = [] } = await loaf.execute(answer);
  expect({ success, hookErrors }).toEqual({ success: true, hookErrors: undefined });
  const after = filesOf(root);
  const { runs } = await loaf.undo();
  return { notices, after, refused: runs.flatMap(({ refused }) => refused) };
}

/** Without git's own. */
function filesOf(root: string): Record<string, string> {
  return Object.fromEntries(Object.entries(snapshot(root)).filter(([name]) => !/^\.git(\/|$)/.test(name)));
}

const files = { "a.txt": "a\n", "b.sh": "b\n", "d/e.txt": "e\n", ".gitignore": "ignored/\n" };

describe("in a repository", () => {
  test.each([
    ["changes a file that the run has written", "echo more >> own.txt"],
    ["changes a file that is as it was committed", "echo more >> a.txt"],
    ["deletes one, with its folder", "rm -r d"],
    ["moves one", "mv a.txt c.txt"],
    ["moves a folder", "mv d f"],
    ["makes one that may be executed so, and another a link", "chmod +x b.sh; ln -sf b.sh a.txt"],
    ["makes files in new folders", "mkdir -p x/y; echo z > x/y/z.txt"],
    ["puts a folder in a file's place, and the reverse", "rm a.txt; mkdir a.txt; echo in > a.txt/in; rm -r d; echo d > d"],
    ["changes a name with a newline in it", "printf x > \"$(printf 'q\\nr.txt')\"; rm \"$(printf 'n\\nl.txt')\""],
    ["commits what it has changed", "echo more >> a.txt; git -c user.name=n -c user.email=e commit -qam hook"],
  ])("a hook that %s", async (_, hook) => {
    const { root } = createRepository({ ...files, "n\nl.txt": "newline\n" });
    const before = filesOf(root);
    const { notices, after, refused } = await runAndUndo(root, hook);
    expect(after).not.toEqual({ ...before, "own.txt": "644 own\n" });
    expect({ notices, refused, files: filesOf(root) }).toEqual({ notices: [], refused: [], files: before });
  });

  test("a hook that runs before the answer", async () => {
    const { root } = createRepository(files);
    const { refused } = await runAndUndo(root, "echo more >> a.txt; rm -r d", "before");
    const { "a.txt": edited, "d/b.txt": gone } = filesOf(root) as Record<string, string | undefined>;
    expect([refused, edited, gone]).toEqual([[], expect.stringContaining("more"), undefined]);
  });

  test("what the user had changed before comes back as the user left it", async () => {
    const { root } = createRepository(files);
    writeFileSync(join(root, "a.txt"), "the user's\n");
    writeFileSync(join(root, "new.txt"), "the user's, too\n");
    const before = filesOf(root);
    await runAndUndo(root, "echo more >> a.txt; rm new.txt");
    expect(filesOf(root)).toEqual(before);
  });

  test("line ends come back as a checkout makes them", async () => {
    const { root, git } = createRepository({ ".gitattributes": "*.txt text eol=crlf\n", "a.txt": "a\r\nb\r\n" });
    expect(git("status", "--porcelain")).toBe("");
    const before = filesOf(root);
    await runAndUndo(root, "echo more >> a.txt");
    expect(filesOf(root)).toEqual(before);
  });

  test("a file that was ignored until then is named, and undo leaves it alone", async () => {
    const { root } = createRepository(files);
    mkdirSync(join(root, "ignored"));
    writeFileSync(join(root, "ignored/only.txt"), "nobody else has this\n");
    const { notices } = await runAndUndo(root, "mv ignored/only.txt here.txt");
    expect(notices).toEqual(["A hook changed files that undo does not cover: here.txt"]);
    expect(filesOf(root)["here.txt"]).toBe("644 nobody else has this\n");
  });

  test("a file that is too large to be held is named", async () => {
    const { root } = createRepository(files);
    writeFileSync(join(root, "large.bin"), Buffer.alloc(65 * 2 ** 20));
    const { notices } = await runAndUndo(root, "echo more >> large.bin");
    expect(notices).toEqual(["A hook changed files that undo does not cover: large.bin"]);
  });

  test("before the first commit, what the run has not written is held as well", async () => {
    const { root } = createRepository({});
    writeFileSync(join(root, "a.txt"), "a\n");
    const before = filesOf(root);
    await runAndUndo(root, "echo more >> a.txt");
    expect(filesOf(root)).toEqual(before);
  });

  test("a project in a folder of the repository: what lies beside it is not its business", async () => {
    const { root } = createRepository({ "p/a.txt": "a\n", "beside.txt": "b\n" });
    await runAndUndo(join(root, "p"), "echo more >> a.txt; echo more >> ../beside.txt");
    expect(filesOf(root)).toMatchObject({ "p/a.txt": "644 a\n", "beside.txt": "644 b\nmore\n" });
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

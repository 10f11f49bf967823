/** Loaf was killed while git made its commit: the log says that HEAD was going to be moved, and not that it was. */
import { copyFileSync, readdirSync, readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { createRepository, type TestRepository } from "../../support/repository.ts";
import { open, prepare, put, run, status, write } from "./running.ts";

beforeEach(prepare);

/** Does something as if it had been killed before it took its commit into the index, or with `isMade: false` before git made it. */
async function interrupted(repository: TestRepository, act: () => Promise<unknown>, { isMade = true } = {}): Promise<void> {
  const index = join(repository.root, ".git/index");
  const head = repository.git("rev-parse", "HEAD");
  copyFileSync(index, `${index}.before`);
  await act();
  copyFileSync(`${index}.before`, index);
  if (!isMade) repository.git("update-ref", "HEAD", head);
  cutBefore("moved");
}

/** Cuts the newest log off before its record of a type. */
function cutBefore(type: string): void {
  const state = process.env["XDG_STATE_HOME"] ?? "";
  const logs = readdirSync(state, { recursive: true, encoding: "utf8" }).filter((name) => /\d+\.log$/.test(name)).toSorted();
  const path = join(state, logs.at(-1) ?? "");
  truncateSync(path, readFileSync(path, "latin1").lastIndexOf("\n", readFileSync(path, "latin1").lastIndexOf(`{"type":"${type}"`)) + 1);
}

const INDEX_MENDED = "Loaf was interrupted after a commit: the repository's index now includes that commit";
const recover = async (repository: TestRepository) => (await open(repository)).recover();

describe("100: the index has what the commit has", () => {
  test("what else is staged stays in the index", async () => {
    const repository = createRepository({ "a.txt": "one\n", "b.txt": "1\n" });
    put(repository, "b.txt", "2\n");
    repository.git("add", "b.txt");
    await interrupted(repository, () => run(repository, write("a.txt", "its\n"), write("new.txt", "n\n")));
    expect(status(repository)).toEqual(expect.arrayContaining([expect.stringMatching(/^D.*new\.txt/)]));
    expect((await recover(repository)).notices).toEqual([INDEX_MENDED]);
    expect(status(repository)).toEqual(["M  b.txt"]);
  });

  test("after what was dirty and staged was committed before it", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    put(repository, "a.txt", "mine\n");
    repository.git("add", "a.txt");
    // Takes back what the commit before it brings.
    await interrupted(repository, () => run(repository, write("a.txt", "one\n")));
    await recover(repository);
    expect(status(repository)).toEqual([]);
  });

  test("what the user has staged since stays staged once and for all", async () => {
    const repository = createRepository({ "a.txt": "one\n", "b.txt": "1\n" });
    await interrupted(repository, () => run(repository, write("a.txt", "its\n"), write("b.txt", "its\n")));
    put(repository, "a.txt", "later\n");
    repository.git("add", "a.txt");
    await recover(repository);
    expect(status(repository)).toEqual(["M  a.txt"]);
    repository.git("reset", "-q", "HEAD~1", "--", "b.txt");
    await recover(repository);
    expect(status(repository)).toEqual(["M  a.txt", "MM b.txt"]);
  });

  test("on another branch that was made since", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    await interrupted(repository, () => run(repository, write("new.txt", "n\n")));
    repository.git("checkout", "-q", "-b", "other");
    expect((await recover(repository)).notices).toEqual([INDEX_MENDED]);
    expect(status(repository)).toEqual([]);
  });
});

describe("100: an undo whose revert was interrupted", () => {
  test.each([true, false])("leaves the branch where it is, and takes the revert into the index: %s", async (isMade) => {
    const repository = createRepository({ "a.txt": "one\n" });
    await run(repository, write("a.txt", "its\n"), write("new.txt", "n\n"));
    repository.git("commit", "-q", "--allow-empty", "-m", "mine");
    await interrupted(repository, async () => (await open(repository)).undo(), { isMade });
    const head = repository.git("rev-parse", "HEAD");
    expect(await recover(repository)).toEqual({ isWhole: true, notices: [expect.stringContaining("undo of run 1 was finished"), ...(isMade ? [INDEX_MENDED] : [])] });
    expect([repository.git("rev-parse", "HEAD"), status(repository)]).toEqual([head, isMade ? [] : [" M a.txt", " D new.txt"]]);
  });
});

import { chmodSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { SquashOptions } from "../../../src/index.ts";
import { createFolder } from "../../support/folder.ts";
import { createRepository, repositoryAt, type TestRepository } from "../../support/repository.ts";
import { open, prepare, put, run, status, subjects, write } from "./running.ts";

beforeEach(prepare);

const squash = async (repository: TestRepository, options: SquashOptions = {}) => (await open(repository)).squash(options);

/** A commit of the user's and three runs. */
async function threeRuns(): Promise<TestRepository> {
  const repository = createRepository({ "a.txt": "one\n" });
  await run(repository, write("a.txt", "two\n"));
  await run(repository, write("b.txt", "1\n"), write("c.txt", "1\n"));
  await run(repository, write("d.txt", "1\n"), write("e.txt", "1\n"));
  return repository;
}

test("afterwards the log names the commit that the runs were folded into", async () => {
  const repository = await threeRuns();
  const { commit } = await squash(repository);
  await run(repository, write("a.txt", "three\n"));
  const last = repository.git("rev-parse", "HEAD");
  const { runs } = await (await open(repository)).history();
  expect(runs.map((one) => one.commit)).toEqual([last, commit, commit, commit]);
  repository.git("reset", "-q", "--hard", "HEAD~2");
  expect((await (await open(repository)).history()).runs.every((one) => one.commit === undefined)).toBe(true);
});

test("folds the runs at HEAD into one commit with the same tree, and leaves index and files alone", async () => {
  const repository = await threeRuns();
  put(repository, "a.txt", "mine\n");
  put(repository, "f.txt", "mine\n");
  repository.git("add", "f.txt");
  const [tree, before] = [repository.git("rev-parse", "HEAD^{tree}"), status(repository)];
  const { folded, commit } = await squash(repository);
  expect(folded.map(({ subject }) => subject)).toEqual(["AI: write 2 files", "AI: write 2 files", "AI: write a.txt"]);
  expect([repository.git("rev-parse", "HEAD"), repository.git("rev-parse", "HEAD^{tree}"), status(repository), subjects(repository)]).toEqual([commit, tree, before, ["AI: change a.txt, b.txt, c.txt and 2 more", "begin"]]);
  expect(repository.git("log", "-1", "--format=%B").split("\n")).toEqual(["AI: change a.txt, b.txt, c.txt and 2 more", "", "Loaf-Run: 1", "Loaf-Run: 2", "Loaf-Run: 3", ""]);
  expect(repository.git("symbolic-ref", "HEAD")).toBe("refs/heads/main");
});

test("what was folded can be folded again, with what came after", async () => {
  const repository = await threeRuns();
  await squash(repository);
  await run(repository, write("z.txt", "1\n"));
  await squash(repository, { message: "feat: all of it" });
  expect([subjects(repository), repository.git("log", "-1", "--format=%B").split("\n").length]).toEqual([["feat: all of it", "begin"], 7]);
});

test("in a dry run only tells", async () => {
  const repository = await threeRuns();
  const head = repository.git("rev-parse", "HEAD");
  const { folded, commit, message } = await squash(repository, { dryRun: true, limit: 2 });
  expect([folded.length, commit, message.split("\n")[0], repository.git("rev-parse", "HEAD")]).toEqual([2, undefined, "AI: change b.txt, c.txt, d.txt and 1 more", head]);
});

describe("which commits", () => {
  const commits = (...messages: string[]) => {
    const repository = createRepository({ "a.txt": "0\n" });
    for (const [index, message] of messages.entries()) {
      put(repository, "a.txt", `${index + 1}\n`);
      repository.git("commit", "-qam", message);
    }
    return repository;
  };

  test.each<[string, SquashOptions, number]>([
    ["with a subject that begins so", { aiMessages: true }, 2],
    ["whose messages contain a text", { containing: "ticket 7" }, 3],
    ["maximum number of commits", { containing: "ticket 7", limit: 2 }, 2],
    ["of the last hours", { hours: 1 }, 5],
    ["of the last days, with a text", { days: 1, containing: "ticket 7" }, 3],
  ])("%s", async (_, options, count) => {
    const repository = commits("other", "fix (ticket 7)", "AI: x (ticket 7)", "AI: y (ticket 7)");
    expect((await squash(repository, { ...options, message: "m" })).folded).toHaveLength(count);
    expect([subjects(repository).length, status(repository)]).toEqual([5 - count + 1, []]);
  });

  test("all of them, the first one too", async () => {
    const repository = commits("second");
    await squash(repository, { containing: "", message: "all" });
    expect(subjects(repository)).toEqual(["all"]);
  });

  test("old ones do not count as of the last hours", async () => {
    const repository = commits("x");
    repository.git("-c", "user.name=A", "commit", "-q", "--amend", "--no-edit", "--date=now");
    await expect(squash(repository, { hours: 0.000_000_1 })).rejects.toThrow("it takes two matching commits at HEAD, and none matches");
  });

  test("it stops where a shallow clone ends: what is there has parents that only others know", async () => {
    const origin = commits("ticket 7", "ticket 7", "ticket 7", "ticket 7");
    const root = join(createFolder(), "clone");
    origin.git("clone", "-q", "--depth=3", `file://${origin.root}`, root);
    const clone = repositoryAt(root);
    clone.git("remote", "remove", "origin");
    clone.git("config", "user.name", "A User");
    clone.git("config", "user.email", "user@example.org");
    const end = clone.git("rev-parse", "HEAD~2");
    expect((await squash(clone, { containing: "ticket 7", message: "ticket 7" })).folded.length).toBe(2);
    expect(clone.git("rev-parse", "HEAD^")).toBe(end);
    await expect(squash(clone, { containing: "ticket 7" })).rejects.toThrow(`only one matches: ${end.slice(0, 10)} is where a shallow clone ends`);
  });

  test("it stops at a merge", async () => {
    const repository = await threeRuns();
    repository.git("checkout", "-q", "-b", "side", "HEAD~3");
    repository.git("commit", "-q", "--allow-empty", "-m", "side");
    repository.git("checkout", "-q", "main");
    repository.git("merge", "-q", "--no-ff", "-m", "merge\n\nLoaf-Run: 9", "side");
    await expect(squash(repository)).rejects.toThrow(/none matches: \w+ 'merge' does not match/);
  });

  test("of one alone nothing is made; the first that does not match is named", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    await run(repository, write("a.txt", "two\n"));
    const begin = repository.git("rev-parse", "HEAD~").slice(0, 10);
    await expect(squash(repository)).rejects.toThrow(`Nothing was squashed: it takes two matching commits at HEAD, and only one matches: ${begin} 'begin' does not match`);
  });

  test("not while something is in progress, nor without a commit", async () => {
    const repository = await threeRuns();
    put(repository, ".git/MERGE_HEAD", "x\n");
    await expect(squash(repository)).rejects.toThrow("Nothing was squashed: a merge is in progress");
    await expect(squash(createRepository())).rejects.toThrow("there is no commit yet");
  });
});

describe("the user's own commits among them", () => {
  /** A run, a commit of the user's, and a run on what the user has changed. */
  const mixed = async () => {
    const repository = createRepository({ "a.txt": "0\n" });
    await run(repository, write("b.txt", "1\n"));
    put(repository, "a.txt", "mine\n");
    repository.git("commit", "-qam", "mine\n\nCloses #4");
    put(repository, "b.txt", "mine\n");
    await run(repository, write("b.txt", "2\n"));
    return repository;
  };

  test.each<[string, SquashOptions]>([
    ["of the last hours", { hours: 1 }],
    ["of the last days", { days: 1 }],
    ["whose messages contain a text", { containing: "" }],
  ])("%s are named, and what holds them is neither called AI nor passes for Loaf's", async (_, options) => {
    const repository = await mixed();
    const { folded, notices, message } = await squash(repository, { ...options, limit: 4 });
    expect(folded.map(({ by, subject }) => [by, subject])).toEqual([["loaf", "AI: write b.txt"], ["user", "Before AI: write b.txt"], ["user", "mine"], ["loaf", "AI: write b.txt"]]);
    expect([message, subjects(repository)]).toEqual(["Squash: change a.txt, b.txt\n", ["Squash: change a.txt, b.txt", "begin"]]);
    expect(notices).toEqual([expect.stringMatching(/^2 of these 4 commits are your own, not Loaf's: \w{10} Before AI: write b\.txt; \w{10} mine$/)]);
    expect(repository.git("log", "-1", "--format=%B")).not.toContain("Loaf-Run");
  });

  test("whoever calls a commit AI: is still its author", async () => {
    const repository = createRepository({ "a.txt": "0\n" });
    for (const text of ["1", "2"]) {
      put(repository, "a.txt", text);
      repository.git("commit", "-qam", `AI: ${text}`);
    }
    expect((await squash(repository, { aiMessages: true })).message).toBe("Squash: change a.txt\n");
  });

  test("are asked about where somebody can be asked: a no changes nothing", async () => {
    const repository = await mixed();
    const head = repository.git("rev-parse", "HEAD");
    const asked: unknown[] = [];
    const answer = (isAgreed: boolean): NonNullable<SquashOptions["confirm"]> => async (own, all) => (asked.push([own.length, all.length]), isAgreed);
    await expect(squash(repository, { hours: 1, limit: 3, confirm: answer(false) })).rejects.toThrow("Nothing was squashed: you kept your own commits");
    expect(repository.git("rev-parse", "HEAD")).toBe(head);
    await squash(repository, { hours: 1, limit: 3, confirm: answer(true) });
    expect([asked, subjects(repository).length]).toEqual([[[2, 3], [2, 3]], 3]);
    await run(repository, write("c.txt", "1\n"));
    await run(repository, write("c.txt", "2\n"));
    await squash(repository, { confirm: answer(false) });
    expect([asked.length, subjects(repository)[0]]).toEqual([2, "AI: change c.txt"]);
  });
});

describe("pushed commits", () => {
  const pushed = async () => {
    const repository = await threeRuns();
    const remote = createRepository({}, "--bare");
    repository.git("remote", "add", "origin", remote.root);
    repository.git("push", "-q", "-u", "origin", "main");
    return { repository, remote };
  };

  test("are not rewritten", async () => {
    const { repository } = await pushed();
    await expect(squash(repository)).rejects.toThrow(/none matches: \w+ is pushed, and only --push rewrites pushed commits/);
    for (const path of ["x.txt", "y.txt"]) await run(repository, write(path, "1\n"));
    expect((await squash(repository)).folded).toHaveLength(2);
  });

  test("are with push, and pushed", async () => {
    const { repository, remote } = await pushed();
    const { notices, folded } = await squash(repository, { push: true });
    expect([notices, folded.length, subjects(remote)]).toEqual([[], 3, ["AI: change a.txt, b.txt, c.txt and 2 more", "begin"]]);
  });

  test("are not taken from somebody who has pushed meanwhile", async () => {
    const { repository, remote } = await pushed();
    const other = createRepository();
    other.git("pull", "-q", remote.root, "main");
    other.git("commit", "-q", "--allow-empty", "-m", "theirs");
    other.git("push", "-q", remote.root, "HEAD:main");
    const before = subjects(repository);
    const { notices, commit, isRejected } = await squash(repository, { push: true });
    expect([notices, subjects(remote)[0]]).toEqual([[expect.stringContaining("The commit was not pushed, so the branch is as it was")], "theirs"]);
    expect([commit, isRejected, subjects(repository)]).toEqual([undefined, true, before]);
  });

  test("are not where the server refuses, and its reason is told", async () => {
    const { repository, remote } = await pushed();
    put(remote, "hooks/update", "#!/bin/sh\necho 'policy: history stays' >&2\nexit 1\n");
    chmodSync(join(remote.root, "hooks/update"), 0o755);
    const before = subjects(repository);
    const { notices, isRejected } = await squash(repository, { push: true });
    expect([notices, isRejected, subjects(repository)]).toEqual([[expect.stringContaining("; remote: policy: history stays; remote: error: hook declined")], true, before]);
  });
});

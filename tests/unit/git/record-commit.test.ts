/** Commits that must not be made as they are: unsigned ones where the user signs, and empty ones. And git's calls that must not reach a server. */
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { createGit } from "../../../src/git/git.ts";
import { readHead, recordCommit } from "../../../src/git/record-commit.ts";
import { createFolder } from "../../support/folder.ts";
import { createRepository, type TestRepository } from "../../support/repository.ts";
import { open, prepare, run, write } from "./running.ts";

beforeEach(prepare);

function sign({ git }: TestRepository): void {
  const tool = join(createFolder({ sign: '#!/bin/sh\ncat > /dev/null\nprintf "\\n[GNUPG:] SIG_CREATED x\\n" >&2\necho "-----BEGIN PGP SIGNATURE-----"\n' }), "sign");
  chmodSync(tool, 0o755);
  git("config", "commit.gpgSign", "true");
  git("config", "gpg.program", tool);
}

const isSigned = ({ git }: TestRepository) => git("cat-file", "commit", "HEAD").includes("\ngpgsig ");

describe("signed where the user has commits signed", () => {
  test("the first commit", async () => {
    const repository = createRepository();
    sign(repository);
    await run(repository, write("a.txt", "one\n"));
    expect(isSigned(repository)).toBe(true);
  });

  test("a later one", async () => {
    const repository = createRepository({ "b.txt": "" });
    sign(repository);
    await run(repository, write("a.txt", "one\n"));
    expect(isSigned(repository)).toBe(true);
  });

  test("what squash makes", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    for (const text of ["two", "three"]) await run(repository, write("a.txt", text));
    sign(repository);
    await (await open(repository)).squash();
    expect(isSigned(repository)).toBe(true);
  });
});

describe("no empty commit", () => {
  /** Of an index that holds what HEAD holds. */
  async function recorded(repository: TestRepository): Promise<unknown> {
    const git = createGit("git", repository.root);
    const gitFolder = join(repository.root, ".git");
    return recordCommit(git, { head: await readHead(git), index: join(gitFolder, "index"), message: "nothing\n" });
  }

  test("on top of HEAD", async () => {
    const repository = createRepository({ "a.txt": "" });
    const head = repository.git("rev-parse", "HEAD");
    expect([await recorded(repository), repository.git("rev-parse", "HEAD")]).toEqual([undefined, head]);
  });

  test.each(["sha1", "sha256"])("on a branch without a commit, of %s", async (format) => {
    const repository = createRepository({}, `--object-format=${format}`);
    expect(await recorded(repository)).toBeUndefined();
    expect(() => repository.git("rev-parse", "--verify", "--quiet", "HEAD")).toThrow();
  });
});

test("a git that does not know the variable against fetching obeys the one against protocols, and both are off where a call may fetch", async () => {
  const folder = createFolder({ git: '#!/bin/sh\necho "$GIT_NO_LAZY_FETCH $GIT_ALLOW_PROTOCOL"\n' });
  chmodSync(join(folder, "git"), 0o755);
  const git = createGit(join(folder, "git"), folder);
  expect([(await git(["status"])).toString(), (await git(["checkout"], { fetches: true })).toString()]).toEqual(["1 none\n", " \n"]);
});

/** Where there is no commit: the changes stay, a sentence says why, and index, HEAD and everything else are as they were. */
import { appendFileSync, chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { processTable } from "../../../src/state/process-identity.ts";
import { createGit } from "../../../src/git/git.ts";
import { createFolder } from "../../support/folder.ts";
import { createRepository, type TestRepository } from "../../support/repository.ts";
import { changedIn, hook, open, prepare, put, read, replace, run, runWith, status, subjects, write } from "./running.ts";

beforeEach(prepare);

const standing = ({ root, git }: TestRepository) => [git("rev-parse", "HEAD"), git("ls-files", "-s"), readdirSync(join(root, ".git")).filter((name) => /loaf|lock/.test(name))];

/** A run that changes a.txt, and what it says of the commit that it did not make. */
async function refused(repository: TestRepository): Promise<string | undefined> {
  const before = standing(repository);
  const { commit, notices, success } = await run(repository, write("a.txt", "its\n"));
  expect([commit, success, read(repository, "a.txt"), standing(repository)]).toEqual([undefined, true, "its\n", before]);
  const [notice, ...more] = notices ?? [];
  expect(more).toEqual([]);
  expect(notice).toMatch(/^No commit was made: .+\. The changes stay in the files$/);
  return notice?.slice("No commit was made: ".length, -". The changes stay in the files".length);
}

describe("something is in progress", () => {
  const branches = () => {
    const repository = createRepository({ "a.txt": "one\n", "b.txt": "one\n" });
    repository.git("checkout", "-q", "-b", "side");
    put(repository, "b.txt", "side\n");
    repository.git("commit", "-qam", "side");
    repository.git("checkout", "-q", "main");
    put(repository, "b.txt", "main\n");
    repository.git("commit", "-qam", "main");
    return repository;
  };
  test.each([
    ["a merge", ["merge", "side"]],
    ["a rebase", ["rebase", "side"]],
    ["a rebase or git am", ["rebase", "--apply", "side"]],
    ["a cherry-pick", ["cherry-pick", "side"]],
    ["a revert", ["revert", "--no-edit", "HEAD~"]],
    ["a bisect", ["bisect", "start"]],
  ])("%s", async (what, command) => {
    const repository = branches();
    try {
      repository.git(...command);
    } catch {
      // A conflict, as it should be.
    }
    if (what === "a revert") writeFileSync(join(repository.root, ".git/REVERT_HEAD"), `${repository.git("rev-parse", "HEAD")}\n`);
    expect(await refused(repository)).toBe(`${what} is in progress`);
  });

  test("files that are not merged, though nothing says so", async () => {
    const repository = branches();
    expect(() => repository.git("merge", "side")).toThrow();
    rmSync(join(repository.root, ".git/MERGE_HEAD"));
    expect(await refused(repository)).toBe("some files are not merged yet");
  });
});

describe("a commit cannot be made", () => {
  test("nobody said who the user is", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    repository.git("config", "--unset", "user.email");
    expect(await refused(repository)).toMatch(/git does not know who you are/);
  });

  test.each(["pre-commit", "prepare-commit-msg", "commit-msg"])("the hook %s fails", async (name) => {
    const repository = createRepository({ "a.txt": "one\n" });
    hook(repository, name, "echo checking >&2", "echo 'lint: 3 problems' >&2", "exit 1");
    expect(await refused(repository)).toBe("a git hook refused it: checking; lint: 3 problems");
  });

  test("the signing fails", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    repository.git("config", "commit.gpgSign", "true");
    repository.git("config", "gpg.program", "false");
    expect(await refused(repository)).toMatch(/gpg failed to sign/);
    hook(repository, "pre-commit", "exit 0");
    expect((await run(repository, write("a.txt", "two\n"))).notices?.[0]).toMatch(/gpg failed to sign/);
  });

  test("another git has the index, and keeps it", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    const lock = join(repository.root, ".git/index.lock");
    writeFileSync(lock, "");
    expect((await run(repository, write("a.txt", "two\n"))).notices).toEqual([
      `No commit was made: another git process is using the repository (${lock} exists); if none is running, delete that file. The changes stay in the files`,
    ]);
    expect(readFileSync(lock, "utf8")).toBe("");
  });

  test("the repository is broken", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    writeFileSync(join(repository.root, ".git/config"), "[core\n");
    expect((await run(repository, write("a.txt", "two\n"))).notices?.[0]).toMatch(/^No commit was made: bad config line 1/);
  });

  test("the user's own changes are in, the run's are not: that is said, and nothing is lost", async () => {
    const repository = createRepository({ "a.txt": "one\n", "b.txt": "1\n" });
    hook(repository, "commit-msg", 'grep -q "^Before" "$1" || { echo "no machines" >&2; exit 1; }');
    put(repository, "a.txt", "mine\n");
    put(repository, "b.txt", "2\n");
    repository.git("add", "b.txt");
    const { notices, commit } = await run(repository, replace("a.txt", "mine", "its"));
    const before = repository.git("rev-parse", "HEAD");
    expect([commit, notices]).toEqual([undefined, ["No commit was made: a git hook refused it: no machines. The changes stay in the files", `What you had changed in these files before is committed as ${before.slice(0, 10)}`]]);
    expect([subjects(repository), repository.git("show", "HEAD:a.txt"), status(repository)]).toEqual([["Before AI: edit a.txt", "begin"], "mine", [" M a.txt", "M  b.txt"]]);
    const [logged] = (await (await open(repository)).history()).runs;
    expect([logged?.summary, logged?.commit]).toEqual(["edit a.txt", undefined]);
  });
});

/** What a Loaf writes into the lock: this process, but for what is given. */
const lockOf = (owner: Readonly<Record<string, unknown>>) => `loaf ${JSON.stringify({ ...processTable.identify(), taking: "t", ...owner })}\n`;

describe("the lock of the index", () => {
  test("of another git is waited for", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    const lock = join(repository.root, ".git/index.lock");
    writeFileSync(lock, "");
    setTimeout(() => rmSync(lock), 300);
    expect((await run(repository, write("a.txt", "two\n"))).commit).toBeDefined();
  });

  test("of a Loaf that was killed is taken over, with what it has left", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    const { pid } = spawnSync("true");
    writeFileSync(join(repository.root, ".git/index.lock"), lockOf({ pid, started: "1" }));
    put(repository, ".git/loaf-commit-abc/index", "");
    const { commit } = await run(repository, write("a.txt", "two\n"));
    expect([commit, existsSync(join(repository.root, ".git/loaf-commit-abc"))]).toEqual([repository.git("rev-parse", "HEAD"), false]);
  });

  test("of one that was killed, and whose number another program has by now, is taken over", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    writeFileSync(join(repository.root, ".git/index.lock"), lockOf({ started: "1" }));
    expect((await run(repository, write("a.txt", "two\n"))).commit).toBe(repository.git("rev-parse", "HEAD"));
  });

  test("100: of one that runs, or runs elsewhere, or only looks like it, is not", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    const lock = join(repository.root, ".git/index.lock");
    for (const owner of [lockOf({}), lockOf({ host: "another-machine", boot: "another" }), "loaf 1 x\n", `${lockOf({ started: "1" })}more`]) {
      writeFileSync(lock, owner);
      expect((await run(repository, write("a.txt", `${owner}two\n`))).commit).toBeUndefined();
      expect(readFileSync(lock, "utf8")).toBe(owner);
    }
  });
});

describe("hooks have their say", () => {
  test("each of them, with the index of the commit, the user's language and patterns that are patterns", async () => {
    const repository = createRepository({ "a.txt": "one\n", "b.txt": "1\n" });
    vi.stubEnv("LC_ALL", "C.UTF-8");
    put(repository, "b.txt", "2\n");
    repository.git("add", "b.txt");
    hook(repository, "pre-commit", "git diff --cached --name-only >> .git/seen", "echo $LC_ALL >> .git/seen", "git ls-files '*.txt' | wc -l >> .git/seen");
    hook(repository, "commit-msg", 'echo "Checked-by: hook" >> "$1"');
    hook(repository, "post-commit", "echo post >> .git/seen");
    const { commit } = await run(repository, write("a.txt", "two\n"));
    expect(commit).toBe(repository.git("rev-parse", "HEAD"));
    expect(read(repository, ".git/seen").split(/\s+/)).toEqual(["a.txt", "C.UTF-8", "2", "post", ""]);
    expect(repository.git("log", "-1", "--format=%B")).toBe("AI: write a.txt\n\nLoaf-Run: 1\nChecked-by: hook\n");
    expect([changedIn(repository), status(repository)]).toEqual([["M a.txt"], ["M  b.txt"]]);
  });

  test("one that formats what is committed: the index has it as the commit has", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    hook(repository, "pre-commit", "for f in $(git diff --cached --name-only); do tr a-z A-Z < $f > .git/t && cat .git/t > $f; git add $f; done");
    await run(repository, write("a.txt", "two\n"));
    expect([repository.git("show", "HEAD:a.txt"), status(repository)]).toEqual(["TWO", []]);
  });

  test("what they change in the run's files belongs to it: undo and redo take it back and forth; another file stays", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    hook(repository, "pre-commit", "tr a-z A-Z < a.txt > .git/t && cat .git/t > a.txt && git add a.txt", "echo log >> seen.txt");
    await run(repository, write("a.txt", "two\n"));
    const after = read(repository, "a.txt");
    rmSync(join(repository.root, ".git/hooks/pre-commit"));
    expect((await (await open(repository)).undo()).runs.map(({ refused }) => refused)).toEqual([[]]);
    expect([after, read(repository, "a.txt"), read(repository, "seen.txt")]).toEqual(["TWO\n", "one\n", "log\n"]);
    await (await open(repository)).redo();
    expect([read(repository, "a.txt"), read(repository, "seen.txt")]).toEqual(["TWO\n", "log\n"]);
  });

  test("those of a folder that is set for them; a file that is not executable is none", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    const hooks = createFolder({ "pre-commit": "#!/bin/sh\nexit 1\n" });
    repository.git("config", "core.hooksPath", hooks);
    const config = { git: { hooks: true } };
    expect((await runWith(repository, { config }, write("a.txt", "two\n"))).commit).toBeDefined();
    chmodSync(join(hooks, "pre-commit"), 0o755);
    expect((await runWith(repository, { config }, write("a.txt", "three\n"))).commit).toBeUndefined();
  });

  test("a signature is made", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    const tool = join(createFolder({ sign: '#!/bin/sh\ncat > /dev/null\nprintf "\\n[GNUPG:] SIG_CREATED x\\n" >&2\necho "-----BEGIN PGP SIGNATURE-----"\n' }), "sign");
    chmodSync(tool, 0o755);
    repository.git("config", "commit.gpgSign", "true");
    repository.git("config", "gpg.program", tool);
    await run(repository, write("a.txt", "two\n"));
    expect(repository.git("cat-file", "commit", "HEAD")).toContain("gpgsig -----BEGIN PGP SIGNATURE-----");
  });
});

describe("33: reading runs none of the repository's programs", () => {
  test("no fsmonitor, no hook, and nothing that the environment says of another repository is run", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    put(repository, "trap", "#!/bin/sh\ntouch trapped\n");
    chmodSync(join(repository.root, "trap"), 0o755);
    repository.git("config", "core.fsmonitor", join(repository.root, "trap"));
    repository.git("config", "core.pager", join(repository.root, "trap"));
    repository.git("config", "core.editor", join(repository.root, "trap"));
    hook(repository, "post-checkout", "touch trapped");
    hook(repository, "post-index-change", "touch trapped-index");
    const other = createRepository({ "a.txt": "one\n" });
    for (const name of ["GIT_DIR", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY"]) vi.stubEnv(name, join(other.root, ".git"));
    vi.stubEnv("GIT_WORK_TREE", other.root);
    rmSync(join(repository.root, ".git/hooks/post-index-change"));
    const { commit } = await run(repository, write("a.txt", "two\n"));
    expect([commit, existsSync(join(repository.root, "trapped")), subjects(other)]).toEqual([repository.git("rev-parse", "HEAD"), false, ["begin"]]);
  });
});

describe("33: reading runs nothing that a repository names as its server or as the judge of its signatures", () => {
  test("an object that is missing is not fetched", async () => {
    const repository = createRepository({ "a.txt": "one\n", "d/b.txt": "b\n" });
    const { git, root } = repository;
    const tree = git("rev-parse", "HEAD:d");
    const trap = join(root, ".git/trapped");
    const settings = { "core.repositoryformatversion": "1", "extensions.partialClone": "origin", "remote.origin.url": `ext::touch ${trap}`, "remote.origin.promisor": "true", "protocol.ext.allow": "always" };
    for (const [name, value] of Object.entries(settings)) git("config", name, value);
    rmSync(join(root, ".git/objects", tree.slice(0, 2), tree.slice(2)));
    await run(repository, write("a.txt", "two\n"));
    expect(existsSync(trap)).toBe(false);
  });

  test("a signature is not looked at", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    const { git, root } = repository;
    put(repository, ".git/judge", "#!/bin/sh\ntouch .git/trapped\n");
    chmodSync(join(root, ".git/judge"), 0o755);
    git("config", "log.showSignature", "true");
    git("config", "gpg.program", join(root, ".git/judge"));
    const signed = `${git("cat-file", "commit", "HEAD").replace(/^committer.*$/m, "$&\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----")}\n`;
    put(repository, ".git/signed", signed);
    git("update-ref", "HEAD", git("hash-object", "-t", "commit", "-w", ".git/signed"));
    const call = createGit("git", root);
    expect((await call(["log", "-1", "--format=%s"])).toString()).toBe("begin\n");
    expect(existsSync(join(root, ".git/trapped"))).toBe(false);
  });
});

describe("76: what somebody else changes meanwhile", () => {
  test("after the run has written it: left out and reported", async () => {
    const repository = createRepository({ "a.txt": "one\n", "b.txt": "1\n" });
    const result = await runWithBetween(repository, () => appendFileSync(join(repository.root, "a.txt"), "mine\n"), write("a.txt", "two\n"), write("b.txt", "2\n"));
    expect([result.externalChanges, result.notices]).toEqual([["a.txt"], ["a.txt was changed by somebody else after the run wrote it: it is not in the commit"]]);
    expect([changedIn(repository), read(repository, "a.txt"), status(repository)]).toEqual([["M b.txt"], "two\nmine\n", [" M a.txt"]]);
  });

  test("a change of a file's time alone does not count: its content decides", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    const result = await runWithBetween(repository, () => writeFileSync(join(repository.root, "a.txt"), "two\n"), write("a.txt", "two\n"));
    expect([result.externalChanges, changedIn(repository)]).toEqual([undefined, ["M a.txt"]]);
  });

  /** Blocks in pieces: each is flushed before the next, and `act` comes after the first. */
  const runWithBetween = async (repository: TestRepository, act: () => void, first: string, ...others: string[]) => {
    async function* pieces() {
      yield `${first}\n`;
      act();
      yield others.join("\n");
    }
    return (await open(repository)).execute(pieces());
  };

  /** Somebody writes into a.txt while git reads it, once. @param others files of the repository besides */
  const written = (when: "before" | "after", others: Readonly<Record<string, string>>, prepareIt: (repository: TestRepository) => void = () => {}) => {
    const repository = createRepository({ ".gitattributes": "a.txt filter=slow\n", "a.txt": "one\n", ...others });
    const write = "test -e .git/armed && rm .git/armed && echo mine >> a.txt";
    // Outside of the work tree, where no action could change it.
    const filter = join(createFolder({ filter: when === "before" ? `${write}; cat a.txt` : `cat; ${write}; true` }), "filter");
    repository.git("config", "filter.slow.clean", `sh ${filter}`);
    prepareIt(repository);
    put(repository, ".git/armed", "");
    return repository;
  };

  test.each(["before", "after"] as const)("while git reads it: the commit has what the run wrote, or nothing of it; %s git has it", async (when) => {
    const repository = written(when, { "b.txt": "1\n", "staged.txt": "1\n" }, (one) => {
      put(one, "staged.txt", "2\n");
      one.git("add", "staged.txt");
    });
    const result = await run(repository, write("a.txt", "two\n"), write("b.txt", "2\n"));
    expect(result.externalChanges).toEqual(["a.txt"]);
    expect([changedIn(repository), read(repository, "a.txt"), status(repository)]).toEqual([["M b.txt"], "two\nmine\n", [" M a.txt", "M  staged.txt"]]);
  });

  test.each(["before", "after"] as const)("while git reads it for the commit: that is made without the file; %s git has it", async (when) => {
    const repository = written(when, { "b.txt": "1\n" }, ({ git }) => git("update-index", "--assume-unchanged", ".gitattributes"));
    const result = await run(repository, write("a.txt", "two\n"), write("b.txt", "2\n"));
    expect([result.externalChanges, result.notices]).toEqual([["a.txt"], ["a.txt was changed by somebody else after the run wrote it: it is not in the commit"]]);
    expect([result.commit, subjects(repository), changedIn(repository)]).toEqual([repository.git("rev-parse", "HEAD"), ["AI: write b.txt", "begin"], ["M b.txt"]]);
    expect([read(repository, "a.txt"), status(repository), repository.git("ls-files", "-v")]).toEqual(["two\nmine\n", [" M a.txt"], "h .gitattributes\nH a.txt\nH b.txt"]);
    expect(repository.git("reflog", "--format=%gs").split("\n").toReversed()).toEqual(["commit (initial): begin", "commit: AI: write b.txt"]);
  });

  test("while git reads the only one: no commit is left", async () => {
    const repository = written("before", {});
    const result = await run(repository, write("a.txt", "two\n"));
    expect([result.externalChanges, result.commit, subjects(repository), status(repository)]).toEqual([["a.txt"], undefined, ["begin"], [" M a.txt"]]);
  });

  test("while git reads it for a commit that fails: both are said", async () => {
    const repository = written("before", { "b.txt": "1\n" }, ({ git }) => git("config", "--unset", "user.email"));
    const { externalChanges, notices } = await run(repository, write("a.txt", "two\n"), write("b.txt", "2\n"));
    expect([externalChanges, notices]).toEqual([["a.txt"], [expect.stringMatching(/^No commit was made: git does not know who you are/), expect.stringMatching(/^a\.txt was changed/)]]);
  });

  test("in another file that git tracks, in a run that takes a while: reported", async () => {
    const repository = createRepository({ "a.txt": "one\n", "b.txt": "1\n", "c.txt": "1\n" });
    put(repository, "c.txt", "long ago\n");
    await new Promise((done) => setTimeout(done, 50));
    const result = await runWith(repository, { onEvent: () => new Promise((done) => (put(repository, "b.txt", "mine\n"), setTimeout(done, 1_100))) }, write("a.txt", "two\n"));
    expect([result.externalChanges, result.notices, changedIn(repository)]).toEqual([["b.txt"], undefined, ["M a.txt"]]);
  });

  test("before it is written: the action fails, and that is reported", async () => {
    const repository = createRepository({ "a.txt": "one\n", "b.txt": "1\n" });
    const loaf = await open(repository, {}, { onEvent: ({ seq }) => seq === 1 && put(repository, "b.txt", "mine\n") });
    const result = await loaf.execute([replace("b.txt", "1", "2"), replace("a.txt", "one", "two")].join("\n"));
    expect(result.externalChanges).toEqual(["b.txt"]);
  });
});

describe("a push", () => {
  const withRemote = (repository: TestRepository) => {
    const remote = createRepository({}, "--bare");
    repository.git("remote", "add", "origin", remote.root);
    repository.git("push", "-q", "-u", "origin", "main");
    return remote;
  };

  test("only where it is asked for", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    const remote = withRemote(repository);
    await run(repository, write("a.txt", "two\n"));
    expect(subjects(remote)).toEqual(["begin"]);
    const { notices } = await runWith(repository, { config: { git: { push: true } } }, write("a.txt", "three\n"));
    expect([notices, subjects(remote)]).toEqual([undefined, ["AI: write a.txt", "AI: write a.txt", "begin"]]);
  });

  test("gives a notice if it fails; the commit stands", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    const remote = withRemote(repository);
    rmSync(remote.root, { recursive: true });
    const { notices, commit, success } = await runWith(repository, { config: { git: { push: true } } }, write("a.txt", "two\n"));
    expect([commit, success]).toEqual([repository.git("rev-parse", "HEAD"), true]);
    expect(notices).toEqual([expect.stringMatching(/^The commit was not pushed: .*does not appear to be a git repository/)]);
  });
});

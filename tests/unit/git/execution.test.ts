/**
 * What git would run, or read as configuration, from files that an answer could write (case 96 of docs/security-cases.md): nothing of it runs by anything that Loaf
 * does, until the user has trusted its very bytes.
 */
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { openRepository } from "../../../src/git/repository-of-project.ts";
import { trustGitFiles } from "../../../src/trust/trust.ts";
import { Loaf } from "../../../src/index.ts";
import { createFolder } from "../../support/folder.ts";
import { createRepository, type TestRepository } from "../../support/repository.ts";
import { changedIn, hook, open, prepare, put, read, replace, run, runWith, status, subjects, write } from "./running.ts";

beforeEach(prepare);

/** A program that leaves a trace outside of the project. It passes on what it is given, so that it may be a filter. */
function trap(): { readonly script: string; readonly line: string; isSprung(): boolean } {
  const mark = join(createFolder(), "mark");
  const line = `touch ${mark}; cat`;
  return { script: `#!/bin/sh\ntouch ${mark}\n`, line, isSprung: () => existsSync(mark) };
}

/** Rules under which an answer may write what the default ones refuse. */
const opened = (...paths: string[]) => ({ config: { "fs-guard": { allowed: ["./**", ...paths] } } });
const WIDE = opened("./.gitconfig", "./hooks/pre-commit");

const executable = ({ root }: TestRepository, path: string): void => chmodSync(join(root, path), 0o755);

/** As `loaf trust` does, of all that is there now. */
async function trustAll({ root }: TestRepository): Promise<void> {
  const { settings } = await Loaf.create({ repoPath: root });
  const repository = await openRepository({ root, settings });
  trustGitFiles(root, new Map(repository?.git.execution.sources.map(({ path, digest = "" }) => [path, { digest }])));
}

describe("96: hooks in the work tree", () => {
  test("one that the answer writes does not run in that run's commit, nor in the next one, nor in undo", async () => {
    const repository = createRepository({ "a.txt": "one\n", ".githooks/pre-commit": "#!/bin/sh\n" });
    const { script, isSprung } = trap();
    executable(repository, ".githooks/pre-commit");
    repository.git("config", "core.hooksPath", ".githooks");
    const { commit, notices } = await runWith(repository, opened("./.githooks/pre-commit"), write(".githooks/pre-commit", script), write("a.txt", "two\n"));
    expect([commit, isSprung()]).toEqual([repository.git("rev-parse", "HEAD"), false]);
    expect(notices).toEqual(["Committed without hooks: they would run .githooks/pre-commit, which is not trusted. loaf trust shows it and lets it run"]);
    await run(repository, write("a.txt", "three\n"));
    await (await open(repository)).undo(2);
    expect([isSprung(), read(repository, "a.txt")]).toEqual([false, "one\n"]);
  });

  test("one that is trusted runs, and no longer once a byte of it, or of what lies beside it, is another", async () => {
    const repository = createRepository({ "a.txt": "one\n", "hooks/pre-commit": '#!/bin/sh\n. "$(dirname "$0")/lib.sh"\n', "hooks/lib.sh": "" });
    const { script, isSprung } = trap();
    executable(repository, "hooks/pre-commit");
    repository.git("config", "core.hooksPath", "hooks");
    put(repository, "hooks/lib.sh", "echo ran >> .git/ran\n");
    await trustAll(repository);
    expect((await run(repository, write("a.txt", "two\n"))).notices).toBeUndefined();
    expect(read(repository, ".git/ran")).toBe("ran\n");
    const { notices, commit } = await runWith(repository, opened("./hooks/lib.sh"), write("hooks/lib.sh", script), write("a.txt", "three\n"));
    expect([notices, commit, isSprung()]).toEqual([[expect.stringContaining("they would run hooks/lib.sh, which is not trusted")], repository.git("rev-parse", "HEAD"), false]);
    // What it was before is trusted still.
    await (await open(repository)).undo();
    await run(repository, write("a.txt", "four\n"));
    expect([isSprung(), read(repository, ".git/ran")]).toEqual([false, "ran\nran\n"]);
  });

  test.each([".pre-commit-config.yaml", "lefthook.yml", ".lefthook.toml", ".config/lefthook.yml", ".husky/pre-commit", ".overcommit.yml", "captainhook.json", "tools/check.sh"])(
    "a hook of the user's own calls a program that obeys %s",
    async (path) => {
      const repository = createRepository({ "a.txt": "one\n" });
      const { script, isSprung } = trap();
      mkdirSync(dirname(join(repository.root, path)), { recursive: true });
      const call = `if test -e ${path}; then sh ./${path}; fi`;
      // A script is named by the hook, the settings of a hook program are not.
      hook(repository, "pre-commit", path.startsWith("tools/") ? call : `sh ${join(createFolder({ program: call }), "program")}`);
      const { commit, notices } = await runWith(repository, opened(`./${path}`), write(path, script), write("a.txt", "two\n"));
      expect([commit, notices, isSprung()]).toEqual([repository.git("rev-parse", "HEAD"), [expect.stringContaining(`they would run ${path}, which is not trusted`)], false]);
      await trustAll(repository);
      await run(repository, write("a.txt", "three\n"));
      expect(isSprung()).toBe(true);
    },
  );

  test("a hook that is a link into the work tree", async () => {
    const repository = createRepository({ "a.txt": "one\n", "tools/pre-commit": "#!/bin/sh\n" });
    const { script, isSprung } = trap();
    executable(repository, "tools/pre-commit");
    symlinkSync("../../tools/pre-commit", join(repository.root, ".git/hooks/pre-commit"));
    const { notices } = await run(repository, write("tools/pre-commit", script), write("a.txt", "two\n"));
    expect([notices?.length, isSprung()]).toEqual([1, false]);
  });

  test("a folder of hooks outside of the work tree that the rules open for writing", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    const { script, isSprung } = trap();
    const hooks = createFolder({ "pre-commit": "#!/bin/sh\n" });
    chmodSync(join(hooks, "pre-commit"), 0o755);
    repository.git("config", "core.hooksPath", hooks);
    const { notices } = await runWith(repository, opened(`${hooks}/pre-commit`), write(join(hooks, "pre-commit"), script), write("a.txt", "two\n"));
    expect([notices?.length, isSprung()]).toEqual([1, false]);
  });

  test.each(["post-commit", "prepare-commit-msg", "commit-msg", "reference-transaction", "post-index-change", "post-checkout"])("%s is one of them, whatever Loaf does", async (name) => {
    const repository = createRepository({ "a.txt": "one\n" });
    const { script, isSprung } = trap();
    repository.git("config", "core.hooksPath", "hooks");
    put(repository, `hooks/${name}`, script);
    executable(repository, `hooks/${name}`);
    await run(repository, write("a.txt", "two\n"));
    const loaf = await open(repository);
    await loaf.undo();
    await loaf.redo();
    await run(repository, write("c.txt", "c\n"));
    await loaf.back();
    await loaf.forward();
    await loaf.squash();
    expect(isSprung()).toBe(false);
  });

  test("pre-push", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    const remote = createRepository({}, "--bare");
    repository.git("remote", "add", "origin", remote.root);
    repository.git("push", "-q", "-u", "origin", "main");
    const { script, isSprung } = trap();
    put(repository, "hooks/pre-push", script);
    executable(repository, "hooks/pre-push");
    repository.git("config", "core.hooksPath", "hooks");
    await runWith(repository, { config: { git: { push: true } } }, write("a.txt", "two\n"));
    expect([isSprung(), subjects(remote)[0]]).toEqual([false, "AI: write a.txt"]);
  });
});

test("what the configuration names as hooks and further configuration is not written, unless a rule opens it by name", async () => {
  const repository = createRepository({ "a.txt": "one\n" });
  repository.git("config", "core.hooksPath", "ci/hooks");
  repository.git("config", "includeIf.gitdir:/.path", "../settings/git.inc");
  const loaf = await open(repository);
  const { results } = await loaf.execute([write("ci/hooks/pre-commit", "x"), write("settings/git.inc", "x"), write("ci/other", "x")].join("\n"));
  expect(results.map(({ code }) => code)).toEqual(["guard/denied", "guard/denied", undefined]);
});

describe("96: configuration in the work tree", () => {
  const including = (repository: TestRepository, key = "include.path"): TestRepository => {
    repository.git("config", key, "../.gitconfig");
    return repository;
  };

  test.each(["include.path", "includeIf.gitdir:/.path"])("what %s names is not read: neither its filters nor its hooks nor its monitor", async (key) => {
    const repository = including(createRepository({ "a.txt": "one\n" }), key);
    const { line, script, isSprung } = trap();
    const config = `[filter "x"]\n\tclean = ${line}\n\tsmudge = ${line}\n[core]\n\tfsmonitor = ${line}\n\thooksPath = hooks\n[user]\n\tname = Somebody Else\n`.replaceAll("; ", " && ");
    const { notices } = await runWith(repository, WIDE, write(".gitconfig", config), write(".gitattributes", "b.txt filter=x\n"), write("hooks/pre-commit", script), write("a.txt", "two\n"), write("b.txt", "two\n"));
    executable(repository, "hooks/pre-commit");
    expect(notices).toEqual([
      "Committed without the git configuration in .gitconfig, which is not trusted. loaf trust shows it and lets it run",
      "b.txt stays uncommitted: git would run the filter 'x' with .gitconfig, which is not trusted. loaf trust shows it and lets it run",
    ]);
    await run(repository, write("a.txt", "three\n"));
    const loaf = await open(repository);
    await loaf.undo();
    await loaf.redo();
    await loaf.squash();
    expect([isSprung(), repository.git("log", "-1", "--format=%an")]).toEqual([false, "A User"]);
    expect(repository.git("-c", "core.fsmonitor=false", "-c", "core.fileMode=false", "-c", "filter.x.clean=", "status", "--porcelain")).toBe("?? b.txt");
    await expect(loaf.back()).rejects.toThrow(/\.gitconfig, which is not trusted/);
    expect(isSprung()).toBe(false);
  });

  test("a file for whose filter it is needed stays uncommitted, until it is trusted", async () => {
    const repository = including(createRepository({ "a.txt": "one\n", "a.dat": "one\n", ".gitattributes": "*.dat filter=up\n", ".gitconfig": '[filter "up"]\n\tclean = tr a-z A-Z\n' }));
    const { notices } = await run(repository, write("a.txt", "two\n"), write("a.dat", "two\n"), write("new.dat", "new\n"));
    expect(notices).toEqual([
      "Committed without the git configuration in .gitconfig, which is not trusted. loaf trust shows it and lets it run",
      "a.dat, new.dat stay uncommitted: git would run the filter 'up' with .gitconfig, which is not trusted. loaf trust shows it and lets it run",
    ]);
    expect(changedIn(repository)).toEqual(["M a.txt"]);
    await trustAll(repository);
    await run(repository, write("a.dat", "three\n"));
    expect(repository.git("show", "HEAD:a.dat")).toBe("THREE");
  });

  test("it counts as soon as it is trusted", async () => {
    const repository = including(createRepository({ "a.txt": "one\n", ".gitconfig": "[user]\n\tname = Somebody Else\n" }));
    await trustAll(repository);
    expect((await run(repository, write("a.txt", "two\n"))).notices).toBeUndefined();
    expect(repository.git("log", "-1", "--format=%an")).toBe("Somebody Else");
  });

  test("without it all else holds: branches, packed references, logs, another work tree, line endings, a list of values", async () => {
    const repository = including(createRepository({ "a.txt": "one\n" }));
    repository.git("config", "--add", "core.autocrlf", "input");
    repository.git("config", "branch.a \"b\\.merge", "x\ty\\");
    repository.git("pack-refs", "--all");
    put(repository, ".gitconfig", "[core]\n\tautocrlf = false\n");
    const tree = join(createFolder(), "tree");
    repository.git("worktree", "add", "-q", "-b", "side", tree);
    put({ root: tree }, ".gitconfig", "[core]\n\tautocrlf = false\n");
    repository.git("config", "extensions.worktreeConfig", "true");
    for (const root of [repository.root, tree]) {
      await run({ root }, write("a.txt", "two\r\n"));
      expect([repository.git("-C", root, "show", "HEAD:a.txt"), repository.git("-C", root, "reflog", "-1", "--format=%gs"), repository.git("-C", root, "-c", "core.autocrlf=input", "status", "--porcelain", "--untracked-files=no")]).toEqual(["two", "commit: AI: write a.txt", ""]);
    }
    expect(repository.git("fsck")).toBe("");
  });
});

describe("96: filters", () => {
  test.each(["clean", "process"])("a %s program in the work tree: the files that need it stay uncommitted, and are named", async (kind) => {
    const repository = createRepository({ "a.txt": "one\n", "big.bin": "big\n", "tools/filter.sh": "cat\n", ".gitattributes": "*.bin filter=big\n" });
    const { line, isSprung } = trap();
    repository.git("config", `filter.big.${kind}`, "sh tools/filter.sh");
    repository.git("config", "filter.big.required", "true");
    const { notices } = await run(repository, write("tools/filter.sh", line), write("big.bin", "bigger\n"), write("a.txt", "two\n"));
    expect(notices).toEqual(["big.bin stays uncommitted: git would run the filter 'big' with tools/filter.sh, which is not trusted. loaf trust shows it and lets it run"]);
    expect([isSprung(), changedIn(repository)]).toEqual([false, ["M a.txt", "M tools/filter.sh"]]);
    await expect((await open(repository)).back()).rejects.toThrow(/tools\/filter\.sh, which is not trusted/);
  });

  test("files that needed it before the run are not committed as they were either", async () => {
    const repository = createRepository({ "big.bin": "big\n", "tools/filter.sh": "cat\n", ".gitattributes": "*.bin filter=big\n" });
    repository.git("config", "filter.big.clean", "sh tools/filter.sh");
    put(repository, "big.bin", "mine\n");
    await run(repository, write(".gitattributes", ""), replace("big.bin", "mine", "its"));
    expect([subjects(repository), changedIn(repository)]).toEqual([["AI: write .gitattributes", "begin"], ["M .gitattributes"]]);
  });

  test("one that is trusted runs; a checkout that would change its program is refused", async () => {
    const repository = createRepository({ "a.txt": "one\n", "tools/filter.sh": "tr a-z A-Z\n", ".gitattributes": "a.txt filter=up\n" });
    repository.git("config", "filter.up.clean", "sh tools/filter.sh");
    await trustAll(repository);
    await run(repository, write("a.txt", "two\n"));
    expect([repository.git("show", "HEAD:a.txt"), status(repository)]).toEqual(["TWO", []]);
    const loaf = await open(repository);
    await loaf.back();
    await loaf.forward();
    put(repository, "tools/filter.sh", "tr a-z A-Z # the same\n");
    repository.git("commit", "-qam", "filter");
    await trustAll(repository);
    await expect((await open(repository)).back()).rejects.toThrow(/tools\/filter\.sh, which git runs or reads as configuration: check it out yourself/);
  });

  test("one whose program lies outside runs as before, whatever attributes an answer writes", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    repository.git("config", "filter.up.clean", "tr a-z A-Z");
    expect((await run(repository, write(".gitattributes", "a.txt filter=up\n"), write("a.txt", "two\n"))).notices).toBeUndefined();
    expect(repository.git("show", "HEAD:a.txt")).toBe("TWO");
  });

  test("a module of Python's in the work tree does not take the place of an installed one", async () => {
    const repository = createRepository({ "a.txt": "one\n", ".gitattributes": "a.txt filter=strip\n" });
    const { isSprung } = trap();
    repository.git("config", "filter.strip.clean", "python3 -m strip");
    const { notices } = await run(repository, write("strip.py", "print('planted')\n"), write("a.txt", "two\n"));
    expect([isSprung(), notices]).toEqual([false, [expect.stringMatching(/^a\.txt stays uncommitted: .* with strip\.py, which is not trusted/)]]);
  });
});

describe("96: other programs that the configuration names in the work tree", () => {
  test.each(["core.fsmonitor", "core.pager", "core.editor", "sequence.editor", "diff.external", "diff.x.textconv", "diff.x.command", "merge.x.driver", "interactive.diffFilter", "core.askPass", "core.alternateRefsCommand", "trailer.x.command"])(
    "%s does not run by anything that Loaf does",
    async (key) => {
      const repository = createRepository({ "a.txt": "one\n", ".gitattributes": "* diff=x merge=x\n", "tool.sh": "" });
      const { script, isSprung } = trap();
      repository.git("config", key, "./tool.sh");
      executable(repository, "tool.sh");
      put(repository, "a.txt", "mine\n");
      await run(repository, write("tool.sh", script));
      executable(repository, "tool.sh");
      await runWith(repository, { onEvent: () => new Promise((done) => setTimeout(done, 1_050)) }, replace("a.txt", "mine", "its"));
      const loaf = await open(repository);
      await loaf.undo();
      await loaf.redo();
      await run(repository, write("c.txt", "c\n"));
      put(repository, "b.txt", "mine\n");
      await loaf.back();
      await loaf.forward();
      await loaf.squash();
      expect(isSprung()).toBe(false);
    },
  );

  test.each(["gpg.program", "gpg.openpgp.program"])("%s: nothing is committed unsigned, and nothing runs", async (key) => {
    const repository = createRepository({ "a.txt": "one\n" });
    const { script, isSprung } = trap();
    put(repository, "gpg", script);
    executable(repository, "gpg");
    repository.git("config", key, "./gpg");
    expect((await run(repository, write("a.txt", "two\n"))).notices).toBeUndefined();
    repository.git("config", "commit.gpgSign", "true");
    const { commit, notices } = await run(repository, write("a.txt", "three\n"));
    expect([commit, notices]).toEqual([undefined, [expect.stringMatching(/^No commit was made: the program that signs commits is in the project and is not trusted \(.*gpg\)/)]]);
    await run(repository, write("b.txt", "b\n"));
    await expect((await open(repository)).squash({ containing: "" })).rejects.toThrow(/the program that signs commits|it takes two/);
    expect(isSprung()).toBe(false);
  });

  test.each([
    ["credential.helper", "!./tool.sh"],
    ["core.sshCommand", "./tool.sh"],
    ["remote.origin.receivepack", "./tool.sh"],
    ["core.gitProxy", "./tool.sh"],
    ["GIT_SSH_COMMAND", "./tool.sh"],
    ["remote.pushDefault", "./server.git"],
    ["url.server.git/.insteadOf", "example:"],
  ])("%s: nothing is pushed, and that is said", async (key, value) => {
    const repository = createRepository({ "a.txt": "one\n" });
    const remote = createRepository({}, "--bare");
    const { script, isSprung } = trap();
    repository.git("remote", "add", "origin", remote.root);
    repository.git("push", "-q", "-u", "origin", "main");
    repository.git("clone", "-q", "--bare", ".", "server.git");
    put(repository, "server.git/hooks/pre-receive", script);
    put(repository, "tool.sh", script);
    for (const path of ["tool.sh", "server.git/hooks/pre-receive"]) executable(repository, path);
    if (key.includes(".")) repository.git("config", key, value);
    else vi.stubEnv(key, value);
    const { notices, commit } = await runWith(repository, { config: { git: { push: true } } }, write("a.txt", "two\n"));
    expect([notices, isSprung()]).toEqual([[expect.stringMatching(/^The commit was not pushed: git would reach the server through .* in the project, which is not trusted/)], false]);
    expect([commit, subjects(remote)]).toEqual([repository.git("rev-parse", "HEAD"), ["begin"]]);
  });

  test("the hooks of a submodule, which is not pushed along", async () => {
    const [repository, part, remote] = [createRepository({ "a.txt": "one\n" }), createRepository({ "p.txt": "p\n" }), createRepository({}, "--bare")];
    const { script, isSprung } = trap();
    repository.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", part.root, "part");
    repository.git("commit", "-qm", "part");
    repository.git("remote", "add", "origin", remote.root);
    repository.git("push", "-q", "-u", "origin", "main");
    repository.git("config", "push.recurseSubmodules", "on-demand");
    const inPart = (...args: string[]) => repository.git("-C", "part", "-c", "user.name=A", "-c", "user.email=a@example.org", ...args);
    inPart("config", "core.hooksPath", "hooks");
    put(repository, "part/p.txt", "more\n");
    inPart("commit", "-qam", "more");
    repository.git("commit", "-qam", "more");
    put(repository, "part/hooks/pre-push", script);
    executable(repository, "part/hooks/pre-push");
    await runWith(repository, { config: { git: { push: true } } }, write("a.txt", "two\n"));
    expect([isSprung(), subjects(remote)[0]]).toEqual([false, "AI: write a.txt"]);
  });

  test("a remote in the work tree, whose own hooks would run", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    const { script, isSprung } = trap();
    repository.git("clone", "-q", "--bare", ".", "server.git");
    repository.git("remote", "add", "origin", `file://${repository.root}/server.git`);
    repository.git("push", "-q", "-u", "origin", "main");
    put(repository, "server.git/hooks/pre-receive", script);
    executable(repository, "server.git/hooks/pre-receive");
    const { notices } = await runWith(repository, { config: { git: { push: true } } }, write("a.txt", "two\n"));
    expect([notices?.[0], isSprung()]).toEqual([expect.stringMatching(/^The commit was not pushed: /), false]);
  });
});

test("a broken configuration in the work tree is named", async () => {
  const repository = createRepository({ "a.txt": "one\n" });
  repository.git("config", "include.path", "../.gitconfig");
  const { notices, commit } = await runWith(repository, WIDE, write(".gitconfig", "[core\n"), write("a.txt", "two\n"));
  expect([commit, notices]).toEqual([undefined, [expect.stringMatching(/^No commit was made: bad config line 1 in file .*\.gitconfig/)]]);
  rmSync(join(repository.root, ".gitconfig"));
  expect((await run(repository, write("a.txt", "three\n"))).commit).toBeDefined();
});

/**
 * What git would run, or read as configuration, from files that an answer could write (case 96 of docs/security-cases.md): nothing of it runs by anything that Loaf
 * does. Where it lies decides, not its name or its bytes.
 */
import { chmodSync, existsSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Loaf } from "../../../src/index.ts";
import { createFolder } from "../../support/folder.ts";
import { createRepository, type TestRepository } from "../../support/repository.ts";
import { changedIn, hookFile, open, prepare, put, read, replace, run, runWith, subjects, write } from "./running.ts";

beforeEach(prepare);
afterEach(() => vi.unstubAllEnvs());

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

/** Ways in which a hook or a filter calls what an answer writes. */
const CALLS = [
  "scripts/x.sh", "./scripts/x.sh", "sh scripts/x.sh", "sh lint.sh", "cd scripts && ./x.sh", '"$(git rev-parse --show-toplevel)/scripts/x.sh"', "exec sh ./lint.sh", "env sh lint.sh",
  "bash -c 'sh lint.sh'", "$PWD/lint.sh", "PATH=scripts:$PATH x.sh", "xargs -a /dev/null sh lint.sh", "git -c alias.x='!sh lint.sh' x", "sh", "sh < lint.sh",
];

const HOOKS = ["pre-commit", "post-commit", "prepare-commit-msg", "commit-msg", "reference-transaction", "post-index-change", "post-checkout"];

describe("96: hooks", () => {
  test.each(HOOKS)("%s does not run, whatever Loaf does, and wherever it lies", async (name) => {
    const repository = createRepository({ "a.txt": "one\n" });
    const { script, isSprung } = trap();
    put(repository, `.git/hooks/${name}`, script);
    executable(repository, `.git/hooks/${name}`);
    expect((await run(repository, write("a.txt", "two\n"))).commit).toBe(repository.git("rev-parse", "HEAD"));
    const loaf = await open(repository);
    await loaf.undo();
    await loaf.redo();
    await run(repository, write("c.txt", "c\n"));
    await loaf.back();
    await loaf.forward();
    await loaf.squash();
    expect(isSprung()).toBe(false);
  });

  test.each(CALLS)("a pre-commit of the user's own with the line %s runs nothing of the project", async (line) => {
    const repository = createRepository({ "a.txt": "one\n" });
    const { script, isSprung } = trap();
    hookFile(repository, "pre-commit", line);
    const { commit, notices } = await run(repository, write("scripts/x.sh", script), write("lint.sh", script), write("a.txt", "two\n"));
    expect([commit, notices, isSprung()]).toEqual([repository.git("rev-parse", "HEAD"), undefined, false]);
  });

  test("they run with git.hooks, and a failing one leaves the changes uncommitted and is named", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    const config = { git: { hooks: true } };
    hookFile(repository, "pre-commit", "echo ran >> .git/ran");
    await runWith(repository, { config }, write("a.txt", "two\n"));
    expect([read(repository, ".git/ran"), subjects(repository)[0]]).toEqual(["ran\n", "AI: write a.txt"]);
    hookFile(repository, "pre-commit", "echo 'not like this' >&2", "exit 1");
    const { notices, commit } = await runWith(repository, { config }, write("a.txt", "three\n"));
    expect([commit, notices]).toEqual([undefined, ["No commit was made: a git hook refused it: not like this. The changes stay in the files"]]);
    hookFile(repository, "pre-commit", "exit 3");
    expect((await runWith(repository, { config }, write("a.txt", "three\n"), write("b.txt", "b\n"))).notices).toEqual(["No commit was made: git commit ended with code 1 and no reason: a hook of the repository may have refused it. The changes stay in the files"]);
    expect([read(repository, "a.txt"), repository.git("show", "HEAD:a.txt")]).toEqual(["three\n", "two"]);
  });

  test("they run from the folder that the configuration names, also where other configuration is left out", async () => {
    const repository = createRepository({ "a.txt": "one\n", ".gitconfig": "[user]\n\tname = Somebody Else\n" });
    hookFile(repository, "pre-commit", "echo ran >> .git/ran");
    repository.git("config", "include.path", "../.gitconfig");
    const { notices } = await runWith(repository, { config: { git: { hooks: true } } }, write("a.txt", "two\n"));
    expect(notices).toEqual(["Committed without the git configuration in .gitconfig, which an action could write"]);
    expect([read(repository, ".git/ran"), repository.git("log", "-1", "--format=%an")]).toEqual(["ran\n", "A User"]);
  });

  test("no loaf.yml switches them on that the user has not trusted", async () => {
    const repository = createRepository({ "a.txt": "one\n", "loaf.yml": "git: {hooks: true}\n" });
    const { line, isSprung } = trap();
    hookFile(repository, "pre-commit", line);
    const loaf = await Loaf.create({ repoPath: repository.root, trustProject: false });
    expect((await loaf.execute(write(join(repository.root, "a.txt"), "two\n"))).commit).toBeDefined();
    expect(isSprung()).toBe(false);
  });

  test.each(["pre-commit", "prepare-commit-msg", "commit-msg"])("a %s that fails is told as a hook, with what it says", async (name) => {
    const repository = createRepository({ "a.txt": "one\n" });
    hookFile(repository, name, "echo 'error: 3 tests fail' >&2", "exit 7");
    expect((await runWith(repository, { config: { git: { hooks: true } } }, write("a.txt", "two\n"))).notices).toEqual(["No commit was made: a git hook refused it: 3 tests fail. The changes stay in the files"]);
  });

  test("a commit that git itself refuses is not told as a hook", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    hookFile(repository, "pre-commit", "exit 0");
    repository.git("config", "commit.gpgsign", "true");
    repository.git("config", "gpg.program", "/bin/false");
    const { notices } = await runWith(repository, { config: { git: { hooks: true } } }, write("a.txt", "two\n"));
    expect(notices).toEqual([expect.stringMatching(/^No commit was made: gpg failed to sign/)]);
  });

  test("a pre-push that fails is told as a hook, with what it says", async () => {
    const repository = createRepository({ "a.txt": "one\n" });
    repository.git("init", "--quiet", "--bare", join(repository.root, ".git/server"));
    repository.git("remote", "add", "origin", join(repository.root, ".git/server"));
    repository.git("push", "--quiet", "-u", "origin", "HEAD");
    hookFile(repository, "pre-push", "echo 'not on a Friday' >&2", "exit 1");
    const { notices } = await runWith(repository, { config: { git: { hooks: true, push: true } } }, write("a.txt", "two\n"));
    expect(notices).toEqual(["The commit was not pushed: a git hook refused it: not on a Friday"]);
  });

  test.each([false, true])("pre-push runs only with git.hooks: %s", async (hooks) => {
    const repository = createRepository({ "a.txt": "one\n" });
    const remote = createRepository({}, "--bare");
    repository.git("remote", "add", "origin", remote.root);
    repository.git("push", "-q", "-u", "origin", "main");
    const { line, isSprung } = trap();
    hookFile(repository, "pre-push", line);
    await runWith(repository, { config: { git: { push: true, hooks } } }, write("a.txt", "two\n"));
    expect([isSprung(), subjects(remote)[0]]).toEqual([hooks, "AI: write a.txt"]);
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
      "Committed without the git configuration in .gitconfig, which an action could write",
      expect.stringMatching(/^b\.txt stays uncommitted: git would run the filter 'x' \(touch .*\), and Loaf starts only single programs outside the project, without a shell$/),
    ]);
    await run(repository, write("a.txt", "three\n"));
    const loaf = await open(repository);
    await loaf.undo();
    await loaf.redo();
    await loaf.squash();
    expect([isSprung(), repository.git("log", "-1", "--format=%an")]).toEqual([false, "A User"]);
    expect(repository.git("-c", "core.fsmonitor=false", "-c", "core.fileMode=false", "-c", "filter.x.clean=", "status", "--porcelain")).toBe("?? b.txt");
    await expect(loaf.back()).rejects.toThrow(/git would read \.gitconfig of the project as configuration/);
    expect(isSprung()).toBe(false);
  });

  test("a file for whose filter it is needed stays uncommitted", async () => {
    const repository = including(createRepository({ "a.txt": "one\n", "a.dat": "one\n", ".gitattributes": "*.dat filter=up\n", ".gitconfig": '[filter "up"]\n\tclean = tr a-z A-Z\n' }));
    const { notices } = await run(repository, write("a.txt", "two\n"), write("a.dat", "two\n"), write("new.dat", "new\n"));
    expect(notices).toEqual([
      "Committed without the git configuration in .gitconfig, which an action could write",
      "a.dat, new.dat stay uncommitted: git would run the filter 'up' (tr a-z A-Z), and Loaf starts only single programs outside the project, without a shell",
    ]);
    expect(changedIn(repository)).toEqual(["M a.txt"]);
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
    expect(notices).toEqual(["big.bin stays uncommitted: git would run the filter 'big' (sh tools/filter.sh), and Loaf starts only single programs outside the project, without a shell"]);
    expect([isSprung(), changedIn(repository)]).toEqual([false, ["M a.txt", "M tools/filter.sh"]]);
    await expect((await open(repository)).back()).rejects.toThrow(/git would run the filter 'big' \(sh tools\/filter\.sh\)/);
  });

  test.each([...CALLS, "python3 scripts/x.py", "python3 -m lint", "node -e 'require(\"./scripts/check\")'", "tee lint.sh", "cat scripts/x.sh", "make"])("%s does not run", async (line) => {
    const repository = createRepository({ "a.txt": "one\n", ".gitattributes": "a.txt filter=x\n" });
    const { script, isSprung } = trap();
    repository.git("config", "filter.x.clean", line);
    const { notices } = await run(repository, write("scripts/x.sh", script), write("lint.sh", script), write("Makefile", "all:\n\ttouch made\n"), write("a.txt", "two\n"));
    expect([notices, isSprung()]).toEqual([[expect.stringMatching(/^a\.txt stays uncommitted: git would run the filter 'x' \(/)], false]);
    expect(changedIn(repository)).toEqual(["A Makefile", "A lint.sh", "A scripts/x.sh"]);
  });

  test("files that needed it before the run are not committed as they were either", async () => {
    const repository = createRepository({ "big.bin": "big\n", "tools/filter.sh": "cat\n", ".gitattributes": "*.bin filter=big\n" });
    repository.git("config", "filter.big.clean", "sh tools/filter.sh");
    put(repository, "big.bin", "mine\n");
    await run(repository, write(".gitattributes", ""), replace("big.bin", "mine", "its"));
    expect([subjects(repository), changedIn(repository)]).toEqual([["AI: write .gitattributes", "begin"], ["M .gitattributes"]]);
  });

  test("a program outside that is a link into the work tree, or lies where the rules allow writing, does not run", async () => {
    const repository = createRepository({ "a.txt": "one\n", ".gitattributes": "a.txt filter=x\n", "tool.sh": "#!/bin/sh\ncat\n" });
    const { script, isSprung } = trap();
    const folder = createFolder({ "filter.sh": "#!/bin/sh\ncat\n" });
    chmodSync(join(folder, "filter.sh"), 0o755);
    symlinkSync(join(repository.root, "tool.sh"), join(folder, "link"));
    executable(repository, "tool.sh");
    repository.git("config", "filter.x.clean", join(folder, "link"));
    await run(repository, write("tool.sh", script), write("a.txt", "two\n"));
    repository.git("config", "filter.x.clean", join(folder, "filter.sh"));
    await runWith(repository, opened(`${folder}/filter.sh`), write(join(folder, "filter.sh"), script), write("a.txt", "three\n"));
    expect([isSprung(), repository.git("show", "HEAD:a.txt")]).toEqual([false, "one"]);
  });

  test.each(["tr a-z A-Z", "PROGRAM", "PROGRAM --mode=up -- %f", "'PROGRAM' 'up case'"])("%s outside runs, whatever attributes an answer writes", async (line) => {
    const repository = createRepository({ "a.txt": "one\n" });
    const folder = createFolder({ upper: "#!/bin/sh\ntr a-z A-Z\n" });
    chmodSync(join(folder, "upper"), 0o755);
    repository.git("config", "filter.up.clean", line.replace("PROGRAM", join(folder, "upper")));
    expect((await run(repository, write(".gitattributes", "a.txt filter=up\n"), write("a.txt", "two\n"))).notices).toBeUndefined();
    expect(repository.git("show", "HEAD:a.txt")).toBe("TWO");
    const loaf = await open(repository);
    await loaf.back();
    await loaf.forward();
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
    expect([commit, notices]).toEqual([undefined, [expect.stringMatching(/^No commit was made: commits are signed by '\.\/gpg', and Loaf starts only single programs outside the project/)]]);
    await run(repository, write("b.txt", "b\n"));
    await expect((await open(repository)).squash({ containing: "" })).rejects.toThrow(/commits are signed by|it takes two/);
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
    expect([notices, isSprung()]).toEqual([[expect.stringMatching(/^The commit was not pushed: git would reach the server through '.*', and Loaf starts only single programs outside the project/)], false]);
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
    const { notices } = await runWith(repository, { config: { git: { push: true } } }, write("a.txt", "two\n"));
    expect(notices).toBeUndefined();
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

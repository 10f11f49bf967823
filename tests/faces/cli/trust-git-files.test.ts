/** `loaf trust` and `loaf init` for files of the project that git would run. */
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFolder } from "../../support/folder.ts";
import { createRepository } from "../../support/repository.ts";
import { runLoaf } from "../../support/run-loaf.ts";
import { write } from "./answers.ts";

function hooked(others: Readonly<Record<string, string>> = {}) {
  const repository = createRepository({ "hooks/pre-commit": "#!/bin/sh\necho ran >> .git/ran\n", ...others });
  chmodSync(join(repository.root, "hooks/pre-commit"), 0o755);
  repository.git("config", "core.hooksPath", "hooks");
  const env = { XDG_STATE_HOME: createFolder() };
  const loaf = (...args: string[]) => runLoaf(args, { cwd: repository.root, env });
  let runs = 0;
  const run = () => runLoaf(["run"], { cwd: repository.root, env, input: write("abc", join(repository.root, "a.txt"), `${++runs}`) }).then(({ stdout, stderr }) => stdout + stderr);
  return { ...repository, loaf, run, hasRun: () => existsSync(join(repository.root, ".git/ran")) };
}

test("trust shows the files, then their changes; until then commits are made without them, with a notice", async () => {
  const { root, loaf, run, hasRun } = hooked();
  expect(await run()).toContain("Committed without hooks: they would run hooks/pre-commit, which is not trusted. loaf trust shows it and lets it run");
  expect(hasRun()).toBe(false);
  expect((await loaf("doctor")).stdout).toMatch(/^! git files +not trusted, so Loaf commits without them: hooks\/pre-commit; loaf trust shows and trusts them$/m);
  const { code, stdout } = await loaf("trust");
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^Git runs these files, .*\n\n?diff --git a\/hooks\/pre-commit.*\n[^]*\+echo ran >> \.git\/ran\n[^]*The project's files that git runs in commits are trusted: \S*hooks\/pre-commit\n$/)]);
  expect(await run()).not.toContain("without hooks");
  expect(hasRun()).toBe(true);
  expect((await loaf("doctor")).stdout).toContain("the files that git runs in commits are trusted");
  writeFileSync(join(root, "hooks/pre-commit"), "#!/bin/sh\necho ran twice >> .git/ran\n");
  expect(await run()).toContain("Committed without hooks");
  expect((await loaf("trust")).stdout).toContain("-echo ran >> .git/ran\n+echo ran twice >> .git/ran\n");
  expect((await loaf("trust")).stdout).toMatch(/^The project's files that git runs in commits are trusted/);
});

test("shows hooks too that trusted configuration names", async () => {
  const { git, loaf, run, hasRun } = hooked({ ".gitconfig": "[core]\n\thooksPath = hooks\n" });
  git("config", "--unset", "core.hooksPath");
  git("config", "include.path", "../.gitconfig");
  const { stdout } = await loaf("trust");
  expect(stdout).toMatch(/\+\thooksPath = hooks\n[^]*\+echo ran >> \.git\/ran\n/);
  expect(await run()).not.toContain("Committed without");
  expect(hasRun()).toBe(true);
});

test("init trusts and names existing files before the first run, but not files that an answer may have written", async () => {
  const fresh = hooked();
  expect((await fresh.loaf("init")).stdout).toContain("Trusted the project's files that git runs in commits: hooks/pre-commit.");
  expect(await fresh.run()).not.toContain("without hooks");
  expect(fresh.hasRun()).toBe(true);
  writeFileSync(join(fresh.root, "hooks/pre-commit"), "#!/bin/sh\n");
  expect((await fresh.loaf("init")).stdout).not.toContain("Trusted");
  const used = hooked();
  await used.run();
  expect((await used.loaf("init")).stdout).not.toContain("Trusted");
  expect(await used.run()).toContain("Committed without hooks");
});

test("names files that cannot be trusted", async () => {
  const files = Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`hooks/${index}`, ""]));
  const { loaf } = hooked(files);
  expect((await loaf("trust")).stdout).toMatch(/hooks cannot be trusted, because it is a repository or contains too many files: Loaf commits without it\.\n$/);
});

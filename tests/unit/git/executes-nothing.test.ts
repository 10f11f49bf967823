/**
 * A law: whatever an answer writes, nothing of it is run by Loaf's git. Repositories of users who let git run programs and read configuration from the work
 * tree, in random ways; answers that write these files; runs, undo, redo, back, forward and squash in any order.
 */
import { execFileSync } from "node:child_process";
import { appendFileSync, chmodSync, cpSync, existsSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { createFolder } from "../../support/folder.ts";
import { createRepository, gitEnvironment, repositoryAt, type TestRepository } from "../../support/repository.ts";
import { isLong, tries } from "../../support/tries.ts";
import { open, prepare, put, run, write } from "./running.ts";

beforeEach(prepare);

interface Way {
  /** Files that are there, harmless and executable, before any answer. */
  readonly files: readonly string[];
  /** What the user has set up. */
  set(repository: TestRepository): void;
  /** What an answer writes into each file. @param line leaves the trace, and passes its input on */
  planted(path: string, line: string): string;
}

const script = (_path: string, line: string): string => `#!/bin/sh\n${line}\n`;
const configured = (files: readonly string[], settings: Readonly<Record<string, string>>, planted: Way["planted"] = script): Way => ({
  files,
  set: (repository) => configure(repository, settings),
  planted,
});
/** Without git, which takes longer to start than the rest does. */
function configure({ root }: Pick<TestRepository, "root">, settings: Readonly<Record<string, string>>): void {
  const text = Object.entries(settings).map(([key, value]) => {
    const [section, name] = [key.slice(0, key.indexOf(".")), key.slice(key.lastIndexOf(".") + 1)];
    const middle = key.slice(section.length + 1, -name.length - 1);
    return `[${section}${middle === "" ? "" : ` "${middle}"`}]\n\t${name} = "${value}"\n`;
  });
  appendFileSync(join(root, ".git/config"), text.join(""));
}
const hooked = (path: string, text: string): Way => ({
  files: [path],
  set: ({ root }) => {
    rmSync(join(root, ".git/hooks/pre-commit"), { force: true });
    put({ root }, ".git/hooks/pre-commit", text);
    chmodSync(join(root, ".git/hooks/pre-commit"), 0o755);
  },
  planted: script,
});
const included = (_path: string, line: string): string =>
  `[core]\n\tfsmonitor = "${line}"\n\thooksPath = inner\n\tpager = "${line}"\n[filter "x"]\n\tclean = "${line}"\n\tsmudge = "${line}"\n[diff]\n\texternal = "${line}"\n[gpg]\n\tprogram = "${line}"\n[alias]\n\tcommit = "!${line}"\n`;

const WAYS: Readonly<Record<string, Way>> = {
  hooksPath: configured(["ci/pre-commit", "ci/post-commit", "ci/reference-transaction", "ci/post-index-change", "ci/post-checkout", "ci/post-rewrite"], { "core.hooksPath": "ci" }),
  "a hook that calls a script": hooked("tools/check.sh", "#!/bin/sh\nexec ./tools/check.sh\n"),
  "a hook framework": hooked("lefthook.yml", "#!/bin/sh\nsh lefthook.yml\n"),
  "a linked hook": {
    files: ["tools/hook"],
    set: ({ root }) => {
      rmSync(join(root, ".git/hooks/pre-commit"), { force: true });
      mkdirSync(join(root, ".git/hooks"), { recursive: true });
      symlinkSync(join(root, "tools/hook"), join(root, ".git/hooks/pre-commit"));
    },
    planted: script,
  },
  "an included file": configured([".gitconfig"], { "include.path": "../.gitconfig" }, included),
  "a file that is included for some folders": configured(["conf/git.inc"], { "includeIf.gitdir:/.path": "../conf/git.inc" }, included),
  "a filter": configured(["tools/clean.sh"], { "filter.x.clean": "sh tools/clean.sh", "filter.x.smudge": "./tools/clean.sh %f" }),
  "a process filter": configured(["tools/process"], { "filter.x.process": "./tools/process", "filter.x.required": "true" }),
  "a monitor": configured(["fs.sh"], { "core.fsmonitor": "./fs.sh" }),
  "differences": configured(["show.sh"], { "diff.external": "./show.sh", "diff.x.textconv": "./show.sh", "core.pager": "./show.sh", "core.editor": "./show.sh", "merge.x.driver": "./show.sh" }),
  "hooks in an absolute folder": {
    files: ["deep/hooks/pre-commit", "deep/hooks/commit-msg", "deep/hooks/post-commit", "deep/hooks/post-checkout"],
    set: ({ root }) => configure({ root }, { "core.hooksPath": join(root, "deep/hooks") }),
    planted: script,
  },
  husky: configured([".husky/_/h", ".husky/_/pre-commit"], { "core.hooksPath": ".husky/_" }),
  "a hook that a hook's folder leads to": {
    files: ["linked/pre-commit", "linked/prepare-commit-msg"],
    set: ({ root }) => {
      rmSync(join(root, ".git/hooks"), { recursive: true, force: true });
      symlinkSync("../linked", join(root, ".git/hooks"));
    },
    planted: script,
  },
  "a signature of another kind": configured(["bin/sign"], { "gpg.format": "ssh", "user.signingKey": "a.txt", "gpg.ssh.program": "./bin/sign", "commit.gpgSign": "true" }),
  "a signature": configured(["bin/gpg"], { "gpg.program": "./bin/gpg", "commit.gpgSign": "true" }),
};

/** By itself, each is something that the user's git would run. */
function plant(repository: TestRepository, ways: readonly Way[]): void {
  for (const way of ways) for (const path of way.files) {
    put(repository, path, way.planted === included ? "" : "#!/bin/sh\ncat\n");
    chmodSync(join(repository.root, path), 0o755);
  }
  repository.git("-c", "alias.commit-all=!git add -A && git commit -q -m tools", "commit-all");
  for (const way of ways) way.set(repository);
}

const STEPS = ["run", "edit", "undo", "redo", "back", "forward", "squash"] as const;

/** Refusals are fine: that nothing runs is the law. */
async function act(repository: TestRepository, step: (typeof STEPS)[number], answer: () => Promise<unknown>, count: number): Promise<void> {
  if (step === "edit") return put(repository, "b.txt", `mine ${count}\n`);
  if (step === "run") return void (await answer());
  const loaf = await open(repository);
  await loaf[step]().catch((thrown: unknown) => expect((thrown as Error).name).toBe("Refusal"));
}

const repositories = fc.record({
  ways: fc.uniqueArray(fc.constantFrom(...Object.keys(WAYS)), { minLength: 1, maxLength: 4 }),
  steps: fc.array(fc.constantFrom(...STEPS), { maxLength: 8 }),
  hasAttributes: fc.boolean(),
});

test("96: nothing that an answer writes is run by what Loaf does with the repository", { timeout: isLong ? 7_200_000 : 120_000 }, async () => {
  let live = 0;
  const template = createRepository({ "a.txt": "one\n", "b.txt": "one\n" });
  const law = fc.asyncProperty(repositories, async ({ ways: names, steps, hasAttributes }) => {
    const ways = names.map((name) => WAYS[name] as Way);
    const [root, marks] = [createFolder(), createFolder()];
    const mark = join(marks, "mark");
    const line = `touch ${mark} && cat`;
    cpSync(template.root, root, { recursive: true });
    const repository = repositoryAt(root);
    if (hasAttributes) put(repository, ".gitattributes", "*.txt filter=x diff=x merge=x\n");
    await run(repository, write("a.txt", "two\n"));
    plant(repository, ways);
    const paths = [...ways.flatMap(({ files }) => files), "inner/pre-commit", ".gitattributes"];
    // A step back may have taken the folder away.
    const config = { "fs-guard": { allowed: ["./**", ...paths.flatMap((path) => [`./${path}`, `./${dirname(path)}`])] } };
    let count = 0;
    const answer = async (): Promise<void> => {
      const loaf = await open(repository, config);
      const blocks = [
        ...ways.flatMap((way) => way.files.map((path) => write(path, way.planted(path, line)))),
        write("inner/pre-commit", script("", line)),
        write(".gitattributes", "* filter=x diff=x merge=x\n"),
        write("a.txt", `${++count}\n`),
      ];
      const { fatalError, parseErrors } = await loaf.execute(blocks.join("\n"));
      expect([fatalError, parseErrors]).toEqual([undefined, []]);
    };
    for (const step of ["run", ...steps, "run"] as const) {
      await act(repository, step, answer, count);
      expect([step, existsSync(mark)]).toEqual([step, false]);
    }
    put(repository, "a.txt", "three\n");
    obey(repository, ["commit", "-qam", "x"]);
    if (existsSync(mark)) live += 1;
    for (const folder of [root, marks]) rmSync(folder, { recursive: true });
  });
  // Several at a time, since part of it is waiting.
  const parts = [0, 1, 2, 3].map((part) => tries(2, 500, part));
  await Promise.all(parts.map((part) => fc.assert(law, part)));
  // The law was put to the test: the user's own commit at the end runs what was written.
  expect(live).toBeGreaterThan(2 * (parts[0]?.numRuns ?? 0));
});

/** As the user's own git does. */
function obey({ root }: TestRepository, command: readonly string[]): void {
  try {
    execFileSync("git", command, { cwd: root, env: { ...process.env, ...gitEnvironment }, stdio: ["ignore", "pipe", "pipe"], timeout: 10_000 });
  } catch {
    // What is planted is no good filter.
  }
}

test.each(Object.keys(WAYS))("what the law plants would run where git is not kept from it: %s", (name) => {
  const way = WAYS[name] as Way;
  const mark = join(createFolder(), "mark");
  const repository = createRepository({ "a.txt": "one\n", ".gitattributes": "*.txt filter=x diff=x\n" });
  plant(repository, [way]);
  for (const path of way.files) {
    mkdirSync(dirname(join(repository.root, path)), { recursive: true });
    put(repository, path, way.planted(path, `touch ${mark} && cat`));
    chmodSync(join(repository.root, path), 0o755);
  }
  put(repository, "a.txt", "two\n");
  for (const command of [["status"], ["diff"], ["commit", "-qam", "x"]]) obey(repository, command);
  expect(existsSync(mark)).toBe(true);
});

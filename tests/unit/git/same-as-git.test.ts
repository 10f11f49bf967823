/** Loaf's commit of a run is the one that `git commit` would make of its files: history, index and status are the same, with any setting and form of the index. */
import { spawnSync } from "node:child_process";
import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { createFolder } from "../../support/folder.ts";
import { createRepository, type TestRepository } from "../../support/repository.ts";
import { move, open, prepare, put, remove, runWith, write } from "./running.ts";

beforeEach(prepare);

interface Case {
  readonly files?: Readonly<Record<string, string>>;
  readonly settings?: Readonly<Record<string, string>>;
  readonly format?: string;
  /** After the first commit. */
  readonly prepare?: (repository: TestRepository) => void;
  /** Of the run; else a.txt is written. */
  readonly blocks?: readonly string[];
  /** A command that a hook of loaf.yml runs after the actions, as part of the run. */
  readonly after?: string;
  /** What it ends with: a commit is what is expected. */
  readonly ends?: "nothing to commit" | "refused";
  /** Loaf differs from `git commit --include` on purpose: it commits exactly the run's files, and the user's earlier changes before them. */
  readonly differs?: true;
}

const CASES: Readonly<Record<string, Case>> = {
  "one file": {},
  "several, in folders, one of them emptied": { files: { "d/e/b.txt": "1\n", "d/c.txt": "1\n" }, blocks: [write("a.txt", "2\n"), write("d/e/b.txt", ""), write("d/c.txt", "2\n")] },
  "beside changes, staged or not, and untracked files": {
    files: { "b.txt": "1\n" },
    prepare: (one) => (put(one, "b.txt", "mine\n"), put(one, "new.txt", "mine\n")),
  },
  "beside a folder of which a name begins the same": { files: { "a.txt.d/b": "1\n" }, prepare: (one) => put(one, "a.txt.d/b", "mine\n") },
  "names that look like patterns, options and other things": ((names: readonly string[]) => ({ files: Object.fromEntries(names.map((name) => [name, "1\n"])), blocks: names.slice(1).map((name) => write(name, "2\n")) }))(
    ["star.txt", "*.txt", "-a", "--all", ":(top)a.txt", ":!a.txt", "new\nline", 'quo"te', "ünïcode", "e\u0301", "sp ace", "[a-z].txt", "back\\slash", "HEAD"],
  ),
  "names that differ in case, where git takes them for one": { files: { "A.txt": "1\n", "D/x": "1\n", "d/x": "1\n" }, settings: { "core.ignoreCase": "true" }, blocks: [write("A.txt", "2\n"), write("d/x", "2\n")] },
  "a mode": { files: { "b.txt": "1\n" }, after: "chmod +x a.txt; chmod +x b.txt" },
  "a mode that git is not to trust": { settings: { "core.fileMode": "false" }, after: "chmod +x a.txt" },
  "a link in place of a file, and a file in place of a link": {
    prepare: ({ root, git }) => (symlinkSync("a.txt", join(root, "link")), git("add", "-A"), git("commit", "-qm", "link")),
    after: "ln -sf nowhere a.txt; rm link; echo file > link",
  },
  "links that git keeps as files": { settings: { "core.symlinks": "false" }, after: "rm a.txt; ln -s nowhere a.txt" },
  "a file that is gone": { files: { "b.txt": "1\n" }, blocks: [write("a.txt", "2\n"), remove("b.txt")], differs: true },
  "a file that is moved": { blocks: [move("a.txt", "b.txt")], differs: true },
  "a file in a folder's place": { files: { "x/b": "1\n" }, after: "rm -r x; echo file > x", differs: true },
  "a repository in a file's place": { after: "rm a.txt; git init -q a.txt; git -C a.txt -c user.name=x -c user.email=x commit -q --allow-empty -m x", differs: true },
  "line endings, as Windows has them": { settings: { "core.autocrlf": "true" }, blocks: [write("a.txt", "two\r\n2\r\n")] },
  "line endings that are made the same": { settings: { "core.autocrlf": "input" }, blocks: [write("a.txt", "two\r\n2\r\n")] },
  "line endings of which git warns": { settings: { "core.autocrlf": "input", "core.safecrlf": "warn" }, blocks: [write("a.txt", "two\r\n2\r\n")] },
  "line endings that git refuses": { settings: { "core.autocrlf": "input", "core.safecrlf": "true" }, blocks: [write("a.txt", "two\r\n2\r\n")], ends: "refused" },
  "nothing but line endings": { settings: { "core.autocrlf": "input" }, blocks: [write("a.txt", "one\r\n")], ends: "nothing to commit" },
  "the same, told shortly, and in colour": { settings: { "core.autocrlf": "input", "status.short": "true", "color.ui": "always", "advice.statusHints": "false" }, blocks: [write("a.txt", "one\r\n")], ends: "nothing to commit" },
  "a filter": { files: { ".gitattributes": "*.txt filter=loud\n" }, settings: { "filter.loud.clean": "tr a-z A-Z", "filter.loud.required": "true" } },
  "a filter that fails": { files: { ".gitattributes": "*.txt filter=loud\n" }, settings: { "filter.loud.clean": "false", "filter.loud.required": "true" }, ends: "refused" },
  "attributes that the run changes as well": { files: { ".gitattributes": "" }, blocks: [write("a.txt", "2\r\n"), write(".gitattributes", "*.txt text\n")] },
  "a file that git is to take as unchanged": { files: { "b.txt": "1\n" }, prepare: ({ git }) => git("update-index", "--assume-unchanged", "a.txt"), blocks: [write("a.txt", "2\n"), write("b.txt", "2\n")] },
  "none but such a file": { prepare: ({ git }) => git("update-index", "--assume-unchanged", "a.txt"), ends: "nothing to commit" },
  "a file that git is not to look at": { files: { "b.txt": "1\n" }, prepare: ({ git }) => git("update-index", "--skip-worktree", "a.txt"), blocks: [write("a.txt", "2\n"), write("b.txt", "2\n")], differs: true },
  "a sparse work tree that has all the files": { files: { "out/b.txt": "1\n", "in/c.txt": "1\n" }, prepare: sparse, blocks: [write("a.txt", "2\n"), write("out/b.txt", "2\n")] },
  "a sparse index": { files: { "out/b.txt": "1\n", "in/c.txt": "1\n" }, prepare: ({ git }) => git("sparse-checkout", "set", "--cone", "--sparse-index", "in"), differs: true },
  "a file that is ignored, but tracked": { prepare: (one) => (put(one, ".gitignore", "*.txt\n"), one.git("add", "-A"), one.git("commit", "-qm", "ignore")) },
  "a file that is to be added some day": { prepare: (one) => (put(one, "b.txt", "mine\n"), one.git("add", "-N", "b.txt")), differs: true },
  "staged files": { files: { "b.txt": "1\n" }, prepare: (one) => (put(one, "b.txt", "mine\n"), one.git("add", "b.txt")), differs: true },
  "files that the user had changed before": { prepare: (one) => put(one, "a.txt", "mine\n"), differs: true },
  "the names of SHA-256": { format: "sha256" },
  "a signature": { prepare: signing },
  "a signature that fails": { settings: { "commit.gpgSign": "true", "gpg.program": "false" }, ends: "refused" },
  "a user whom nobody has named": { prepare: ({ git }) => git("config", "--unset", "user.email"), ends: "refused" },
  "settings of how things are written and told": {
    files: { template: "fill in\n" },
    settings: {
      "commit.template": "template", "commit.verbose": "true", "commit.cleanup": "scissors", "commit.status": "true", "core.editor": "false", "core.commentChar": "A", "i18n.commitEncoding": "ISO-8859-1",
      "status.short": "true", "status.branch": "true", "status.showUntrackedFiles": "all", "status.submoduleSummary": "true", "column.ui": "always", "color.ui": "always",
      "diff.external": "false", "diff.renames": "copies", "diff.ignoreSubmodules": "all", "diff.noprefix": "true", "diff.algorithm": "patience",
    },
  },
  "files of which only the times in seconds count": { settings: { "core.checkStat": "minimal", "core.trustctime": "false" } },
  "HEAD without a log": { settings: { "core.logAllRefUpdates": "false" } },
  "no branch": { prepare: ({ git }) => git("checkout", "-q", "--detach") },
};

/** By its patterns, of which git has not made use yet. */
function sparse({ git, root }: TestRepository): void {
  git("config", "core.sparseCheckout", "true");
  git("config", "core.sparseCheckoutCone", "true");
  mkdirSync(join(root, ".git/info"), { recursive: true });
  writeFileSync(join(root, ".git/info/sparse-checkout"), "/*\n!/*/\n/in/\n");
}

function signing({ git }: TestRepository): void {
  const tool = join(createFolder({ sign: '#!/bin/sh\ncat > /dev/null\nprintf "\\n[GNUPG:] SIG_CREATED x\\n" >&2\necho "-----BEGIN PGP SIGNATURE-----"\n' }), "sign");
  chmodSync(tool, 0o755);
  git("config", "commit.gpgSign", "true");
  git("config", "gpg.program", tool);
}

test.each(Object.entries(CASES).filter(([, { differs }]) => differs !== true))("%s: the commit is the one that git would make", async (_name, one) => {
  expect(await committedByLoaf(one)).toEqual(await committedByGit(one));
});

test.each(Object.entries(CASES).filter(([, { differs }]) => differs === true))("%s: the form of the index does not matter", async (_name, one) => {
  expect(await committedByLoaf(one, "4")).toEqual(await committedByLoaf(one));
});

async function committedByLoaf(one: Case, form?: "4") {
  const repository = await repositoryOf(one, form);
  const { commit, notices } = await runWith(repository, hooksOf(one), ...blocksOf(one));
  expect(commit !== undefined).toBe(one.ends === undefined);
  expect(notices?.some((notice) => notice.startsWith("No commit was made")) ?? false).toBe(one.ends === "refused");
  return seenIn(repository);
}

/** The same files, and the message that Loaf gives. */
async function committedByGit(one: Case) {
  const repository = await repositoryOf(one);
  const { git, root } = repository;
  const options = hooksOf(one);
  const { run } = await runWith(repository, { ...options, config: { git: { commit: false } } }, ...blocksOf(one));
  const loaf = await open(repository);
  const { runs } = await loaf.history();
  const message = `AI: ${runs.find((each) => each.run === run)?.summary}\n\nLoaf-Run: ${run}\n`;
  const exactly = ["core.ignoreCase", "core.precomposeUnicode", "core.sparseCheckout"].flatMap((setting) => ["-c", `${setting}=false`]);
  const changed = (await loaf.changesOf(run))?.changes.map(({ path }) => relative(root, path)) ?? [];
  const files = changed.filter((path) => git("ls-files", "--", `:(literal)${path}`) !== "");
  spawnSync("git", [...exactly, "--literal-pathspecs", "commit", "--no-status", "--untracked-files=no", "--cleanup=whitespace", "--file=-", "--include", "--", ...files], { cwd: root, input: message });
  return seenIn(repository);
}

async function repositoryOf({ files, settings = {}, format = "sha1", prepare: prepareIt }: Case, form?: "4"): Promise<TestRepository> {
  const repository = createRepository({ "a.txt": "one\n", ...files }, `--object-format=${format}`);
  prepareIt?.(repository);
  if (form !== undefined) repository.git("update-index", "--index-version", form);
  for (const [key, value] of Object.entries(settings)) repository.git("config", key, value);
  return repository;
}

const hooksOf = ({ after }: Case) => (after === undefined ? {} : { hooks: { after: [{ run: after }] } });

const blocksOf = ({ blocks = [write("a.txt", "two\n")] }: Case) => blocks;

function seenIn({ git, root }: TestRepository) {
  // A filter that fails would fail here as well.
  appendFileSync(join(root, ".git/config"), '[status]\n\tshort = false\n[color]\n\tui = never\n[filter "loud"]\n\trequired = false\n');
  const log = join(root, ".git/logs/HEAD");
  return {
    // Times, and names that depend on one, differ.
    commits: git("log", "--format=raw").split("\n").map((line) => line.replace(/^(commit|parent) .*$/, "$1").replace(/> \d+ /, "> ")),
    log: existsSync(log) && readFileSync(log, "utf8").split("\n").map((line) => line.split("\t")[1]),
    index: git("ls-files", "-s", "-v", "-z").split("\0"),
    unread: git("diff-files", "--name-only", "-z").split("\0"),
    status: git("status", "--porcelain=v1", "-z", "--untracked-files=all").split("\0"),
  };
}

/** 97: no sequence of actions makes a directory that git itself treats as a repository. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Loaf } from "../../../src/loaf.ts";
import { isGitDirectory } from "../../../src/guard/placement.ts";
import { createFolder } from "../../support/folder.ts";
import { block } from "../../support/nesl-block.ts";
import "../../support/state-folder.ts";
import { tries } from "../../support/tries.ts";

type Step = Readonly<Record<string, string>>;

const REF = "ref: refs/heads/main\n";
const write = (path: string, content = "x"): Step => ({ action: "file_write", path, content });
const pieces = [write("src/HEAD", REF), write("src/config", "[core]\n\tfsmonitor = touch PWNED\n"), write("src/objects/README"), write("src/refs/README")];

/** Asks git about each folder with a HEAD, without which git sees no repository. */
function repositoriesIn(root: string): string[] {
  const heads = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) => basename(path) === "HEAD" && !path.startsWith(".git/"));
  const folders = heads.map((path) => dirname(path));
  return folders.filter((path) => {
    try {
      execFileSync("git", [`--git-dir=${join(root, path)}`, "rev-parse", "--git-dir"], { stdio: "ignore", env: { PATH: process.env["PATH"], HOME: root, GIT_CONFIG_NOSYSTEM: "1" } });
      return true;
    } catch {
      return false;
    }
  });
}

async function run(root: string, steps: readonly Step[], transaction: "keep" | "all-or-nothing" = "keep") {
  const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true, transaction }, gitCommit: false });
  return (await loaf.execute(steps.map(block).join("\n"))).results;
}

describe("97: a bare repository", () => {
  const orders = pieces.flatMap((first) => pieces.filter((one) => one !== first).flatMap((second) => [[first, second, ...pieces.filter((one) => one !== first && one !== second)]]));

  test.each(orders.map((steps) => [steps.map(({ path }) => path).join(" "), steps] as const))("is not completed: %s", async (_, steps) => {
    const root = createFolder();
    const results = await run(root, steps);
    const refused = results.filter(({ success }) => !success);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.code).toBe("guard/repository");
    expect(refused[0]?.error).toContain(`'${join(root, "src")}'`);
    expect(repositoriesIn(root)).toEqual([]);
  });

  test("is recognised by git once it is complete", () => {
    const root = createFolder({ "src/HEAD": REF, "src/objects/README": "", "src/refs/README": "" });
    expect(repositoriesIn(root)).toEqual(["src"]);
  });

  test.each<[string, Record<string, string>, Step[]]>([
    ["a HEAD that becomes one later", { "src/HEAD": "x", "src/objects/a": "", "src/refs/a": "" }, [{ action: "file_replace_text", path: "src/HEAD", old_text: "x", new_text: "ref: refs/heads/x" }]],
    ["a HEAD that grows to one", { "src/HEAD": "ref:", "src/objects/a": "", "src/refs/a": "" }, [{ action: "file_append", path: "src/HEAD", content: " refs/heads/x" }]],
    ["a HEAD with a commit", { "src/objects/a": "", "src/refs/a": "" }, [write("src/HEAD", "0123456789012345678901234567890123456789")]],
    ["a HEAD that is moved there", { "src/x": REF, "src/objects/a": "", "src/refs/a": "" }, [{ action: "file_move", old_path: "src/x", new_path: "src/HEAD" }]],
    ["an empty folder", { "src/HEAD": REF, "src/objects/a": "" }, [{ action: "dir_create", path: "src/refs" }]],
    ["a folder on the way to another one", { "src/HEAD": REF, "src/objects/a": "" }, [{ action: "dir_create", path: "src/refs/heads/deep" }]],
    ["a folder that is moved there", { "src/HEAD": REF, "src/objects/a": "", "other/a": "" }, [{ action: "file_move", old_path: "other", new_path: "src/refs" }]],
    ["a folder whose parents a move makes", { "src/HEAD": REF, "src/objects/a": "", "other/a": "" }, [{ action: "file_move", old_path: "other", new_path: "src/refs/new/b" }]],
    ["a common directory elsewhere", { "src/HEAD": REF }, [write("src/commondir", "../lib")]],
    ["in the root itself", { HEAD: REF, "objects/a": "" }, [write("refs/a")]],
    ["other spellings, which some file systems take for the same", { "src/Head": REF, "src/OBJECTS/a": "" }, [write("src/Refs/a")]],
    ["a file of one that is there already", { "src/HEAD": REF, "src/objects/a": "", "src/refs/a": "" }, [write("src/config", "[core]")]],
    ["a hook of one that is there already", { "src/HEAD": REF, "src/objects/a": "", "src/refs/a": "" }, [write("src/hooks/post-checkout", "x")]],
  ])("%s is refused", async (_, files, steps) => {
    const before = repositoriesIn(createFolder(files));
    for (const transaction of ["keep", "all-or-nothing"] as const) {
      const root = createFolder(files);
      const results = await run(root, steps, transaction);
      expect(results.map(({ code }) => code)).toEqual(["guard/repository"]);
      expect(repositoriesIn(root)).toEqual(before);
    }
  });

  test("a link as HEAD is refused when the repository would be complete", async () => {
    const root = createFolder({ "src/objects/a": "", "src/refs/heads/a": "" });
    mkdirSync(join(root, "new"));
    writeFileSync(join(root, "new/objects"), "");
    symlinkSync("refs/heads/a", join(root, "new/HEAD"));
    expect((await run(root, [write("new/refs/heads/a", "0123456789012345678901234567890123456789")]))[0]?.code).toBe("guard/repository");
    symlinkSync("elsewhere", join(root, "src/HEAD"));
    expect((await run(root, [write("src/a")]))[0]?.success).toBe(true);
  });

  test("files with these names are allowed if they make no repository", async () => {
    const root = createFolder({ "src/HEAD": "chapter", "src/refs/a": "" });
    const steps = [write("src/objects/a"), write("lib/HEAD", REF), write("lib/refs/a"), { action: "dir_create", path: "refs/objects" }, { action: "file_move", old_path: "src", new_path: "lib/src" }];
    expect((await run(root, steps)).map(({ success }) => success)).toEqual([true, true, true, true, true]);
  });
});

// Weighted so that a repository often lacks just one part.
const folder = fc.constantFrom("src/", "src/", "src/", "b/", "b/", "", "src/a/");
const inFolder = (...parts: readonly string[]) => fc.tuple(folder, fc.constantFrom(...parts)).map(([at, name]) => at + name);
const file = inFolder("HEAD", "HEAD", "objects/x", "refs/x", "config", "commondir", "commondir", "x", "y/HEAD");
const directory = inFolder("objects", "refs", "objects", "refs", "y", "objects/x", "HEAD");
const place = fc.oneof(file, directory);
const heads = fc.constantFrom(REF, REF, REF, "0123456789012345678901234567890123456789", "ref: ", "refs/heads/x", "x");
/** Mostly the content that a file of this name has in a repository. */
const written = file.chain((path) => fc.tuple(fc.constant(path), path.endsWith("commondir") ? fc.constantFrom("../src", "../src", "../b", "src", ".", "x") : heads));
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: written.map(([path, text]) => write(path, text)) },
  fc.tuple(directory, heads).map(([path, text]) => write(path, text)),
  written.map(([path, content]) => ({ action: "file_append", path, content })),
  fc.tuple(file, heads).map(([path, text]) => ({ action: "file_replace_text", path, old_text: "x", new_text: text })),
  { weight: 2, arbitrary: directory.map((path) => ({ action: "dir_create", path })) },
  { weight: 3, arbitrary: fc.tuple(place, fc.oneof(place, inFolder("HEAD", "objects", "refs"))).map(([old_path, new_path]) => ({ action: "file_move", old_path, new_path })) },
  place.map((path) => ({ action: "file_delete", path })),
);

test("97: no sequence of actions makes a repository", { timeout: 3_600_000 }, async () => {
  const told = { done: 0, kept: 0 };
  const law = fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 30, size: "max" }), async (steps) => {
    const root = createFolder();
    try {
      const results = await run(root, steps);
      expect(repositoriesIn(root)).toEqual([]);
      told.done += results.filter(({ success }) => success).length;
      told.kept += results.some(({ code }) => code === "guard/repository") ? 1 : 0;
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });
  const often = tries(20, 2_000);
  await fc.assert(law, often);
  // The generated sequences must have exercised the property.
  expect(told.done).toBeGreaterThan(often.numRuns * 5);
  expect(told.kept).toBeGreaterThan(often.numRuns / 10);
});

test("a listing is judged as git judges a directory", () => {
  const head = (start: string) => () => ({ start });
  expect(isGitDirectory(["HEAD", "objects", "refs"], head(REF))).toBe(true);
  expect(isGitDirectory(["HEAD", "commondir"], head("ref:\trefs/x"))).toBe(true);
  expect(isGitDirectory(["HEAD", "objects", "refs"], () => ({ target: "refs/heads/x" }))).toBe(true);
  expect(isGitDirectory(["HEAD", "objects"], head(REF))).toBe(false);
  expect(isGitDirectory(["HEAD", "objects", "refs"], head("main"))).toBe(false);
  expect(isGitDirectory(["HEAD", "objects", "refs"], () => ({ target: "../x" }))).toBe(false);
  expect(isGitDirectory(["HEAD", "objects", "refs"], () => undefined)).toBe(false);
  expect(isGitDirectory(["objects", "refs"], head(REF))).toBe(false);
});

import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ignoredAbove } from "../../../src/git/ignored-above.ts";
import { createFolder } from "../../support/folder.ts";

const environment = { PATH: process.env["PATH"], HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1", LC_ALL: "C" };
const git = (cwd: string, args: readonly string[], env: Record<string, string> = {}): string => execFileSync("git", args, { cwd, encoding: "utf8", env: { ...environment, ...env } });
const LIST = ["ls-files", "-z", "--others", "--exclude-standard"];

/** A repository whose subfolder `pkg/app` is the project. */
function project(files: Readonly<Record<string, string>>): string {
  const top = createFolder({ ...files, "pkg/app/.keep": "" });
  git(top, ["init", "-q"]);
  if (files[".git/info/exclude"] !== undefined) writeFileSync(join(top, ".git/info/exclude"), files[".git/info/exclude"]);
  return join(top, "pkg/app");
}

/** What git sees in a folder that is all it knows of. */
function seenFrom(root: string): string[] {
  const own = createFolder();
  git(own, ["init", "-q", "--bare", "."]);
  mkdirSync(join(own, "info"), { recursive: true });
  writeFileSync(join(own, "info/exclude"), ignoredAbove(root));
  return git(root, LIST, { GIT_DIR: own, GIT_WORK_TREE: root }).split("\0").toSorted();
}

describe("lines from above", () => {
  test.each([
    ["a name at any depth stays", { ".gitignore": "node_modules/\n*.log\n" }, "node_modules/\n*.log"],
    ["what is tied to a folder above is told from the root on", { ".gitignore": "/pkg/app/dist\npkg/*/out/\n!pkg/app/out/keep\n" }, "/dist\n/out/\n!/out/keep"],
    ["what is tied to another folder is of no concern", { ".gitignore": "/dist\npkg/other/dist\n/*.txt\n" }, ""],
    ["a file on the way down counts, and after it", { ".gitignore": "a\n", "pkg/.gitignore": "app/b\n!a\r\n" }, "a\n/b\n!a"],
    ["the repository's own list comes first", { ".git/info/exclude": "secret\npkg/app/x\n", ".gitignore": "!secret" }, "secret\n/x\n!secret"],
    ["any number of folders in between", { ".gitignore": "**/app/x\npkg/**/y\n" }, "/**/app/x\n/x\n/**/y"],
    ["comments, spaces and escapes", { ".gitignore": "# no\n\n\\#yes  \nend\\ \npkg/app/\\!x\n" }, "\\#yes\nend\\ \n/\\!x"],
  ])("%s", (_, files, lines) => {
    expect(ignoredAbove(project(files)).split("\n").toSorted()).toEqual(lines.split("\n").toSorted());
  });

  test.each([["*\n"], ["pkg/\n"], ["/pkg/app\n"], ["pkg/**\n"], ["/*\n!/other\n"]])("a repository that ignores the root by %j says nothing of it", (ignore) => {
    expect(ignoredAbove(project({ ".gitignore": ignore }))).toBe("");
  });

  test("one that takes the root back is heard", () => {
    expect(ignoredAbove(project({ ".gitignore": "/*\n!/pkg\n/pkg/*\n!/pkg/app\nx\n" }))).toBe("x");
  });

  test("there are none without a repository", () => {
    expect(ignoredAbove(createFolder({ ".gitignore": "x" }))).toBe("");
  });
});

const part = fc.constantFrom("pkg", "app", "a", "b", "*", "**", "a*", "?", "[ab]", "node_modules");
const pattern = fc.tuple(fc.constantFrom("", "", "!"), fc.constantFrom("", "/"), fc.array(part, { minLength: 1, maxLength: 4 }), fc.constantFrom("", "/")).map(([not, lead, parts, end]) => not + lead + parts.join("/") + end);
const lines = fc.array(pattern, { maxLength: 4 }).map((all) => `${all.join("\n")}\n`);
const places = ["a/x", "b/x", "app/x", "a/a/x", "a/b", "b/pkg/a", "node_modules/a/b", "ab/pkg/app/b", "pkg/app/a", "ab/app"].map((path) => `pkg/app/${path}`);

test("git sees the same as in the repository itself", () => {
  fc.assert(
    fc.property(lines, lines, lines, lines, (exclude, above, between, own) => {
      const root = project({ ".git/info/exclude": exclude, ".gitignore": above, "pkg/.gitignore": between, "pkg/app/.gitignore": own });
      const top = dirname(dirname(root));
      try {
        for (const path of places) {
          mkdirSync(dirname(join(top, path)), { recursive: true });
          writeFileSync(join(top, path), "");
        }
        fc.pre(ignores(top, "pkg") === false && ignores(top, "pkg/app") === false);
        expect(seenFrom(root)).toEqual(git(root, LIST).split("\0").toSorted());
      } finally {
        rmSync(top, { recursive: true, force: true });
      }
    }),
    { numRuns: process.env["LOAF_LONG"] === "yes" ? 2_000 : 40 },
  );
}, 1_200_000);

function ignores(top: string, folder: string): boolean {
  try {
    git(top, ["check-ignore", "-q", folder]);
    return true;
  } catch {
    return false;
  }
}

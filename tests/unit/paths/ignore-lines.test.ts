import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import ignore from "ignore";
import { describe, expect, it } from "vitest";
import { compileIgnoreLines } from "../../../src/paths/ignore-lines.ts";

/** `path/` is a directory's. */
function ignores(text: string, path: string): boolean | undefined {
  return compileIgnoreLines(text)(withoutSlash(path).split("/"), path.endsWith("/"));
}

describe("the lines of a .gitignore", () => {
  it.each([
    ["a name holds at any depth", "dist", "src/dist", true],
    ["a slash in front ties it to the directory", "/dist", "src/dist", undefined],
    ["so does one inside", "src/dist", "a/src/dist", undefined],
    ["a slash at the end is for directories", "dist/", "dist/", true],
    ["not for files", "dist/", "dist", undefined],
    ["a path with one at the end is still tied", "src/dist/", "src/dist/", true],
    ["a comment says nothing", "#a", "#a", undefined],
    ["unless a backslash makes it a name", "\\#a", "#a", true],
    ["the last line that matches decides", "*.log\n!keep.log", "keep.log", false],
    ["whichever way", "!keep.log\n*.log", "keep.log", true],
    ["a backslash keeps the exclamation mark", "\\!a", "!a", true],
    ["spaces at the end do not count", "a  ", "a", true],
    ["unless there is a backslash", "a\\ ", "a ", true],
    ["for that one alone", "a\\   ", "a ", true],
    ["spaces in front do", " a", "a", undefined],
    ["a carriage return does not count", "a\r\nb\r\n", "a", true],
    ["nor does a byte order mark", "\ufeffa", "a", true],
    ["** in front is any directory or none", "**/a/b", "a/b", true],
    ["in between too", "a/**/b", "a/x/y/b", true],
    ["also none", "a/**/b", "a/b", true],
    ["at the end it is all that is inside", "a/**", "a/x/y", true],
    ["and not the directory", "a/**", "a/", undefined],
    ["a star stays in its directory", "a/*", "a/b/c", undefined],
    ["a set", "*.[oa]", "x.o", true],
    ["a star that is meant", "\\*", "x", undefined],
    ["nothing is a name", "/\n!\n!/\n//\n", "a", undefined],
  ])("%s: %j on %s", (_, text, path, expected) => {
    expect(ignores(text, path)).toBe(expected);
  });

  it("takes no time for a hostile line", () => {
    const begun = performance.now();
    expect(ignores(`${"d/**/".repeat(20)}q`, `${"d/".repeat(60)}x`)).toBe(undefined);
    expect(ignores(`${" ".repeat(200_000)}x`, "a")).toBe(undefined);
    expect(performance.now() - begun).toBeLessThan(1000);
  });
});

const TREE = ["a", "b", "ab", "a b", "#a", "!a", "a ", "d/a", "d/b", "d/e/a", "d/e/ab", "d/e/f/a", "e/d/a", "e/a b", "e/f/b"];
const PATHS = [...new Set(TREE.flatMap((path) => path.split("/").map((_, at, names) => names.slice(0, at + 1).join("/") + (at + 1 < names.length ? "/" : ""))))];

const name = fc.constantFrom("a", "b", "d", "e", "f", "*", "**", "a*", "*b", "?", "[ab]", "[!a]", "[a-c]b", "\\a", "a b", "a\\ ", "!a", "#a");
const line = fc.tuple(fc.constantFrom("", "", "", "!", "\\!", "#", "\\#"), fc.constantFrom("", "", "/"), fc.array(name, { minLength: 1, maxLength: 3 }), fc.constantFrom("", "", "/", " ", "  ", "\r"));
const text = fc.array(line.map(([sign, slash, names, end]) => sign + slash + names.join("/") + end), { minLength: 1, maxLength: 5 }).map((lines) => lines.join("\n"));

describe("lines at random", () => {
  it("are read as the package `ignore` reads them", () => {
    fc.assert(fc.property(text, (lines) => {
      const [ours, theirs] = [compileIgnoreLines(lines), ignore({ ignorecase: false }).add(lines)];
      for (const path of PATHS) {
        const { ignored, unignored } = theirs.test(path);
        // It also looks at the directories above, which is the walk's part here.
        const names = withoutSlash(path).split("/");
        if (names.slice(1).some((_, at) => ours(names.slice(0, at + 1), true) === true)) continue;
        const verdict = ours(names, path.endsWith("/"));
        expect([path, verdict === true, verdict === false]).toEqual([path, ignored, unignored]);
      }
    }), { numRuns: 1000 });
  });

  it("are read as git reads them", () => {
    const folder = mkdtempSync(join(tmpdir(), "loaf-ignore-"));
    try {
      execFileSync("git", ["init", "-q", folder]);
      for (const path of TREE) {
        mkdirSync(join(folder, path, ".."), { recursive: true });
        writeFileSync(join(folder, path), "");
      }
      fc.assert(fc.property(text, (lines) => {
        writeFileSync(join(folder, ".gitignore"), lines);
        expect(PATHS.filter((path) => isIgnored(lines, path))).toEqual(ignoredByGit(folder));
      }), { numRuns: 100 });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

/** A path is ignored with any directory above it. */
function isIgnored(lines: string, path: string): boolean {
  const names = withoutSlash(path).split("/");
  return names.some((_, at) => compileIgnoreLines(lines)(names.slice(0, at + 1), at + 1 < names.length || path.endsWith("/")) === true);
}

function ignoredByGit(folder: string): string[] {
  // It looks for itself what is a directory; a slash at the end would have an empty name behind it.
  const input = PATHS.map(withoutSlash).join("\0");
  try {
    const ignored = execFileSync("git", ["-C", folder, "-c", "core.excludesFile=/dev/null", "check-ignore", "--no-index", "-z", "--stdin"], { input, encoding: "utf8" }).split("\0");
    return PATHS.filter((path) => ignored.includes(withoutSlash(path)));
  } catch (thrown) {
    // 1: none of them is ignored.
    if ((thrown as { status?: number }).status === 1) return [];
    throw thrown;
  }
}

function withoutSlash(path: string): string {
  return path.replace(/\/$/, "");
}

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import ignore from "ignore";
import { describe, expect, it } from "vitest";
import { compileIgnoreLines } from "../../../src/paths/ignore-rules.ts";
import { measureWork } from "../../support/work.ts";

/** @param path of a directory if it ends in a slash */
function ignores(text: string, path: string): boolean | undefined {
  return compileIgnoreLines(text)(withoutSlash(path).split("/"), path.endsWith("/"));
}

describe("the lines of a .gitignore", () => {
  it.each([
    ["a name applies at any depth", "dist", "src/dist", true],
    ["a leading slash anchors it to the directory", "/dist", "src/dist", undefined],
    ["an inner slash anchors it to the directory", "src/dist", "a/src/dist", undefined],
    ["a trailing slash matches directories", "dist/", "dist/", true],
    ["a trailing slash matches no files", "dist/", "dist", undefined],
    ["a path with a trailing slash is anchored too", "src/dist/", "src/dist/", true],
    ["a comment matches nothing", "#a", "#a", undefined],
    ["an escaped # is a name", "\\#a", "#a", true],
    ["the last matching line wins", "*.log\n!keep.log", "keep.log", false],
    ["also if it ignores", "!keep.log\n*.log", "keep.log", true],
    ["an escaped ! is a name", "\\!a", "!a", true],
    ["trailing spaces are stripped", "a  ", "a", true],
    ["an escaped trailing space is kept", "a\\ ", "a ", true],
    ["only the escaped one is kept", "a\\   ", "a ", true],
    ["leading spaces are kept", " a", "a", undefined],
    ["a carriage return is stripped", "a\r\nb\r\n", "a", true],
    ["a byte order mark is stripped", "\ufeffa", "a", true],
    ["a leading ** is any directory or none", "**/a/b", "a/b", true],
    ["an inner ** is any directory or none", "a/**/b", "a/x/y/b", true],
    ["including none", "a/**/b", "a/b", true],
    ["a trailing one is everything inside", "a/**", "a/x/y", true],
    ["a trailing ** does not match the directory itself", "a/**", "a/", undefined],
    ["a star stays in its directory", "a/*", "a/b/c", undefined],
    ["a set", "*.[oa]", "x.o", true],
    ["an escaped star", "\\*", "x", undefined],
    ["lines without a name match nothing", "/\n!\n!/\n//\n", "a", undefined],
  ])("%s: %j on %s", (_, text, path, expected) => {
    expect(ignores(text, path)).toBe(expected);
  });

  it("is fast on a hostile line", () => {
    const work = measureWork();
    expect(ignores(`${"d/**/".repeat(20)}q`, `${"d/".repeat(60)}x`)).toBe(undefined);
    expect(ignores(`${" ".repeat(200_000)}x`, "a")).toBe(undefined);
    expect(work()).toBeLessThan(1000);
  });
});

const TREE = ["a", "b", "ab", "a b", "#a", "!a", "a ", "d/a", "d/b", "d/e/a", "d/e/ab", "d/e/f/a", "e/d/a", "e/a b", "e/f/b"];
const PATHS = [...new Set(TREE.flatMap((path) => path.split("/").map((_, at, names) => names.slice(0, at + 1).join("/") + (at + 1 < names.length ? "/" : ""))))];

const name = fc.constantFrom("a", "b", "d", "e", "f", "*", "**", "a*", "*b", "?", "[ab]", "[!a]", "[a-c]b", "\\a", "a b", "a\\ ", "!a", "#a");
const line = fc.tuple(fc.constantFrom("", "", "", "!", "\\!", "#", "\\#"), fc.constantFrom("", "", "/"), fc.array(name, { minLength: 1, maxLength: 3 }), fc.constantFrom("", "", "/", " ", "  ", "\r"));
const text = fc.array(line.map(([sign, slash, names, end]) => sign + slash + names.join("/") + end), { minLength: 1, maxLength: 5 }).map((lines) => lines.join("\n"));

describe("random lines", () => {
  it("are read as the package `ignore` reads them", () => {
    fc.assert(fc.property(text, (lines) => {
      const [ours, theirs] = [compileIgnoreLines(lines), ignore({ ignorecase: false }).add(lines)];
      for (const path of PATHS) {
        const { ignored, unignored } = theirs.test(path);
        // `ignore` also checks ancestors, which `walk` does for us.
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
  // git checks itself which paths are directories. A trailing slash would add an empty name.
  const input = PATHS.map(withoutSlash).join("\0");
  try {
    const ignored = execFileSync("git", ["-C", folder, "-c", "core.excludesFile=/dev/null", "check-ignore", "--no-index", "-z", "--stdin"], { input, encoding: "utf8" }).split("\0");
    return PATHS.filter((path) => ignored.includes(withoutSlash(path)));
  } catch (thrown) {
    // Exit code 1: none of them is ignored.
    if ((thrown as { status?: number }).status === 1) return [];
    throw thrown;
  }
}

function withoutSlash(path: string): string {
  return path.replace(/\/$/, "");
}

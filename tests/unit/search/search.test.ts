import { describe, expect, it } from "vitest";
import { Failed } from "../../../src/core/failure.ts";
import { createSearch } from "../../../src/search/search.ts";
import type { Project, Source } from "../../../src/search/walk.ts";

/** A tree in memory: text by path, `null` for a link, a number of bytes for what is no text. */
function treeOf(files: Record<string, string | null | number>): Source {
  return {
    list(directory) {
      const prefix = directory === "." ? "" : `${directory}/`;
      if (directory in files) throw new Failed({ code: "file/system", errno: "ENOTDIR", text: "not a directory", syscall: "scandir", path: directory });
      const names = new Set(Object.keys(files).flatMap((path) => (path.startsWith(prefix) ? [path.slice(prefix.length).split("/")[0] as string] : [])));
      return [...names].map((name) => ({ name, type: typeOf(files, `${prefix}${name}`) }));
    },
    read: (path) => files[path] as string,
    peek: (path) => (typeof files[path] === "string" ? (files[path] as string) : undefined),
  };
}

function typeOf(files: Record<string, unknown>, path: string): "file" | "directory" | "link" {
  if (!(path in files)) return "directory";
  return files[path] === null ? "link" : "file";
}

const tree = treeOf({
  "/p/.gitignore": "*.log\n/build\n!keep.log\n",
  "/p/.git/info/exclude": "secret\n",
  "/p/.git/config": "needle",
  "/p/app.ts": "one\nneedle two needle\r\nthree\nneedle",
  "/p/a.log": "needle",
  "/p/keep.log": "needle",
  "/p/secret": "needle",
  "/p/build/out.ts": "needle",
  "/p/src/build/deep.ts": "needle",
  "/p/src/.gitignore": "gen/\n",
  "/p/src/gen/x.ts": "needle",
  "/p/src/link.ts": null,
  "/p/src/binary": 7,
});
const search = createSearch(tree, projectOf(tree));

function projectOf({ peek }: Source, locate: Project["locate"] = (directory) => directory): Project {
  return { root: "/p", locate, readIgnoreFile: peek };
}

describe("grep", () => {
  it("finds each line once, by file and number, and honours every ignore file", () => {
    const { matches, omitted } = search.grep({ pattern: "needle", path: "/p" });
    expect(matches.map(({ file, line_number, line }) => `${file}:${line_number}:${line}`)).toEqual([
      "/p/app.ts:2:needle two needle",
      "/p/app.ts:4:needle",
      "/p/keep.log:1:needle",
      "/p/src/build/deep.ts:1:needle",
    ]);
    expect(omitted).toBe(0);
  });

  it("searches a file that is asked for by name, even an ignored one", () => {
    expect(search.grep({ pattern: "needle", path: "/p/a.log" }).matches).toEqual([{ file: "/p/a.log", line_number: 1, line: "needle" }]);
  });

  it("looks only into what include names", () => {
    expect(search.grep({ pattern: "needle", path: "/p", include: "*.log" }).matches.map(({ file }) => file)).toEqual(["/p/keep.log"]);
  });

  it("holds back what no report can show, and counts it", () => {
    const many = treeOf({ "/p/a": "x\n".repeat(1500) });
    const { matches, omitted } = createSearch(many, projectOf(many)).grep({ pattern: "x", path: "/p" });
    expect([matches.length, omitted, matches[999]?.line_number]).toEqual([1000, 500, 1000]);
  });

  it("refuses a pattern that no line can hold, and an include that no path can match", () => {
    expect(() => search.grep({ pattern: "one\nneedle", path: "/p" })).toThrow("pattern/lines");
    expect(() => search.grep({ pattern: "needle", path: "/p", include: "../*" })).toThrow("pattern/impossible");
  });

  it("wants something to look for", () => {
    expect(() => search.grep({ pattern: "", path: "/p" })).toThrow(Failed);
  });
});

describe("glob", () => {
  it("lists files and links, sorted, with the base as it was written", () => {
    expect(search.glob({ pattern: "**/*.ts", base: "/p" })).toEqual(["/p/app.ts", "/p/src/build/deep.ts", "/p/src/link.ts"]);
    expect(search.glob({ pattern: "*.ts", base: "/p/src" })).toEqual(["/p/src/link.ts"]);
  });

  it("honours ignore files above the base", () => {
    expect(search.glob({ pattern: "**", base: "/p/build" })).toEqual(["/p/build/out.ts"]);
    expect(search.glob({ pattern: "**", base: "/p/src/gen" })).toEqual(["/p/src/gen/x.ts"]);
    const generated = treeOf({ "/p/.gitignore": "gen\n", "/p/src/a/gen/x": "", "/p/src/a/y": "" });
    expect(createSearch(generated, projectOf(generated)).glob({ pattern: "**", base: "/p/src" })).toEqual(["/p/src/a/y"]);
  });

  it("keeps a base with .. in it as it was written: where that leads is not for the text to say", () => {
    const linked = treeOf({ "/p/.gitignore": "/other/hidden\n", "/p/link/../hidden": "", "/p/link/../a.ts": "", "/p/link/../sub/b.ts": "" });
    const { glob } = createSearch(linked, projectOf(linked, () => "/p/other"));
    expect(glob({ pattern: "**", base: "/p/link/.." })).toEqual(["/p/link/../a.ts", "/p/link/../sub/b.ts"]);
  });

  it("gives plain relative paths below the current directory", () => {
    const relative = treeOf({ "src/a.ts": "", "b.ts": "" });
    expect(createSearch(relative, projectOf(relative, () => "/p")).glob({ pattern: "**", base: "." })).toEqual(["b.ts", "src/a.ts"]);
  });

  it("takes a whole path below the base for a pattern", () => {
    expect(search.glob({ pattern: "/p/src/*.ts", base: "/p" })).toEqual(["/p/src/link.ts"]);
  });

  it.each(["", "../*.ts", "/q/*.ts", "src/", "src//a", "src/../*", "{../a,/b}"])("refuses %j, which matches no path", (pattern) => {
    expect(() => search.glob({ pattern, base: "/p" })).toThrow("pattern/impossible");
  });
});

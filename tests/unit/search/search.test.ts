import { describe, expect, it } from "vitest";
import { Failed } from "../../../src/core/failure.ts";
import { createSearch } from "../../../src/search/search.ts";
import type { Source } from "../../../src/search/walk.ts";

/** A tree in memory: text by path, `null` for a link, a number of bytes for what is no text. */
function treeOf(files: Record<string, string | null | number>): Source {
  return {
    list(directory) {
      const prefix = directory === "." ? "" : `${directory}/`;
      if (directory in files) throw new Failed({ code: "file/system", errno: "ENOTDIR", text: "not a directory", syscall: "scandir", path: directory });
      const names = new Set(Object.keys(files).flatMap((path) => (path.startsWith(prefix) ? [path.slice(prefix.length).split("/")[0] as string] : [])));
      return [...names].map((name) => ({ name, type: typeOf(files, `${prefix}${name}`) }));
    },
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
const search = createSearch(tree, "/p", tree.peek);

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
    const { matches, omitted } = createSearch(many, "/p", () => undefined).grep({ pattern: "x", path: "/p" });
    expect([matches.length, omitted, matches[999]?.line_number]).toEqual([1000, 500, 1000]);
  });

  it("finds no line that holds a newline", () => {
    expect(search.grep({ pattern: "one\nneedle", path: "/p" }).matches).toEqual([]);
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
    expect(createSearch(treeOf({ "/p/.gitignore": "gen\n", "/p/src/a/gen/x": "", "/p/src/a/y": "" }), "/p", () => "gen\n").glob({ pattern: "**", base: "/p/src" })).toEqual(["/p/src/a/y"]);
  });
});

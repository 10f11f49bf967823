import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Failed } from "../../../src/core/failure.ts";
import { createFolder } from "../../support/folder.ts";
import { grow, type Tree } from "../files/project.ts";
import { openProject, ripgrep, type SearchableProject } from "./project.ts";

const files: Tree = {
  ".gitignore": "*.log\n/build\n!keep.log\n",
  ".git/info/exclude": "secret\n",
  ".git/config": "needle",
  "app.ts": "one\nneedle two needle\r\nthree\nneedle",
  "a.log": "needle",
  "keep.log": "needle",
  secret: "needle",
  "build/out.ts": "needle",
  "src/build/deep.ts": "needle",
  "src/.gitignore": "gen/\n",
  "src/gen/x.ts": "needle",
  "src/link.ts": { link: "../app.ts" },
  "src/binary": "needle\0",
};

const ways = [["with ripgrep", ripgrep], ["without", undefined]] as const;

function plant(tree: Tree, program?: string, options?: Parameters<typeof openProject>[2]): SearchableProject & { root: string } {
  const root = createFolder();
  grow(root, tree);
  return { root, ...openProject(root, program, options) };
}

async function linesFound({ search, root }: SearchableProject & { root: string }, path = "", include?: string): Promise<string[]> {
  const { matches } = await search.grep({ pattern: "needle", path: join(root, path), include });
  return matches.map(({ file, line_number, line }) => `${file.slice(root.length + 1)}:${line_number}:${line}`);
}

describe.each(ways)("grep %s", (_, program) => {
  it("finds each line once, by file and number, and honours every ignore file", async () => {
    expect(await linesFound(plant(files, program))).toEqual(["app.ts:2:needle two needle", "app.ts:4:needle", "keep.log:1:needle", "src/build/deep.ts:1:needle"]);
  });

  it("honours ignore files above the directory, unless the directory is ignored", async () => {
    const project = plant({ ...files, "src/a.log": "needle", "build/b.log": "needle" }, program);
    expect(await linesFound(project, "src")).toEqual(["src/build/deep.ts:1:needle"]);
    expect(await linesFound(project, "build")).toEqual(["build/b.log:1:needle", "build/out.ts:1:needle"]);
    expect(await linesFound(project, "src/gen")).toEqual(["src/gen/x.ts:1:needle"]);
  });

  it("honours ignore files between the root and the directory", async () => {
    const between = plant({ ".gitignore": "*.log\n", "a/.gitignore": "!b.log\nx\n", "a/b/b.log": "needle", "a/b/c.log": "needle", "a/b/x": "needle" }, program);
    expect(await linesFound(between, "a/b")).toEqual(["a/b/b.log:1:needle"]);
  });

  it("reads braces as git does, also below the directory and in an ignore file that ignores itself", async () => {
    const braced = plant({ "a/.gitignore": "*.{ts,js}\nx\n", "a/b.ts": "needle", "a/x": "needle", "b/.gitignore": ".gitignore\n{c,d}\n", "b/c": "needle", "b/{c,d}": "needle" }, program);
    expect(await linesFound(braced)).toEqual(["a/b.ts:1:needle", "b/c:1:needle"]);
  });

  it.skipIf(process.platform === "win32")("does not hang on an ignore file that is a FIFO", { timeout: 20_000 }, async () => {
    const project = plant({ "a/b": "needle", "c/d": "needle" }, program);
    execFileSync("mkfifo", [join(project.root, "a/.gitignore")]);
    expect(await linesFound(project)).toEqual(["a/b:1:needle", "c/d:1:needle"]);
  });

  it("searches a file given by name, even an ignored one", async () => {
    expect(await linesFound(plant(files, program), "a.log")).toEqual(["a.log:1:needle"]);
  });

  it("searches only files that match include", async () => {
    expect(await linesFound(plant(files, program), "", "*.log")).toEqual(["keep.log:1:needle"]);
  });

  it("finds nothing in denied files and directories", async () => {
    const denied = plant({ ".env": "needle", "private/a": "needle", "b.key": "needle", c: "needle" }, program, { deny: ["private/**"] });
    expect(await linesFound(denied)).toEqual(["c:1:needle"]);
    const reopened = plant({ "private/open/a": "needle", c: "needle" }, program, { deny: ["private/**"], allow: ["./**", "private/open/**"] });
    expect(await linesFound(reopened)).toEqual(["c:1:needle"]);
    expect(await linesFound(reopened, "private/open")).toEqual(["private/open/a:1:needle"]);
  });

  it("only counts the matches beyond the limit", async () => {
    const { search, root } = plant({ a: "x\n".repeat(999), b: "x\nx\nx\n", c: "x\n".repeat(500), "d.key": "x\n", e: "x\0" }, program);
    const { matches, omitted } = await search.grep({ pattern: "x", path: root });
    expect([matches.length, omitted, matches[999]?.file]).toEqual([1000, 502, join(root, "b")]);
  });

  it("finds the run's unwritten changes, not the stale content on the disk", async () => {
    const project = plant({ a: "needle", b: "nothing", "d/x": "needle", "d/y": "needle", "e/z": "needle", "e/.gitignore": "w\n", "f/g": "needle" }, program);
    const at = (path: string) => join(project.root, path);
    project.overlay.writeFile(at("a"), Buffer.from("gone"));
    project.overlay.writeFile(at("b"), Buffer.from("needle"));
    project.overlay.unlink(at("d/x"));
    project.overlay.rename(at("e"), at("d/e"));
    project.overlay.writeFile(at("d/e/w"), Buffer.from("needle"));
    project.overlay.makeDirectory(at("new"));
    project.overlay.writeFile(at("new/n"), Buffer.from("needle"));
    expect(await linesFound(project)).toEqual(["b:1:needle", "d/e/z:1:needle", "d/y:1:needle", "f/g:1:needle", "new/n:1:needle"]);
    expect(await linesFound(project, "d/e")).toEqual(["d/e/z:1:needle"]);
  });

  it("honours ignore files as changed by the run", async () => {
    const project = plant({ ".gitignore": "/f\n", "f/g": "needle", "h/i": "needle" }, program);
    project.overlay.writeFile(join(project.root, ".gitignore"), Buffer.from("/h\n"));
    expect(await linesFound(project)).toEqual(["f/g:1:needle"]);
  });

  it.each(["needle\0", "\ud83d"])("never finds %j, which no text contains", async (pattern) => {
    const { search, root } = plant({ a: "\ufeffneedle \u{1f600}" }, program);
    expect(await search.grep({ pattern, path: root })).toEqual({ matches: [], omitted: 0, unsearched: [] });
  });
});

describe("grep", () => {
  it("refuses a pattern that no line can contain, and an include that no path can match", async () => {
    const { search, root } = plant({});
    await expect(search.grep({ pattern: "one\nneedle", path: root })).rejects.toThrow("pattern/lines");
    await expect(search.grep({ pattern: "", path: root })).rejects.toThrow("text/empty");
    await expect(search.grep({ pattern: "needle", path: root, include: "../*" })).rejects.toThrow("pattern/impossible");
  });

  it("refuses a binary file given by name", async () => {
    const { search, root } = plant(files);
    await expect(search.grep({ pattern: "needle", path: join(root, "src/binary") })).rejects.toThrow(Failed);
  });

  it.each(["/nowhere/rg", "/bin/cat"])("falls back to scanning if ripgrep does not work: %s", async (program) => {
    expect(await linesFound(plant(files, program))).toHaveLength(4);
  });

  it("checks the declared grant", async () => {
    const { search } = openProject(createFolder(), undefined, { checkGranted: (path) => { throw new Error(`not granted: ${path}`); } });
    await expect(search.grep({ pattern: "x", path: "/etc" })).rejects.toThrow("not granted: /etc");
    expect(() => search.glob({ pattern: "*", base: "/etc" })).toThrow("not granted: /etc");
  });
});

it.each(ways)("reads braces in an ignore file as literal, like git: %s", async (_, program) => {
  const { search, root } = plant({ ".gitignore": "{a,b}\nc\n", a: "needle", b: "needle", c: "needle", "{a,b}": "needle" }, program);
  const { matches } = await search.grep({ pattern: "needle", path: root });
  expect(matches.map(({ file }) => file.slice(root.length + 1))).toEqual(["a", "b"]);
});

describe("with hard_links: deny", () => {
  it.each(ways)("skips hard-linked files, and refuses one given by name: %s", async (_, program) => {
    const { search, root } = plant({ "a.txt": "needle" }, program, { hardLinks: "deny" });
    linkSync(join(root, "a.txt"), join(root, "b.txt"));
    writeFileSync(join(root, "c.txt"), "needle");
    const { matches } = await search.grep({ pattern: "needle", path: root });
    expect(matches.map(({ file }) => file)).toEqual([join(root, "c.txt")]);
    await expect(search.grep({ pattern: "needle", path: join(root, "b.txt") })).rejects.toMatchObject({ failure: { rule: "it has 2 names, and hard_links is deny" } });
  });
});

describe("glob", () => {
  it("lists files and links, sorted, with the base as it was written", () => {
    const { search, root } = plant(files);
    const found = (pattern: string, base: string) => search.glob({ pattern, base: join(root, base) }).paths.map((path) => path.slice(root.length + 1));
    expect(found("**/*.ts", "")).toEqual(["app.ts", "src/build/deep.ts", "src/link.ts"]);
    expect(found("*.ts", "src")).toEqual(["src/link.ts"]);
    expect(found("**", "build")).toEqual(["build/out.ts"]);
    expect(found("**", "src/gen")).toEqual(["src/gen/x.ts"]);
    expect(found(`${root}/src/*.ts`, "")).toEqual(["src/link.ts"]);
  });

  it("sorts by the whole path, although it walks directory by directory", () => {
    const { search, root } = plant({ "a/z": "", "a-b": "", "a.c": "", "a/b/c": "", "a/b-c": "", a0: "" });
    const { paths } = search.glob({ pattern: "**", base: root });
    expect(paths).toEqual(paths.toSorted((a, b) => (a < b ? -1 : 1)));
    expect(paths).toHaveLength(6);
  });

  it("keeps a base with .. as written, because only the file system can resolve it", () => {
    const { search, root } = plant({ ".gitignore": "/other/hidden\n", "other/in/x": "", "other/hidden": "", "other/a.ts": "", link: { link: "other/in" } });
    expect(search.glob({ pattern: "*", base: `${root}/link/..` }).paths).toEqual([`${root}/link/../a.ts`]);
  });

  it("returns plain relative paths below the root", () => {
    const { search } = plant({ "src/a.ts": "", "b.ts": "" });
    expect(search.glob({ pattern: "**", base: "." }).paths).toEqual(["b.ts", "src/a.ts"]);
  });

  it("escapes a name that is not UTF-8, and does not enter such a directory", () => {
    const { search, root } = plant({ a: "" });
    mkdirSync(Buffer.concat([Buffer.from(`${root}/d`), Buffer.from([0xe9])]));
    for (const name of ["f", "d\xe9/inside"]) writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from(`${name}\xe9`, "latin1")]), "needle");
    expect(search.glob({ pattern: "**", base: root }).paths).toEqual([join(root, "a"), join(root, "f\\xe9")]);
    // Vitest could not remove them, because Node's recursive removal reads names as text.
    for (const name of ["f\xe9", "d\xe9/inside\xe9"]) rmSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from(name, "latin1")]));
  });

  it("only counts the paths beyond the limit", () => {
    const { search, root, overlay } = plant({});
    for (let index = 0; index < 10_002; index++) overlay.writeFile(join(root, `${index}`), Buffer.alloc(0));
    const { paths, omitted } = search.glob({ pattern: "*", base: root });
    expect([paths.length, omitted]).toEqual([10_000, 2]);
  });

  it.each(["", "../*.ts", "/q/*.ts", "src/", "src//a", "src/../*", "{../a,/b}"])("refuses %j, which matches no path", (pattern) => {
    expect(() => openProject("/", undefined).search.glob({ pattern, base: "/p" })).toThrow("pattern/impossible");
  });
});

import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { shownFile } from "../../../src/context/shown-files.ts";
import { createFolder } from "../../support/folder.ts";
import { runLoaf } from "../../support/run-loaf.ts";
import { whole } from "../../unit/xd5/sample.ts";
import { write } from "./answers.ts";

describe("context", () => {
  /** Creates a project and a state folder for a series of commands. */
  function project(files: Readonly<Record<string, string>>): { loaf: (...args: string[]) => ReturnType<typeof runLoaf> } {
    const [root, state] = [createFolder(files), createFolder()];
    return { loaf: (...args) => runLoaf(args, { cwd: root, env: { XDG_STATE_HOME: state } }) };
  }

  test("shows the tag of the whole file beside a part, and an edit that misses is compared with what was shown", async () => {
    const text = "# A\n\none\n\n## B\n\ntwo\n";
    const root = createFolder({ "loaf.yml": "relative_paths: true\nedits: {match: exact, final_newline: as-is}\n", "a.md": text });
    const env = { XDG_STATE_HOME: createFolder() };
    const loaf = (...args: string[]): ReturnType<typeof runLoaf> => runLoaf(args, { cwd: root, env });
    await loaf("context", "add", "a.md@@# A@@## B");
    const { base } = shownFile("a.md", text);
    expect((await loaf("context", "show")).stdout).toContain(`two\n\n=== END FILE: a.md@@# A@@## B ===\nnote: base = "${base}"\n`);
    writeFileSync(join(root, "a.md"), text.replace("two", "2"));
    writeFileSync(join(root, "answer.md"), `#!nesl [@three-char-SHA-256: k7m]\naction = "file_replace_text"\npath = "a.md"\nold_text = "two"\nnew_text = "three"\n#!end_k7m\n`);
    expect((await loaf("run", "answer.md")).stdout).toContain(`\nhint: a.md has changed since it was shown (${base}): line 7; the old text was on line 7 then`);
  });

  test("lists and shows added files, identically each time, and only the changes on request", async () => {
    const folder = createFolder();
    const { loaf } = project({ "loaf.yml": "relative_paths: true\nedits: {match: exact, final_newline: as-is}\n", "src/a.ts": "const a = 1;\n", "src/b.ts": "#!nesl [@x: abc]\n", "README.md": "# Read me\n" });
    expect(await loaf("context", "add", "src", "*.md")).toEqual({ code: 0, stdout: "", stderr: "Added src\nAdded *.md\n" });
    expect((await loaf("context")).stdout).toBe("*.md      1 file, 10 bytes, about 4 tokens\nsrc       2 files, 30 bytes, about 13 tokens\ntogether  3 files, 40 bytes, about 17 tokens\n");
    const { stdout } = await loaf("context", "show");
    expect(stdout).toBe(`=== CONTEXT ===
README.md
src/
  a.ts
  b.ts

=== START FILE: README.md ===
# Read me

=== END FILE: README.md ===
note: base = "${shownFile("README.md", "# Read me\n").base}"

=== START FILE: src/a.ts ===
const a = 1;

=== END FILE: src/a.ts ===
note: base = "${shownFile("src/a.ts", "const a = 1;\n").base}"

=== START FILE: src/b.ts ===
⁞ #!nesl [@x: abc]

=== END FILE: src/b.ts ===
note: base = "${shownFile("src/b.ts", "#!nesl [@x: abc]\n").base}"

=== END CONTEXT ===
`);
    expect((await loaf("context", "show")).stdout).toBe(stdout);
    expect(await loaf("context", "show", "--changed")).toMatchObject({ code: 0, stdout: "", stderr: "Nothing in the context set has changed since it was last shown\n" });
    writeFileSync(join(folder, "answer.md"), write("k7m", "src/a.ts", "const a = 2;\n"));
    const run = await loaf("run", "--context", join(folder, "answer.md"));
    expect(run.stdout).toMatch(/=== END ===\n\n=== CONTEXT: what changed since it was last shown ===\nsrc\/a\.ts\n\n=== START FILE: src\/a\.ts ===\nconst a = 2;/);
    expect((await loaf("context", "show", "--changed")).stdout).toBe("");
    expect(await loaf("context", "prune")).toMatchObject({ stdout: "*.md\n", stderr: "Removed 1 path, which is gone or that no action has named since\n" });
    expect(await loaf("context", "prune")).toMatchObject({ stdout: "", stderr: "Removed nothing: every path exists, and an action has named it or none has run since it was added\n" });
    expect(await loaf("context", "remove", "src", "none")).toMatchObject({ code: 0, stderr: "Removed src\nnone was not in the set\n" });
    expect(await loaf("context", "list", "--json")).toMatchObject({ stdout: "[]\n" });
    expect(await loaf("context", "clear")).toMatchObject({ code: 0, stderr: "The context set was empty\n" });
    await loaf("context", "add", "src", "README.md");
    expect(await loaf("context", "clear")).toMatchObject({ code: 0, stderr: "Removed 2 paths: the context set is empty\n" });
  });

  test("names files beyond the budget", async () => {
    const { loaf } = project({ "a.txt": "word ".repeat(2_000), "b.txt": "b\n" });
    await loaf("context", "add", ".");
    const { stdout } = await loaf("context", "show", "--max-tokens", "500");
    expect(stdout).toContain("START FILE: ");
    expect(stdout).toMatch(/^note: left out to keep to 500 tokens: a\.txt \(about \d+ tokens\)/m);
    expect(await loaf("context", "show", "--max-tokens", "0")).toMatchObject({ code: 2 });
  });

  test("shows outlines of files beyond the budget", async () => {
    const { loaf } = project({ "a.ts": `export class Cart {\n${"  // a long comment\n".repeat(300)}  add() {}\n}\n` });
    await loaf("context", "add", ".");
    expect((await loaf("context", "show", "--max-tokens", "500")).stdout).toMatch(/=== START OUTLINE: a\.ts ===\n@@Cart {2}class, lines 1-303\n@@Cart@@add {2}method, lines 2-302\n/);
  });

  test("--split prints numbered parts, and needs a terminal to copy them", async () => {
    const { loaf } = project({ "a.txt": "word\n".repeat(400), "b.txt": "word\n".repeat(400) });
    await loaf("context", "add", ".");
    const { stdout, code } = await loaf("context", "show", "--split", "1000");
    expect(code).toBe(0);
    expect(stdout.match(/^=== (?:END )?CONTEXT, part .*$/gm)).toEqual([1, 2].flatMap((part) => [`=== CONTEXT, part ${part} of 2 ===`, `=== END CONTEXT, part ${part} of 2 ===`]));
    expect(await loaf("context", "show", "--split", "1000", "--copy")).toMatchObject({ code: 2, stdout: "" });
    expect(await loaf("context", "show", "--split", "10")).toMatchObject({ code: 2, stderr: "--split must be at least 500 tokens, not 10\n" });
  });

  test("--git shows the branch's commits and its diff, without what may not be read", async () => {
    const root = createFolder({ "a.ts": "one\n", ".env": "KEY=1\n" });
    const git = (...args: string[]) => execFileSync("git", ["-C", root, "-c", "user.name=A", "-c", "user.email=a@b.c", ...args]);
    git("init", "-q", "-b", "main");
    git("add", "-A");
    git("commit", "-qm", "begin");
    git("checkout", "-qb", "feature");
    writeFileSync(join(root, "a.ts"), "two\n");
    writeFileSync(join(root, ".env"), "KEY=2\n");
    git("commit", "-qam", "Change #!nesl [@x: abc]");
    writeFileSync(join(root, "a.ts"), "three\n");
    const { stdout } = await runLoaf(["context", "show", "--git"], { cwd: root });
    expect(stdout.replace(/^\w{7} \S{10}/m, "ID DATE").replace(/index .*/, "index")).toBe(`=== CONTEXT ===

=== START CHANGES since main ===
ID DATE Change #!nesl [@x: abc]

1 changed file is not shown

⁞ diff --git a/a.ts b/a.ts
index
⁞ --- a/a.ts
+++ b/a.ts
@@ -1 +1 @@
-one
+three
=== END CHANGES since main ===

=== END CONTEXT ===
`);
    expect(await runLoaf(["run", "-"], { cwd: root, input: stdout })).toMatchObject({ code: 3 });
    expect(await runLoaf(["context", "show", "--git"], { cwd: createFolder() })).toMatchObject({ code: 2, stderr: expect.stringContaining("is not in a git repository with a commit") as string });
  });

  test("refuses missing and unreadable files with a sentence", async () => {
    const { loaf } = project({ ".env": "secret\n" });
    expect(await loaf("context", "add", "none.ts")).toMatchObject({ code: 2, stderr: expect.stringMatching(/^'.*none\.ts' matches no file that may be read\n$/) as string });
    expect(await loaf("context", "add", ".env")).toMatchObject({ code: 2, stderr: expect.stringContaining("fs-guard violation") as string });
    const { loaf: mixed } = project({ "a.ts": "a\n", "b.ts": "b\n" });
    expect(await mixed("context", "add", "a.ts", "none.ts", "b.ts")).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Added a\.ts\nnone\.ts was not added: '.*none\.ts' matches no file that may be read\nAdded b\.ts\n$/) as string });
    expect((await mixed("context", "list")).stdout).toMatch(/^a\.ts .*\nb\.ts /);
    expect(await loaf("context", "show")).toMatchObject({ code: 0, stdout: "", stderr: "The context set is empty: loaf context add PATH, or loaf context pick\n" });
  });
});

describe("xd5", () => {
  test("check exits with 1 if documents and sources disagree", async () => {
    const root = createFolder(whole);
    expect(await runLoaf(["xd5", "check"], { cwd: root })).toEqual({ code: 0, stdout: "", stderr: "Documents and sources agree\n" });
    writeFileSync(join(root, "comp/app/src/main.ts"), `import "left-pad";\n${whole["comp/app/src/main.ts"]}`);
    const { code, stdout } = await runLoaf(["xd5", "check"], { cwd: root });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "comp/app/src/main.ts:1: undeclared-import: imports 'external/left-pad', which is not a dependency of 'comp/app'\n" });
    expect(JSON.parse((await runLoaf(["xd5", "check", "--json"], { cwd: root })).stdout)).toMatchObject([{ kind: "undeclared-import", line: 1 }]);
  });

  test("context prints the same bytes for any project path, and graph has three forms", async () => {
    const [here, there] = [createFolder(whole), createFolder(Object.fromEntries(Object.entries(whole).toReversed()))];
    const [one, other] = await Promise.all([here, there].map(async (cwd) => runLoaf(["xd5", "context", "comp/app/"], { cwd })));
    expect(one).toMatchObject({ code: 0, stderr: "" });
    expect(one).toEqual(other);
    expect(one?.stdout).toContain("=== START FILE: comp/store/doc/API.md ===\n### `load(key: Key): Promise<Entry>`");
    expect((await runLoaf(["xd5", "graph", "--mermaid"], { cwd: here })).stdout).toMatch(/^graph LR\n/);
    expect(JSON.parse((await runLoaf(["xd5", "graph", "--json"], { cwd: here })).stdout)).toHaveLength(4);
  });

  test("reports a project without components", async () => {
    expect(await runLoaf(["xd5", "check"], { cwd: createFolder({ "a.ts": "" }) })).toMatchObject({ code: 2, stderr: expect.stringContaining("no folder has a doc/API.md") as string });
    const root = createFolder({ ...whole, ".git/HEAD": "" });
    expect((await runLoaf(["xd5", "context", "app"], { cwd: root })).stdout).toContain("COMPONENT comp/app");
    const named = await runLoaf(["xd5", "context", "comp/store"], { cwd: root });
    for (const path of [".", "./", "../store"]) expect(await runLoaf(["xd5", "context", path, "--root", root], { cwd: join(root, "comp/store") })).toEqual(named);
    expect(await runLoaf(["xd5", "context", "comp/none"], { cwd: createFolder(whole) })).toMatchObject({ code: 2, stderr: expect.stringContaining("'comp/none' is not a component. The components are: comp/app,") as string });
  });
});

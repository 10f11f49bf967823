/** Paths on a file system that folds names: each is named as its folder spells it, and only a move changes that. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFolder } from "../support/folder.ts";
import { type Folding, mountFolding, whyNoFolding } from "../support/folding.ts";
import { hasProgram } from "../support/programs.ts";
import { block } from "../support/nesl-block.ts";
import { gitEnvironment } from "../support/repository.ts";
import { program, runLoaf } from "../support/run-loaf.ts";

const reason = whyNoFolding();

describe.skipIf(reason !== undefined)(`where names fold${reason === undefined ? "" : ` (skipped: ${reason})`}`, () => {
  let folding: Folding;
  beforeAll(() => {
    folding = mountFolding() as Folding;
  });
  afterAll(() => folding.remove());

  function project(on = folding) {
    const root = mkdtempSync(join(on.path, "project-"));
    const git = (...args: string[]): string => execFileSync("git", args, { cwd: root, encoding: "utf8", env: { ...process.env, ...gitEnvironment } });
    git("init", "-q");
    git("config", "user.name", "A");
    git("config", "user.email", "a@example.org");
    for (const folder of ["src", "docs"]) mkdirSync(join(root, folder));
    for (const [path, text] of Object.entries({ "a.txt": "one\n", "README.md": "# r\n", "src/x.js": "1;\n", "src/y.js": "2;\n", "docs/é.md": "e\n" })) writeFileSync(join(root, path), text, { mode: 0o755 });
    git("add", "-A");
    git("commit", "-qm", "start");
    const home = createFolder();
    const env = { ...gitEnvironment, HOME: home, XDG_CONFIG_HOME: join(home, "c"), XDG_STATE_HOME: join(home, "s") };
    const loaf = async (args: readonly string[], input = "", cwd = root): Promise<string> => (await runLoaf(args, { cwd, input, env })).stdout;
    return {
      root,
      env,
      loaf,
      run: (...blocks: ReadonlyArray<Readonly<Record<string, string>>>) => loaf(["run", "-", "--yes"], blocks.map(block).join("\n")),
      files: () => readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => !name.startsWith(".git")).toSorted(),
      shown: () => git("show", "--name-status", "--format=", "-M", "HEAD").trim().split("\n"),
      status: () => git("status", "--porcelain"),
    };
  }

  test("an edit, a new file and a deletion are named, logged and committed as the folders spell them", async () => {
    const { run, loaf, files, shown, status } = project();
    const before = files();
    const report = await run(
      { action: "file_replace_text", path: "A.TXT", old_text: "one", new_text: "two" },
      { action: "file_write", path: "SRC/new.ts", content: "export {};\n" },
      { action: "file_replace_text", path: "src/NEW.ts", old_text: "{}", new_text: "{ a }" },
      { action: "file_delete", path: "readme.MD" },
      { action: "file_write", path: "Docs/E\u0301.md", content: "E\n" },
    );
    for (const name of ["file_replace_text a.txt", "file_write src/new.ts", "file_replace_text src/new.ts", "file_delete README.md", "file_write docs/é.md"]) expect(report).toContain(` ✅ ${name}`);
    expect(shown()).toEqual(["D\tREADME.md", "M\ta.txt", "M\t\"docs/\\303\\251.md\"", "A\tsrc/new.ts"]);
    expect(status()).toBe("");
    await loaf(["undo"]);
    expect([files(), status()]).toEqual([before, ""]);
  });

  test("a move that changes only the case of a file and of a folder is made, undone and made again", async () => {
    const { root, run, loaf, files, shown, status } = project();
    const before = files();
    const { ino } = statSync(join(root, "a.txt"));
    const report = await run({ action: "file_move", old_path: "a.txt", new_path: "A.txt" }, { action: "file_move", old_path: "SRC", new_path: "Src" });
    expect(report).toContain(" ✅ file_move a.txt -> A.txt");
    expect(report).toContain(" ✅ file_move src -> Src");
    const after = ["A.txt", "README.md", "Src", "Src/x.js", "Src/y.js", "docs", "docs/é.md"];
    const renames = ["R100\ta.txt\tA.txt", "R100\tsrc/x.js\tSrc/x.js", "R100\tsrc/y.js\tSrc/y.js"];
    expect([files(), shown(), status()]).toEqual([after, renames, ""]);
    expect(await loaf(["undo"])).toContain("moved A.txt to a.txt");
    expect([files(), status()]).toEqual([before, ""]);
    expect(await loaf(["redo"])).toContain("moved a.txt to A.txt");
    expect([files(), shown(), status()]).toEqual([after, renames, ""]);
    expect(statSync(join(root, "A.txt")).ino).toBe(ino);
  });

  test("where the file system spells names in its own way, a move that changes only the case fails and changes nothing", async () => {
    const lower = mountFolding("small letters") as Folding;
    try {
      const { run, loaf, files, shown, status } = project(lower);
      const before = files();
      const move = (old_path: string, new_path: string) => ({ action: "file_move", old_path, new_path });
      const report = await run(move("a.txt", "A.txt"), { action: "file_write", path: "New.txt", content: "new\n" }, move("src", "Src"), { action: "file_append", path: "Src/x.js", content: "2;\n" });
      expect(report).toMatch(/ ❌ file_move a\.txt -> A\.txt - The file system spells this name in its own way/);
      expect(report).toMatch(/ ✅ file_write New\.txt\n.* ❌ file_move src -> Src/);
      expect([files(), shown(), status()]).toEqual([[...before, "new.txt"].toSorted(), ["A\tnew.txt"], ""]);
      expect(await loaf(["undo"])).toMatch(/^Undone: run 1 /);
      expect([files(), status()]).toEqual([before, ""]);
    } finally {
      lower.remove();
    }
  });

  test("a file that gets another spelling and other text keeps its mode, and goes back", async () => {
    const { root, run, loaf, files, status } = project();
    const before = files();
    await run({ action: "file_move", old_path: "README.md", new_path: "readMe.md" }, { action: "file_append", path: "README.MD", content: "more\n" });
    expect(files()).toContain("readMe.md");
    expect(readFileSync(join(root, "readMe.md"), "utf8")).toBe("# r\nmore\n");
    expect(statSync(join(root, "readMe.md")).mode & 0o777).toBe(0o755);
    expect(await loaf(["undo"])).toContain("moved readMe.md to README.md");
    expect([files(), status()]).toEqual([before, ""]);
    expect(readFileSync(join(root, "README.md"), "utf8")).toBe("# r\n");
  });

  test.runIf(hasProgram("strace")).each([1, 2, 4, 5])("a change of case that is killed at rename or removal %i is taken back or finished", async (when) => {
    const { root, files, env } = project();
    const before = files();
    writeFileSync(join(root, "../answer.md"), [block({ action: "file_move", old_path: "a.txt", new_path: "A.txt" }), block({ action: "file_move", old_path: "src", new_path: "Src" })].join("\n"));
    const fault = ["-f", "-qq", "-o", "/dev/null", "-e", "trace=rename,rmdir", "-e", `inject=rename,rmdir:signal=KILL:when=${when}`];
    spawnSync("strace", [...fault, process.execPath, program, "run", "../answer.md", "--yes", "--no-git"], { cwd: root, env: { ...process.env, ...env } });
    const left = files();
    expect((await runLoaf(["recover"], { cwd: root, env })).stderr).toContain("interrupted run 1 was");
    const after = ["A.txt", "README.md", "Src", "Src/x.js", "Src/y.js", "docs", "docs/é.md"];
    expect([before, after]).toContainEqual(files());
    expect(left).not.toEqual(files());
  });

  test("what is deleted and written again in another spelling keeps its name", async () => {
    const { run, shown, status } = project();
    await run({ action: "file_delete", path: "a.txt" }, { action: "file_write", path: "A.TXT", content: "new\n" });
    expect([shown(), status()]).toEqual([["M\ta.txt"], ""]);
  });

  test("a command's change of case lands, and an existing file keeps its spelling", async () => {
    const { run, loaf, files, shown, status } = project();
    const before = files();
    await run({ action: "exec", lang: "bash", code: "mv a.txt A.txt; echo 3 > src/X.js" });
    expect([shown(), status()]).toEqual([["R100\ta.txt\tA.txt", "M\tsrc/x.js"], ""]);
    await loaf(["undo"]);
    expect([files(), status()]).toEqual([before, ""]);
  });

  test("a project entered by another spelling of its folder is the same project", async () => {
    const { root, loaf, run } = project();
    await run({ action: "file_write", path: "b.txt", content: "b\n" });
    expect(await loaf(["log"], "", root.replace("project-", "PROJECT-"))).toContain("write b.txt");
  });
});

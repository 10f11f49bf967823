/** NUL and lone surrogates in values that become paths or arguments (case 107 of docs/security-cases.md). */
import { describe, expect, test } from "vitest";
import { Loaf } from "../../../src/index.ts";
import { createFolder } from "../../support/folder.ts";

const nesl = (...lines: string[]) => ["#!nesl [@three-char-SHA-256: abc]", ...lines, "#!end_abc", ""].join("\n");
const exec = (...lines: string[]) => nesl('action = "exec"', 'lang = "bash"', ...lines);

const UNFIT = { NUL: "\0", "a lone surrogate": "\ud800" };
const escaped = (text: string) => text.replaceAll("\0", String.raw`\u0000`).replaceAll("\ud800", String.raw`\ud800`);

describe.each(Object.entries(UNFIT))("107: %s", (_, unfit) => {
  const name = `a${unfit}b.txt`;
  const answers = {
    "a path in NESL": nesl('action = "file_write"', `path = "${escaped(name)}"`, 'content = "x"'),
    "a folder of a search": nesl('action = "glob"', 'pattern = "*"', `base_path = "${escaped(name)}"`),
    "the folder of a command": exec('code = "true"', `cwd = "${escaped(name)}"`),
    "the version of a command": exec('code = "true"', `version = "${escaped(name)}"`),
    "the code of a command": exec(`code = "echo ${escaped(name)}"`),
    "a diff": `--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-a\n+b\n`,
    "a new file of a diff": `--- /dev/null\n+++ b/${name}\n@@ -0,0 +1 @@\n+b\n`,
    "a SEARCH/REPLACE block": `${name}\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n`,
    "a Codex patch": `*** Begin Patch\n*** Add File: ${name}\n+b\n*** End Patch\n`,
    "a call of a tool": `{"name": "write_file", "arguments": {"path": ${JSON.stringify(name)}, "content": "x"}}`,
  };

  test.each(Object.entries(answers))("in %s is refused in words, and nothing is made", async (_what, answer) => {
    const root = createFolder({ "a.txt": "a\n" });
    const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true, syntaxes: ["nesl", "patch", "search-replace", "tool-calls", "unified-diff"] } });
    const { success, results, parseErrors, fatalError } = await loaf.execute(answer);
    const told = [fatalError, ...results.map(({ error }) => error), ...parseErrors.map(({ message }) => message)].filter((error) => error !== undefined).join("\n");
    expect(told).not.toContain("bug");
    expect([success, results.some((result) => result.success)]).toEqual([false, false]);
    expect(told).not.toBe("");
  });
});

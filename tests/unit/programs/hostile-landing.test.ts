/** Changes of commands that must not land, or land whole. The numbers are those of docs/security-cases.md. */
import { existsSync, lstatSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { ViewMaker } from "../../../src/programs/view/view.ts";
import { runCommands } from "../../support/command-run.ts";
import { createFolder } from "../../support/folder.ts";
import { hasSandbox } from "../../support/programs.ts";

beforeEach(() => void vi.stubEnv("XDG_STATE_HOME", createFolder()));

const makers: ViewMaker[] = hasSandbox ? ["overlay", "copy"] : ["copy"];

describe.each(makers)("on a view made by %s", (view) => {
  async function run(root: string, line: string) {
    const { commands } = await runCommands(root, [line], { view });
    return { changed: commands[0]?.changed.map(({ path }) => path) ?? [], warnings: commands[0]?.warnings.join("\n") ?? "" };
  }

  test.each([
    ["an absolute one", "ln -s /etc/passwd out"],
    ["one with ..", "ln -s ../../outside out"],
    ["one through an existing link", "ln -s ext/x out"],
    ["one that ends below a folder and comes back", "mkdir -p d && ln -s d/../../x out"],
    ["one that is pointed anew", "ln -sfn /etc old && mv old out"],
  ])("112: a link out of the project does not land: %s", async (_what, line) => {
    const root = createFolder({ "a.txt": "a", "in/b": "b" });
    symlinkSync(createFolder({ x: "x" }), join(root, "ext"));
    symlinkSync("in", join(root, "old"));
    const { warnings } = await run(root, `${line}; ln -s ../a.txt in/link; ln -s in inside`);
    expect(lstatSync(join(root, "out"), { throwIfNoEntry: false })).toBeUndefined();
    expect(warnings).toContain("left out of the project: out (links to places outside the project are not accepted)");
    expect([readFileSync(join(root, "in/link"), "utf8"), readFileSync(join(root, "inside/b"), "utf8")]).toEqual(["a", "b"]);
  });

  test.each([".cargo", "a/.cargo", ".config", "node_modules", ".github", ".yarn"])("119: a link at %s, above a denied place, does not land", async (path) => {
    const root = createFolder({ "a/b": "b" });
    const { changed, warnings } = await run(root, `mkdir tools && echo x > tools/config.toml && ln -s ${path.includes("/") ? "../" : ""}tools ${path}`);
    expect([changed, existsSync(join(root, path))]).toEqual([["tools/config.toml"], false]);
    expect(warnings).toMatch(/left out of the project: .* \(above deny /);
  });

  test.each(["ref: refs/heads/main", `ref:${" ".repeat(5_000)}refs/heads/main`, `ref: refs/heads/main${"\\n#".repeat(4_000)}`, "0".repeat(40)])(
    "120: a bare repository does not land, however long its HEAD is (%#)",
    async (head) => {
      const root = createFolder({ "a/b": "b" });
      const { changed, warnings } = await run(root, `mkdir -p a/repo/objects a/repo/refs && printf '${head}' > a/repo/HEAD && printf '[core]\\n\\tbare = true\\n' > a/repo/config && echo x > c`);
      expect([changed, existsSync(join(root, "a/repo/HEAD"))]).toEqual([["c"], false]);
      expect(warnings).toContain("commands cannot move or make repositories");
    },
  );

  test("115: a hidden file is not replaced by a folder, nor its folder by a file, and both are named", async () => {
    const root = createFolder({ ".env": "KEY=1", "sub/.env": "KEY=2", "sub/open": "x" });
    const { warnings } = await run(root, "rm -rf .env; mkdir .env; touch .env/x; rm -rf sub; echo x > sub");
    expect([readFileSync(join(root, ".env"), "utf8"), readFileSync(join(root, "sub/.env"), "utf8")]).toEqual(["KEY=1", "KEY=2"]);
    expect(warnings).toMatch(/left out of the project: .*\.env.* \(commands cannot see what is there, so they cannot replace it\)/);
    expect(warnings).toMatch(/left out of the project: .*sub.* \(commands cannot see what is there, so they cannot replace it\)/);
    expect(readdirSync(root).toSorted()).toEqual([".env", "sub"]);
  });

  test("113: .VSCODE does not land where file systems may take it for .vscode", async () => {
    const root = createFolder({ "a.txt": "a" });
    const { changed } = await run(root, `mkdir -p .VSCODE && echo x > .VSCODE/tasks.json; echo x > a.txt`);
    expect([changed, existsSync(join(root, ".VSCODE", "tasks.json"))]).toEqual([["a.txt"], false]);
  });

  test("118: of 1,500 nested folders what is too deep is refused in words, and all else lands", async () => {
    const root = createFolder({ "a.txt": "a" });
    const code = "import os; [(os.mkdir(chr(100)), os.chdir(chr(100))) for _ in range(1500)]";
    const { changed, warnings } = await run(root, `python3 -c '${code}'; echo x > f.txt`);
    expect([changed, existsSync(join(root, "d/d/d"))]).toEqual([[expect.stringMatching(/^(?:d\/){250}$/), "f.txt"], true]);
    expect(warnings).toContain("(the path is too long for the system, or has more than 250 folders)");
  });

  test("121: a nested repository's hooks do not land", async () => {
    const root = createFolder({ "sub/.git/HEAD": "ref: refs/heads/main\n", "sub/.git/config": "[core]\n\thooksPath = hooks\n", "sub/a": "a" });
    const { changed } = await run(root, "mkdir -p sub/hooks && echo x > sub/hooks/pre-commit; echo b > sub/a");
    expect([changed, existsSync(join(root, "sub/hooks/pre-commit"))]).toEqual([["sub/a"], false]);
  });
});

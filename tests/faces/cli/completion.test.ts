/** Tests completions in the real shells. */
import { spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFolder } from "../../support/folder.ts";
import { program as loaf, runLoaf } from "../../support/run-loaf.ts";
import { hasTmux, openTerminal } from "../../support/tmux.ts";
import { isComplete } from "../../support/complete.ts";

const has = (program: string) => spawnSync(program, ["--version"]).status === 0;
const missing = ["bash", "fish", "zsh", "groff"].filter((program) => !has(program));
if (missing.length > 0 && isComplete) throw new Error(`${missing.join(", ")} missing: the setup installs them`);
const scriptFor = async (shell: string) => (await runLoaf(["completion", shell])).stdout;
const project = () => createFolder({ "answer.md": "", "a b.md": "", "docs/x.md": "" });

/** Returns a shell's completions of a line, sorted. */
type Complete = (line: string, cwd?: string) => string[];

function run(program: string, args: readonly string[], cwd: string): string[] {
  // Fish always creates its own folders there.
  const home = createFolder({ "bin/loaf": `#!/bin/sh\nexec '${process.execPath}' '${loaf}' "$@"\n` });
  chmodSync(join(home, "bin/loaf"), 0o755);
  const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: home, PATH: `${home}/bin:${process.env["PATH"]}` };
  const { stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: "utf8" });
  expect(stderr).toBe("");
  return stdout.split("\n").filter((line) => line !== "").toSorted();
}

const inBash = async (): Promise<Complete> => {
  const file = join(createFolder({ "loaf.bash": await scriptFor("bash") }), "loaf.bash");
  // Like readline, splits words at white space and at =.
  const ask = 'source "$1"; COMP_LINE=$2; read -ra COMP_WORDS <<< "${2//=/ = }"; [[ $2 == *" " ]] && COMP_WORDS+=(""); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _loaf; printf "%s\\n" "${COMPREPLY[@]}"';
  return (line, cwd = project()) => run("bash", ["--norc", "-c", ask, "bash", file, line], cwd);
};

const inFish = async (): Promise<Complete> => {
  const file = join(createFolder({ "loaf.fish": await scriptFor("fish") }), "loaf.fish");
  return (line, cwd = project()) => run("fish", ["--no-config", "-c", "source $argv[1]; complete -C $argv[2] | string replace -r '\\t.*' ''", file, line], cwd);
};

describe.each([
  ["bash", inBash],
  ["fish", inFish],
] as const)("in %s", (shell, start) => {
  const ask = test.skipIf(!has(shell));

  ask("commands, and those below them", async () => {
    const complete = await start();
    expect(complete("loaf re")).toEqual(["recover", "redo", "review"]);
    expect(complete("loaf ")).toEqual(expect.arrayContaining(["completion", "context", "init", "run", "undo", "xd5"]));
    expect(complete("loaf context ")).toEqual(["add", "clear", "list", "pick", "prune", "remove", "show"]);
    expect(complete("loaf xd5 c")).toEqual(["check", "context"]);
  });

  ask("options of the command, and their values", async () => {
    const complete = await start();
    expect(complete("loaf run --")).toEqual(expect.arrayContaining(["--copy", "--dry-run", "--format", "--json", "--root"]));
    expect(complete("loaf run --")).not.toContain("--levels");
    expect(complete("loaf context show --ch")).toEqual(["--changed"]);
    expect(complete("loaf run --format ")).toEqual(["csl", "lazy", "nesl", "patch", "plain", "replacer", "search-replace", "tool-calls", "unified-diff", "whole-file"]);
    expect(complete("loaf completion ")).toEqual(["bash", "fish", "zsh"]);
    expect(complete("loaf mcp --install ")).toEqual(["claude", "codex", "cursor", "gemini", "opencode", "vscode"]);
  });

  ask("files and folders where they can stand", async () => {
    const complete = await start();
    expect(complete("loaf run a")).toEqual(["a b.md", "answer.md"]);
    expect(complete("loaf run --dry-run ans")).toEqual(["answer.md"]);
    expect(complete("loaf init --root d")).toEqual([shell === "fish" ? "docs/" : "docs"]);
    expect(complete("loaf doctor a")).toEqual([]);
  });
});

test.skipIf(!has("bash"))("bash completes --format=VALUE too", async () => {
  expect((await inBash())("loaf run --format=c")).toEqual(["csl"]);
});

test.skipIf(!has("fish"))("so does fish, as one word", async () => {
  expect((await inFish())("loaf run --format=c")).toEqual(["--format=csl"]);
});

test.skipIf(!has("zsh"))("zsh loads its script as the completion of loaf", async () => {
  const folder = createFolder({ _loaf: await scriptFor("zsh") });
  const { stdout, stderr } = spawnSync("zsh", ["-f", "-c", 'autoload -Uz compinit && compinit -u -D && source $1/_loaf && print $_comps[loaf]; whence -w _loaf', "zsh", folder], { encoding: "utf8" });
  expect({ stdout, stderr }).toEqual({ stdout: "_loaf\n_loaf: function\n", stderr: "" });
});

test.skipIf(!has("zsh") || !hasTmux)("zsh completes input at a terminal", { timeout: 60_000 }, async () => {
  const { keys, shows } = openTerminal({ files: { "answer.md": "", "docs/x.md": "" } });
  keys("exec zsh -f", "Enter");
  await shows(/exec zsh -f\n.*[%#]\s*$/);
  keys('PS1="ready "; autoload -Uz compinit; compinit -u -D; eval "$(loaf completion zsh)"; clear', "Enter");
  await shows(/^ready\s*$/);
  const completes = async (typed: string, expected: RegExp): Promise<void> => {
    keys("C-u");
    keys("-l", typed);
    keys("Tab");
    await shows(expected);
  };
  await completes("loaf recov", /^ready loaf recover$/m);
  await completes("loaf context sh", /^ready loaf context show$/m);
  await completes("loaf run --dry", /^ready loaf run --dry-run$/m);
  await completes("loaf run --format c", /^ready loaf run --format csl$/m);
  await completes("loaf run ans", /^ready loaf run answer\.md$/m);
  await completes("loaf init --root d", /^ready loaf init --root docs\/$/m);
  await completes("loaf re", /^recover +-- .*\n(?:re\S* +-- .*\n)*redo +-- /m);
});

test("refuses another shell, and names the supported ones", async () => {
  expect(await runLoaf(["completion", "tcsh"])).toMatchObject({ code: 2, stderr: "The shell cannot be 'tcsh': choose one of bash, zsh, fish\n" });
});

test.skipIf(!has("groff"))("groff accepts the manual, which describes every command", async () => {
  const { stdout, stderr } = spawnSync("groff", ["-man", "-Tutf8", "-ww", "docs/loaf.1"], { encoding: "utf8" });
  expect(stderr).toBe("");
  const manual = stdout.replace(/\u001B\[[0-9;]*m/g, "").replace(/.\u0008/g, "");
  for (const command of ["run", "context add", "xd5 graph", "completion", "undo"]) expect(manual).toContain(`loaf ${command} `);
  expect(manual).toContain("$ loaf run --copy < answer.md");
});

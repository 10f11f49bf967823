import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { starterConfig, starterText } from "../../../src/config/starter.ts";
import { atTerminal, hasPseudoTerminal } from "../../support/at-terminal.ts";
import { createFolder } from "../../support/folder.ts";
import { runLoaf } from "../../support/run-loaf.ts";
import { snapshot } from "../../support/sandbox.ts";
import { write } from "./answers.ts";

describe("init", () => {
  const started = ["loaf-input.md", "loaf-instructions.md", "loaf.yml"];

  test("writes three files and names them, and the project runs answers", async () => {
    const root = createFolder();
    const env = { XDG_STATE_HOME: createFolder() };
    const { code, stdout, stderr } = await runLoaf(["init", "--root", root], { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toBe(`In ${root}: wrote loaf.yml, loaf-instructions.md and loaf-input.md.
Runs are committed once this is a git repository: git.commit in loaf.yml changes that. Undo works without git.
1. Paste loaf-instructions.md into the chat and say what you want.
2. Run the model's answer: copy it and type loaf paste, or start loaf watch and save it into loaf-input.md.
3. Paste the report into the chat. loaf undo takes a run back; loaf alone says what to do next.
`);
    expect(readdirSync(root).toSorted()).toEqual(started);
    expect(readFileSync(join(root, "loaf-instructions.md"), "utf8")).toContain(root);
    expect((await runLoaf(["doctor"], { cwd: root, env })).stdout).toContain("loaf.yml is trusted");

    await runLoaf(["run"], { cwd: root, input: write("abc", "a.txt", "no newline") });
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("no newline\n");
  });

  test("the input file has no block", async () => {
    const root = createFolder();
    await runLoaf(["init", "--root", root]);
    expect((await runLoaf(["run", join(root, "loaf-input.md")], { cwd: root })).stderr).toBe("Nothing to run found\n");
  });

  test("keeps existing files, and does not trust them", async () => {
    const root = createFolder({ "loaf.yml": "version: 1\n", "loaf-input.md": "mine" });
    const env = { XDG_STATE_HOME: createFolder() };
    const { stdout } = await runLoaf(["init"], { cwd: root, env });
    expect(stdout).toContain(": wrote loaf-instructions.md, kept loaf.yml and loaf-input.md.\n");
    expect(readFileSync(join(root, "loaf.yml"), "utf8")).toBe("version: 1\n");
    expect(readFileSync(join(root, "loaf-input.md"), "utf8")).toBe("mine");
    const kept = readdirSync(env.XDG_STATE_HOME, { recursive: true, encoding: "utf8" });
    expect(kept.filter((name) => name.endsWith("trusted-loaf.yml"))).toEqual([]);
  });

  test("writes the input file that loaf.yml names", async () => {
    const root = createFolder({ ".git/HEAD": "", "loaf.yml": "watch: {input: chat/answer.md}\n" });
    const { stdout } = await runLoaf(["init"], { cwd: root });
    expect(stdout).toContain(": wrote loaf-instructions.md and chat/answer.md, kept loaf.yml.");
    expect(readFileSync(join(root, "chat/answer.md"), "utf8")).toContain("loaf run --copy chat/answer.md");
    expect(readFileSync(join(root, ".gitignore"), "utf8")).toContain("\n/chat/answer.md\n");
  });

  test("prepares the repository when run in a subfolder", async () => {
    const root = createFolder({ ".git/HEAD": "", "src/a.ts": "" });
    await runLoaf(["init"], { cwd: join(root, "src") });
    expect(existsSync(join(root, "loaf.yml"))).toBe(true);
  });

  test("a second time, overwrites nothing, and names existing and stale files", async () => {
    const root = createFolder({ ".git/HEAD": "" });
    const env = { XDG_STATE_HOME: createFolder() };
    await runLoaf(["init"], { cwd: root, env });
    const before = snapshot(root);
    const again = await runLoaf(["init"], { cwd: root, env });
    expect(again.stdout).toContain(`In ${root}: kept loaf.yml, loaf-instructions.md and loaf-input.md.\nEach run ends in a commit`);
    expect(snapshot(root)).toEqual(before);
    writeFileSync(join(root, "loaf-instructions.md"), "old");
    const stale = "loaf-instructions.md is out of date: loaf instructions > loaf-instructions.md updates it.";
    expect((await runLoaf(["init"], { cwd: root, env })).stdout).toContain(stale);
  });
});

describe("init, in a git repository", () => {
  const ignored = (root: string) => readFileSync(join(root, ".gitignore"), "utf8");
  const lines = "# Loaf: pasted answers, and instructions for this machine's folder\n/loaf-input.md\n/loaf-instructions.md\n";

  test.each([
    ["none", undefined, lines],
    ["one without a newline at its end", "dist", `dist\n${lines}`],
    ["one with CRLF", "dist\r\n", `dist\r\n${lines.replaceAll("\n", "\r\n")}`],
    ["one that names a file already", "loaf-input.md\n", `loaf-input.md\n${lines.replace("/loaf-input.md\n", "")}`],
    ["one that names both", "/loaf-input.md\n/loaf-instructions.md\n", "/loaf-input.md\n/loaf-instructions.md\n"],
  ])("adds missing lines to .gitignore: %s", async (_, before, after) => {
    const root = createFolder({ ".git/HEAD": "", ...(before !== undefined && { ".gitignore": before }) });
    const { stdout } = await runLoaf(["init"], { cwd: root });
    expect(ignored(root)).toBe(after);
    expect(stdout.includes("The last two are in .gitignore.")).toBe(before !== after);
  });

  test("git then ignores these files, and no others", async () => {
    const root = createFolder({ "a.txt": "" });
    execFileSync("git", ["init", "-q", root]);
    await runLoaf(["init"], { cwd: root });
    const shown = execFileSync("git", ["-C", root, "ls-files", "-co", "--exclude-standard"], { encoding: "utf8" });
    expect(shown).toBe(".gitignore\na.txt\nloaf.yml\n");
  });

  test("a .gitignore that is a link is left alone", async () => {
    const root = createFolder({ ".git/HEAD": "", elsewhere: "mine\n" });
    symlinkSync("elsewhere", join(root, ".gitignore"));
    expect((await runLoaf(["init"], { cwd: root })).stdout).toContain(" .gitignore is not a regular file and was left alone: you may want to add ");
    expect(readFileSync(join(root, "elsewhere"), "utf8")).toBe("mine\n");
  });
});

describe.skipIf(!hasPseudoTerminal)("init at a terminal", () => {
  /** Runs init with an xclip that writes to a file, and types an answer at each question. */
  const initAtTerminal = async (answers: readonly string[], args: readonly string[] = []) => {
    const root = createFolder();
    const folder = createFolder({ xclip: "#!/bin/sh\n/bin/cat > \"${0%/*}/copied\"\n" });
    chmodSync(join(folder, "xclip"), 0o755);
    const env = { PATH: `${folder}:${process.env["PATH"] ?? ""}`, DISPLAY: ":0", WAYLAND_DISPLAY: "", XDG_STATE_HOME: createFolder() };
    const { code, screen } = await atTerminal(["init", "--root", root, ...args], { answers, question: "] ", cwd: root, env });
    const copied = existsSync(join(folder, "copied")) ? readFileSync(join(folder, "copied"), "utf8") : undefined;
    const read = (name: string) => (existsSync(join(root, name)) ? readFileSync(join(root, name), "utf8") : undefined);
    return { code, screen, copied, config: read("loaf.yml"), instructions: read("loaf-instructions.md"), root };
  };

  test("Enter takes the defaults: what is written without a terminal", async () => {
    const { screen, copied, config, root } = await initAtTerminal(["\n", "\n", "\n"]);
    expect(screen.replace(root, "ROOT")).toBe(`In a git repository, commit each run, with only the files it changed? [Y/n] 
Let edits differ from the file in formatting, if only one place fits? [Y/n] 
Use the clipboard: copy the instructions now; in loaf watch, offer to run copied answers and copy reports? [y/N] 
In ROOT: wrote loaf.yml, loaf-instructions.md and loaf-input.md.
Runs are committed once this is a git repository: git.commit in loaf.yml changes that. Undo works without git.
1. Paste loaf-instructions.md into the chat and say what you want.
2. Run the model's answer: copy it and type loaf paste, or start loaf watch and save it into loaf-input.md.
3. Paste the report into the chat. loaf undo takes a run back; loaf alone says what to do next.
`);
    expect({ copied, config }).toEqual({ copied: undefined, config: starterConfig });
  });

  test("writes other answers into loaf.yml, and copies the instructions", async () => {
    const { screen, copied, config, instructions } = await initAtTerminal(["n\n", "n\n", "y\n"]);
    expect(config).toBe(starterText({ commit: false, tolerant: false, clipboard: true }));
    expect(copied).toBe(instructions);
    expect(screen).toContain("1. Paste the clipboard, which has the instructions for the model, into the chat");
    expect(screen).toContain("2. Run the model's answer: copy it and type loaf paste, or start loaf watch and copy it, or save it into loaf-input.md.\n");
    expect(screen).toContain("\nRuns are not committed: git.commit in loaf.yml changes that.\n");
  });

  test("Ctrl-C at a question writes nothing", async () => {
    const { code, screen, config } = await initAtTerminal(["\n", "\x03"]);
    expect({ code, config }).toEqual({ code: 2, config: undefined });
    expect(screen).toMatch(/\nNothing was written\n$/);
  });

  test("--yes asks nothing", async () => {
    expect((await initAtTerminal([], ["--yes"])).screen).toMatch(/^In /);
  });
});

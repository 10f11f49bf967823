import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFolder } from "../../support/folder.ts";
import { program, runLoaf } from "../../support/run-loaf.ts";
import { snapshot } from "../../support/sandbox.ts";
import { write } from "./answers.ts";

describe("init", () => {
  const started = ["loaf-input.md", "loaf-instructions.md", "loaf.yml"];

  test("writes three files and names them, and the project runs answers", async () => {
    const root = createFolder();
    const env = { XDG_STATE_HOME: createFolder() };
    const { code, stdout, stderr } = await runLoaf(["init", "--root", root], { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    for (const name of started) expect(stdout).toContain(`Wrote ${name}: `);
    expect(readdirSync(root).toSorted()).toEqual(started);
    expect(readFileSync(join(root, "loaf-instructions.md"), "utf8")).toContain(root);
    expect((await runLoaf(["doctor"], { cwd: root, env })).stdout).toContain("loaf.yml is trusted");

    await runLoaf(["run"], { cwd: root, input: write("abc", "a.txt", "no newline") });
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("no newline\n");
  });

  test("the input file has no block", async () => {
    const root = createFolder();
    await runLoaf(["init", "--root", root]);
    expect((await runLoaf(["run", join(root, "loaf-input.md")], { cwd: root })).stderr).toBe("No NESL blocks found: nothing was run\n");
  });

  test("keeps existing files, and does not trust them", async () => {
    const root = createFolder({ "loaf.yml": "version: 1\n", "loaf-input.md": "mine" });
    const env = { XDG_STATE_HOME: createFolder() };
    const { stdout } = await runLoaf(["init"], { cwd: root, env });
    expect(stdout).toContain("Kept loaf.yml, which was there.\n  Wrote loaf-instructions.md: the instructions for the model.\n  Kept loaf-input.md, which was there.");
    expect(readFileSync(join(root, "loaf.yml"), "utf8")).toBe("version: 1\n");
    expect(readFileSync(join(root, "loaf-input.md"), "utf8")).toBe("mine");
    const kept = readdirSync(env.XDG_STATE_HOME, { recursive: true, encoding: "utf8" });
    expect(kept.filter((name) => name.endsWith("trusted-loaf.yml"))).toEqual([]);
  });

  test("writes the input file that loaf.yml names", async () => {
    const root = createFolder({ ".git/HEAD": "", "loaf.yml": "watch: {input: chat/answer.md}\n" });
    const { stdout } = await runLoaf(["init"], { cwd: root });
    expect(stdout).toContain("Wrote chat/answer.md: the file for the model's answers.");
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
    expect(again.stdout).toContain("  Kept loaf.yml, which was there.\n  Kept loaf-instructions.md, which was there.\n  Kept loaf-input.md, which was there.\n\nNext: ");
    expect(snapshot(root)).toEqual(before);
    writeFileSync(join(root, "loaf-instructions.md"), "old");
    const stale = "Kept loaf-instructions.md, which was there. It is out of date. To update it: loaf instructions > loaf-instructions.md";
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
    expect(stdout.includes("Added loaf-input.md and loaf-instructions.md to .gitignore")).toBe(before !== after);
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
    expect((await runLoaf(["init"], { cwd: root })).stdout).toContain("Left .gitignore alone, which is not an ordinary file: ");
    expect(readFileSync(join(root, "elsewhere"), "utf8")).toBe("mine\n");
  });
});

describe.skipIf(process.platform !== "linux")("init at a terminal", () => {
  /**
   * Runs init with an xclip that writes to a file, and types the answer once there is a question: earlier input is
   * dropped.
   */
  const initAtTerminal = (typed: string, display = ":0") => {
    const root = createFolder();
    const folder = createFolder({ xclip: "#!/bin/sh\n/bin/cat > \"${0%/*}/copied\"\n" });
    chmodSync(join(folder, "xclip"), 0o755);
    const command = `${process.execPath} ${program} init --root ${root}`;
    const env = { ...process.env, PATH: `${folder}:${process.env["PATH"] ?? ""}`, DISPLAY: display, WAYLAND_DISPLAY: "", XDG_STATE_HOME: createFolder() };
    const screen = join(folder, "screen");
    const whenAsked = `for each in $(seq ${display === "" ? 1 : 200}); do grep -q Y/n ${screen} 2>/dev/null && break; sleep 0.05; done; cat "$0"`;
    writeFileSync(join(folder, "typed"), typed);
    const { stdout } = spawnSync("sh", ["-c", `(${whenAsked}) | script -qfec '${command}' ${screen}`, join(folder, "typed")], { env, encoding: "utf8" });
    const copied = existsSync(join(folder, "copied")) ? readFileSync(join(folder, "copied"), "utf8") : undefined;
    return { stdout, copied, instructions: readFileSync(join(root, "loaf-instructions.md"), "utf8") };
  };

  test("offers to copy the instructions, and Enter accepts", () => {
    const { stdout, copied, instructions } = initAtTerminal("\n");
    expect(stdout).toContain("Copy the instructions for the model to the clipboard? [Y/n] ");
    expect(copied).toBe(instructions);
    expect(stdout).toContain("Next: paste them into the chat");
  });

  test("offers nothing without a display", () => {
    expect(initAtTerminal("\n", "").stdout).not.toContain("Copy the instructions");
  });

  test.each([["no\n"], ["\u0004"]])("%j declines", (typed) => {
    const { stdout, copied } = initAtTerminal(typed);
    expect(copied).toBeUndefined();
    expect(stdout).toContain("Next: paste loaf-instructions.md into the chat");
  });
});

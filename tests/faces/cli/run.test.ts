import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFolder } from "../../support/folder.ts";
import { hasSandbox } from "../../support/programs.ts";
import { program, runLoaf } from "../../support/run-loaf.ts";
import { snapshot } from "../../support/sandbox.ts";
import { block, write } from "./answers.ts";

const answer = `Here you are:\n${write("abc", "src/a.txt", "new\n")}`;
const report = "=== LOAF RESULTS ===\nabc ✅ file_write src/a.txt\n=== END ===\n\n=== OUTPUTS ===\n=== END ===\n";
const project = () => createFolder({ "loaf.yml": "version: 1\nrelative_paths: true\n", "src/a.txt": "old\n" });
const content = (root: string) => readFileSync(join(root, "src/a.txt"), "utf8");

/** Creates a folder for the start of PATH, with an xclip that writes to a file beside it. */
const clipboard = (script: string) => {
  const folder = createFolder({ xclip: `#!/bin/sh\n${script}\n` });
  chmodSync(join(folder, "xclip"), 0o755);
  return { env: { PATH: folder, WAYLAND_DISPLAY: "", TERM: "dumb" }, copied: () => readFileSync(join(folder, "copied"), "utf8") };
};

describe("source of the answer", () => {
  test("a file", async () => {
    const root = project();
    writeFileSync(join(root, "answer.md"), answer);
    expect(await runLoaf(["run", "answer.md"], { cwd: root })).toEqual({ code: 0, stdout: report, stderr: "" });
    expect(content(root)).toBe("new\n");
  });

  test.each([[["run"]], [["run", "-"]]])("standard input: %j", async (args) => {
    const root = project();
    expect(await runLoaf(args, { cwd: root, input: answer })).toEqual({ code: 0, stdout: report, stderr: "" });
    expect(content(root)).toBe("new\n");
  });
});

describe("location of the project", () => {
  test("the nearest parent with a loaf.yml", async () => {
    const root = project();
    await runLoaf(["run"], { cwd: join(root, "src"), input: answer });
    expect(content(root)).toBe("new\n");
  });

  test("--root", async () => {
    const root = project();
    await runLoaf(["run", "--root", root], { cwd: createFolder(), input: answer });
    expect(content(root)).toBe("new\n");
  });
});

test("a failure gives exit code 1, and later blocks run", async () => {
  const root = project();
  const input = block("bad", { action: "file_delete", path: "none.txt" }) + answer;
  const { code, stdout } = await runLoaf(["run"], { cwd: root, input });
  expect(code).toBe(1);
  expect(stdout).toContain("bad ❌ file_delete none.txt - File not found\nabc ✅ file_write src/a.txt\n");
});

test("an unreadable block gives exit code 1", async () => {
  const { code, stdout } = await runLoaf(["run"], { cwd: project(), input: "#!nesl [@three-char-SHA-256: abc]\naction = file_write\n#!end_abc\n" });
  expect(code).toBe(1);
  expect(stdout).toContain("abc ❌");
});

test("tells how to allow relative paths if only absolute ones are allowed", async () => {
  const remedy = "Paths must be absolute here: relative_paths: true in loaf.yml, as loaf init writes it, allows relative ones too\n";
  expect(await runLoaf(["run"], { cwd: createFolder({ "loaf.yml": "relative_paths: false\n", "src/a.txt": "old\n" }), input: answer })).toMatchObject({ code: 1, stderr: remedy });
  expect(await runLoaf(["run"], { cwd: project(), input: write("abc", "~/a.txt", "new") })).toMatchObject({ stderr: expect.not.stringContaining("absolute") as string });
});

test("--json prints one result and nothing else", async () => {
  const { stdout, stderr } = await runLoaf(["run", "--json"], { cwd: project(), input: answer });
  expect(JSON.parse(stdout)).toMatchObject({ success: true, results: [{ blockId: "abc", action: "file_write", success: true }] });
  expect(stderr).toBe("");
});

describe("--dry-run", () => {
  test("changes nothing, and shows what each block would do and the diff", async () => {
    const root = project();
    const before = snapshot(root);
    const { code, stdout } = await runLoaf(["run", "--dry-run"], { cwd: root, input: answer });
    expect(code).toBe(0);
    expect(stdout).toBe(
      "=== LOAF RESULTS ===\nabc ✅ file_write src/a.txt\n=== END ===\n\n=== OUTPUTS ===\n\n" +
        "diff --git a/src/a.txt b/src/a.txt\n--- a/src/a.txt\n+++ b/src/a.txt\n@@ -1,1 +1,1 @@\n-old\n+new\n\n=== END ===\n",
    );
    expect(snapshot(root)).toEqual(before);
  });

  test("prints a diff that git applies with the same result as the run", async () => {
    const root = project();
    const input = answer + write("new", "b/c.txt", "no newline") + block("del", { action: "file_delete", path: "loaf-notes.md" });
    writeFileSync(join(root, "loaf-notes.md"), "gone soon\n");
    const copy = createFolder({ "loaf.yml": "", "src/a.txt": "old\n", "loaf-notes.md": "gone soon\n" });
    const { stdout } = await runLoaf(["run", "--dry-run"], { cwd: root, input });
    execFileSync("git", ["apply", "-"], { cwd: copy, input: stdout });
    await runLoaf(["run"], { cwd: root, input });
    writeFileSync(join(copy, "loaf.yml"), "version: 1\nrelative_paths: true\n");
    expect(snapshot(copy)).toEqual(snapshot(root));
  });

  test("--json marks it as a dry run, and contains the diff", async () => {
    const root = project();
    const dry = await runLoaf(["run", "--dry-run", "--json"], { cwd: root, input: answer });
    expect(JSON.parse(dry.stdout)).toMatchObject({ success: true, dryRun: true, diff: expect.stringContaining("\n-old\n+new\n") as string });
    const real = JSON.parse((await runLoaf(["run", "--json"], { cwd: root, input: answer })).stdout) as object;
    expect(Object.keys(real)).not.toContain("dryRun");
    expect(Object.keys(real)).not.toContain("diff");
  });

  test.skipIf(!hasSandbox)("prints the remarks on a block", async () => {
    const input = block("ex1", { action: "exec", lang: "bash", code: "echo x" });
    const { stdout } = await runLoaf(["run", "--dry-run"], { cwd: project(), input });
    expect(stdout).toBe("=== LOAF RESULTS ===\nex1 ✅ exec bash\n=== END ===\n\n=== OUTPUTS ===\n\n[ex1] exec would run:\necho x\n\nNothing would change.\n\n=== END ===\n");
  });

  test("reports if nothing would change", async () => {
    const { stdout } = await runLoaf(["run", "--dry-run"], { cwd: project(), input: block("ls1", { action: "ls", path: "src" }) });
    expect(stdout).toMatch(/=== OUTPUTS ===\n\nNothing would change\.\n\n=== END ===\n$/);
  });
});

describe("--copy", () => {
  test("puts the report on the clipboard as well", async () => {
    const { env, copied } = clipboard('/bin/cat > "${0%/*}/copied"');
    expect(await runLoaf(["run", "--copy"], { cwd: project(), input: answer, env })).toEqual({ code: 0, stdout: report, stderr: "Copied to the clipboard.\n" });
    expect(`${copied()}\n`).toBe(report);
  });

  test("does not wait for a clipboard owner that stays in the background", async () => {
    const { env } = clipboard("/bin/cat > /dev/null; /bin/sleep 20 &");
    const start = Date.now();
    expect((await runLoaf(["run", "--copy"], { cwd: project(), input: answer, env })).code).toBe(0);
    expect(Date.now() - start).toBeLessThan(10_000);
  });

  test("reports an unreachable clipboard with the reason, and still prints the report", async () => {
    const { env } = clipboard("echo \"Error: Can't open display\" >&2; exit 1");
    const { code, stdout, stderr } = await runLoaf(["run", "--copy"], { cwd: project(), input: answer, env: { ...env, DISPLAY: ":0" } });
    expect({ code, stdout }).toEqual({ code: 1, stdout: report });
    expect(stderr).toMatch(/^The clipboard cannot be reached: \S+xclip: Error: Can't open display\n$/);
  });

  test("names what to install if there is no clipboard program", async () => {
    const { code, stderr } = await runLoaf(["run", "--copy"], { cwd: project(), input: answer, env: { PATH: createFolder(), TERM: "dumb" } });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: "No program for the clipboard was found: install wl-clipboard (Wayland), or xclip or xsel (X11)\n",
    });
  });
});

describe("a loaf.yml that asks for more than the defaults", () => {
  const elsewhere = () => createFolder({ "note.txt": "private" });
  const asking = (folder: string) => createFolder({ "loaf.yml": `version: 1\nfs-guard: {read: {allow: ["./**", "${folder}/**"]}}\n` });

  test("takes effect only once trusted, and no longer after a change", async () => {
    const outside = elsewhere();
    const root = asking(outside);
    const env = { XDG_STATE_HOME: createFolder() };
    const input = block("rd1", { action: "file_read", path: join(outside, "note.txt") });

    const before = await runLoaf(["run"], { cwd: root, input, env });
    expect(before.code).toBe(1);
    expect(before.stderr).toBe(
      `WARNING: loaf.yml is not trusted, so it allows no more than the defaults (it asks for: read ${outside}/**). Read it, then: loaf trust\n`,
    );
    expect(before.stdout).toContain("rd1 ❌");

    expect((await runLoaf(["trust"], { cwd: root, env })).stdout).toContain(`  read ${outside}/**`);
    const after = await runLoaf(["run"], { cwd: root, input, env });
    expect({ code: after.code, stderr: after.stderr }).toEqual({ code: 0, stderr: "" });
    expect(after.stdout).toContain("private");

    writeFileSync(join(root, "loaf.yml"), `${readFileSync(join(root, "loaf.yml"), "utf8")}\n`);
    expect((await runLoaf(["run"], { cwd: root, input, env })).code).toBe(1);
  });

  test("its effect is shown before it is trusted, and cannot control the terminal", async () => {
    const root = createFolder({ "loaf.yml": 'fs-guard: {allowed: ["/etc/\\e[2J\\n**"]}\nlimits: {max_blocks: 20000}\n' });
    const state = join(createFolder({ file: "" }), "file");
    const { code, stdout, stderr } = await runLoaf(["trust"], { cwd: root, env: { XDG_STATE_HOME: state } });
    expect(code).toBe(2);
    expect(stdout).toBe(`${root}/loaf.yml may allow more than the defaults:\n${["read", "write"].map((access) => `  ${access} /etc/\\u001b[2J\\u000a**\n`).join("")}  limits.max_blocks: 20000\n`);
    expect(stderr).toContain("ENOTDIR");
  });

  test("limits that it raises have no effect until it is trusted", async () => {
    const root = createFolder({ "loaf.yml": "relative_paths: true\nlimits: {max_file_size: 200000000}\n" });
    const env = { XDG_STATE_HOME: createFolder(), XDG_CONFIG_HOME: createFolder({ "loaf/config.yml": "limits: {max_file_size: 2}\n" }) };
    const untrusted = await runLoaf(["run"], { cwd: root, input: answer, env });
    expect(untrusted.stderr).toContain("(it asks for: limits.max_file_size)");
    expect(untrusted.stdout).toContain("has 4 bytes, the limit is 2");
    await runLoaf(["trust"], { cwd: root, env });
    expect((await runLoaf(["run"], { cwd: root, input: answer, env })).code).toBe(0);
  });

  test("its refusals apply without trust", async () => {
    const root = createFolder({ "loaf.yml": "relative_paths: true\nfs-guard: {denied: [src/**]}\n" });
    const { code, stdout, stderr } = await runLoaf(["run"], { cwd: root, input: answer });
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(stdout).toContain("(deny src/**)");
  });
});

const hasScript = spawnSync("script", ["--version"]).status === 0;

describe.skipIf(!hasScript)("at a terminal", () => {
  /** Returns the output at a terminal, provided by `script` of util-linux. */
  const atTerminal = (args: string, cwd: string, env: Readonly<Record<string, string>> = {}) =>
    spawnSync("script", ["-qec", `'${process.execPath}' '${program}' ${args}`, "/dev/null"], { cwd, env: { ...process.env, ...env }, encoding: "utf8", input: "" });

  const answered = () => {
    const root = project();
    writeFileSync(join(root, "answer.md"), answer);
    return root;
  };

  test("lists the blocks, saves the report for the chat, and ends with the outcome", () => {
    const root = answered();
    const { stdout } = atTerminal("run answer.md", root, { NO_COLOR: "1", TERM: "dumb" });
    expect(stdout.replaceAll("\r", "")).toBe("✅ abc file_write src/a.txt  +1 −1\nReport for the chat: .loaf/output.md (--copy puts it on the clipboard)\n1 file, +1 −1 · loaf undo takes it back\n");
    expect(readFileSync(join(root, ".loaf/output.md"), "utf8")).toBe(report);
  });

  test("prints the report for the chat with --report", () => {
    expect(atTerminal("run --report answer.md", answered()).stdout.replaceAll("\r", "")).toBe(report);
  });

  test("prints the report if it cannot be saved, and leaves the file in its place alone", () => {
    const root = answered();
    mkdirSync(join(root, ".loaf"));
    writeFileSync(join(root, ".loaf/output.md"), "my own\n");
    const { stdout } = atTerminal("run answer.md", root, { NO_COLOR: "1", TERM: "dumb" });
    expect(stdout.replaceAll("\r", "")).toMatch(/exists and is not one of Loaf's reports.*\n=== LOAF RESULTS ===\nabc ✅ file_write src\/a\.txt\n[^]*=== END ===\n1 file, \+1 −1 · loaf undo takes it back\n$/);
    expect(readFileSync(join(root, ".loaf/output.md"), "utf8")).toBe("my own\n");
  });

  test("prints a dry run for people, in colour unless NO_COLOR is set", () => {
    const root = answered();
    expect(atTerminal("run --dry-run answer.md", root, { TERM: "xterm-256color", NO_COLOR: "", FORCE_COLOR: "" }).stdout).toContain("\u001B[32m+new");
    const plain = atTerminal("run --dry-run answer.md", root, { NO_COLOR: "1", TERM: "dumb" }).stdout;
    expect(plain).not.toContain("\u001B[");
    expect(plain).toMatch(/^✅ abc file_write src\/a\.txt {2}\+1 −1\r\n\r\ndiff --git[^]*\+new\r\n\r\nwould change 1 file, \+1 −1 · nothing was written\r\n$/);
  });

  test("says that the report is on the clipboard, with --copy", () => {
    const { env } = clipboard("/bin/cat > /dev/null");
    const { stdout } = atTerminal("run --copy answer.md", answered(), { NO_COLOR: "1", TERM: "dumb", PATH: `${env.PATH}:${process.env["PATH"]}` });
    expect(stdout).toMatch(/^✅ abc file_write src\/a\.txt {2}\+1 −1\r\nCopied to the clipboard\.\r\n1 file, \+1 −1 · loaf undo takes it back\r\n$/);
  });

  test("says where the report is if it did not reach the clipboard", () => {
    const { env } = clipboard("exit 1");
    const { stdout } = atTerminal("run --copy answer.md", answered(), { NO_COLOR: "1", TERM: "dumb", DISPLAY: ":0", PATH: `${env.PATH}:${process.env["PATH"]}` });
    expect(stdout.replaceAll("\r", "")).toMatch(/exit code 1[^\n]*\nReport for the chat: \.loaf\/output\.md\n1 file/);
  });

  test("does not wait for an answer on standard input unless requested", () => {
    const { stdout, status } = atTerminal("run", project());
    expect(stdout).toBe("Name the file that holds the answer, or pipe it in: loaf run answer.md (- reads what you type)\r\n");
    expect(status).toBe(2);
  });
});

describe("the older syntaxes", () => {
  const csl = '<---SEARCH file="src/a.txt"--->\nold\n<---REPLACE--->\nnew\n<---END--->\n';

  test("are recognised by the text", async () => {
    const root = project();
    const { code, stdout } = await runLoaf(["run"], { cwd: root, input: csl });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\[task-1\] SUCCESS: SEARCH - src\/a\.txt\n=== LOAF RESULTS ===\n/);
    expect(content(root)).toBe("new\n");
    expect((await runLoaf(["run"], { cwd: root, input: "<<<FILE>>>\na.txt\n<<<SEARCH>>>\nnew\n<<<REPLACE>>>\nnewer\n<<<END>>>\n" })).code).toBe(0);
    expect(content(root)).toBe("newer\n");
  });

  test("are set by --format, no matter what the text suggests", async () => {
    const root = project();
    const { code } = await runLoaf(["run", "--format", "csl"], { cwd: root, input: `${csl}${write("abc", "b.txt", "x")}` });
    expect(code).toBe(0);
    expect(content(root)).toBe("new\n");
    expect(await runLoaf(["run", "--format", "xml"], { cwd: root, input: csl })).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("nesl, csl, replacer") as string });
  });

  test("a fatal error runs nothing, exits with 2, and is reported for the chat too", async () => {
    const root = project();
    const before = snapshot(root);
    const { code, stdout, stderr } = await runLoaf(["run"], { cwd: root, input: `${csl}<---END--->\n` });
    expect({ code, stderr }).toEqual({ code: 2, stderr: "Line 6: END marker without active operation: nothing was run\n" });
    expect(stdout).toMatch(/^\[task-2\] FATAL: END - END marker without active operation\n=== LOAF RESULTS ===\n❌ Line 6: /);
    expect(snapshot(root)).toEqual(before);
  });

  test("are supported by parse and instructions", async () => {
    const root = createFolder({ "loaf.yml": "csl: {start: '[[', end: ']]'}\n" });
    const env = { XDG_STATE_HOME: createFolder() };
    await runLoaf(["trust"], { cwd: root, env });
    const { stdout: taught } = await runLoaf(["instructions", "--syntax", "csl"], { cwd: root, env });
    expect(taught).toContain('\n[[WRITE file="docs/hello.md"]]\n');
    const { stdout: parsed } = await runLoaf(["parse", "--json"], { cwd: root, env, input: taught });
    expect(JSON.parse(parsed)).toMatchObject({ blocks: { length: 5 }, errors: [] });
    expect((await runLoaf(["parse", "--format", "replacer"], { cwd: root, input: "<<<END>>>" })).stdout).toContain("1:1: MISPLACED_MARKER: ");
  });
});

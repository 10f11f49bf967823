/** User errors: each gives one clear sentence on standard error and the right exit code, and changes nothing. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { atTerminal, hasPseudoTerminal } from "../../support/at-terminal.ts";
import { createFolder } from "../../support/folder.ts";
import { asOrdinaryUser } from "../../support/ordinary-user.ts";
import { program, runLoaf } from "../../support/run-loaf.ts";
import { snapshot } from "../../support/sandbox.ts";
import { write } from "./answers.ts";

const answer = write("abc", "a.txt", "new");
const config = "version: 1\nrelative_paths: true\n";

test.each([
  ["an empty text", "", "The text is empty"],
  ["white space", " \n\n", "The text is empty"],
  ["a text with no blocks", "Sure! Which file do you mean?\n", "Nothing to run found"],
])("reports %s, with its own exit code", async (_, input, stderr) => {
  const root = createFolder({ "loaf.yml": config });
  const stdout = "=== LOAF RESULTS ===\nNothing to run found\n=== END ===\n\n=== OUTPUTS ===\n=== END ===\n";
  expect(await runLoaf(["run"], { cwd: root, input })).toEqual({ code: 3, stdout, stderr: `${stderr}\n` });
  expect(await runLoaf(["parse"], { cwd: root, input })).toEqual({ code: 3, stdout: "", stderr: `${stderr}\n` });
});

test.runIf(hasPseudoTerminal)("at a terminal, a text with no blocks comes with the next step", async () => {
  const cwd = createFolder({ "answer.md": "Sure!\n```js\na();\n```\n" });
  const { code, screen } = await atTerminal(["run", "answer.md"], { answers: [], cwd });
  expect({ code, screen: screen.replace(/\s+/g, " ") }).toEqual({ code: 3, screen: "⚠️ not read: 1 code block without a path (line 2) Nothing to run found Report for the chat: .loaf/output.md (--copy puts it on the clipboard) nothing to run " });
});

test("what the system refuses is said in plain words", async () => {
  const cwd = createFolder();
  await asOrdinaryUser(cwd, async () => {
    chmodSync(cwd, 0o500);
    const { code, stderr } = await runLoaf(["init"], { cwd });
    chmodSync(cwd, 0o700);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("Permission denied: '") });
    expect(stderr).not.toContain("EACCES");
  });
});

test("of several errors in loaf.yml, loaf alone shows the first and their number, and loaf doctor each on a line", async () => {
  const cwd = createFolder({ "loaf.yml": "nope: 1\nother: 2\n" });
  const [first, second] = [/loaf\.yml:1:1: .*nope/, /loaf\.yml:2:1: .*other/];
  const { stdout } = await runLoaf([], { cwd });
  expect(stdout).toMatch(new RegExp(`^.*${first.source}.*, and 1 more error: nothing runs until they are fixed; loaf doctor shows them$`, "m"));
  const doctor = await runLoaf(["doctor"], { cwd });
  for (const error of [first, second]) expect(doctor.stdout).toMatch(new RegExp(`^✗ loaf\\.yml +.*${error.source}.*$`, "m"));
  expect(doctor.stdout).not.toContain("u000a");
});

test.each([
  ["one file for answers and reports", "same.md", "watch.input and watch.output are the same file, 'same.md'\n"],
  ["an output that is a file of the user's", "notes.md", expect.stringMatching(/^'notes\.md' exists and is not one of Loaf's reports: .*\n$/)],
])("loaf watch refuses %s", async (_, output, stderr) => {
  const files = { "same.md": "", "notes.md": "# Notes\n=== LOAF RESULTS ===\n=== END ===\n" };
  const [cwd, config] = [createFolder(files), createFolder({ "loaf/config.yml": `watch: {input: same.md, output: ${output}}\n` })];
  expect(await runLoaf(["watch"], { cwd, env: { XDG_CONFIG_HOME: config } })).toEqual({ code: 2, stdout: "", stderr });
});

test("loaf alone mentions loaf trust for a loaf.yml that asks for more than the defaults", async () => {
  const cwd = createFolder({ "loaf.yml": "hooks: {after: [{run: touch hooked.txt}]}\n" });
  expect((await runLoaf([], { cwd })).stdout).toContain("\nloaf.yml is not trusted as it is now, so it allows no more than the defaults. Read it, then: loaf trust\n");
});

test("a text without blocks gives one JSON result too", async () => {
  const { code, stdout, stderr } = await runLoaf(["run", "--json"], { cwd: createFolder(), input: "hello" });
  expect({ code, stderr }).toEqual({ code: 3, stderr: "Nothing to run found\n" });
  expect(JSON.parse(stdout)).toEqual({ success: true, totalBlocks: 0, executedActions: 0, results: [], parseErrors: [] });
});

test("an edit in the form of a shell command runs nothing, names the format, and gives a report to paste", async () => {
  const input = "Run this:\n```sh\ncat > a.js <<'EOF'\na\nEOF\n```\n";
  const root = createFolder({ "loaf.yml": config });
  const ran = await runLoaf(["run"], { cwd: root, input });
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Nothing to run found\nnote: line 3: a file in the form of a shell command, .*\n$/) });
  expect(ran.stdout).toMatch(/^=== LOAF RESULTS ===\nNothing to run found\nnote: line 3: a file in the form of a shell command, .*\nhint: Send it again as whole files in code fences: /);
  const parsed = await runLoaf(["parse"], { cwd: root, input });
  expect(parsed).toMatchObject({ code: 3, stdout: "", stderr: expect.stringMatching(/^Nothing to run found\nnote: line 3: a file in the form of a shell command, .*\n$/) });
  expect(await runLoaf(["parse", "--json"], { cwd: root, input })).toMatchObject({ stdout: expect.stringMatching(/^\{\s*"blocks": \[\],\s*"errors": \[\]\s*\}\n$/), stderr: "Nothing to run found\n" });
});

test("a truncated answer fails, and the report ends with a request to continue", async () => {
  const root = createFolder({ "loaf.yml": config });
  const { code, stdout } = await runLoaf(["run"], { cwd: root, input: `${answer}\n${write("q2b", "b.txt", "new").slice(0, -12)}` });
  expect({ code, end: stdout.endsWith("\ncontinue from block q2b\n") }).toEqual({ code: 1, end: true });
});

test("parse leaves out blocks in reasoning, and says so", async () => {
  const input = `<think>\n${write("aaa", "draft", "x")}\n</think>\n${write("bbb", "final", "x")}\n`;
  const { code, stdout, stderr } = await runLoaf(["parse"], { cwd: createFolder({ "loaf.yml": config }), input });
  expect([code, stdout.match(/^\w+ \(lines .*$/gm)]).toEqual([0, ["bbb (lines 9 to 13)"]]);
  expect(stderr).toContain("note: not read: the model's reasoning (lines 1-8)");
});

test("parse gives a note on an indented block, and run runs it", async () => {
  const root = createFolder({ "loaf.yml": config });
  const input = answer.split("\n").map((line) => `  ${line}`).join("\n");
  expect((await runLoaf(["parse"], { cwd: root, input })).stderr).toContain("note: line 1: the whole block is indented by 2 spaces: it was read without that indentation\n");
  expect(await runLoaf(["run"], { cwd: root, input })).toMatchObject({ code: 0, stdout: expect.stringContaining("abc ⚠️ file_write a.txt") });
});

test.each([
  ["a missing file", ["run", "answer.md"], "'answer.md' does not exist\n"],
  ["a directory", ["run", "src"], "'src' is a directory, not a file\n"],
  ["an unknown option", ["run", "--jsno"], "Unknown option '--jsno' (Did you mean --json?)\n"],
  ["an unknown command", ["rnu"], "Unknown command 'rnu' (Did you mean run?)\n"],
  ["a command like no other", ["frobnicate"], "Unknown command 'frobnicate': loaf --help lists all\n"],
  ["a file instead of a command", ["src/a.txt"], "Unknown command 'src/a.txt': to run the answer in this file, loaf run src/a.txt\n"],
  ["an unknown command of a group", ["context", "frobnicate"], "Unknown command 'frobnicate': loaf context --help lists all\n"],
  ["a file whose name begins with a dash", ["run", "-a.md"], "Unknown option '-a.md': to name this file, ./-a.md\n"],
  ["two files", ["run", "a", "b"], "'run' takes 1 argument, not 2: quote a name that contains spaces\n"],
  ["an argument too many", ["redo", "3", "4"], "'redo' takes 1 argument, not 2: quote a name that contains spaces\n"],
  ["a squash of all messages", ["squash", "--containing", ""], "--containing needs a text: an empty one is in every message\n"],
  ["a root that is none", ["run", "--root", "nowhere"], "--root 'nowhere' is not a directory\n"],
  ["nothing to trust", ["trust"], /^There is no loaf.yml in \S+: nothing to trust\n$/],
])("%s cannot be run", async (_, args, stderr) => {
  const root = createFolder({ "src/a.txt": "old", "-a.md": "" });
  const before = snapshot(root);
  expect(await runLoaf(args, { cwd: root })).toEqual({ code: 2, stdout: "", stderr: typeof stderr === "string" ? stderr : expect.stringMatching(stderr) as string });
  expect(snapshot(root)).toEqual(before);
});

test.each([["run"], ["instructions"], ["config"], ["init"], ["trust"]])("55: a broken loaf.yml stops %s before anything happens", async (command) => {
  const root = createFolder({ "loaf.yml": "version: 1\nrelativ_paths: true\n", "a.txt": "old" });
  const before = snapshot(root);
  expect(await runLoaf([command], { cwd: root, input: answer })).toEqual({
    code: 2,
    stdout: "",
    stderr: "loaf.yml:2:1: Unknown key 'relativ_paths' (did you mean 'relative_paths'?)\n",
  });
  expect(snapshot(root)).toEqual(before);
});

test("53: file names cannot control the terminal", async () => {
  const { stderr } = await runLoaf(["run", "\u001B[2Ja\u202Eb"], { cwd: createFolder() });
  expect(stderr).toBe("'\\u001b[2Ja\\u202eb' does not exist\n");
});

test("refuses a text over the limit as a whole", async () => {
  const root = createFolder({ "loaf.yml": `${config}limits: {max_input: 50}\n`, "answer.md": answer });
  expect(await runLoaf(["run", "answer.md"], { cwd: root })).toEqual({ code: 2, stdout: "", stderr: "'answer.md' is larger than the limit of 50 bytes\n" });
  expect(await runLoaf(["run"], { cwd: root, input: answer })).toEqual({ code: 2, stdout: "", stderr: "Standard input is larger than the limit of 50 bytes\n" });
});

test("refuses too many blocks as a whole, also in JSON", async () => {
  const root = createFolder({ "loaf.yml": `${config}limits: {max_blocks: 1}\n` });
  const { code, stdout, stderr } = await runLoaf(["run", "--json"], { cwd: root, input: answer + answer });
  expect({ code, stderr }).toEqual({ code: 2, stderr: "The text has 2 blocks, the limit is 1: nothing was run\n" });
  expect(JSON.parse(stdout)).toMatchObject({ success: false, fatalError: "The text has 2 blocks, the limit is 1: nothing was run" });
});

test.each([
  [9_000, 9_000],
  // Above ten thousand errors, one last error counts the rest.
  [100_000, 10_001],
])("reports a block of %d bad lines in JSON as %d errors, after the others have run", async (lines, errors) => {
  const root = createFolder({ "loaf.yml": config });
  const input = `${answer}#!nesl [@three-char-SHA-256: bad]\n${"a line of prose\n".repeat(lines)}#!end_bad\n`;
  const { code, stdout, stderr } = await runLoaf(["run", "--json"], { cwd: root, input });
  expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
  expect(JSON.parse(stdout)).toMatchObject({ executedActions: 1, parseErrors: { length: errors } });
});

test.skipIf(process.platform !== "linux")("a full disk gives a sentence and exit code 2, not a stack trace", () => {
  const root = createFolder({ "loaf.yml": config });
  for (const args of [`run --json`, `--help`, `doctor`]) {
    const { status, stderr } = spawnSync("/bin/sh", ["-c", `'${process.execPath}' '${program}' ${args} > /dev/full`], { cwd: root, input: answer, encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 2, stderr: "ENOSPC: no space left on device, write\n" });
  }
  const silent = spawnSync("/bin/sh", ["-c", `'${process.execPath}' '${program}' rnu 2> /dev/full`], { cwd: root });
  expect(silent.status).toBe(2);
});

test("reports a deleted current folder, and an unreachable root", async () => {
  const gone = createFolder();
  const { status, stderr } = spawnSync("/bin/sh", ["-c", `rmdir "$PWD" && exec '${process.execPath}' '${program}' run`], { cwd: gone, input: answer, encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 2, stderr: "The current folder no longer exists: change to another one, or name the project's with --root\n" });

  const closed = createFolder({ "root/a.txt": "" });
  chmodSync(closed, 0o600);
  expect(await runLoaf(["run", "--root", join(closed, "root")], { input: answer, asNobody: true })).toEqual({
    code: 2,
    stdout: "",
    stderr: `'${join(closed, "root")}' cannot be read (EACCES)\n`,
  });
  chmodSync(closed, 0o755);
});

test("a key with line breaks in it stays on one line", async () => {
  const root = createFolder({ "loaf.yml": '"a\\nWARNING: b": 1\nversion: 2\n' });
  expect((await runLoaf(["run"], { cwd: root, input: answer })).stderr).toBe("loaf.yml:2:10: 'version' must be 1\nloaf.yml:1:1: Unknown key 'a\\nWARNING: b'\n");
});

test("warns of an unknown action name in the configuration, without other effect", async () => {
  const root = createFolder({ "loaf.yml": "relative_paths: true\nallowed-actions: [file_wriet, file_write]\n" });
  const warning = "WARNING: allowed-actions names 'file_wriet', which is not a known action (did you mean 'file_write'?)\n";
  for (const command of ["run", "instructions"]) {
    const { code, stderr } = await runLoaf([command], { cwd: root, input: answer });
    expect({ code, stderr }).toEqual({ code: 0, stderr: warning });
  }
  expect((await runLoaf(["doctor"], { cwd: root })).stdout).toContain("! settings   allowed-actions names 'file_wriet', which is not a known action (did you mean 'file_write'?)\n");
});

test("warns of a hook's variable in single quotes, where the shell keeps it as it is", async () => {
  const root = createFolder({ "loaf.yml": "hooks: {after: [{run: \"echo '${modifiedFiles}' > told.txt\"}]}\n" });
  const env = { XDG_STATE_HOME: createFolder() };
  await runLoaf(["trust"], { cwd: root, env });
  const { stderr } = await runLoaf(["run", "--yes"], { cwd: root, env, input: answer });
  expect(stderr).toContain("WARNING: hooks.after[0] has ${modifiedFiles} in single quotes, where the shell keeps it as it is: use double quotes\n");
});

test("a closed output pipe causes no error, and the work is done", async () => {
  const long = Array.from({ length: 3_000 }, (_, i) => write("abc", `files/${i}.txt`, "x")).join("");
  const root = createFolder({ "loaf.yml": config });
  expect(await runLoaf(["run", "--json"], { cwd: root, input: long, closed: true })).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(Object.keys(snapshot(join(root, "files")))).toHaveLength(3_000);
});

test("a read-only project does not change, and the message names it", async () => {
  const root = createFolder({ "loaf.yml": config, "a.txt": "old" });
  chmodSync(join(root, "a.txt"), 0o444);
  chmodSync(root, 0o555);
  const before = snapshot(root);
  const { code, stdout, stderr } = await runLoaf(["run"], { cwd: root, input: answer, asNobody: true });
  expect({ code, stderr }).toEqual({ code: 1, stderr: `The project ${root} is read-only: nothing can be changed in it\n` });
  expect(stdout).toContain("abc ❌ file_write a.txt - Permission denied");
  expect(snapshot(root)).toEqual(before);
});

test("init reports it too, and leaves no file", async () => {
  const root = createFolder();
  chmodSync(root, 0o555);
  expect(await runLoaf(["init"], { cwd: root, asNobody: true })).toEqual({
    code: 2,
    stdout: "",
    stderr: `The project ${root} is read-only: nothing can be changed in it\n`,
  });
  expect(snapshot(root)).toEqual({});
});

test("reports a loaf.yml that is a directory", async () => {
  const root = createFolder();
  mkdirSync(join(root, "loaf.yml"));
  expect((await runLoaf(["run"], { cwd: root, input: answer })).stderr).toBe("loaf.yml: The file is a directory, not a file\n");
});

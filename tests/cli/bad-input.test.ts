/** What people get wrong: one clear sentence on standard error each, the right exit code, and nothing changed. */
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFolder } from "../support/folder.ts";
import { runLoaf } from "../support/run-loaf.ts";
import { snapshot } from "../support/sandbox.ts";
import { write } from "./answers.ts";

const answer = write("abc", "a.txt", "new");
const config = "version: 1\nrelative_paths: true\n";

test.each([
  ["an empty text", "", "The text is empty: there is nothing to run\n"],
  ["white space", " \n\n", "The text is empty: there is nothing to run\n"],
  ["a text with no blocks", "Sure! Which file do you mean?\n", "No NESL blocks found: nothing was run\n"],
])("%s is no failure", async (_, input, stderr) => {
  const root = createFolder({ "loaf.yml": config });
  expect(await runLoaf(["run"], { cwd: root, input })).toEqual({ code: 0, stdout: "", stderr });
  expect(await runLoaf(["parse"], { cwd: root, input })).toEqual({ code: 0, stdout: "", stderr });
});

test("a text with no blocks is one JSON result all the same", async () => {
  const { code, stdout, stderr } = await runLoaf(["run", "--json"], { cwd: createFolder(), input: "hello" });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "No NESL blocks found: nothing was run\n" });
  expect(JSON.parse(stdout)).toEqual({ success: true, totalBlocks: 0, executedActions: 0, results: [], parseErrors: [] });
});

test.each([
  ["a missing file", ["run", "answer.md"], "'answer.md' does not exist\n"],
  ["a directory", ["run", "src"], "'src' is a directory, not a file\n"],
  ["an unknown option", ["run", "--jsno"], "Unknown option '--jsno' (Did you mean --json?)\n"],
  ["an unknown command", ["rnu"], "Unknown command 'rnu' (Did you mean run?)\n"],
  ["two files", ["run", "a", "b"], "Too many arguments for 'run'. Expected 1 argument but got 2.\n"],
  ["a root that is none", ["run", "--root", "nowhere"], "--root 'nowhere' is not a directory\n"],
  ["nothing to trust", ["trust"], /^There is no loaf.yml in \S+: nothing to trust\n$/],
])("%s cannot be run", async (_, args, stderr) => {
  const root = createFolder({ "src/a.txt": "old" });
  const before = snapshot(root);
  expect(await runLoaf(args, { cwd: root })).toEqual({ code: 2, stdout: "", stderr: typeof stderr === "string" ? stderr : expect.stringMatching(stderr) as string });
  expect(snapshot(root)).toEqual(before);
});

test.each([["run"], ["instructions"], ["config"], ["init"], ["trust"]])("a broken loaf.yml stops %s before anything happens", async (command) => {
  const root = createFolder({ "loaf.yml": "version: 1\nrelativ_paths: true\n", "a.txt": "old" });
  const before = snapshot(root);
  expect(await runLoaf([command], { cwd: root, input: answer })).toEqual({
    code: 2,
    stdout: "",
    stderr: "loaf.yml:2:1: Unknown key 'relativ_paths' (did you mean 'relative_paths'?)\n",
  });
  expect(snapshot(root)).toEqual(before);
});

test("what is printed cannot play with the terminal, whatever a file's name", async () => {
  const { stderr } = await runLoaf(["run", "\u001B[2Ja\u202Eb"], { cwd: createFolder() });
  expect(stderr).toBe("'\\u001b[2Ja\\u202eb' does not exist\n");
});

test("a text over the limit is refused whole", async () => {
  const root = createFolder({ "loaf.yml": `${config}limits: {max_input: 50}\n`, "answer.md": answer });
  expect(await runLoaf(["run", "answer.md"], { cwd: root })).toEqual({ code: 2, stdout: "", stderr: "'answer.md' is larger than the limit of 50 bytes\n" });
  expect(await runLoaf(["run"], { cwd: root, input: answer })).toEqual({ code: 2, stdout: "", stderr: "Standard input is larger than the limit of 50 bytes\n" });
});

test("too many blocks are refused whole, as JSON too", async () => {
  const root = createFolder({ "loaf.yml": `${config}limits: {max_blocks: 1}\n` });
  const { code, stdout, stderr } = await runLoaf(["run", "--json"], { cwd: root, input: answer + answer });
  expect({ code, stderr }).toEqual({ code: 2, stderr: "The text has 2 blocks, the limit is 1: nothing was run\n" });
  expect(JSON.parse(stdout)).toMatchObject({ success: false, fatalError: "The text has 2 blocks, the limit is 1: nothing was run" });
});

test("a closed pipe on output is quiet, and the work is done", async () => {
  const long = Array.from({ length: 3_000 }, (_, i) => write("abc", `files/${i}.txt`, "x")).join("");
  const root = createFolder({ "loaf.yml": config });
  expect(await runLoaf(["run", "--json"], { cwd: root, input: long, closed: true })).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(Object.keys(snapshot(join(root, "files")))).toHaveLength(3_000);
});

test("a read-only project stays as it is, and is named", async () => {
  const root = createFolder({ "loaf.yml": config, "a.txt": "old" });
  chmodSync(join(root, "a.txt"), 0o444);
  chmodSync(root, 0o555);
  const before = snapshot(root);
  const { code, stdout, stderr } = await runLoaf(["run"], { cwd: root, input: answer, asNobody: true });
  expect({ code, stderr }).toEqual({ code: 1, stderr: `The project ${root} is read-only: nothing can be changed in it\n` });
  expect(stdout).toContain("abc ❌ file_write a.txt - Permission denied");
  expect(snapshot(root)).toEqual(before);
});

test("init says so too, and leaves nothing behind", async () => {
  const root = createFolder();
  chmodSync(root, 0o555);
  expect(await runLoaf(["init"], { cwd: root, asNobody: true })).toEqual({
    code: 2,
    stdout: "",
    stderr: `The project ${root} is read-only: nothing can be changed in it\n`,
  });
  expect(snapshot(root)).toEqual({});
});

test("a loaf.yml that is a directory is said to be one", async () => {
  const root = createFolder();
  mkdirSync(join(root, "loaf.yml"));
  expect((await runLoaf(["run"], { cwd: root, input: answer })).stderr).toBe("loaf.yml: The file is a directory, not a file\n");
});

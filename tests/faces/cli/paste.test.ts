/** `loaf paste` and `loaf run --paste`, with a clipboard that is a file. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { atTerminal, hasPseudoTerminal } from "../../support/at-terminal.ts";
import { fakeClipboard } from "../../support/fake-clipboard.ts";
import { createFolder } from "../../support/folder.ts";
import { runLoaf } from "../../support/run-loaf.ts";
import { block, write } from "./answers.ts";

const append = (id: string) => block(id, { action: "file_append", path: "log", content: "x\n" });
const log = (root: string) => (existsSync(join(root, "log")) ? readFileSync(join(root, "log"), "utf8") : "");
const project = () => createFolder({ "loaf.yml": "relative_paths: true\nedits: {match: exact, final_newline: as-is}\n" });
const report = "=== LOAF RESULTS ===\nabc ✅ file_append log\n=== END ===\n\n=== OUTPUTS ===\n=== END ===";

/** A home that several commands of a test share. */
function sameHome(): Record<string, string> {
  const home = createFolder();
  return { HOME: home, XDG_CONFIG_HOME: join(home, "config"), XDG_STATE_HOME: join(home, "state") };
}

describe("loaf run --paste", () => {
  test("runs the answer on the clipboard, and with --copy puts the report there", async () => {
    const { env, text } = fakeClipboard(`Here you are:\n${append("abc")}`);
    const root = project();
    expect(await runLoaf(["run", "--paste", "--copy"], { cwd: root, env })).toEqual({ code: 0, stdout: `${report}\n`, stderr: "Copied to the clipboard.\n" });
    expect([log(root), text()]).toEqual(["x\n", report]);
  });

  test("reads an answer in another tool's syntax", async () => {
    const { env } = fakeClipboard("a.txt\n```\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n```\n");
    const root = createFolder({ "a.txt": "old\n" });
    expect((await runLoaf(["run", "--paste"], { cwd: root, env })).code).toBe(0);
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("new\n");
  });

  test.each([
    ["is empty", undefined, "The clipboard is empty, or holds no text: copy the model's whole answer, then paste again\n"],
    ["has only white space", " \n", "The clipboard is empty, or holds no text: copy the model's whole answer, then paste again\n"],
    ["holds something else, which is not shown", "s3cret", "The clipboard holds no answer with blocks (1 line, 6 characters), so nothing was run: copy the model's whole answer, then paste again\n"],
    ["holds a report of Loaf's own", report, "The clipboard holds one of Loaf's own reports: paste it into the chat, then copy the model's next answer\n"],
  ])("says what to do if the clipboard %s", async (_, text, stderr) => {
    const { env, text: after } = fakeClipboard(text);
    expect(await runLoaf(["run", "--paste", "--copy"], { cwd: project(), env })).toEqual({ code: 3, stdout: "", stderr });
    expect(after()).toBe(text);
  });

  test("names what looks like an edit in an answer without blocks", async () => {
    const { env } = fakeClipboard('Sure:\n<--- WRITE file="a"--->\nx\n<---END--->\n');
    const { code, stderr } = await runLoaf(["run", "--paste"], { cwd: project(), env });
    expect([code, stderr]).toEqual([3, expect.stringMatching(/holds no answer with blocks \(4 lines\).*\nnote: line 2 is nearly the marker <---WRITE of CSL/)]);
  });

  test("without a clipboard program says how to hand over the answer", async () => {
    const { code, stderr } = await runLoaf(["run", "--paste"], { cwd: project(), env: { PATH: createFolder() } });
    expect([code, stderr]).toEqual([2, "No program for the clipboard was found: install wl-clipboard (Wayland), or xclip or xsel (X11). Or start loaf run -, paste the answer there, and press Enter and Ctrl-D\n"]);
  });

  test("does not run the same answer twice unasked, whatever is around its blocks; --again does", async () => {
    const clipboard = fakeClipboard(`First:\n${append("abc")}${append("abd")}`);
    const [root, env] = [project(), { ...clipboard.env, ...sameHome() }];
    await runLoaf(["run", "--paste"], { cwd: root, env });
    for (const again of [`${append("abc")}\r\n${append("abd")}`.replaceAll("\n", "\r\n"), append("abd")]) {
      clipboard.copy(again);
      const { code, stdout, stderr } = await runLoaf(["run", "--paste"], { cwd: root, env });
      expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(/^This answer ran before, (at \d\d:\d\d|on \d+ \w+ \d+ at \d\d:\d\d), so nothing was run: --again runs it a second time\n$/)]);
    }
    expect(log(root)).toBe("x\nx\n");
    expect((await runLoaf(["run", "--paste", "--again"], { cwd: root, env })).code).toBe(0);
    expect(log(root)).toBe("x\nx\nx\n");
    clipboard.copy(append("abd") + append("new"));
    expect((await runLoaf(["run", "--paste", "--again"], { cwd: root, env })).code).toBe(0);
  });

  test("a dry run counts neither as the same answer nor as a run of it", async () => {
    const [root, env] = [project(), { ...fakeClipboard(append("abc")).env, ...sameHome() }];
    await runLoaf(["run", "--paste", "--dry-run"], { cwd: root, env });
    expect((await runLoaf(["run", "--paste"], { cwd: root, env })).code).toBe(0);
    expect((await runLoaf(["run", "--paste", "--dry-run"], { cwd: root, env })).code).toBe(0);
    expect(log(root)).toBe("x\n");
  });

  test("takes no file and no stream besides", async () => {
    for (const args of [["answer.md"], ["--stream"]]) {
      const { code, stderr } = await runLoaf(["run", "--paste", ...args], { cwd: project(), env: fakeClipboard(append("abc")).env });
      expect([code, stderr]).toEqual([2, "--paste reads the answer from the clipboard: leave out the file and --stream\n"]);
    }
  });

  test("with --json, a text without blocks has its result", async () => {
    const { code, stdout } = await runLoaf(["run", "--paste", "--json"], { cwd: project(), env: fakeClipboard(report).env });
    expect([code, JSON.parse(stdout)]).toEqual([3, expect.objectContaining({ totalBlocks: 0 })]);
  });
});

describe.skipIf(!hasPseudoTerminal)("loaf paste", () => {
  test("shows each block, asks, runs what is agreed to, and puts the report on the clipboard", async () => {
    const { env, text } = fakeClipboard(write("abc", "a.txt", "first\n") + write("abd", "b.txt", "second\n"));
    const root = project();
    const { code, screen } = await atTerminal(["paste"], { answers: ["y\n", "n\n"], cwd: root, env });
    expect(code).toBe(1);
    expect(screen).toMatch(/abc \(line 1\) file_write a\.txt[^]*\+first[^]*Run this\?[^]*abd[^]*\+second[^]*Run this\?[^]*Copied to the clipboard/);
    expect([existsSync(join(root, "a.txt")), existsSync(join(root, "b.txt"))]).toEqual([true, false]);
    expect(text()).toMatch(/^=== LOAF RESULTS ===\nabc ✅ file_write a\.txt\nabd ❌ file_write b\.txt - /);
  });

  test.each([
    ["no", "n\\n", "x\n", 3],
    ["yes", "y\\n", "x\nx\n", 0],
  ])("asks before it runs the same answer again: %s", async (_, typed, expected, code) => {
    const [root, env] = [project(), { ...fakeClipboard(block("abc", { action: "exec", lang: "bash", code: "echo x >> log" })).env, ...sameHome() }];
    await runLoaf(["run", "--paste", "--yes"], { cwd: root, env });
    const shown = await atTerminal(["run", "--paste", "--sandbox=auto"], { answers: [typed.replace("\\n", "\n"), "y\n"], cwd: root, env });
    expect(shown.screen).toMatch(/This answer ran before, .*\n.*Run it again\?/);
    expect([shown.code, log(root)]).toEqual([code, expected]);
  });

  test("leaves the clipboard alone if there is nothing to run", async () => {
    const { env, text } = fakeClipboard("Hello");
    const { code, screen } = await atTerminal(["paste"], { answers: [], cwd: project(), env });
    expect([code, text(), screen]).toEqual([3, "Hello", "The clipboard holds no answer with blocks (1 line, 5 characters), so nothing was run: copy the model's whole answer, then paste again\n"]);
  });
});

describe.runIf(hasPseudoTerminal)("loaf instructions --copy at a terminal", () => {
  test("copies without scrolling everything else away", async () => {
    const { env, text } = fakeClipboard();
    const { code, screen } = await atTerminal(["instructions", "--copy"], { answers: [], cwd: project(), env });
    expect({ code, screen }).toEqual({ code: 0, screen: "Copied to the clipboard.\n" });
    expect(text()).toContain("#!nesl [@three-char-SHA-256:");
  });

  test("prints what could not be copied", async () => {
    const { screen } = await atTerminal(["instructions", "--copy"], { answers: [], cwd: project(), env: { DISPLAY: "", WAYLAND_DISPLAY: "", TERM: "dumb" } });
    expect(screen).toContain("The clipboard cannot be reached: ");
    expect(screen).toContain("#!nesl [@three-char-SHA-256:");
  });
});

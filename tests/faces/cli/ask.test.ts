/** Questions at a terminal: about each action with --ask, and about a loaf.yml that changed since it was trusted. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { printBlock } from "../../../src/syntaxes/nesl/teach.ts";
import { atTerminal, hasPseudoTerminal } from "../../support/at-terminal.ts";
import { hasSandbox } from "../../support/programs.ts";
import { createFolder } from "../../support/folder.ts";
import { program, runLoaf } from "../../support/run-loaf.ts";
import { write } from "./answers.ts";

const read = (root: string, name: string) => (existsSync(join(root, name)) ? readFileSync(join(root, name), "utf8") : undefined);

/** With its line end. */
const block = (id: string, properties: Readonly<Record<string, string>>) => `${printBlock(id, properties)}\n`;

function project(files: Readonly<Record<string, string>> = {}): string {
  const root = createFolder({ "loaf.yml": "relative_paths: true\nedits: {match: exact, final_newline: as-is}\n", ...files });
  writeFileSync(join(root, "answer.md"), write("aaa", "a.txt", "new a") + write("bbb", "b.txt", "new b") + write("ccc", "c.txt", "new c"));
  return root;
}

describe.skipIf(!hasPseudoTerminal)("loaf run --ask", () => {
  test("shows each action with its diff, and runs the approved ones", async () => {
    const root = project({ "a.txt": "old a" });
    const { code, screen } = await atTerminal(["run", "--ask", "answer.md"], { cwd: root, answers: ["y\n", "no\n", "Yes\n"] });
    expect(code).toBe(1);
    expect(screen).toContain("aaa (line 1) file_write a.txt\ndiff --git a/a.txt b/a.txt\n");
    expect(screen).toContain("-old a\n");
    expect(screen).toContain("+new a\n");
    expect(screen).toContain("❌ bbb file_write b.txt\n   Refused by the user\n");
    expect(screen).toMatch(/✅ aaa file_write a\.txt {2}\+1 −1\n\n2 of 3: bbb \(line 6\)/);
    expect([read(root, "a.txt"), read(root, "b.txt"), read(root, "c.txt")]).toEqual(["new a", undefined, "new c"]);
  });

  test("shows which block it is, below what the model says of it", async () => {
    const root = project({ "a.txt": "old a" });
    const [first, second] = [write("aaa", "a.txt", "new a"), write("bbb", "b.txt", "new b")];
    const fence = "`".repeat(3);
    const answer = `Two changes.\n\nFirst the **greeting** changes. It is short.\n\n${fence}sh nesl\n${first}${fence}\n\n- Then add \u001b[2J the other one.\n\n${fence}sh nesl\n${second}${fence}\n\n${fence}sh nesl\n${write("ccc", "c.txt", "new c")}${fence}\n`;
    writeFileSync(join(root, "answer.md"), answer);
    const { screen } = await atTerminal(["run", "--ask", "answer.md"], { cwd: root, answers: ["n\n", "n\n", "n\n"] });
    expect(screen).toMatch(/\nFirst the greeting changes\.\n1 of 3: aaa \(line 6\) file_write a\.txt\n/);
    expect(screen).toMatch(/\nThen add \\u001b\[2J the other one\.\n2 of 3: bbb /);
    expect(screen).toMatch(/\n {3}Refused by the user\n\n3 of 3: ccc /);
  });

  test("a command at another terminal says within a second which question it waits for", async () => {
    const root = project();
    const both = "(sleep 1.5; $LOAF undo) & $LOAF run --ask answer.md; wait";
    const { screen } = await atTerminal([], { cwd: root, shell: both, question: "give it there", answers: ["q\n"] });
    expect(screen).toMatch(/loaf run \(pid \d+\) has been waiting for an answer for \d s: give it there\. Ctrl-C stops waiting; nothing has been changed yet/);
    expect(screen).toContain("There is nothing to undo");
  });

  test("one key answers, without Enter, and a pasted text is no answer", async () => {
    const root = project();
    const { screen } = await atTerminal(["run", "--ask", "answer.md"], { cwd: root, answers: ["y", "yes, all of it\ny\n", "n", "q"] });
    expect([read(root, "a.txt"), read(root, "b.txt")]).toEqual(["new a", undefined]);
    expect(screen).toContain("❌ bbb file_write b.txt\n   Refused by the user\n");
  });

  test("Enter means no, and an invalid answer repeats the question", async () => {
    const root = project();
    const { screen } = await atTerminal(["run", "--ask", "answer.md"], { cwd: root, answers: ["\n", "perhaps\n", "y\n", "n\n"] });
    expect(screen.match(/Refused by the user/g)).toHaveLength(2);
    expect([read(root, "a.txt"), read(root, "b.txt"), read(root, "c.txt")]).toEqual([undefined, "new b", undefined]);
  });

  test("A approves all later actions of the kind, a all later edits of the file", async () => {
    const root = project();
    const { code, screen } = await atTerminal(["run", "--ask", "answer.md"], { cwd: root, answers: ["n\n", "A\n"] });
    expect(screen).toContain("Run this? [y]es, [n]o, [a]ll further edits inside a.txt, [d]rop them, [A]ll further file_write, [c]omment, [q]uit, [?] explains (Enter: no)");
    expect(screen.match(/\(Enter: no\)/g)).toHaveLength(2);
    expect([code, read(root, "a.txt"), read(root, "b.txt"), read(root, "c.txt")]).toEqual([1, undefined, "new b", "new c"]);
    writeFileSync(join(root, "answer.md"), write("aaa", "a.txt", "1") + block("bbb", { action: "file_append", path: "a.txt", content: "2" }) + write("ccc", "c.txt", "3"));
    await atTerminal(["run", "--ask", "answer.md"], { cwd: root, answers: ["a\n", "n\n"] });
    expect([read(root, "a.txt"), read(root, "c.txt")]).toEqual(["12", "new c"]);
  });

  test("asks each time about deleting, replacing a file by another one, and running a program", async () => {
    const root = project({ "b.txt": "old b", "d.txt": "old d" });
    const moves = block("mv1", { action: "file_move", old_path: "a.txt", new_path: "e.txt" }) + block("mv2", { action: "file_move", old_path: "e.txt", new_path: "d.txt" });
    const others = block("del", { action: "file_delete", path: "b.txt" }) + block("exe", { action: "exec", lang: "bash", code: "rm -rf c.txt" });
    writeFileSync(join(root, "answer.md"), write("aaa", "a.txt", "new a") + moves + others);
    const { screen } = await atTerminal(["run", "--ask", "answer.md"], { cwd: root, answers: ["A\n", "?\n", "A\n", "n\n", "a\n", "n\n", "n\n"] });
    expect(screen).toContain("every further file_move that replaces no file by another, until this run ends\n");
    expect(screen.match(/Run this\? \[y\]es, \[n\]o, \[c\]omment, \[q\]uit/g)).not.toBeNull();
    expect(screen).toMatch(/✅ mv1 [^]*❌ mv2 .*\n {3}Refused[^]*❌ del .*\n {3}Refused[^]*❌ exe .*\n {3}Refused/);
    expect([read(root, "d.txt"), read(root, "b.txt")]).toEqual(["old d", "old b"]);
  });

  test("? says what each letter does, and asks again", async () => {
    const root = project();
    const { screen } = await atTerminal(["run", "--ask", "answer.md"], { cwd: root, answers: ["?\n", "q\n"] });
    expect(screen).toContain(
      [
        "  y  run this block",
        "  n  do not run it; the report says that you refused it",
        "  a  run this block, and every further edit inside a.txt, until this run ends",
        "  d  run neither this block, nor any further edit inside a.txt, until this run ends",
        "  A  run this block, and every further file_write, until this run ends",
        "  c  say something to the model, in the report, and decide then",
        "  q  run neither this block nor any after it; what ran before stays, and loaf undo takes it back",
        "Run this? [y]es",
      ].join("\n"),
    );
    expect(read(root, "a.txt")).toBeUndefined();
  });

  test("shows blocks that cannot run in order, without a question", async () => {
    const root = project();
    const broken = "#!nesl [@three-char-SHA-256: bad]\naction = \"file_wipe\"\n#!end_bad\n";
    writeFileSync(join(root, "answer.md"), write("aaa", "a.txt", "new a") + broken + block("gon", { action: "file_delete", path: "gone.txt" }) + write("ccc", "c.txt", "new c"));
    const { screen } = await atTerminal(["run", "--ask", "answer.md"], { cwd: root, answers: ["y\n", "y\n"] });
    expect(screen).toMatch(/aaa \(line 1\) file_write a.txt[^]*❌ bad file_wipe {2}line 6\n {3}Unknown action: file_wipe\n[^]*❌ gon file_delete gone.txt\n {3}File not found[^]*ccc \(line 1\d\) file_write c.txt/);
    expect(screen.match(/Run this/g)).toHaveLength(2);
  });

  test("shows long code in pages: code not shown completely does not run", async () => {
    const root = project();
    const code = [...Array.from({ length: 1_500 }, (_, index) => `# ${index}`), "touch ran.txt"].join("\n");
    writeFileSync(join(root, "answer.md"), block("exe", { action: "exec", lang: "bash", code }));
    const question = "refuses it ";
    const { screen } = await atTerminal(["run", "--ask", "answer.md"], { cwd: root, question, answers: ["\n", "\n", "\n", "n\n"] });
    expect(screen).toContain("  # 798\n");
    expect(screen).not.toContain("touch ran.txt");
    expect(screen).toMatch(/❌ exe exec bash: # 0 ….*\n {3}Refused by the user/);
    const whole = await atTerminal(["run", "--ask", "answer.md"], { cwd: root, question, answers: ["\n", "\n", "\n", "\n", "\n", "\n", "\n", "\n"], last: "n\n" });
    expect(whole.screen).toContain("  touch ran.txt\n");
    expect(whole.screen).toContain("Run exec bash?");
    expect(whole.screen).not.toContain("It wrote");
  });

  test("a letter that a page does not offer repeats its question; the last one names the action, and that it replaces the file", async () => {
    const content = (word: string) => Array.from({ length: 300 }, (_, index) => `${word} ${index}\n`).join("");
    const root = project({ "long.txt": content("old") });
    writeFileSync(join(root, "answer.md"), write("aaa", "long.txt", content("new")));
    const { screen } = await atTerminal(["run", "--ask", "answer.md"], { cwd: root, question: "refuses it ", answers: ["y\n", "\n", "yes\n", "\n", "\n"], last: "y\n" });
    expect(screen.match(/Lines 1-\d+ of \d+: Enter shows more and asks at the end, \[n\]o refuses it /g)).toHaveLength(5);
    expect(screen).toContain("Run file_write long.txt, which replaces the file? [y]es, [n]o,");
    expect(read(root, "long.txt")).toBe(content("new"));
  });

  test.each([["quit", "q\n"], ["the end of input", "\u0004"], ["an interruption", "\u0003"]])("after %s nothing more runs, and the report says so; earlier changes stay", async (_, typed) => {
    const root = project();
    const { code, screen } = await atTerminal(["run", "--ask", "answer.md"], { cwd: root, answers: ["y\n", typed] });
    expect(code).toBe(1);
    expect(screen).toMatch(/✅ aaa file_write a\.txt {2}\+1\n[^]*❌ bbb file_write b\.txt\n {3}Refused by the user\n❌ ccc file_write c\.txt\n {3}Not run: the run was stopped before this action\n/);
    expect(screen.trimEnd().split("\n").at(-1)).toBe("1 file, +1 · 1 refused · 1 not run · loaf undo takes it back");
    expect(screen).not.toContain("Stopping after");
    expect([read(root, "a.txt"), read(root, "b.txt"), read(root, "c.txt")]).toEqual(["new a", undefined, undefined]);
  });

  test("asks at the terminal even if the answer comes through a pipe and the JSON goes to a file", async () => {
    const root = project();
    const shell = "cat answer.md | $LOAF run --ask --json > out.json";
    await atTerminal([], { cwd: root, answers: ["n\n", "y\n", "q\n"], shell });
    const { results, executedActions } = JSON.parse(read(root, "out.json") ?? "") as { results: { code?: string }[]; executedActions: number };
    expect(results.map(({ code }) => code)).toEqual(["skip/refused", undefined, "skip/refused"]);
    expect(executedActions).toBe(1);
  });

  test("a file whose read was refused is not in the report", async () => {
    const root = project({ "a.txt": "secret of a" });
    writeFileSync(join(root, "answer.md"), '#!nesl [@three-char-SHA-256: aaa]\naction = "file_read"\npath = "a.txt"\n#!end_aaa\n');
    const { screen } = await atTerminal(["run", "--ask", "answer.md"], { cwd: root, answers: ["n\n"] });
    expect(screen).toContain("❌ aaa file_read a.txt\n   Refused by the user");
    expect(read(root, ".loaf/output.md")).not.toContain("secret of a");
    expect(screen).not.toContain("secret of a");
  });

  test("shows an action that would fail, without a question", async () => {
    const root = project();
    writeFileSync(join(root, "answer.md"), '#!nesl [@three-char-SHA-256: aaa]\naction = "file_delete"\npath = "gone.txt"\n#!end_aaa\n');
    const { screen } = await atTerminal(["run", "--ask", "answer.md"], { cwd: root, answers: [] });
    expect(screen).toContain("❌ aaa file_delete gone.txt\n   File not found\n");
    expect(screen).not.toContain("Run this?");
  });

  test("shows code on one long line completely, also in a dry run", async () => {
    const root = project();
    const code = `echo ${"x".repeat(5_000)}; rm -rf ~`;
    writeFileSync(join(root, "answer.md"), block("exe", { action: "exec", lang: "bash", code }));
    expect((await atTerminal(["run", "--ask", "answer.md"], { cwd: root, answers: ["n\n"] })).screen).toContain("; rm -rf ~\n");
    expect((await runLoaf(["run", "--dry-run", "answer.md"], { cwd: root })).stdout).toContain(`[exe] exec would run:\n${code}\n`);
  });

  test("the content of an action cannot control the terminal", async () => {
    const root = project();
    writeFileSync(join(root, "answer.md"), write("aaa", "a\u001B[2J.txt", "\u001B[1A\u202Ex\rRun this?"));
    const { screen } = await atTerminal(["run", "--ask", "answer.md"], { cwd: root, answers: ["n\n"] });
    expect(screen).not.toMatch(/[\u001B\u202E]/);
  });
});

describe("without a terminal", () => {
  /** A new session has no terminal. */
  const alone = (root: string, ...args: string[]) => spawnSync("setsid", ["--wait", process.execPath, program, ...args], { cwd: root, encoding: "utf8", env: { ...process.env, XDG_STATE_HOME: createFolder() }, input: "" });

  test.skipIf(process.platform !== "linux")("--ask runs nothing, without waiting", () => {
    const root = project();
    const { status, stdout, stderr } = alone(root, "run", "--ask", "answer.md");
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toBe("There is no terminal to ask at, so nothing was run: --yes answers yes to all questions\n");
    expect(read(root, "a.txt")).toBeUndefined();
  });

  test.skipIf(process.platform !== "linux")("--yes approves", () => {
    const root = project();
    expect(alone(root, "run", "--ask", "--yes", "answer.md").status).toBe(0);
    expect(read(root, "c.txt")).toBe("new c");
  });
});

describe("trust", () => {
  const hooked = "relative_paths: true\nhooks: {after: [{run: touch hooked.txt}]}\n";

  test("42: hooks of a cloned repository do not run, and a warning says so", async () => {
    const root = project({ "loaf.yml": `${hooked}vars: {WHO: x}\n` });
    const { code, stderr } = await runLoaf(["run", "--yes", "answer.md"], { cwd: root });
    expect(stderr).toBe("WARNING: loaf.yml is not trusted, so it allows no more than the defaults (it asks for: hooks.after, vars.WHO). Read it, then: loaf trust\n");
    expect([code, read(root, "hooked.txt"), read(root, "a.txt")]).toEqual([0, undefined, "new a\n"]);
  });

  test("a changed loaf.yml runs without its hooks if nobody can be asked, also with --yes", async () => {
    const root = project({ "loaf.yml": hooked });
    const env = { XDG_STATE_HOME: createFolder() };
    expect((await runLoaf(["trust"], { cwd: root, env })).stdout).toContain("It runs these with every answer, outside the sandbox:\n  touch hooked.txt\n");
    writeFileSync(join(root, "loaf.yml"), `${hooked}# changed\n`);
    const { stderr } = await runLoaf(["run", "--yes", "--json", "answer.md"], { cwd: root, env });
    expect(stderr).toContain("WARNING: loaf.yml has changed since it was trusted, so it allows no more than the defaults (it asks for: hooks.after)");
    expect(read(root, "hooked.txt")).toBeUndefined();
  });

  test("hooks run once trusted; not with --no-hooks; a dry run says that it skipped them", async () => {
    const root = project({ "loaf.yml": hooked });
    const env = { XDG_STATE_HOME: createFolder() };
    await runLoaf(["trust"], { cwd: root, env });
    expect((await runLoaf(["run", "--dry-run", "answer.md"], { cwd: root, env })).stderr).toBe("Hooks do not run in a dry run: touch hooked.txt\n");
    await runLoaf(["run", "--no-hooks", "answer.md"], { cwd: root, env });
    expect(read(root, "hooked.txt")).toBeUndefined();
    await runLoaf(["run", "answer.md"], { cwd: root, env });
    expect(read(root, "hooked.txt")).toBe("");
  });

  test("its refusals apply whether or not it is trusted", async () => {
    const root = project({ "loaf.yml": `${hooked}fs-guard: {denied: [b.txt]}\n` });
    await runLoaf(["run", "answer.md"], { cwd: root });
    expect([read(root, "a.txt"), read(root, "b.txt")]).toEqual(["new a\n", undefined]);
  });

  test("loaf trust shows the changes since", async () => {
    const root = project({ "loaf.yml": hooked });
    const env = { XDG_STATE_HOME: createFolder() };
    await runLoaf(["trust"], { cwd: root, env });
    expect((await runLoaf(["trust"], { cwd: root, env })).stdout).toBe(`${root}/loaf.yml is trusted.\n`);
    writeFileSync(join(root, "loaf.yml"), hooked.replace("hooked.txt", "other.txt"));
    const { stdout } = await runLoaf(["trust"], { cwd: root, env });
    expect(stdout).toContain("-hooks: {after: [{run: touch hooked.txt}]}\n+hooks: {after: [{run: touch other.txt}]}\n");
    expect(stdout).toContain("It is trusted.");
  });

  test("loaf trust shows the values of what it opens, and loaf doctor what has changed", async () => {
    const opened = "exec: {network: true, timeout: 600000, env: [HOME, TOKEN]}\ngit: {push: true}\n";
    const root = project({ "loaf.yml": `${hooked}${opened}` });
    const env = { XDG_STATE_HOME: createFolder() };
    const { stdout } = await runLoaf(["trust"], { cwd: root, env });
    for (const line of ["hooks.after", "exec.network: true", "exec.timeout: 600000", "exec.env: HOME, TOKEN", "git.push: true"]) expect(stdout).toContain(`\n  ${line}\n`);
    expect((await runLoaf(["doctor"], { cwd: root, env })).stdout).toContain("loaf.yml is trusted\n");
    writeFileSync(join(root, "loaf.yml"), `${hooked}${opened}# more\n`);
    expect((await runLoaf(["doctor"], { cwd: root, env })).stdout).toContain("loaf.yml has changed since it was trusted, so these settings are ignored: hooks.after, exec.network");
    const changed = await runLoaf(["trust"], { cwd: root, env });
    expect(changed.stdout).toContain("loaf.yml may allow more than the defaults: hooks.after,");
  });

  test("loaf config shows which settings do not apply, and why", async () => {
    const root = project({ "loaf.yml": `${hooked}limits: {max_blocks: 1}\nfs-guard: {read: {allow: [/etc/**]}}\n` });
    const env = { XDG_STATE_HOME: createFolder() };
    const { stdout } = await runLoaf(["config"], { cwd: root, env });
    expect(stdout).toMatch(/^hooks.after +- +default; loaf.yml asks for \[\{"run":"touch hooked.txt"\}\], which applies once it is trusted$/m);
    expect(stdout).toMatch(/^fs-guard.read.allow +\["\/etc\/\*\*"\] .*; applies only where your own rules allow it too, until loaf.yml is trusted$/m);
    expect(stdout).toMatch(new RegExp(`^limits.max_blocks +1 +${root}/loaf.yml$`, "m"));
    await runLoaf(["trust"], { cwd: root, env });
    expect((await runLoaf(["config"], { cwd: root, env })).stdout).toMatch(new RegExp(`^hooks.after +\\[\\{"run":"touch hooked.txt"\\}\\] +${root}/loaf.yml$`, "m"));
  });

  describe.skipIf(!hasPseudoTerminal)("at a terminal", () => {
    test("shows a changed loaf.yml and asks: only a yes is remembered", async () => {
      const root = project({ "loaf.yml": hooked });
      const env = { XDG_STATE_HOME: createFolder() };
      await runLoaf(["trust"], { cwd: root, env });
      writeFileSync(join(root, "loaf.yml"), hooked.replace("hooked.txt", "hooked.txt again.txt"));
      const refused = await atTerminal(["run", "answer.md"], { cwd: root, env, answers: ["\n"] });
      expect(refused.screen).toContain("+hooks: {after: [{run: touch hooked.txt again.txt}]}\nloaf.yml has changed since it was trusted (it asks for: hooks.after). Trust it as it is now? [y]es, [n]o (Enter: no)");
      expect(refused.screen).toContain("WARNING: loaf.yml has changed since it was trusted");
      expect(read(root, "again.txt")).toBeUndefined();
      const agreed = await atTerminal(["run", "--yes", "answer.md"], { cwd: root, env, answers: ["y\n"] });
      expect(agreed.screen).not.toContain("WARNING");
      expect(read(root, "again.txt")).toBe("");
      expect((await atTerminal(["run", "--again", "answer.md"], { cwd: root, env, answers: [] })).screen).not.toContain("Trust it");
    });

    test.each([["Ctrl-C", "\u0003"], ["the end of input", "\u0004"]])("%s at the question runs nothing", async (_, typed) => {
      const root = project({ "loaf.yml": hooked });
      const env = { XDG_STATE_HOME: createFolder() };
      await runLoaf(["trust"], { cwd: root, env });
      writeFileSync(join(root, "loaf.yml"), hooked.replace("hooked.txt", "other.txt"));
      const { code, screen } = await atTerminal(["run", "answer.md"], { cwd: root, env, answers: [typed] });
      expect([code, read(root, "a.txt"), read(root, "hooked.txt"), read(root, "other.txt")]).toEqual([2, undefined, undefined, undefined]);
      expect(screen).toMatch(/\nStopped at the question: nothing was run or changed\n$/);
      expect((await atTerminal(["trust"], { cwd: root, env, answers: [typed] })).code).toBe(2);
      expect((await atTerminal(["run", "answer.md"], { cwd: root, env, answers: ["n\n"] })).screen).toContain("WARNING: loaf.yml has changed since it was trusted");
    });

    test("loaf trust fits on one screen, with all that it opens and as much of the change as there is room for", async () => {
      const root = project({ "loaf.yml": hooked });
      const env = { XDG_STATE_HOME: createFolder() };
      await runLoaf(["trust"], { cwd: root, env });
      writeFileSync(join(root, "loaf.yml"), `${hooked}${Array.from({ length: 60 }, (_, index) => `# ${index}\n`).join("")}`);
      const { screen } = await atTerminal([], { cwd: root, env, shell: "stty rows 24 cols 80; $LOAF trust", answers: ["n\n"] });
      expect(screen.trimEnd().split("\n").length).toBeLessThanOrEqual(24);
      expect(screen).toMatch(/… \d+ more lines of the change: read loaf\.yml/);
      expect(screen).toContain("touch hooked.txt");
    });

    test("loaf trust asks before it trusts", async () => {
      const root = project({ "loaf.yml": hooked });
      const env = { XDG_STATE_HOME: createFolder() };
      expect(await atTerminal(["trust"], { cwd: root, env, answers: ["n\n"] })).toMatchObject({ code: 2, screen: expect.stringContaining("It is not trusted: nothing was changed") });
      expect((await atTerminal(["trust"], { cwd: root, env, answers: ["y\n"] })).screen).toContain("It is trusted.");
    });
  });
});

test.runIf(hasPseudoTerminal && hasSandbox)("67: a command has no access to Loaf's terminal", async () => {
  const code = "( echo LEAK > /dev/tty ) 2> /dev/null && echo reached > told.txt || echo refused > told.txt";
  const root = createFolder({ "answer.md": printBlock("cmd", { action: "exec", lang: "bash", code }) });
  const { code: exitCode } = await atTerminal(["run", "answer.md"], { answers: [], cwd: root });
  expect([exitCode, readFileSync(join(root, "told.txt"), "utf8")]).toEqual([0, "refused\n"]);
});

describe.runIf(hasPseudoTerminal && hasSandbox)("--ask about a command", () => {
  const answer = (config = "") => createFolder({ "loaf.yml": `relative_paths: true\n${config}`, "a.txt": "old\n", "answer.md": printBlock("cmd", { action: "exec", lang: "bash", code: "echo new > a.txt; echo told; exit 3" }) });

  test("shows its output and its changes on a copy; after a no, neither lands in the project or the report", async () => {
    const root = answer();
    const { screen } = await atTerminal(["run", "--ask", "answer.md"], { cwd: root, question: "this? [", answers: ["y\n", "n\n"] });
    expect(screen).toMatch(/cmd \(line 1\) exec bash\n[^]*It wrote:\n {2}told\nIts exit code is 3\.\n[^]*-old\n\+new\nIt ran on a copy\. Keep this\? \[y\]es, \[n\]o, \[c\]omment, \[q\]uit/);
    expect(screen).toMatch(/❌ cmd exec bash: .*\n {3}Refused by the user\n/);
    expect(readFileSync(join(root, ".loaf/output.md"), "utf8")).not.toContain("told");
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("old\n");
  });

  test("after a yes both land", async () => {
    const root = answer();
    await atTerminal(["run", "--ask", "answer.md"], { cwd: root, question: "this? [", answers: ["y\n", "y\n"] });
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("new\n");
  });

  test("asks before the start, and after a no does not run it", async () => {
    const root = answer();
    const { screen } = await atTerminal(["run", "--ask", "answer.md"], { cwd: root, question: "Run this?", answers: ["n\n"] });
    expect(screen).not.toContain("It wrote");
    expect(screen).toMatch(/❌ cmd exec bash: .*\n {3}Refused by the user\n/);
  });

  test("asks only before the start if it has network access or works on the files themselves", async () => {
    for (const options of [["--sandbox", "off"], []]) {
      const root = answer();
      const { screen } = await atTerminal(["run", "--ask", ...options, "answer.md"], { cwd: root, env: { XDG_CONFIG_HOME: createFolder({ "loaf/config.yml": "exec: {network: true}\n" }) }, question: "Run this?", answers: ["n\n"] });
      expect(screen).not.toContain("It wrote");
      expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("old\n");
    }
  });
});

test.runIf(hasSandbox)("--no-exec runs everything but commands", async () => {
  const root = createFolder({ "loaf.yml": "relative_paths: true\nedits: {match: exact, final_newline: as-is}\n", "answer.md": block("cmd", { action: "exec", lang: "bash", code: "echo x > x" }) + write("wrt", "a.txt", "a") });
  const { stdout } = await runLoaf(["run", "--no-exec", "answer.md"], { cwd: root });
  expect(stdout).toContain("cmd ❌ exec bash - Not run: the user allows no commands (--no-exec)\nwrt ✅ file_write a.txt\n");
  expect(readdirSync(root).toSorted()).toEqual(["a.txt", "answer.md", "loaf.yml"]);
});

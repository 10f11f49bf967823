/** Blocks of earlier answers are recognised: an edit that is not undone is not applied a second time. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { printBlock } from "../../../src/syntaxes/nesl/teach.ts";
import { atTerminal, hasPseudoTerminal } from "../../support/at-terminal.ts";
import { createFolder } from "../../support/folder.ts";
import { runLoaf } from "../../support/run-loaf.ts";

const append = (id: string, text: string) => printBlock(id, { action: "file_append", path: "a.txt", content: text });
const read = printBlock("rea", { action: "file_read", path: "a.txt" });

/** A project whose runs share a journal. */
function project(...blocks: readonly string[]) {
  const root = createFolder({ "loaf.yml": "relative_paths: true\nedits: {match: exact, final_newline: as-is}\n", "a.txt": "", "answer.md": "" });
  const env = { XDG_STATE_HOME: createFolder() };
  const write = (...some: readonly string[]) => writeFileSync(join(root, "answer.md"), `Some words.\n${some.join("\n")}\n`);
  write(...blocks);
  return {
    root,
    env,
    write,
    text: () => readFileSync(join(root, "a.txt"), "utf8"),
    loaf: (...args: readonly string[]) => runLoaf(args, { cwd: root, env }),
    run: (...args: readonly string[]) => runLoaf(["run", ...args, "answer.md"], { cwd: root, env }),
  };
}

test("a second run of an answer applies only new edits, repeats reads, and says how to apply all", async () => {
  const { write, text, run } = project(append("aaa", "1"), read);
  await run();
  write(append("aaa", "1"), read, append("bbb", "2"));
  const { code, stdout, stderr } = await run();
  expect(code).toBe(0);
  expect(stdout).toContain("aaa ✅ file_append a.txt - already applied in run 1\nrea ✅ file_read a.txt\nbbb ✅ file_append a.txt\n");
  expect(stderr).toContain("1 edit of this answer was applied before, by run 1, and not applied again: loaf log says what can be undone, loaf run --again applies everything a second time\n");
  expect(text()).toBe("12");
});

test("an answer without new edits is no failure, and makes no run", async () => {
  const { text, run, loaf } = project(append("aaa", "1"));
  await run();
  expect(await run()).toMatchObject({ code: 0, stdout: expect.stringContaining("already applied in run 1") });
  expect([text(), (await loaf("log")).stdout.match(/^ *\d+ /gm)]).toEqual(["1", [expect.stringContaining("1")]]);
});

test("--again applies all", async () => {
  const { text, run } = project(append("aaa", "1"));
  await run();
  await run("--again");
  expect(text()).toBe("11");
});

test("undone edits do not count until they are redone", async () => {
  const { text, run, loaf } = project(append("aaa", "1"));
  await run();
  await loaf("undo");
  await loaf("redo");
  expect((await run()).stdout).toContain("already applied in run 1");
  await loaf("undo");
  await run();
  expect(text()).toBe("1");
});

test("retries failed edits, makes those again whose effect is gone, and treats a changed block as another one", async () => {
  const edit = (text: string) => printBlock("edi", { action: "file_replace_text", path: "a.txt", old_text: "one", new_text: text });
  const { root, write, text, run } = project(edit("two"), append("aaa", "x"));
  await run();
  writeFileSync(join(root, "a.txt"), "one");
  expect((await run()).stdout).toContain("edi ✅ file_replace_text a.txt\naaa ✅ file_append a.txt\n");
  write(append("aaa", "y"));
  await run();
  expect(text()).toBe("twoxy");
});

test("the same block twice in one answer is applied twice, then recognised twice", async () => {
  const { write, text, run } = project(append("aaa", "1"), append("aaa", "1"));
  await run();
  expect(text()).toBe("11");
  write(append("aaa", "1"), append("aaa", "1"), append("aaa", "1"));
  await run();
  expect(text()).toBe("111");
});

test("a dry run, JSON, a stream and the older syntaxes recognise it too", async () => {
  const { write, text, run, root, env } = project(append("aaa", "1"));
  await run();
  expect((await run("--dry-run")).stdout).toMatch(/already applied in run 1[^]*Nothing would change/);
  expect(JSON.parse((await run("--json")).stdout)).toMatchObject({ success: true, executedActions: 0, results: [{ success: true, appliedIn: 1 }] });
  expect((await runLoaf(["run", "--stream"], { cwd: root, env, input: `${append("aaa", "1")}\n` })).stdout).toContain("already applied in run 1");
  const tasks = (more: string) => `<---TASKS--->\n<---WRITE file="a.txt" append="true"--->\n2\n<---END--->\n<---SEARCH file="a.txt"--->\n12\n<---REPLACE--->\nx\n<---END--->\n${more}<---END--->`;
  write(tasks(""));
  await run();
  write(tasks('<---WRITE file="a.txt" append="true"--->\n3\n<---END--->\n'));
  const again = await run("--format", "csl");
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining("[task-1.1] SKIP: WRITE - a.txt: already applied in run 2\n[task-1.2] SKIP: SEARCH - a.txt: already applied in run 2\n[task-1.3] SUCCESS: WRITE - a.txt\n") });
  expect(text()).toBe("x3");
});

describe.skipIf(!hasPseudoTerminal)("at a terminal", () => {
  test("asks: Enter means no, and a yes applies all", async () => {
    const { root, env, text, run } = project(append("aaa", "1"), append("bbb", "2"));
    await run();
    const refused = await atTerminal(["run", "answer.md"], { cwd: root, env, answers: ["\n"] });
    expect(refused.screen).toContain("2 edits of this answer were applied before, by run 1, and not undone since.\nApply them again? [y]es, [n]o (Enter: no)");
    expect(text()).toBe("12");
    await atTerminal(["run", "answer.md"], { cwd: root, env, answers: ["y\n"] });
    expect(text()).toBe("1212");
  });

  test("a no skips the edits, and runs the rest of the answer, as the question says", async () => {
    const { root, env, text, run } = project(append("aaa", "1"), printBlock("rea", { action: "file_read", path: "a.txt" }));
    await run();
    const { screen } = await atTerminal(["run", "answer.md"], { cwd: root, env, answers: ["\n"] });
    expect(screen).toContain("1 edit of this answer was applied before, by run 1, and not undone since. The rest of the answer, commands included, runs either way.\nApply it again? [y]es, [n]o (Enter: no)");
    expect(screen).toContain("✅ rea file_read a.txt");
    expect(text()).toBe("1");
  });

  test.each([["Ctrl-C", "\u0003"], ["the end of input", "\u0004"]])("%s is no answer: nothing of the answer runs", async (_, typed) => {
    const { root, env, text, write, run } = project(append("aaa", "1"));
    await run();
    write(append("aaa", "1"), printBlock("new", { action: "file_write", path: "new.txt", content: "x" }));
    const { code, screen } = await atTerminal(["run", "answer.md"], { cwd: root, env, answers: [typed] });
    expect([code, text(), existsSync(join(root, "new.txt"))]).toEqual([2, "1", false]);
    expect(screen).toMatch(/\nStopped at the question: nothing was run or changed\n$/);
  });

  test("--yes does not answer that, and a new answer needs no question", async () => {
    const { root, env, text, write, run } = project(append("aaa", "1"));
    await run();
    const { screen } = await atTerminal(["run", "--yes", "answer.md"], { cwd: root, env, answers: [] });
    write(append("new", "2"));
    const other = await atTerminal(["run", "answer.md"], { cwd: root, env, answers: [] });
    expect(`${screen}${other.screen}`).not.toMatch(/Apply \w+ again\?/);
    expect(text()).toBe("12");
  });
});

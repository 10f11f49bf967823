/** A whole session at the terminal: the screen as drawn by tmux. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { printBlock } from "../../../src/syntaxes/nesl/teach.ts";
import { hasTmux, openTerminal, until } from "../../support/tmux.ts";

/** Starts `loaf watch` with trusted hooks, and then changes them in loaf.yml. */
async function watchWithChangedHooks() {
  const terminal = openTerminal();
  const { root, keys, shows } = terminal;
  const configure = (name: string) => writeFileSync(join(root, "loaf.yml"), `relative_paths: true\nhooks: {after: [{run: touch ${name}.hooked}]}\n`);
  configure("first");
  keys("loaf trust", "Enter");
  await shows(/\(Enter: no\)$/m);
  keys("y", "Enter");
  await shows(/It is trusted\./);
  keys("clear; loaf watch", "Enter");
  await shows(/q quit/);
  configure("second");
  return { ...terminal, configure };
}

describe.skipIf(!hasTmux)("at a terminal", () => {
  test("the demo breaks no word of its report at 80 columns", async () => {
    const { keys, shows } = openTerminal({ columns: 80 });
    keys("loaf demo | grep -A 1 b6h", "Enter");
    await shows(/^b6h ❌ .* must appear\nexactly once$/m);
  });

  test("init, watch, an answer, a failure, its fix, undo, quit", async () => {
    const { root, screen, keys, shows } = openTerminal();
    keys("loaf init", "Enter");
    await shows(/commit each run.*\[Y\/n\]/);
    keys("Enter");
    await shows(/differ from the file in formatting.*\[Y\/n\]/);
    keys("Enter");
    await shows(/Use the clipboard.*\[y\/N\]/);
    keys("n", "Enter");
    await shows(/3\. Paste the report/);
    expect(existsSync(join(root, "loaf.yml"))).toBe(true);

    keys("clear; loaf watch", "Enter");
    await shows(/^Reports are in \.loaf\/output\.md$/m);
    await shows(/^Watching loaf-input\.md: save an answer into it · r run again · u undo · c copy the report · h help · q quit$/m);

    const input = join(root, "loaf-input.md");
    writeFileSync(input, printBlock("one", { action: "file_write", path: "greeting.txt", content: "Hello\n" }));
    await shows(/✅ one file_write greeting\.txt {2}\+1\n1 file, \+1 · u takes it back/);

    const edit = (from: string) => printBlock("two", { action: "file_replace_text", path: "greeting.txt", old_text: from, new_text: "Good day" });
    writeFileSync(input, edit("Hallo"));
    await shows(/❌ two file_replace_text greeting\.txt\n {3}old_text not found in file\n(?: {3}.*\n)*nothing changed · 1 refused/);
    expect(readFileSync(input, "utf8")).toMatch(/^=== LOAF RESULTS ===\ntwo ❌ file_replace_text greeting\.txt - old_text not found in file\n/);

    writeFileSync(input, edit("Hello"));
    await shows(/✅ two file_replace_text greeting\.txt {2}\+1 −1\n1 file, \+1 −1 · u takes it back/);
    expect(readFileSync(join(root, "greeting.txt"), "utf8")).toBe("Good day\n");

    keys("u");
    await shows(/greeting\.txt/);
    await until(() => readFileSync(join(root, "greeting.txt"), "utf8") === "Hello\n", screen);

    keys("/nonsense", "Enter");
    await shows(/There is no \/nonsense here\. Available: \/undo \/redo/);
    keys("h");
    await shows(/u {2}undo the last run/);
    keys("q");
    await until(() => screen().trimEnd().match(/\n[$#]$/) !== null, screen);
    keys("echo ended $?", "Enter");
    await shows(/^ended 0$/m);
  });

  test("context pick: tree, ticks, filter, Enter prints, Esc changes nothing", async () => {
    const { keys, shows, screen } = openTerminal({ files: { "README.md": "hello\n", "src/app.ts": "const a = 1;\n", "src/lib/one.ts": "one\n", ".env": "KEY=1\n", ".gitignore": "dist\n", "dist/out.js": "x\n" } });
    keys("clear; loaf context pick", "Enter");
    await shows(/^0 ticked, about 0 tokens$/m);
    expect(screen()).not.toMatch(/\.env|dist\//);
    keys("End", "Right", "Down", "Space");
    await shows(/^1 ticked, about 6 tokens$/m);
    await shows(/^ \[-\] ▾ src\//m);
    keys("/", "one", "Enter", "Space");
    await shows(/^2 ticked, about \d+ tokens · \/one$/m);
    keys("Enter");
    await shows(/=== START FILE: src\/lib\/one\.ts ===/);
    keys("clear; loaf context pick", "Enter");
    await shows(/^2 ticked/m);
    keys("Space");
    await shows(/^3 ticked/m);
    keys("Escape");
    await until(() => !screen().includes("ticked"), screen);
    keys("clear; loaf context list", "Enter");
    await shows(/src\/app\.ts .*\nsrc\/lib\/one\.ts .*\ntogether .*2 files/);
    expect(screen()).not.toContain("README.md");
  });

  test("the idle line of watch survives a narrower window, without remains", async () => {
    const { tmux, keys, shows, screen } = openTerminal();
    keys("loaf watch", "Enter");
    await shows(/c copy the report · h help · q quit$/m);
    tmux("resize-window", "-x", "60");
    await shows(/^Watching loaf-input\.md · h help · q quit$/m);
    expect(screen().match(/Watching/g)).toHaveLength(1);
    tmux("resize-window", "-x", "160");
    await shows(/c copy the report · h help · q quit$/m);
    expect(screen().match(/Watching/g)).toHaveLength(1);
    keys("q");
    await until(() => screen().trimEnd().match(/\n[$#]$/) !== null, screen);
  });

  test("pasted text triggers no keys, and Ctrl-C quits", async () => {
    const { root, tmux, screen, keys, shows } = openTerminal();
    keys("loaf watch", "Enter");
    await shows(/q quit/);
    writeFileSync(join(root, "pasted"), "quit\nundo\n");
    tmux("load-buffer", join(root, "pasted"));
    tmux("paste-buffer", "-p");
    await shows(/Answers are not typed here: save them into loaf-input\.md/);
    keys("C-c");
    await until(() => screen().trimEnd().match(/\n[$#]$/) !== null, screen);
  });

  test("watch --ask asks about each action; keys work in between, and Ctrl-C at a question ends only the run", async () => {
    const { root, screen, keys, shows } = openTerminal();
    const save = (id: string) => writeFileSync(join(root, "loaf-input.md"), printBlock(id, { action: "file_write", path: `${id}.txt`, content: "Hello\n" }));
    writeFileSync(join(root, "loaf.yml"), "relative_paths: true\n");
    keys("loaf watch --ask", "Enter");
    await shows(/q quit/);
    save("one");
    await shows(/one \(line 1\) file_write one\.txt\n(?:.*\n)*\+Hello\n(?:.*\n)*Run this\? .*\(Enter: no\)$/m);
    keys("u", "Enter");
    await until(() => screen().match(/Run this\?/g)?.length === 2, screen);
    keys("n", "Enter");
    await shows(/❌ one file_write one\.txt\n {3}Refused by the user/);
    save("two");
    await until(() => screen().match(/Run this\?/g)?.length === 3, screen);
    keys("y", "Enter");
    await shows(/✅ two file_write two\.txt {2}\+1\n1 file/);
    keys("u");
    await until(() => !existsSync(join(root, "two.txt")), screen);
    save("three");
    await until(() => screen().match(/Run this\?/g)?.length === 4, screen);
    keys("C-c");
    await shows(/❌ three file_write three\.txt\n {3}Refused by the user/);
    keys("q");
    await until(() => screen().trimEnd().match(/\n[$#]$/) !== null, screen);
    keys("clear; ls *.txt; echo ended $?", "Enter");
    await shows(/^ended 2$/m);

    keys("clear; loaf watch --ask --yes", "Enter");
    await shows(/q quit/);
    save("four");
    await shows(/✅ four file_write four\.txt {2}\+1\n1 file/);
    expect(screen()).not.toContain("Run this?");
  });

  test("--ask shows a change taller than the screen page by page, and the question of a second run breaks between words", async () => {
    const long = printBlock("one", { action: "file_write", path: "long.txt", content: "line\n".repeat(60) });
    const answer = `${long}\n${printBlock("two", { action: "file_read", path: "long.txt" })}\n`;
    const { root, keys, shows } = openTerminal({ files: { "loaf.yml": "relative_paths: true\nedits: {match: exact, final_newline: as-is}\n", "answer.md": answer }, columns: 80 });
    keys("loaf run --ask answer.md", "Enter");
    await shows(/^Lines 1-44 of 65: Enter shows more and asks at the end, \[n\]o refuses it$/m);
    keys("Enter");
    await shows(/Run file_write long\.txt\? \[y\]es/);
    keys("y", "Enter");
    await shows(/two \(line \d+\) file_read long\.txt\nRun this\?/);
    keys("y", "Enter");
    await shows(/1 file, \+60/);
    keys("clear; loaf run answer.md", "Enter");
    await shows(/^1 edit of this answer was applied before, by run 1, and not undone since\. The\nrest of the answer, commands included, runs either way\.\nApply it again\?/m);
    keys("C-c");
    await shows(/Stopped at the question/);
    expect(readFileSync(join(root, "long.txt"), "utf8")).toBe("line\n".repeat(60));
  });

  test("Ctrl-C at the question about a changed loaf.yml runs nothing and keeps watching; r asks again", async () => {
    const { root, screen, keys, shows } = await watchWithChangedHooks();
    writeFileSync(join(root, "loaf-input.md"), printBlock("one", { action: "file_write", path: "one.txt", content: "Hello\n" }));
    await shows(/Trust it as it is now\? .*\(Enter: no\)$/m);
    keys("C-c");
    await shows(/Stopped at the question: nothing was run or changed\. Press r/);
    await setTimeout(1_000);
    expect([existsSync(join(root, "one.txt")), screen().match(/Trust it as it is now\?/g)?.length]).toEqual([false, 1]);
    keys("r");
    await until(() => screen().match(/Trust it as it is now\?/g)?.length === 2, screen);
    keys("y", "Enter");
    await shows(/✅ one file_write.*\n1 file/);
    expect(existsSync(join(root, "second.hooked"))).toBe(true);
    keys("q");
    await until(() => screen().trimEnd().match(/\n[$#]$/) !== null, screen);
  });

  test("asks once about each change of loaf.yml; with --no-hooks no hook runs", async () => {
    const { root, screen, keys, shows, configure } = await watchWithChangedHooks();
    const save = (id: string) => writeFileSync(join(root, "loaf-input.md"), printBlock(id, { action: "file_write", path: `${id}.txt`, content: "Hello\n" }));
    const wasHooked = (name: string) => existsSync(join(root, `${name}.hooked`));
    save("one");
    await shows(/\+hooks: \{after: \[\{run: touch second\.hooked\}\]\}\nloaf\.yml has changed since it was trusted .*\(Enter: no\)$/m);
    keys("n", "Enter");
    await shows(/WARNING: loaf\.yml has changed since it was trusted/);
    await shows(/✅ one file_write/);
    save("two");
    await shows(/✅ two file_write/);
    expect(screen().match(/Trust it as it is now\?/g)).toHaveLength(1);
    // The results of the second text are a change of the file too, for which loaf.yml is read once more.
    await setTimeout(1_000);
    configure("third");
    save("three");
    await until(() => screen().match(/Trust it as it is now\?/g)?.length === 2, screen);
    keys("y", "Enter");
    await shows(/✅ three file_write.*\n1 file/);
    expect(["first", "second", "third"].map(wasHooked)).toEqual([false, false, true]);
    keys("q");
    await until(() => screen().trimEnd().match(/\n[$#]$/) !== null, screen);

    keys("clear; rm *.hooked; loaf watch --no-hooks", "Enter");
    await shows(/q quit/);
    save("four");
    await shows(/✅ four file_write.*\n1 file/);
    expect(wasHooked("third")).toBe(false);
  });
});

/** `loaf watch` at a terminal: keys, commands, stopping, and questions. */
import { randomUUID } from "node:crypto";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { printBlock } from "../../../src/syntaxes/nesl/teach.ts";
import { createFolder } from "../../support/folder.ts";
import { openTab } from "../../web/open-page.ts";
import { hasTmux, openTerminal, type Terminal, until } from "../../support/tmux.ts";

const SETTINGS = "relative_paths: true\n";
const write = (id: string) => printBlock(id, { action: "file_write", path: `${id}.txt`, content: "Hello\n" });
const command = (id: string, code: string) => printBlock(id, { action: "exec", lang: "bash", code });
const saveIn = (root: string, ...blocks: readonly string[]) => writeFileSync(join(root, "loaf-input.md"), blocks.join("\n"));
const hasEnded = ({ screen }: Terminal) => until(() => screen().trimEnd().match(/\n[$#]$/) !== null, screen);

describe.skipIf(!hasTmux)("loaf watch at a terminal", () => {
  test("r runs the text again, c copies the report or says why not, /undo and /redo work like the commands", async () => {
    const terminal = openTerminal({ files: { "loaf.yml": SETTINGS } });
    const { root, keys, shows, screen } = terminal;
    keys("loaf watch", "Enter");
    await shows(/q quit/);
    keys("c");
    await shows(/There is no report yet/);
    saveIn(root, printBlock("one", { action: "file_append", path: "log", content: "x\n" }));
    await shows(/✅ one file_append log {2}\+1\n1 file, \+1 · u takes it back/);
    keys("r");
    await until(() => screen().match(/1 file, \+1 · u takes it back/g)?.length === 2, screen);
    expect(readFileSync(join(root, "log"), "utf8")).toBe("x\nx\n");
    keys("c");
    await shows(/Sent to the clipboard through the terminal/);
    keys("/undo", "Enter");
    await until(() => readFileSync(join(root, "log"), "utf8") === "x\n", screen);
    // While a command has the terminal, keys are not read.
    await shows(/q quit$/m);
    keys("/redo", "Enter");
    await until(() => readFileSync(join(root, "log"), "utf8") === "x\nx\n", screen);
    await shows(/q quit$/m);
    saveIn(root, "Which file do you mean?\n");
    await shows(/^nothing to run\nloaf instructions prints what tells the model/m);
    keys("/un");
    await shows(/^\/un$/m);
    keys("C-c");
    await shows(/^Watching loaf-input\.md: .* q quit$/m);
    keys("q");
    await hasEnded(terminal);
  });

  test("p opens the review page, which shows what is saved while its tab is open; then it runs again", async () => {
    const browser = createFolder({ "open.sh": '#!/bin/sh\necho "$1" > "$0.address"\n' });
    const script = join(browser, "open.sh");
    chmodSync(script, 0o755);
    const terminal = openTerminal({ files: { "loaf.yml": SETTINGS }, env: { BROWSER: script } });
    const { root, keys, shows, screen } = terminal;
    keys("loaf watch", "Enter");
    await shows(/q quit/);
    keys("p");
    await shows(/The page is open in your browser/);
    const address = new URL(readFileSync(`${script}.address`, "utf8").trim());
    const tab = await openTab(Number(address.port), randomUUID(), address.hash.slice(1));
    expect(tab.status).toBe(200);
    saveIn(root, write("one"));
    await until(() => tab.events.some(({ kind }) => kind === "answer"), screen);
    expect(existsSync(join(root, "one.txt"))).toBe(false);
    tab.close();
    await until(() => /The page is closed/.test(screen()), screen, 15_000);
    saveIn(root, write("two"));
    await until(() => existsSync(join(root, "two.txt")), screen);
    keys("q");
    await hasEnded(terminal);
  });

  test("without a keyboard, it names no keys", async () => {
    const { root, keys, shows, screen } = openTerminal({ files: { "loaf.yml": SETTINGS } });
    keys("loaf watch < /dev/null", "Enter");
    await shows(/^Watching loaf-input\.md · Ctrl-C quits$/m);
    saveIn(root, printBlock("one", { action: "file_append", path: "log", content: "x\n" }));
    await shows(/1 file, \+1 · loaf undo takes it back/);
    expect(screen()).not.toContain("r run again");
    keys("C-c");
  });

  test("Ctrl-C stops between actions, and names those that did not run; watching continues, and r runs them", async () => {
    const terminal = openTerminal({ files: { "loaf.yml": SETTINGS } });
    const { root, keys, shows, screen } = terminal;
    keys("loaf watch --yes", "Enter");
    await shows(/q quit/);
    saveIn(root, command("one", "sleep 3"), write("two"));
    await shows(/one exec bash: sleep 3 {2}\d s/);
    keys("C-c");
    await shows(/Stopping after the current action; Ctrl-C again kills a running command/);
    await shows(/✅ one exec bash: sleep 3 {2}[\d.]+ s\n❌ two file_write two\.txt\n {3}Not run: the run was stopped before this action\nnothing changed · 1 not run/);
    expect(existsSync(join(root, "two.txt"))).toBe(false);
    keys("r");
    await shows(/✅ two file_write two\.txt {2}\+1\n1 file/);
    keys("q");
    await hasEnded(terminal);
    expect(screen()).not.toContain("Stopping the running command");
  });

  test("a second Ctrl-C ends the running command", async () => {
    const terminal = openTerminal({ files: { "loaf.yml": SETTINGS } });
    const { root, keys, shows } = terminal;
    keys("loaf watch --yes", "Enter");
    await shows(/q quit/);
    saveIn(root, command("one", "sleep 600"), write("two"));
    await shows(/one exec bash: sleep 600 {2}\d s/);
    keys("C-c");
    await shows(/Ctrl-C again kills a running command/);
    keys("C-c");
    await shows(/❌ one exec bash: sleep 600.*\n {3}Process stopped by the user\n❌ two file_write two\.txt\n {3}Not run/);
    keys("C-c");
    await hasEnded(terminal);
  });

  test("a third Ctrl-C ends Loaf itself, even if a hook hangs", async () => {
    // A hook is the user's own command, which only its timeout ends.
    const terminal = openTerminal({ files: { "loaf.yml": `${SETTINGS}hooks: {after: [{run: sleep 20}]}\n` } });
    const { root, keys, shows } = terminal;
    keys("loaf trust", "Enter");
    await shows(/\(Enter: no\)$/m);
    keys("y", "Enter");
    await shows(/It is trusted/);
    keys("clear; loaf watch", "Enter");
    await shows(/q quit/);
    saveIn(root, write("one"));
    await until(() => existsSync(join(root, "one.txt")), terminal.screen);
    keys("C-c");
    await shows(/Stopping after/);
    keys("C-c");
    await shows(/Stopping the running command; Ctrl-C again stops Loaf at once/);
    keys("C-c");
    await hasEnded(terminal);
    keys("echo ended $?", "Enter");
    await shows(/^ended 130$/m);
  });

  test("a bell rings after runs of ten seconds or more, without the time for questions", async () => {
    // The clock of the process jumps by eleven seconds once a file exists.
    const clock = "import { existsSync } from 'node:fs'; const real = performance.now.bind(performance); performance.now = () => real() + (existsSync('later') ? 11_000 : 0);";
    const terminal = openTerminal({ files: { "loaf.yml": SETTINGS, "clock.mjs": clock }, node: "--import ./clock.mjs" });
    const { root, tmux, keys, shows, screen } = terminal;
    const bells = () => (existsSync(join(root, "bells")) ? readFileSync(join(root, "bells"), "latin1").split("\u0007").length - 1 : 0);
    keys("loaf watch", "Enter");
    await shows(/q quit/);
    tmux("pipe-pane", `cat > '${join(root, "bells")}'`);
    saveIn(root, write("one"));
    await shows(/✅ one file_write one\.txt {2}\+1\n1 file/);
    expect(bells()).toBe(0);
    saveIn(root, printBlock("two", { action: "file_write", path: "later", content: "" }));
    await shows(/✅ two file_write later\n1 file · u/);
    await until(() => bells() === 1, screen);
    keys("q");
    await hasEnded(terminal);

    keys("rm later; clear; loaf watch --ask", "Enter");
    await shows(/q quit/);
    saveIn(root, write("three"));
    await shows(/Run this\? .*\(Enter: no\)$/m);
    writeFileSync(join(root, "later"), "");
    keys("y", "Enter");
    await shows(/✅ three file_write three\.txt {2}\+1\n1 file/);
    expect(bells()).toBe(1);
  });

  test("with --ask each question says which block of the saved text it is about, and what the model says above it", async () => {
    const { root, keys, shows } = openTerminal({ files: { "loaf.yml": SETTINGS } });
    keys("loaf watch --ask", "Enter");
    await shows(/q quit/);
    saveIn(root, write("one"), "\nThen the second file.\n", write("two"));
    await shows(/\n1 of 2: one \(line 1\) file_write one\.txt\n/);
    keys("y", "Enter");
    await shows(/\nThen the second file\.\n2 of 2: two /);
    keys("n", "Enter");
    await shows(/Refused by the user/);
    saveIn(root, write("last"));
    await shows(/\nlast \(line \d+\) file_write last\.txt\n/);
  });

  test("input typed before a question is not an answer to it, whether a line or part of one", async () => {
    const terminal = openTerminal({ files: { "loaf.yml": SETTINGS, "answer.md": `${write("one")}\n${write("two")}` } });
    const { root, keys, shows, screen } = terminal;
    keys("sleep 1; loaf run --ask answer.md", "Enter");
    keys("y", "Enter", "y", "Enter", "y");
    await shows(/Run this\? .*\(Enter: no\)$/m);
    keys("Enter");
    await until(() => screen().match(/Run this\?/g)?.length === 2, screen);
    keys("y", "Enter");
    await shows(/❌ one file_write one\.txt\n {3}Refused by the user\n[^]*✅ two file_write two\.txt {2}\+1\n(?:.*\n)?1 file/);
    expect([existsSync(join(root, "one.txt")), existsSync(join(root, "two.txt"))]).toEqual([false, true]);
  });
});

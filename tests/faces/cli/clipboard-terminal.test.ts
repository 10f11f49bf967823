/** The clipboard at a terminal that tmux draws: copying through the terminal itself, and copied answers that are asked about. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { fakeClipboard } from "../../support/fake-clipboard.ts";
import { createFolder } from "../../support/folder.ts";
import { hasTmux, openTerminal, until } from "../../support/tmux.ts";
import { block, write } from "./answers.ts";

const SETTINGS = "relative_paths: true\n";
const answer = write("abc", "a.txt", "Grüße\n");
const contentOf = (root: string, name: string) => (existsSync(join(root, name)) ? readFileSync(join(root, name), "utf8") : undefined);

describe.skipIf(!hasTmux)("without a clipboard program that works, --copy", () => {
  const open = (files: Readonly<Record<string, string>> = {}) => {
    const terminal = openTerminal({ files: { "loaf.yml": SETTINGS, "answer.md": answer, ...files } });
    terminal.tmux("set-option", "-g", "set-clipboard", "on");
    return { ...terminal, buffer: () => terminal.tmux("list-buffers") !== "" && terminal.tmux("show-buffer") };
  };
  const report = "=== LOAF RESULTS ===\nabc ✅ file_write a.txt\n=== END ===\n\n=== OUTPUTS ===\n=== END ===";

  test("copies through the terminal, says so, and keeps the report in the output file", async () => {
    const { root, keys, screen, buffer } = open();
    keys("loaf run --copy answer.md", "Enter");
    const sentence = "Sent to the clipboard through the terminal (OSC 52): if pasting gives something else, allow that in the terminal's settings; the report is also in .loaf/output.md";
    await until(() => screen().replaceAll(/\s/g, "").includes(sentence.replaceAll(" ", "")), screen);
    expect([buffer(), contentOf(root, ".loaf/output.md")]).toEqual([report, `${report}\n`]);
  });

  test("reaches the terminal around tmux, which is another tmux here", async () => {
    const { root, tmux, keys, shows, screen, buffer } = open();
    const inner = join(root, "inner");
    keys(`env -u TMUX tmux -S ${inner} -f /dev/null new-session sh`, "Enter");
    await shows(/\[0\] 0:/);
    onTestFinished(() => void spawnSync("/usr/bin/tmux", ["-S", inner, "kill-server"]));
    for (const option of [["set-clipboard", "off"], ["allow-passthrough", "on"]]) spawnSync("/usr/bin/tmux", ["-S", inner, "set-option", "-g", ...option]);
    expect(tmux("list-buffers")).toBe("");
    keys("loaf run --copy answer.md", "Enter");
    await until(() => buffer() === report, screen);
  });

  test("writes nothing of that into a pipe or a file", async () => {
    const { root, keys, shows, buffer } = open();
    keys("loaf run --copy answer.md 2> errors | cat > out; echo done", "Enter");
    await shows(/^done$/m);
    expect([buffer(), contentOf(root, "out"), contentOf(root, "errors")?.includes("\u001b")]).toEqual([report, `${report}\n`, false]);
  });

  test("copies no text that terminals would cut or ignore, and prints it instead", async () => {
    const names = ["a.md", "b.md"];
    const files = Object.fromEntries(names.map((name) => [name, "Grüße\n".repeat(5_000)]));
    const { keys, shows, screen, buffer } = open({ ...files, "loaf.yml": `${SETTINGS}report: {max_tokens: 100000}\n`, "answer.md": names.map((name, index) => block(`id${index}`, { action: "file_read", path: name })).join("") });
    keys("loaf trust; clear; loaf run --copy answer.md 2>&1 | tail -c 400; echo done", "Enter");
    await shows(/\(Enter: no\)$/m);
    keys("y", "Enter");
    await shows(/^done$/m);
    expect(screen().replaceAll("\n", "")).toMatch(/The clipboard cannot be reached: .*The terminal takes at most 74 KB, and this is 81 KB/);
    expect(buffer()).toBe(false);
  });

  test.each(["dumb", "linux"])("does not write to a terminal that would print it: TERM=%s", async (term) => {
    const { keys, shows, buffer } = open();
    keys(`clear; TERM=${term} loaf run --copy answer.md > out; echo done`, "Enter");
    await shows(/^The clipboard cannot be reached: [^]*^done$/m);
    expect(buffer()).toBe(false);
  });

  test("in loaf watch the reports are copied that way too", async () => {
    const { keys, shows, buffer } = open({ "loaf-input.md": answer });
    keys("loaf watch --copy", "Enter");
    await shows(/Sent to the clipboard through the terminal/);
    expect(buffer()).toBe(report);
    keys("q");
  });
});

describe.skipIf(!hasTmux)("an answer pasted into loaf run -", () => {
  const paste = async (text: string) => {
    const terminal = openTerminal({ files: { "loaf.yml": SETTINGS } });
    terminal.keys("clear; loaf run - > out; echo ended $?", "Enter");
    await new Promise((resolve) => void setTimeout(resolve, 1_000));
    terminal.tmux("set-buffer", "-b", "answer", text);
    terminal.tmux("paste-buffer", "-b", "answer");
    terminal.keys("Enter", "C-d");
    await terminal.shows(/^ended \d$/m);
    return terminal;
  };

  test("runs", async () => {
    const { root } = await paste(answer);
    expect(contentOf(root, "a.txt")).toBe("Grüße\n");
  });

  test("is refused if the terminal cut a line", async () => {
    const { root, screen } = await paste(write("abc", "a.txt", "x".repeat(5_000)));
    expect(screen()).toMatch(/^Line 4 is so long that the terminal may have cut it off, so nothing was run: save the answer into a file, and run that$/m);
    expect(contentOf(root, "a.txt")).toBeUndefined();
  });
});

describe.skipIf(!hasTmux)("with watch.clipboard.read: ask, loaf watch", () => {
  const watching = async (clipboard = fakeClipboard("there before")) => {
    const config = createFolder({ "loaf/config.yml": `${SETTINGS}watch: {clipboard: {read: ask, write: true}}\n` });
    const terminal = openTerminal({ files: { "loaf-input.md": "" }, env: { ...clipboard.env, XDG_CONFIG_HOME: config } });
    terminal.keys("loaf watch", "Enter");
    await terminal.shows(/q quit$/m);
    // It has read what was there before.
    await terminal.shows(/Watching/);
    await new Promise((resolve) => void setTimeout(resolve, 1_500));
    return { ...terminal, clipboard };
  };

  test("shows a copied answer with its changes, asks, runs it, and copies the report; it does not ask about it twice", async () => {
    const { root, keys, shows, screen, clipboard } = await watching();
    clipboard.copy(`Here you are:\n${answer}`);
    await shows(/An answer was copied\. It would do this; its commands have not run:[^]*\+Grüße[^]*abc file_write a\.txt[^]*Run it\? \[y\]es, \[n\]o \(Enter: no\)$/m);
    expect(contentOf(root, "a.txt")).toBeUndefined();
    keys("y", "Enter");
    await until(() => clipboard.text()?.startsWith("=== LOAF RESULTS ===\nabc ✅") === true, screen);
    expect(contentOf(root, "a.txt")).toBe("Grüße\n");
    clipboard.copy(`The same again:\n${answer}`);
    await shows(/The copied answer ran before, and did not run again: loaf paste asks, and runs it again/);
    keys("q");
  });

  test("runs nothing after a no or Ctrl-C, asks when it is copied again, and leaves text without blocks alone", async () => {
    const { root, keys, shows, screen, clipboard } = await watching();
    clipboard.copy(answer);
    await shows(/Run it\? .*\(Enter: no\)$/m);
    keys("n", "Enter");
    await shows(/^Watching loaf-input\.md: .* q quit$/m);
    clipboard.copy("no answer");
    await new Promise((resolve) => void setTimeout(resolve, 1_000));
    clipboard.copy(answer);
    await until(() => screen().match(/Run it\?/g)?.length === 2, screen);
    keys("C-c");
    await shows(/^Watching loaf-input\.md: .* q quit$/m);
    clipboard.copy(`Once more:\n${answer}`);
    await until(() => screen().match(/Run it\?/g)?.length === 3, screen);
    keys("Enter");
    await shows(/^Watching loaf-input\.md: .* q quit$/m);
    expect(contentOf(root, "a.txt")).toBeUndefined();
    keys("q");
  });
});

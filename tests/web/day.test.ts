/// <reference lib="dom" />
/** A day with the review page, beside the loop of page.test.ts: pasting, the clipboard, stopping, questions, files. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, describe, expect, test } from "vitest";
import { createFolder } from "../support/folder.ts";
import { hasSandbox } from "../support/programs.ts";
import { runLoaf } from "../support/run-loaf.ts";
import { closeBrowser, comeTo, copyInChat, hasBrowser, openReview } from "./browser.ts";

const block = (id: string, properties: Readonly<Record<string, string>>): string =>
  `#!nesl [@three-char-SHA-256: ${id}]\n${Object.entries(properties).map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`).join("")}#!end_${id}\n`;
const append = (id: string, path: string): string => block(id, { action: "file_append", path, content: "two\n" });
const clipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());

describe.skipIf(!hasBrowser)("a day with the page", { timeout: 60_000 }, () => {
  afterAll(closeBrowser);

  test("where the browser gives no clipboard, an answer is pasted with Ctrl-V, or into the box, which has the focus", async () => {
    const { page, complaints } = await openReview(createFolder({ "a.txt": "one\n" }), [], { permissions: [] });
    await page.getByText("Paste it here with Ctrl-V").waitFor();
    const box = page.getByLabel("The model's answer");
    await box.fill(append("k7m", "a.txt"));
    await box.press("Control+A");
    await box.press("Control+X");
    await page.locator("h1").click();
    await page.keyboard.press("Control+V");
    await page.getByText("Run 1 change").waitFor();
    await page.getByRole("button", { name: "Paste" }).click();
    await page.getByRole("heading", { name: "Paste the answer" }).waitFor();
    await page.keyboard.insertText(append("p4q", "b.txt"));
    await page.getByText("Show what it does").click();
    await page.locator("article").getByText("p4q").waitFor();
    expect(complaints).toEqual([]);
  });

  test("an answer can come from standard input; --paste without a clipboard program says what to do instead", async () => {
    const root = createFolder({ "a.txt": "one\n" });
    const { page } = await openReview(root, ["-"], { input: append("k7m", "a.txt"), permissions: [] });
    await page.getByText("Run 1 change").waitFor();
    await page.getByText("from standard input").waitFor();
    const env = { DISPLAY: "", WAYLAND_DISPLAY: "", PATH: createFolder() };
    const { code, stderr } = await runLoaf(["review", "--paste"], { cwd: root, env });
    expect([code, stderr]).toEqual([2, expect.stringContaining("Without --paste, the page itself takes what you paste")]);
  });

  test("a report that the browser does not let be copied is copied when the page gets the focus", async () => {
    const { page } = await openReview(createFolder({ "a.txt": "one\n" }));
    await copyInChat(page, append("k7m", "a.txt"));
    await page.getByText("Run 1 change").waitFor();
    await page.evaluate(() => {
      const { clipboard } = navigator;
      const write = clipboard.writeText.bind(clipboard);
      let refused = 0;
      clipboard.writeText = (text) => (refused++ === 0 ? Promise.reject(new Error("no focus")) : write(text));
    });
    await page.keyboard.press("Enter");
    await page.getByText("The report is not on the clipboard yet").waitFor();
    expect(await clipboard(page)).not.toContain("LOAF RESULTS");
    await comeTo(page);
    await page.getByText("The report is on the clipboard").waitFor();
    expect(await clipboard(page)).toContain("=== LOAF RESULTS ===");
  });

  test("one button puts the instructions for a new chat on the clipboard, and they are no answer", async () => {
    const { page } = await openReview(createFolder({ "a.txt": "one\n" }));
    await page.getByRole("button", { name: "Instructions for a new chat" }).click();
    await page.getByText("The instructions are on the clipboard").waitFor();
    expect(await clipboard(page)).toContain("a.txt");
    await comeTo(page);
    await page.waitForTimeout(300);
    expect(await page.getByRole("heading", { name: "Copy an answer" }).isVisible()).toBe(true);
  });

  test.skipIf(!hasSandbox)("Esc stops after the current action, and a second time ends the running command", async () => {
    const root = createFolder({ "a.txt": "one\n" });
    const { page } = await openReview(root);
    await copyInChat(page, block("r2x", { action: "exec", lang: "bash", code: "echo begun; sleep 50" }) + append("k7m", "a.txt"));
    await page.getByText("Run 2 changes").waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".last", { hasText: "begun" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("stopping after this action").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { name: "Done, but not all of it" }).waitFor({ timeout: 20_000 });
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("one\n");
  });

  test("trust in a changed loaf.yml, and a protected file, are asked about on the page", async () => {
    const config = "relative_paths: true\nhooks: {after: [{run: touch hooked.txt}]}\n";
    const [root, home] = [createFolder({ "loaf.yml": config }), createFolder()];
    await runLoaf(["trust"], { cwd: root, env: { XDG_STATE_HOME: join(home, "state"), XDG_CONFIG_HOME: join(home, "config") } });
    writeFileSync(join(root, "loaf.yml"), `${config}# changed\n`);
    const { page } = await openReview(root, [], { home });
    await copyInChat(page, append("k7m", ".github/workflows/ci.yml") + append("p4q", "a.txt"));
    await page.getByText(/Run \d change/).waitFor();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("+# changed").waitFor();
    await dialog.getByRole("button", { name: /^No/ }).click();
    await dialog.getByText("is protected, since other programs run").waitFor();
    await dialog.getByRole("button", { name: /^Once/ }).click();
    await page.getByRole("heading", { name: /Done/ }).waitFor();
    expect([existsSync(join(root, "hooked.txt")), existsSync(join(root, ".github/workflows/ci.yml"))]).toEqual([false, true]);
  });

  test("files are found by their names, and a context over the chat's limit is copied in parts", async () => {
    const long = `${"a word of text ".repeat(4)}\n`.repeat(400);
    const { page, complaints } = await openReview(createFolder({ "src/one.md": long, "src/two.md": long, "other/three.md": "x\n" }));
    await page.keyboard.press("3");
    await page.getByLabel("Folder src").check();
    await page.getByText("1 entry, about").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("TWO");
    await page.getByText("1 file that the rules let be read").waitFor();
    expect(await page.locator(".entry").allTextContents()).toEqual([expect.stringContaining("src/"), expect.stringContaining("two.md")]);
    await page.getByLabel("in parts of").selectOption("4000");
    await page.getByLabel("with the instructions on top").uncheck();
    await page.getByRole("button", { name: "Copy context" }).click();
    const parts = page.getByRole("button", { name: /^Part \d/ });
    await parts.nth(1).click();
    await page.getByText("Part 2 is on the clipboard").waitFor();
    expect((await clipboard(page)).length).toBeGreaterThan(1_000);
    await page.reload();
    await page.keyboard.press("3");
    expect(await page.getByLabel("Folder src").isChecked()).toBe(true);
    expect(complaints).toEqual([]);
  });
});

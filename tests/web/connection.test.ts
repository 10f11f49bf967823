/// <reference lib="dom" />
/** The connection of the review page: reloads, servers that are stopped or killed, two tabs. Nothing is applied twice. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createFolder } from "../support/folder.ts";
import { hasSandbox } from "../support/programs.ts";
import { closeBrowser, comeTo, copyInChat, hasBrowser, openReview, type ReviewPage } from "./browser.ts";

const append = (id: string, text: string): string => `#!nesl [@three-char-SHA-256: ${id}]\naction = "file_append"\npath = "a.txt"\ncontent = "${text}\\n"\n#!end_${id}\n`;
const exec = (code: string): string => `#!nesl [@three-char-SHA-256: r2x]\naction = "exec"\nlang = "bash"\ncode = "${code}"\n#!end_r2x\n`;
const FILES = { "loaf.yml": "relative_paths: true\n", "a.txt": "one\n" };
/** Takes some seconds between its two edits. */
const SLOW = `${append("k7m", "two")}\n${exec("echo begun; sleep 4; echo ended")}\n${append("p4q", "three")}`;
const text = (root: string): string => readFileSync(join(root, "a.txt"), "utf8");

describe.skipIf(!hasBrowser)("the connection of the page", { timeout: 120_000 }, () => {
  afterAll(closeBrowser);

  test.skipIf(!hasSandbox)("a reload during a run finds its progress, and its report; a reload after it too, and nothing runs twice", async () => {
    const root = createFolder(FILES);
    const { page, complaints } = await openReview(root);
    await copyInChat(page, SLOW);
    await page.getByText("Run 3 changes").waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".last", { hasText: "begun" }).waitFor();
    const seconds = async (): Promise<number> => Number(/([\d.]+) s/.exec((await page.getByRole("timer").textContent()) ?? "")?.[1]);
    const before = await seconds();
    await page.reload();
    await page.locator(".last", { hasText: "begun" }).waitFor();
    expect(await seconds()).toBeGreaterThanOrEqual(before);
    await page.getByText("✓ Done").waitFor();
    expect(text(root)).toBe("one\ntwo\nthree\n");
    await page.reload();
    await page.getByText("✓ Done").waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.press("2");
    await page.getByRole("heading", { name: "Run 1" }).waitFor();
    expect(await page.locator("aside li").count()).toBe(1);
    expect(text(root)).toBe("one\ntwo\nthree\n");
    expect(complaints).toEqual([]);
  });

  test.skipIf(!hasSandbox)("a question of a run waits for a tab that is loaded again, and is asked once", async () => {
    const root = createFolder(FILES);
    const { page } = await openReview(root);
    // What the command makes cannot be shown before, so the edit of it is asked about.
    await copyInChat(page, `${exec("echo one > made.txt")}\n${append("k7m", "two").replace("a.txt", "made.txt")}`);
    await page.getByText("Run 2 changes").waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.reload();
    await page.getByRole("dialog").getByRole("button", { name: /^Yes/ }).click();
    await page.getByText("✓ Done").waitFor();
    await page.reload();
    await page.getByText("✓ Done").waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(readFileSync(join(root, "made.txt"), "utf8")).toBe("one\ntwo\n");
  });

  test("what was chosen and said is still there after a reload", async () => {
    const { page } = await openReview(createFolder(FILES));
    await copyInChat(page, `${append("k7m", "two")}\n${append("p4q", "three")}`);
    await page.getByText("Run 2 changes").waitFor();
    await page.getByLabel("Take a.txt").first().uncheck();
    await page.getByRole("button", { name: "Say why" }).first().click();
    await page.keyboard.type("not this");
    await page.keyboard.press("Enter");
    await page.getByText("Run 1 change").waitFor();
    const arrived = await page.getByText("from the clipboard, at").textContent();
    const day = new Date().toDateString();
    await page.clock.install({ time: Date.now() + 86_400_000 });
    await page.reload();
    await page.getByText("Run 1 change").waitFor();
    await page.getByText("not this").waitFor();
    expect(await page.getByText("from the clipboard").textContent()).toBe(arrived?.replace(", at", `, on ${day} at`));
    await page.getByText("· 1 comment").waitFor();
  });

  test("a server that is stopped for a while is said to be gone, and taken up again; a run asked for meanwhile happens once", async () => {
    const root = createFolder(FILES);
    const { page, kill } = await openReview(root);
    await copyInChat(page, append("k7m", "two"));
    await page.getByText("Run 1 change").waitFor();
    kill("SIGSTOP");
    await page.keyboard.press("Enter");
    await page.getByText("trying again").waitFor({ timeout: 20_000 });
    // Longer than a server that has ended takes to be given up.
    await page.waitForTimeout(20_000);
    expect(await page.getByText("trying again").isVisible()).toBe(true);
    expect(text(root)).toBe("one\n");
    kill("SIGCONT");
    await page.getByText("✓ Done").waitFor({ timeout: 20_000 });
    await page.getByText("trying again").waitFor({ state: "detached" });
    expect(text(root)).toBe("one\ntwo\n");
  });

  test("a page of a machine that slept opens its connection anew, and shows what it showed", async () => {
    let opened = 0;
    const { page } = await openReview(createFolder(FILES), [], {
      before: async (page) => {
        await page.clock.install();
        page.on("request", (request) => (opened += request.postDataJSON()?.do === "open" ? 1 : 0));
      },
    });
    await copyInChat(page, append("k7m", "two"));
    await page.getByText("Run 1 change").waitFor();
    expect(opened).toBe(1);
    await page.clock.fastForward("01:00:00");
    await expect.poll(() => opened).toBe(2);
    await page.getByText("trying again").waitFor({ state: "detached" });
    await page.getByText("Run 1 change").waitFor();
  });

  test.skipIf(!hasSandbox)("a tab that is duplicated during a run takes it over, and the first one says so", async () => {
    const root = createFolder(FILES);
    const { page } = await openReview(root);
    await copyInChat(page, SLOW);
    await page.getByText("Run 3 changes").waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".last", { hasText: "begun" }).waitFor();
    const stored = await page.evaluate(() => JSON.stringify(sessionStorage));
    const second = await page.context().newPage();
    await second.addInitScript(`Object.assign(sessionStorage, ${stored})`);
    await second.goto(page.url());
    await second.getByRole("timer").waitFor();
    await page.getByText("This page is open in another tab").waitFor();
    await second.getByText("✓ Done").waitFor();
    expect(text(root)).toBe("one\ntwo\nthree\n");
  });

  test.skipIf(!hasSandbox)("a server that is killed during a run is said to have ended, and what it did can be undone", async () => {
    const root = createFolder(FILES);
    const { page, kill } = await openReview(root);
    await copyInChat(page, SLOW);
    await page.getByText("Run 3 changes").waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".last", { hasText: "begun" }).waitFor();
    kill();
    await page.getByText("Loaf has ended").waitFor({ timeout: 30_000 });
    expect(text(root)).not.toContain("three");
    const next = await openReview(root);
    await next.page.getByRole("heading", { name: "Copy an answer" }).waitFor();
    await copyInChat(next.page, SLOW);
    await next.page.getByText(/Run \d change/).waitFor();
    expect(text(root).match(/two/g)?.length ?? 0).toBeLessThanOrEqual(1);
  });

  test("a page that gets no answer at first says so in some seconds, tries again, and works", async () => {
    let signal: ReviewPage["kill"] = () => {};
    let asked = 0;
    const { page } = await openReview(createFolder(FILES), [], {
      before: async (page, kill) => {
        signal = kill;
        await page.route("**/", async (route) => {
          // The server has the request, and is stopped before it reads it.
          if (route.request().method() === "POST" && asked++ === 0) kill("SIGSTOP");
          await route.continue();
        });
      },
    });
    await page.getByText("trying again").waitFor({ timeout: 6_000 });
    expect(await page.getByRole("heading", { name: "Copy an answer" }).isVisible()).toBe(true);
    await expect.poll(() => asked, { timeout: 15_000 }).toBeGreaterThan(1);
    signal("SIGCONT");
    await page.getByText("trying again").waitFor({ state: "detached" });
    await copyInChat(page, append("k7m", "two"));
    await page.getByText("Run 1 change").waitFor();
  });

  test("a page that is loaded again before its first answer arrives opens all the same", async () => {
    let asked = 0;
    const { page } = await openReview(createFolder(FILES), [], {
      before: (page) =>
        page.route("**/", async (route) => {
          // The server answers the first one, and the page never learns it.
          if (route.request().method() === "POST" && asked++ === 0) void route.fetch({ timeout: 0 }).catch(() => {});
          else await route.continue();
        }),
    });
    await expect.poll(() => asked).toBe(1);
    await page.waitForTimeout(500);
    await page.reload();
    await copyInChat(page, append("k7m", "two"));
    await page.getByText("Run 1 change").waitFor();
  });

  test("an answer that did not reach the server is taken once there is a connection, or the page gets the focus", async () => {
    let taken = 0;
    const { page, kill } = await openReview(createFolder(FILES), [], {
      before: (page) =>
        page.route("**/", async (route) => {
          if (route.request().postDataJSON()?.do === "take" && taken++ === 0) await route.abort();
          else await route.continue();
        }),
    });
    await copyInChat(page, append("k7m", "two"));
    await page.getByText("There is no connection to Loaf").waitFor();
    await comeTo(page);
    await page.getByText("Run 1 change").waitFor();
    taken = 0;
    await copyInChat(page, append("p4q", "three"));
    await expect.poll(() => taken).toBe(1);
    kill("SIGSTOP");
    await page.getByText("trying again").waitFor({ timeout: 20_000 });
    kill("SIGCONT");
    await page.locator("article").getByText("p4q").waitFor();
  });

  test("nothing is asked for before the tab has its own key", async () => {
    let release = (): void => {};
    const released = new Promise<void>((done) => (release = done));
    const asked: string[] = [];
    const { page, complaints } = await openReview(createFolder(FILES), [], {
      before: async (page) => {
        await page.route("**/", async (route) => {
          const name = String(route.request().postDataJSON()?.do ?? "page");
          asked.push(name);
          if (name === "open") await released;
          await route.continue();
        });
      },
    });
    await expect.poll(() => asked).toEqual(["page", "open"]);
    await copyInChat(page, append("k7m", "two"));
    await page.keyboard.press("2");
    await page.waitForTimeout(300);
    expect(asked).toEqual(["page", "open"]);
    release();
    await comeTo(page);
    await page.keyboard.press("1");
    await page.getByText("Run 1 change").waitFor();
    expect([...new Set(asked.slice(2))].toSorted()).toEqual(["history", "take"]);
    expect(complaints).toEqual([]);
  });
});

/// <reference lib="dom" />
/** What a page of somebody else, in the same browser and on the same machine, can do to the review page: nothing. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { createFolder } from "../support/folder.ts";
import { snapshot } from "../support/sandbox.ts";
import { browser, closeBrowser, copyInChat, hasBrowser, openReview } from "./browser.ts";

const ANSWER = `#!nesl [@three-char-SHA-256: k7m]\naction = "file_append"\npath = "a.txt"\ncontent = "two\\n"\n#!end_k7m\n`;

/** Opens a page of another server on the loopback address, and notes the answers that it gets of the given one. */
async function openHostile(of: string): Promise<{ page: Page; answered: string[] }> {
  const server = createServer((_, response) => void response.setHeader("Content-Type", "text/html").end("<title>hostile</title>"));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => void server.close());
  const page = await (await browser()).newPage();
  onTestFinished(() => page.close());
  const answered: string[] = [];
  page.on("response", (response) => {
    if (response.url().startsWith(of)) answered.push(`${response.request().method()} ${response.status()}`);
  });
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  return { page, answered };
}

describe.skipIf(!hasBrowser)("a hostile page", { timeout: 60_000 }, () => {
  afterAll(closeBrowser);

  test("reads nothing, changes nothing and shows nothing of the review page, whatever it sends", async () => {
    const root = createFolder({ "loaf.yml": "relative_paths: true\n", "a.txt": "one\n" });
    const review = await openReview(root);
    await copyInChat(review.page, ANSWER);
    await review.page.getByText("Run 1 change").waitFor();
    const before = snapshot(root);
    const address = review.page.url();
    const { page, answered } = await openHostile(address);
    const got = await page.evaluate(async (address) => {
      const body = JSON.stringify({ do: "history" });
      const outcome = (promise: Promise<unknown>): Promise<unknown> => promise.then((value) => value, () => "refused");
      const loaded = (element: HTMLScriptElement | HTMLLinkElement | HTMLImageElement): Promise<unknown> =>
        new Promise((done) => {
          element.addEventListener("load", () => done("loaded"));
          element.addEventListener("error", () => done("refused"));
          document.head.append(element);
        });
      const read = async (init: RequestInit): Promise<unknown> => (await fetch(address, init)).text();
      const socket = new WebSocket(address.replace("http", "ws"));
      return {
        get: await outcome(read({})),
        // The browser sends these, and keeps their answers for itself.
        opaque: await outcome(read({ mode: "no-cors" })),
        text: await outcome(read({ mode: "no-cors", method: "POST", headers: { "content-type": "text/plain" }, body })),
        json: await outcome(read({ method: "POST", headers: { "content-type": "application/json", "x-loaf-key": "x" }, body })),
        script: await loaded(Object.assign(document.createElement("script"), { src: address })),
        style: await loaded(Object.assign(document.createElement("link"), { rel: "stylesheet", href: address })),
        image: await loaded(Object.assign(document.createElement("img"), { src: address })),
        socket: await new Promise((done) => {
          if (socket.readyState === WebSocket.CLOSED) done("refused");
          socket.addEventListener("open", () => done("open"));
          socket.addEventListener("error", () => done("refused"));
        }),
      };
    }, address);
    expect(got).toEqual({ get: "refused", opaque: "refused", text: "refused", json: "refused", script: "refused", style: "refused", image: "refused", socket: "refused" });
    await page.setContent(`<iframe name=f src="${address}"></iframe>
      <form method=post enctype=text/plain target=g action="${address}"><input name='{"do":"history","x":"' value='"}'></form><iframe name=g></iframe>`);
    await page.evaluate("document.forms[0].submit()");
    await page.waitForTimeout(500);
    // A frame that the browser refuses shows its own error page.
    expect(page.frames().slice(1).map((frame) => frame.url())).toEqual(["chrome-error://chromewebdata/", "chrome-error://chromewebdata/"]);
    expect(answered.filter((line) => line.startsWith("POST")).every((line) => line === "POST 403")).toBe(true);
    expect(answered).toContain("POST 403");
    expect(snapshot(root)).toEqual(before);
    expect(review.complaints).toEqual([]);
    // The page itself is not disturbed.
    await review.page.bringToFront();
    await review.page.getByText("Run 1 change").click();
    await review.page.getByText("✓ Done").waitFor();
  });

  test("gets nothing under a name of its own that leads to this machine", async () => {
    const review = await openReview(createFolder({ "a.txt": "one\n" }));
    const address = review.page.url().replace("127.0.0.1", "evil.example");
    const { page, answered } = await openHostile(address);
    await page.goto(address);
    expect(await page.textContent("body")).toBe('{"sentence":"This is not the address of the page"}');
    const status = await page.evaluate(async () => (await fetch("/", { method: "POST", headers: { "content-type": "application/json", "x-loaf-key": "x" }, body: '{"do":"open","at":9e15}' })).status);
    expect(status).toBe(403);
    expect([...new Set(answered)]).toEqual(["GET 403", "POST 403"]);
  });
});

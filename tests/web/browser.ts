/// <reference lib="dom" />
/** Debian's Chromium on the page of the built command, as a user has it. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { isComplete } from "../support/complete.ts";
import { createFolder } from "../support/folder.ts";
import { gitEnvironment } from "../support/repository.ts";
import { program } from "../support/run-loaf.ts";

const found = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => existsSync(path));
export const hasBrowser = found !== undefined;
if (!hasBrowser && isComplete) throw new Error("chromium is missing: the setup installs it");

let running: Promise<Browser> | undefined;

/** One for all tests of a file. The name evil.example leads to this machine, as with DNS rebinding. */
export function browser(): Promise<Browser> {
  return (running ??= chromium.launch({ executablePath: found ?? "", args: ["--no-sandbox", "--host-resolver-rules=MAP evil.example 127.0.0.1"] }));
}

export async function closeBrowser(): Promise<void> {
  await (await running)?.close();
}

export interface ReviewPage {
  readonly page: Page;
  /** What the command has printed. */
  readonly said: () => string;
  /** The exit code of the command, once it has ended. */
  readonly ended: Promise<number | null>;
  /** Sends a signal to the command. Default: SIGKILL. */
  kill(signal?: NodeJS.Signals): void;
  readonly address: string;
  /** What the browser complained about: errors of scripts, and refusals of the policy. */
  readonly complaints: readonly string[];
}

interface ReviewOptions extends BrowserContextOptions {
  /** The state of Loaf is in its folder `state`. Default: a new one. */
  readonly home?: string;
  /** Standard input of the command. */
  readonly input?: string;
  /** What happens before the page is opened. */
  readonly before?: (page: Page, kill: ReviewPage["kill"]) => Promise<unknown>;
}

/** Starts `loaf review` on a project, and opens its page with the clipboard allowed. */
export async function openReview(root: string, args: readonly string[] = [], { before, home = createFolder(), input, ...options }: ReviewOptions = {}): Promise<ReviewPage> {
  const env = { ...process.env, ...gitEnvironment, HOME: home, XDG_CONFIG_HOME: join(home, "config"), XDG_STATE_HOME: join(home, "state"), DISPLAY: "", WAYLAND_DISPLAY: "" };
  const child = spawn(process.execPath, [program, "review", ...args, "--no-open", "--root", root], { cwd: root, env });
  if (input !== undefined) child.stdin.end(input);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece: Buffer) => (said += piece.toString()));
  const ended = new Promise<number | null>((done) => child.on("exit", done));
  onTestFinished(() => void child.kill("SIGKILL"));
  const address = await new Promise<string>((done, fail) => {
    const timer = setInterval(() => {
      const [match] = /http:\S+/.exec(said) ?? [];
      if (match === undefined && child.exitCode === null) return;
      clearInterval(timer);
      if (match === undefined) fail(new Error(said));
      else done(match);
    }, 20);
  });
  const context = await (await browser()).newContext({ viewport: { width: 1280, height: 900 }, permissions: ["clipboard-read", "clipboard-write"], ...options });
  const page = await context.newPage();
  onTestFinished(async ({ task }) => {
    if (task.result?.state === "fail") await page.screenshot({ path: "node_modules/.cache/loaf-pictures/failed.png" });
    await context.close();
  });
  const complaints: string[] = [];
  page.on("console", (message) => void (["error", "warning"].includes(message.type()) && complaints.push(message.text())));
  page.on("pageerror", (error) => complaints.push(error.message));
  const kill: ReviewPage["kill"] = (signal = "SIGKILL") => void child.kill(signal);
  // The tests of a file share their browser, and so its clipboard: what an earlier one copied is no answer here.
  if (options.permissions === undefined) {
    await openEmpty(page);
    await page.evaluate(() => navigator.clipboard.writeText(""));
  }
  await before?.(page, kill);
  await page.goto(address);
  return {
    page,
    said: () => said,
    ended,
    kill,
    address,
    complaints,
  };
}

/** Copies a text in another tab, which stands for the chat, and comes to the page. */
export async function copyInChat(page: Page, text: string): Promise<Page> {
  const chat = await page.context().newPage();
  await openEmpty(chat);
  await chat.setContent("<textarea></textarea>");
  await chat.fill("textarea", text);
  await chat.focus("textarea");
  await chat.keyboard.press("Control+A");
  await chat.keyboard.press("Control+C");
  // The browser copies later than it answers.
  await expect.poll(() => chat.evaluate(() => navigator.clipboard.readText())).toBe(text);
  await comeTo(page);
  return chat;
}

/** Leads to an empty page, which may use the clipboard: a page has to be of this machine for that. */
async function openEmpty(page: Page): Promise<void> {
  const address = "http://localhost/empty";
  await page.route(address, (route) => route.fulfill({ contentType: "text/html", body: "" }));
  await page.goto(address);
}

/** A browser without a window gives its pages no focus events. */
export async function comeTo(page: Page): Promise<void> {
  await page.bringToFront();
  await page.evaluate("void dispatchEvent(new Event('focus'))");
}

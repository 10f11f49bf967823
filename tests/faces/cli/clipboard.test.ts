/** Tests with a real clipboard on a virtual display. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFolder } from "../../support/folder.ts";
import { startWatch } from "../../support/start-watch.ts";
import { write } from "./answers.ts";
import { isComplete } from "../../support/complete.ts";

const hasDisplay = ["/usr/bin/Xvfb", "/usr/bin/xclip"].every((program) => existsSync(program));
if (!hasDisplay && isComplete) throw new Error("Xvfb or xclip is missing: the setup installs them");

describe.skipIf(!hasDisplay)("copies", () => {
  let server: ChildProcess;
  let env: Record<string, string>;

  beforeAll(async () => {
    server = spawn("/usr/bin/Xvfb", ["-displayfd", "1", "-screen", "0", "64x64x8"], { stdio: ["ignore", "pipe", "ignore"] });
    const [number] = (await once(server.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
    env = { DISPLAY: `:${String(number).trim()}` };
  });
  afterAll(() => void server.kill());

  const copy = (text: string) => void spawnSync("/usr/bin/xclip", ["-selection", "clipboard"], { input: text, env: { ...process.env, ...env }, stdio: ["pipe", "ignore", "ignore"] });
  const paste = () => spawnSync("/usr/bin/xclip", ["-selection", "clipboard", "-out"], { env: { ...process.env, ...env }, encoding: "utf8" }).stdout;

  async function watching(read = "twice") {
    const config = createFolder({ "loaf/config.yml": `relative_paths: true\nwatch: {clipboard: {read: ${read}, write: true}}\n` });
    const root = createFolder({ "loaf-input.md": "" });
    const watch = await startWatch(root, { env: { ...env, XDG_CONFIG_HOME: config } });
    // Loaf must have read the initial text before the copy.
    await setTimeout(1_000);
    return { root, watch, text: () => readFileSync(join(root, "loaf-input.md"), "utf8") };
  }

  test("copying a block and then the answer around it runs the block and copies its report", async () => {
    copy("what was there before");
    const { root, watch, text } = await watching();
    const block = write("abc", "greeting.txt", "Grüße");
    copy(block);
    await setTimeout(600);
    copy(`The answer\n${block}\nand what the model says about it`);
    await watch.until(() => text().includes("abc ✅ file_write greeting.txt"));
    expect(readFileSync(join(root, "greeting.txt"), "utf8")).toBe("Grüße\n");
    await watch.until(() => paste().startsWith("=== LOAF RESULTS ===\nabc ✅ file_write greeting.txt"));
    await watch.end("SIGTERM");
  });

  test.each([
    ["SEARCH/REPLACE", "greeting.txt\n<<<<<<< SEARCH\nHello\n=======\nGrüße\n>>>>>>> REPLACE\n"],
    ["a unified diff", "--- a/greeting.txt\n+++ b/greeting.txt\n@@ -1,1 +1,1 @@\n-Hello\n+Grüße\n"],
    ["SHAM", '#!SHAM [@three-char-SHA-256: abc]\naction = "file_write"\npath = "greeting.txt"\ncontent = "Grüße\\n"\n#!END_SHAM_abc\n'],
  ])("copying an edit twice, by itself and with the answer around it, runs it in other syntaxes too: %s", async (_, edit) => {
    copy("what was there before");
    const { root, watch } = await watching();
    writeFileSync(join(root, "greeting.txt"), "Hello\n");
    copy(`The answer\n\n${edit}\nand what the model says about it`);
    await setTimeout(600);
    copy(edit);
    await watch.until(() => readFileSync(join(root, "greeting.txt"), "utf8") === "Grüße\n");
    await watch.end("SIGTERM");
  });

  test("with read: ask and no terminal to ask at, copied answers do not run, and one sentence says so", async () => {
    const { root, watch } = await watching("ask");
    expect(watch.printed()).toContain("There is no terminal to ask at, so copied answers do not run: watch.clipboard.read is ask\n");
    copy(write("abc", "a.txt", "a"));
    await setTimeout(1_000);
    expect(existsSync(join(root, "a.txt"))).toBe(false);
    await watch.end("SIGTERM");
  });

  test("the initial text does not count, nor do copies of different blocks", async () => {
    const [first, second] = [write("abc", "a.txt", "a"), write("abd", "b.txt", "b")];
    copy(first);
    const { root, watch } = await watching();
    copy(`The answer\n${first}`);
    await setTimeout(500);
    copy(`Another answer\n${second}`);
    await setTimeout(1_000);
    expect(["a.txt", "b.txt"].filter((name) => existsSync(join(root, name)))).toEqual([]);
    await watch.end("SIGTERM");
  });

  test("reports an unreadable clipboard once, and still watches the file", async () => {
    const { root, watch, text } = await watchingWithout();
    writeFileSync(join(root, "loaf-input.md"), write("abc", "a.txt", "a"));
    await watch.until(() => text().startsWith("=== LOAF RESULTS ==="));
    expect(watch.printed().match(/The clipboard cannot be reached/g)).toHaveLength(1);
    await watch.end("SIGTERM");
  });

  async function watchingWithout() {
    const config = createFolder({ "loaf/config.yml": "relative_paths: true\nwatch: {clipboard: {read: twice}}\n" });
    const root = createFolder({ "loaf-input.md": "" });
    const watch = await startWatch(root, { env: { DISPLAY: ":4711", XDG_CONFIG_HOME: config } });
    await watch.until(() => watch.printed().includes("The clipboard cannot be reached"));
    // While results are put above the text, the file is not there for a moment.
    return { root, watch, text: () => readIfThere(join(root, "loaf-input.md")) };
  }
});

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

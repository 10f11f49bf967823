/** The review page in Chromium, from a process of its own: its first picture beside that of an empty page, and its slowest frame. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium } from "playwright-core";
import { longer, mediansOf, within } from "./measure.mjs";

const command = resolve(import.meta.dirname, "../dist/loaf.cjs");
const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => existsSync(path));

/** 5,000 changed lines in 100 files. A person feels a first picture that takes over 300 ms, and a frame over 250 ms. */
export async function pageRows() {
  if (executablePath === undefined) {
    console.error("The review page is not measured: there is no Chromium. On Debian: apt-get install chromium");
    return [];
  }
  const folder = mkdtempSync(join(tmpdir(), "loaf-bench-"));
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  const empty = createServer((_request, response) => response.setHeader("content-type", "text/html").end("<!doctype html><title>Empty</title><p>Nothing")).listen(0, "127.0.0.1");
  await once(empty, "listening");
  try {
    const answer = writeProject(folder);
    const frames = [];
    const { loaf, peer } = await mediansOf(
      {
        loaf: () => reviewing(folder, answer, async (address) => {
          const { painted, slowest } = await look(browser, address, "Run 100 changes");
          frames.push(slowest);
          return painted;
        }),
        peer: async () => (await look(browser, `http://127.0.0.1:${empty.address().port}/`, "Nothing")).painted,
      },
      5,
    );
    const slowest = frames.toSorted((a, b) => a - b)[Math.floor(frames.length / 2)];
    return [
      within("review page, 5,000 lines in 100 files: first picture", loaf, 300),
      longer("the same, against that of an empty page", { loaf, peer }, 5),
      within("the same, slowest frame on the way down", slowest, 250),
    ];
  } finally {
    empty.close();
    await browser.close();
    rmSync(folder, { recursive: true });
  }
}

/** Returns the path of an answer that changes 25 lines of each of its 100 files. */
function writeProject(folder) {
  mkdirSync(join(folder, "project"));
  const lines = Array.from({ length: 200 }, (_, line) => `const value${line} = ${line};`);
  const blocks = Array.from({ length: 100 }, (_, file) => {
    writeFileSync(join(folder, `project/file${file}.ts`), `${lines.join("\n")}\n`);
    const changed = lines.slice(20, 45).map((line) => line.replace(";", " + 1;"));
    return `file${file}.ts\n\`\`\`\n<<<<<<< SEARCH\n${lines.slice(20, 45).join("\n")}\n=======\n${changed.join("\n")}\n>>>>>>> REPLACE\n\`\`\`\n`;
  });
  writeFileSync(join(folder, "answer.md"), blocks.join("\n"));
  return join(folder, "answer.md");
}

/** Serves the page while something looks at its address. */
async function reviewing(folder, answer, act) {
  const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: join(folder, "config"), XDG_STATE_HOME: join(folder, "state") };
  const child = spawn(process.execPath, [command, "review", answer, "--no-open", "--root", join(folder, "project")], { env, stdio: ["ignore", "ignore", "pipe"] });
  try {
    let said = "";
    for await (const piece of child.stderr) {
      said += piece;
      const [address] = /http:\S+/.exec(said) ?? [];
      if (address !== undefined) return await act(address);
    }
    throw new Error(said);
  } finally {
    child.kill("SIGKILL");
  }
}

/** Milliseconds from a page's request to its first picture with content, and of its slowest frame while it is scrolled to its end. */
async function look(browser, address, text) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.goto(address);
  await page.getByText(text).waitFor();
  await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
  const seen = await page.evaluate(async () => {
    const painted = performance.getEntriesByName("first-contentful-paint")[0].startTime;
    let [slowest, last] = [0, performance.now()];
    for (let y = 0; y < document.documentElement.scrollHeight; y += 600) {
      scrollTo(0, y);
      await new Promise(requestAnimationFrame);
      slowest = Math.max(slowest, performance.now() - last);
      last = performance.now();
    }
    return { painted, slowest };
  });
  await context.close();
  return seen;
}

/// <reference lib="dom" />
/** The review page in Chromium: the whole way, for people and under load. Its pictures and numbers are in node_modules/.cache/loaf-pictures; LOAF_PICTURES=yes writes those of docs/review.md anew. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { afterAll, describe, expect, test } from "vitest";
import { createFolder } from "../support/folder.ts";
import { hasSandbox } from "../support/programs.ts";
import { createRepository, repositoryAt } from "../support/repository.ts";
import { browser, closeBrowser, comeTo, copyInChat, hasBrowser, openReview } from "./browser.ts";

mkdirSync("node_modules/.cache/loaf-pictures", { recursive: true });
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const IN_DOCS = new Set(process.env["LOAF_PICTURES"] === "yes" ? ["chosen", "report", "undo"] : []);

const CART = `"""A cart."""
from dataclasses import dataclass, field


@dataclass
class Cart:
    items: list[float] = field(default_factory=list)

    def total(self) -> float:
        return sum(self.items)

${Array.from({ length: 12 }, (_, index) => `    def part${index}(self) -> float:\n        return self.items[${index}]\n`).join("\n")}

def show(cart):
    print(cart.total())
`;
const PROJECT = {
  "src/cart.py": CART,
  "src/auth.py": "def login(user, password):\n    return check(user, password)\n",
  "src/api.py": `${"# the shop\n".repeat(30)}@app.post("/pay")\ndef pay(cart: Cart):\n    return charge(cart.total())\n`,
  "README.md": "# Shop\n\n## Start\n\nRun it.\n",
};

const edit = (path: string, old: string, now: string): string => `${path}\n\`\`\`python\n<<<<<<< SEARCH\n${old}\n=======\n${now}\n>>>>>>> REPLACE\n\`\`\`\n`;
const FIVE = [
  "I round the total, print through the log, and refuse empty passwords.\n",
  edit("src/cart.py", CART.slice(CART.indexOf("    def total"), -1), CART.slice(CART.indexOf("    def total"), -1).replace("sum(self.items)", "round(sum(self.items), 2)").replace("    print(cart.total())", "    log.info(cart.total())\n    log.flush()")),
  edit("src/cart.py", '"""A cart."""', '"""A cart, with its total rounded."""'),
  edit("src/auth.py", "    return check(user, password)", '    if not password:\n        raise ValueError("empty password")\n    return check(user, password)'),
  edit("src/api.py", '@app.post("/pay")', '@app.post("/pay", status_code=201)'),
  edit("src/api.py", "def pay(cart: Cart):", "def pay(cart: Cart) -> Receipt:"),
].join("\n");
const MORE = `${FIVE}
${edit("src/api.py", "    return charge(cart.sum)", "    return charge(cart.total)")}
#!nesl [@three-char-SHA-256: k7m]
action = "exec"
lang = "bash"
code = "ls src; echo done > out.txt"
#!end_k7m

\`\`\`python
x = 1
\`\`\`
`;

async function picture(page: Page, name: string): Promise<void> {
  const folder = IN_DOCS.has(name) ? "docs/pictures" : "node_modules/.cache/loaf-pictures";
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { violations: found } = await (globalThis as unknown as { axe: { run(): Promise<{ violations: Array<{ id: string; nodes: Array<{ html: string }> }> }> } }).axe.run();
    return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 150)).join(" | ")}`);
  });
}

describe.skipIf(!hasBrowser)("in a browser", { timeout: 60_000 }, () => {
  afterAll(closeBrowser);

  test("the loop: copy five edits, leave one hunk out with its reason, run, paste the report, in at most four gestures", async () => {
    const root = join(createFolder(Object.fromEntries(Object.entries(PROJECT).map(([path, text]) => [`shop/${path}`, text]))), "shop");
    const { git } = repositoryAt(root);
    for (const command of ["init -q -b main", "config user.name A", "config user.email a@example.org", "add -A", "commit -q -m begin"]) git(...command.split(" "));
    const { page, complaints, said } = await openReview(root);
    await page.getByRole("heading", { name: "Copy an answer in the chat" }).waitFor();
    await picture(page, "empty");
    const chat = await copyInChat(page, FIVE);
    await page.getByText("Run 5 changes").waitFor();
    const printed = said();
    const gestures = [
      () => page.getByLabel("Take this hunk").nth(1).click(),
      () => page.keyboard.press("c"),
      async () => {
        await page.keyboard.type("this is a command-line tool, it must print");
        await page.keyboard.press("Enter");
      },
      () => page.keyboard.press("Enter"),
    ];
    for (const [index, gesture] of gestures.entries()) {
      await gesture();
      if (index === 2) await picture(page, "chosen");
    }
    await page.getByText("✓ Done").waitFor();
    await picture(page, "report");
    expect(gestures.length).toBeLessThanOrEqual(4);
    // No step needed the terminal.
    expect(said()).toBe(printed);
    await chat.bringToFront();
    await chat.fill("textarea", "");
    await chat.focus("textarea");
    await chat.keyboard.press("Control+V");
    const report = await chat.inputValue("textarea");
    expect(report).toContain("=== LOAF RESULTS ===");
    expect(report).toContain("1 of 2 hunks");
    expect(report).toContain("the user says:\nthis is a command-line tool, it must print");
    const cart = readFileSync(join(root, "src/cart.py"), "utf8");
    expect(cart).toContain("round(sum(self.items), 2)");
    expect(cart).toContain("    print(cart.total())");
    expect(git("log", "-1", "--format=%s")).toMatch(/^AI: /);
    // Its own report on the clipboard is no answer.
    await comeTo(page);
    await page.keyboard.press("2");
    await page.getByText("Undo this run…").click();
    await page.getByText("Undo run 1?").waitFor();
    await picture(page, "undo");
    await page.keyboard.press("Enter");
    await page.getByText("Run 1 is undone").waitFor();
    expect(readFileSync(join(root, "src/cart.py"), "utf8")).toBe(CART);
    expect(complaints).toEqual([]);
  });

  test.each(["light", "dark"] as const)("axe finds nothing on any tab, in any state, with the %s theme", async (colorScheme) => {
    const { root } = createRepository(PROJECT);
    const { page, complaints } = await openReview(root, [], { colorScheme });
    expect(await violations(page)).toEqual([]);
    await copyInChat(page, MORE);
    await page.getByText("Run 6 changes").waitFor();
    await picture(page, `review-${colorScheme}`);
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("s");
    await page.locator(".split").first().waitFor();
    await page.getByLabel("Take this hunk").first().click();
    await page.keyboard.press("c");
    await page.locator("textarea").waitFor();
    expect(await violations(page)).toEqual([]);
    await picture(page, `split-${colorScheme}`);
    await page.keyboard.press("Escape");
    if (hasSandbox) {
      await page.getByRole("button", { name: "Try it" }).click();
      await page.getByText("It would change 1 file").waitFor();
    }
    await page.locator("h1").click();
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
    expect(await violations(page)).toEqual([]);
    await picture(page, `keys-${colorScheme}`);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: /Done/ }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("2");
    await page.getByRole("heading", { name: "Run 1" }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("3");
    await page.getByLabel("Folder src").check();
    await page.getByRole("button", { name: "README.md" }).click();
    await page.getByText("## Start").waitFor();
    expect(await violations(page)).toEqual([]);
    await picture(page, `files-${colorScheme}`);
    expect(complaints).toEqual([]);
  });

  test("at 320 px and 400 % zoom nothing is cut off or lost, and the keyboard alone reaches everything", async () => {
    const { root } = createRepository(PROJECT);
    const { page, complaints } = await openReview(root, [], { viewport: { width: 320, height: 225 }, reducedMotion: "reduce" });
    await copyInChat(page, MORE);
    await page.getByText("Run 6 changes").waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    expect(await violations(page)).toEqual([]);
    expect(await page.getByRole("button", { name: "Instructions for a new chat" }).isVisible()).toBe(true);
    await page.keyboard.press("?");
    await page.getByText("next and previous change").waitFor();
    expect(await page.getByRole("heading", { name: "Keys" }).evaluate((heading) => heading.getBoundingClientRect().top)).toBeGreaterThan(0);
    await page.keyboard.press("Escape");
    await page.setViewportSize({ width: 320, height: 640 });
    await picture(page, "narrow");
    await page.evaluate("scrollTo(0, 900)");
    await picture(page, "narrow-code");
    await page.evaluate("scrollTo(0, 0)");
    await page.keyboard.press("j");
    await page.keyboard.press(" ");
    await page.getByText(/left out/).first().waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    const done = page.getByRole("heading", { name: /Done/ });
    await done.waitFor();
    // Below the list, and above the fold.
    expect(await done.evaluate((heading) => heading.getBoundingClientRect().top)).toSatisfy((top: number) => top > 0 && top < 640);
    await picture(page, "narrow-report");
    expect(complaints).toEqual([]);
  });

  test("a hunk that is left out stays so when an item beside it, which gives it another ID, is left out too", async () => {
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`);
    const root = createFolder({ "a.txt": `${lines.join("\n")}\n` });
    const { page, complaints } = await openReview(root);
    const changed = lines.slice(3, 18).join("\n").replace("line 3\n", "LINE 3\n").replace("line 15", "LINE 15");
    await copyInChat(page, `${edit("a.txt", "line 2", "LINE 2")}\n${edit("a.txt", lines.slice(3, 18).join("\n"), changed)}`);
    await page.getByText("Run 2 changes").waitFor();
    await page.getByLabel("Take this hunk").first().uncheck();
    await page.getByText("1 hunk left out").waitFor();
    expect(await page.getByText("Say why").count()).toBe(1);
    await page.getByLabel("Take a.txt").first().uncheck();
    await page.locator(".off", { hasText: "Say why" }).first().waitFor();
    expect(await page.getByText("Say why").count()).toBe(2);
    await page.getByText("1 hunk left out · 1 change left out").waitFor();
    await page.waitForTimeout(300);
    await page.getByText("1 hunk left out · 1 change left out").waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: /Done/ }).waitFor();
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe(`${lines.join("\n").replace("line 15", "LINE 15")}\n`);
    expect(complaints).toEqual([]);
  });

  test("a command can be commented on, by its key too", async () => {
    const { page } = await openReview(createFolder({ "a.txt": "a\n" }));
    await copyInChat(page, `#!nesl [@three-char-SHA-256: r2x]\naction = "exec"\nlang = "bash"\ncode = "echo x"\n#!end_r2x\n`);
    await page.getByText("Run 1 change").waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("c");
    await page.keyboard.type("which shell?");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: /Done/ }).waitFor();
    await page.getByText("The report, ").click();
    expect(await page.locator(".report pre").textContent()).toContain("comment of the user:\nthe user says:\nwhich shell?");
  });

  test("what was applied before is made again only while its tick is set", async () => {
    const { page } = await openReview(createFolder({ "a.txt": "a\n" }));
    const answer = `#!nesl [@three-char-SHA-256: k7m]\naction = "file_append"\npath = "a.txt"\ncontent = "b\\n"\n#!end_k7m\n`;
    await copyInChat(page, answer);
    await page.getByText("Run 1 change").click();
    await page.getByRole("heading", { name: /Done/ }).waitFor();
    await copyInChat(page, answer);
    await page.getByText("This answer ran before").waitFor();
    await page.getByText("Only make the report").waitFor();
    await page.getByLabel("also what was applied before").check();
    await page.getByText("Run 1 change").waitFor();
    await page.getByLabel("also what was applied before").uncheck();
    await page.getByText("Only make the report").waitFor();
  });

  test("any line can be commented on, also one that a click on unchanged lines shows", async () => {
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
    const { page, complaints } = await openReview(createFolder({ "a.txt": `${lines.join("\n")}\n` }));
    await copyInChat(page, edit("a.txt", "line 20", "LINE 20"));
    await page.getByText("16 unchanged lines").click();
    await page.getByLabel("Comment on line 7").click();
    await page.keyboard.type("why is this here?");
    await page.keyboard.press("Enter");
    await page.getByText("You for the chat: why is this here?").waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: /Done/ }).waitFor();
    await page.getByText("The report, ").click();
    expect(await page.locator(".report pre").textContent()).toContain("a.txt comment of the user:\nline 7:\nline 7\n\nthe user says:\nwhy is this here?");
    expect(complaints).toEqual([]);
  });

  test("the keyboard alone comments on any line, names a file for code without one, and goes on from where it was", async () => {
    const root = createFolder(PROJECT);
    const { page, complaints } = await openReview(root);
    await copyInChat(page, MORE);
    await page.getByText("Run 6 changes").waitFor();
    const press = async (...keys: string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key);
    };
    // The first item, its second hunk, and the first line there.
    await press("j", "j", "j");
    // The browser draws the lines near the screen a moment later.
    await page.locator("article:has(:focus) .hunk:has(:focus) button.sign").first().waitFor();
    await press("ArrowDown", "ArrowDown", "ArrowUp", "Enter");
    await page.keyboard.type("why?");
    await press("Enter");
    await page.getByText("You for the chat: why?").waitFor();
    expect(await page.locator(".code > .talk").evaluate((talk) => talk.previousElementSibling?.textContent)).toContain("47");
    await press(" ");
    await page.getByText("1 hunk left out").waitFor();
    expect(await page.getByLabel("Left out").count()).toBe(1);
    await press("c");
    await page.keyboard.type("it must print");
    await press("Enter", "j", " ");
    await page.getByText("1 hunk left out · 1 change left out").waitFor();
    for (let presses = 0; presses < 60 && (await page.locator("input[name=path]:focus").count()) === 0; presses++) await press("Tab");
    await page.keyboard.type("src/x.py");
    await press("Enter");
    await page.locator("article").getByText("src/x.py").waitFor();
    expect(await page.locator(".split").count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test("on a 4K screen the code keeps to the middle, and nothing moves for who wants no motion", async () => {
    const { root } = createRepository(PROJECT);
    const { page, complaints } = await openReview(root, [], { viewport: { width: 3_840, height: 2_160 }, reducedMotion: "reduce" });
    await copyInChat(page, hasSandbox ? MORE.replace("ls src", "sleep 2") : FIVE);
    await page.getByText(/Run \d changes/).waitFor();
    const box = await page.locator("main.review").boundingBox();
    expect(Math.abs(3_840 - 2 * (box?.x ?? 0) - (box?.width ?? 0))).toBeLessThanOrEqual(20);
    await picture(page, "wide");
    await page.keyboard.press("s");
    await page.locator(".split").first().waitFor();
    // What is sought and the closest place are beside each other already.
    if (hasSandbox) expect([await page.locator(".two").count(), await page.locator(".two .split").count()]).toEqual([1, 0]);
    await picture(page, "wide-split");
    await page.keyboard.press("Enter");
    if (hasSandbox) expect(await page.locator(".spin").evaluate((spin) => spin.getAnimations().length)).toBe(0);
    await page.getByRole("heading", { name: /Done/ }).waitFor();
    expect(complaints).toEqual([]);
  });

  test("5,000 changed lines in 100 files: a small page, and few nodes all the way down", async () => {
    const files = Object.fromEntries(Array.from({ length: 100 }, (_, file) => [`src/file${file}.ts`, Array.from({ length: 200 }, (_, line) => `const value${line} = ${line};`).join("\n") + "\n"]));
    const root = createFolder(files);
    const answer = Object.keys(files).map((path) => edit(path, Array.from({ length: 25 }, (_, line) => `const value${line + 20} = ${line + 20};`).join("\n"), Array.from({ length: 25 }, (_, line) => `const value${line + 20} = ${line + 21};`).join("\n"))).join("\n");
    writeFileSync(join(root, "answer.md"), answer);
    const { page } = await openReview(root, ["answer.md"]);
    await page.getByText("Run 100 changes").waitFor();
    await page.getByText("+2500").waitFor();
    const size = gzipSync(readFileSync("dist/review.html"), { level: 9 }).length;
    // How long it takes is measured by `npm run bench -- page`.
    const nodes = await page.evaluate(async () => {
      let most = 0;
      for (let y = 0; y < document.documentElement.scrollHeight; y += 600) {
        scrollTo(0, y);
        await new Promise(requestAnimationFrame);
        most = Math.max(most, document.querySelectorAll("*").length);
      }
      return most;
    });
    writeFileSync("node_modules/.cache/loaf-pictures/numbers.json", JSON.stringify({ size, nodes }));
    expect(size).toBeLessThanOrEqual(120_000);
    expect(nodes).toBeLessThan(8_000);
  });

  test("an answer that comes before the browser draws is shown", async () => {
    const root = createFolder(PROJECT);
    writeFileSync(join(root, "answer.md"), FIVE);
    // A clipboard that can be read would draw once more.
    const { page } = await openReview(root, ["answer.md"], { permissions: [] });
    await page.addInitScript(() => {
      const wait = window.setTimeout;
      const laterOf = (ms = 0): number => Math.max(ms, 1_000);
      window.setTimeout = ((act: () => void, ms?: number) => wait(act, laterOf(ms))) as typeof setTimeout;
      window.requestAnimationFrame = (act) => wait(() => act(performance.now()), laterOf());
    });
    await page.reload();
    await page.getByText("Run 5 changes").waitFor({ timeout: 10_000 });
  });

  test("a reload keeps the answer; a second use of the address is refused; a killed server is said", { timeout: 150_000 }, async () => {
    const { root } = createRepository(PROJECT);
    const { page, said, kill } = await openReview(root);
    await copyInChat(page, FIVE);
    await page.getByText("Run 5 changes").waitFor();
    expect(page.url()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    await page.reload();
    await page.getByText("Run 5 changes").waitFor();
    const second = await (await browser()).newPage();
    await second.goto(/http:\S+/.exec(said())?.[0] ?? "");
    await second.getByText("This address was opened before").waitFor();
    await second.close();
    // The first one is not disturbed.
    expect(await page.getByText("Run 5 changes").isVisible()).toBe(true);
    kill();
    await page.getByText("trying again").waitFor();
    await page.getByText("Loaf has ended").waitFor({ timeout: 30_000 });
    await picture(page, "ended");
  });

  test("the command ends some seconds after its tab", async () => {
    const { page, ended } = await openReview(createFolder({ "a.txt": "a\n" }));
    await page.getByRole("heading", { name: "Copy an answer" }).waitFor();
    const start = performance.now();
    await page.close();
    expect(await ended).toBe(0);
    expect(performance.now() - start).toBeGreaterThan(8_000);
  });

  test("what is saved into the input file of watch is shown, and text of an answer never acts on the page", async () => {
    const root = createFolder({ "a.txt": "one\n" });
    const { page, complaints } = await openReview(root);
    await page.getByRole("heading", { name: "Copy an answer" }).waitFor();
    const evil = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>";
    writeFileSync(join(root, "loaf-input.md"), `${evil} is what I add.\n\n${edit("a.txt", "one", evil)}`);
    await page.getByText("Run 1 change").waitFor();
    await page.locator(".row.a", { hasText: "onerror" }).waitFor();
    expect(await page.title()).not.toContain("owned");
    expect(await page.locator("img").count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});

import { chmodSync, existsSync, lstatSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { writeStateFile } from "../../../../src/state/state-file.ts";
import { Loaf } from "../../../../src/index.ts";
import { printBlock } from "../../../../src/syntaxes/nesl/teach.ts";
import { createFolder } from "../../../support/folder.ts";
import { watchIn } from "../../../support/watching.ts";

const append = (id: string) => printBlock(id, { action: "file_append", path: "log", content: `${id}\n` });
const broken = (id: string) => `#!nesl [@three-char-SHA-256: ${id}]\naction := "ls"\n#!end_${id}`;
const results = (...lines: string[]) => `=== LOAF RESULTS ===\n${lines.map((line) => `${line}\n`).join("")}=== END ===\n`;
const done = (...ids: string[]) => results(...ids.map((id) => `${id} ✅ file_append log`));
const log = (root: string) => (existsSync(join(root, "log")) ? readFileSync(join(root, "log"), "utf8").split("\n").slice(0, -1) : []);

test("runs a saved text, puts results above it, and writes the report to the output file", async () => {
  const root = createFolder({ "loaf-input.md": "Replace me" });
  const watching = watchIn(root);
  await watching.quiet();
  expect([watching.runs, watching.text(), existsSync(join(root, ".loaf"))]).toEqual([[], "Replace me", false]);
  watching.save(`An answer\n${append("one")}`);
  await watching.ran(1);
  expect(watching.text()).toBe(`${done("one")}An answer\n${append("one")}`);
  expect(watching.output()).toBe(`${done("one")}\n=== OUTPUTS ===\n=== END ===\n`);
  await watching.quiet();
  expect([log(root), watching.runs.length]).toEqual([["one"], 1]);
});

test("a text saved while the project is opened runs under the configuration saved before it", async () => {
  const root = createFolder();
  let opened = 0;
  const open = async (): Promise<Loaf> => {
    const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true } });
    // As a person does who is asked whether to trust the old one.
    if (opened++ === 1) {
      writeFileSync(join(root, "loaf.yml"), "fs-guard: {write: {deny: [log]}}\n");
      writeFileSync(join(root, "loaf-input.md"), append("two"));
    }
    return loaf;
  };
  const watching = watchIn(root, { open });
  await watching.quiet();
  watching.save(append("one"));
  const { result } = await watching.ran(1);
  expect(result.results.map(({ blockId, code }) => [blockId, code])).toEqual([["two", "guard/denied"]]);
  expect(log(root)).toEqual([]);
});

const quietLong = async (watching: { quiet(): Promise<void> }): Promise<void> => {
  await watching.quiet();
  await watching.quiet();
};

test("a saved text without blocks gets a response once, and the output file has no earlier report", async () => {
  const root = createFolder();
  const watching = watchIn(root);
  watching.save(append("one"));
  await watching.ran(1);
  const foreign = "Sure:\n\n<--- WRITE file=\"a\"--->\nx\n<---END--->\n";
  watching.save(foreign);
  await quietLong(watching);
  const answer = results("Nothing to run found", "note: line 3 is nearly the marker <---WRITE of CSL: read as prose, and nothing there was run", "hint: Send what begins there again, each marker alone on its line, from the first column and exactly as in <---WRITE file=\"src/a.txt\"--->");
  expect(watching.text()).toBe(answer + foreign);
  expect(watching.output()).toBe(`${answer}\n=== OUTPUTS ===\n=== END ===\n`);
  watching.save(`${watching.text()}more prose\n`);
  await quietLong(watching);
  expect(watching.text()).toBe(`${answer}${foreign}more prose\n`);
  watching.save(`${done("one")}I would rather not change that.\n`);
  await quietLong(watching);
  expect(watching.text()).toBe(`${results("Nothing to run found")}${done("one")}I would rather not change that.\n`);
  expect([watching.runs.length, log(root)]).toEqual([1, ["one"]]);
});

test("recognises a report saved instead of an answer", async () => {
  const watching = watchIn(createFolder());
  await watching.quiet();
  watching.save(`${done("one")}\n=== OUTPUTS ===\n=== END ===\n`);
  await quietLong(watching);
  expect(watching.text()).toContain("Nothing to run found\nnote: this is one of Loaf's own reports, not an answer");
});

test("reports that an answer saved again without its results has run before", async () => {
  const root = createFolder();
  const watching = watchIn(root);
  watching.save(append("one"));
  const { report } = await watching.ran(1);
  watching.save(append("one"));
  await quietLong(watching);
  expect(watching.text()).toBe(`${results("note: the block of this text ran before, and did not run again", "hint: To run the text again anyway, press r in loaf watch")}${append("one")}`);
  expect([watching.output(), log(root)]).toEqual([`${report}\n`, ["one"]]);
});

test("results replace the ones before them, also after a restart, and below what a user adds", async () => {
  const root = createFolder();
  const first = watchIn(root);
  first.save(append("one"));
  await first.ran(1);
  first.save(`${first.text()}\n${append("two")}`);
  await first.ran(2);
  const both = `${append("one")}\n${append("two")}`;
  expect(first.text()).toBe(done("two") + both);
  await first.end();
  const second = watchIn(root);
  second.save(`${second.text()}\n${append("thr")}`);
  await second.ran(1);
  expect(second.text()).toBe(`${done("thr")}${both}\n${append("thr")}`);
  second.save(`My note\n${second.text()}\n${append("fou")}`);
  await second.ran(2);
  expect(second.text()).toBe(`${done("fou")}My note\n${done("thr")}${both}\n${append("thr")}\n${append("fou")}`);
});

test("leaves a file alone that is empty or has only results", async () => {
  const watching = watchIn(createFolder());
  await watching.quiet();
  for (const text of [" \n", done("one"), `\ufeff${done("one")}${done("two")}\n`, `[task-1] SUCCESS: WRITE - a\n${done("one")}`]) {
    watching.save(text);
    await quietLong(watching);
    expect(watching.text()).toBe(text);
  }
});

test("at the start runs only what has not run before, also after a restart", async () => {
  const root = createFolder({ "loaf-input.md": append("one") });
  const first = watchIn(root);
  await first.ran(1);
  await first.end();
  const second = watchIn(root);
  await second.quiet();
  second.save(`${second.text()}\nMore prose`);
  await second.quiet();
  expect([second.runs, log(root)]).toEqual([[], ["one"]]);
  second.save(`${second.text()}\n${append("two")}`);
  await second.ran(1);
  expect(log(root)).toEqual(["one", "two"]);
  expect(second.text().startsWith(`${done("two")}#!nesl`)).toBe(true);
});

test("runs a text again on request", async () => {
  const root = createFolder({ "loaf-input.md": append("one") });
  const first = watchIn(root);
  await first.ran(1);
  first.watcher.requests.add({ kind: "again" });
  await first.ran(2);
  await first.end();
  await watchIn(root, { again: true }).ran(1);
  expect(log(root)).toEqual(["one", "one", "one"]);
});

test("blocks quoted in results never run", async () => {
  const root = createFolder({ "quoted.md": `${append("bad")}\n` });
  const watching = watchIn(root);
  watching.save(printBlock("red", { action: "file_read", path: "quoted.md" }));
  const { report } = await watching.ran(1);
  watching.save(`${report}\n${watching.text()}`);
  await watching.quiet();
  expect([log(root), watching.runs.length]).toEqual([[], 1]);
});

test("reports an unreadable block once, and runs only that once fixed", async () => {
  const root = createFolder();
  const watching = watchIn(root);
  watching.save(`${append("one")}\n${broken("two")}`);
  await watching.ran(1);
  watching.save(`${append("one")}\n${broken("two")}\nprose`);
  await watching.quiet();
  expect(watching.runs.length).toBe(1);
  watching.save(`${append("one")}\n${append("two")}`);
  await watching.ran(2);
  expect(log(root)).toEqual(["one", "two"]);
});

test("waits for the rest of a text that ends within a block", async () => {
  const root = createFolder();
  const watching = watchIn(root);
  const text = `${append("one")}\n${append("two")}`;
  await watching.quiet();
  watching.save(text.slice(0, -6));
  await setTimeout(200);
  expect(watching.runs).toEqual([]);
  watching.save(text);
  expect((await watching.ran(1)).result).toMatchObject({ success: true, totalBlocks: 2 });
  expect(log(root)).toEqual(["one", "two"]);
});

test("runs a truncated text as far as it goes, and says how to continue", async () => {
  const root = createFolder();
  const watching = watchIn(root);
  watching.save(`${append("one")}\n${append("two").slice(0, -6)}`);
  await watching.ran(1);
  expect(watching.output()).toMatch(/continue from block two\n$/);
  expect(log(root)).toEqual(["one"]);
});

test("keeps a link and the file's mode, and handles a file deleted and recreated", async () => {
  const root = createFolder({ "elsewhere/chat.md": append("one") });
  chmodSync(join(root, "elsewhere/chat.md"), 0o640);
  symlinkSync("elsewhere/chat.md", join(root, "loaf-input.md"));
  const watching = watchIn(root);
  await watching.ran(1);
  expect(lstatSync(watching.input).isSymbolicLink()).toBe(true);
  expect(statSync(watching.input).mode & 0o777).toBe(0o640);
  writeFileSync(join(root, "elsewhere/chat.md"), append("two"));
  await watching.ran(2);
  expect(watching.text()).toBe(done("two") + append("two"));
  unlinkSync(watching.input);
  await watching.quiet();
  writeFileSync(join(root, "new"), append("thr"));
  renameSync(join(root, "new"), watching.input);
  await watching.ran(3);
  expect(log(root)).toEqual(["one", "two", "thr"]);
});

test("a save during a run stays below the results, and runs next", async () => {
  const root = createFolder();
  const saved = `${append("one")}\nsaved meanwhile\n${append("two")}`;
  const open = () => Loaf.create({ repoPath: root, config: { relative_paths: true }, onEvent: ({ blockId }) => blockId === "one" && writeFileSync(watching.input, saved) });
  const watching = watchIn(root, { open });
  watching.save(append("one"));
  await watching.ran(2);
  expect(watching.text()).toBe(done("two") + saved);
});

test("results are in the output file if the input file is gone", async () => {
  const root = createFolder();
  const open = () => Loaf.create({ repoPath: root, config: { relative_paths: true }, onEvent: () => rmSync(watching.input) });
  const watching = watchIn(root, { open });
  watching.save(append("one"));
  await watching.ran(1);
  expect(existsSync(watching.input)).toBe(false);
  expect(watching.output()).toContain("one ✅ file_append log");
  expect(watching.told).toEqual([`There is no ${watching.input} to put results above: they are in .loaf/output.md`]);
});

test("reports an invalid configuration once, and remembers what ran", async () => {
  const root = createFolder({ "loaf.yml": "relative_paths: [" });
  const watching = watchIn(root, { open: () => Loaf.create({ repoPath: root }) });
  for (const text of ["first", "second"]) {
    watching.save(`${text}\n${append("one")}`);
    await watching.quiet();
  }
  expect([watching.runs, watching.told.length]).toEqual([[], 1]);
  expect(watching.text()).toMatch(/^=== LOAF RESULTS ===\n❌ .*loaf\.yml:1:.*: nothing was run\n=== END ===\nsecond\n#!nesl/);
  expect(watching.output()).toContain(": nothing was run\n=== END ===");
  writeFileSync(join(root, "loaf.yml"), "relative_paths: true");
  watching.save(`third\n${append("one")}`);
  await watching.ran(1);
  expect(log(root)).toEqual(["one"]);
});

test("a text refused because of a limit stays pending", async () => {
  const root = createFolder();
  let most = 1;
  const watching = watchIn(root, { open: () => Loaf.create({ repoPath: root, config: { relative_paths: true, limits: { max_blocks: most } } }) });
  watching.save(`${append("one")}\n${append("two")}`);
  expect((await watching.ran(1)).result.fatalError).toContain("2 blocks, the limit is 1");
  await watching.quiet();
  expect(watching.runs.length).toBe(1);
  most = 5;
  watching.save(`${watching.text()}\nonce more`);
  await watching.ran(2);
  expect(log(root)).toEqual(["one", "two"]);
});

test("names a file that is too large or no text, and leaves it alone", async () => {
  const root = createFolder();
  const watching = watchIn(root, { config: { relative_paths: true, limits: { max_input: 500 } } });
  watching.save("x".repeat(501));
  await watching.quiet();
  writeFileSync(watching.input, Buffer.from([0xff, 0xfe, 0x41, 0]));
  await watching.quiet();
  expect(watching.told).toEqual([`'${watching.input}' is larger than the limit of 500 bytes`, `'${watching.input}' is UTF-16 text: save it as UTF-8`]);
});

test("does not repeat an interrupted run by itself", async () => {
  const root = createFolder({ "loaf-input.md": append("one") });
  const { hash } = (await Loaf.create({ repoPath: root })).items(append("one")).items[0] ?? {};
  writeStateFile(root, "watched", JSON.stringify({ ran: [hash], reported: [], isRunning: true }));
  const watching = watchIn(root);
  await watching.quiet();
  expect([watching.runs, log(root)]).toEqual([[], []]);
  expect(watching.told[0]).toContain("The last run was interrupted");
});

test("runs a text from the clipboard once, with results above the file's text", async () => {
  const root = createFolder({ "loaf-input.md": "mine" });
  const watching = watchIn(root);
  watching.watcher.requests.add({ kind: "text", text: append("one") });
  await watching.ran(1);
  watching.watcher.requests.add({ kind: "text", text: append("one") });
  watching.watcher.requests.add({ kind: "text", text: "no block" });
  await watching.quiet();
  expect([watching.text(), log(root), watching.runs.length]).toEqual([`${done("one")}mine`, ["one"], 1]);
});

test("runs a text from the clipboard without an input file too, and says where the results are", async () => {
  const root = createFolder();
  const watching = watchIn(root);
  watching.watcher.requests.add({ kind: "text", text: append("one") });
  await watching.ran(1);
  expect([log(root), existsSync(watching.input)]).toEqual([["one"], false]);
  expect(watching.told).toEqual([`There is no ${watching.input} to put results above: they are in .loaf/output.md`]);
  expect(watching.output()).toContain("one ✅ file_append log");
});

test("applies only new edits of a copied answer that ran before", async () => {
  const root = createFolder();
  const watching = watchIn(root);
  for (const [count, ids] of [["two"], ["one"], ["one", "three"]].entries()) {
    watching.watcher.requests.add({ kind: "text", text: ids.map(append).join("\n") });
    await watching.ran(count + 1);
  }
  expect(log(root)).toEqual(["two", "one", "three"]);
  expect(watching.output()).toContain("one ✅ file_append log - already applied in run 2\nthree ✅ file_append log\n");
});

test("does not run a copied answer that ran before, from the clipboard or the input file, whatever is around it", async () => {
  const root = createFolder();
  const watching = watchIn(root);
  watching.save(`Saved:\n${append("one")}\n${append("two")}`);
  await watching.ran(1);
  watching.watcher.requests.add({ kind: "text", text: append("three") });
  await watching.ran(2);
  for (const ids of [["three"], ["one", "two"], ["two"]]) watching.watcher.requests.add({ kind: "text", text: `Copied:\n${ids.map(append).join("\n")}` });
  await watching.quiet();
  expect([log(root), watching.runs.length]).toEqual([["one", "two", "three"], 2]);
  expect(watching.told).toEqual(Array.from({ length: 3 }, () => "The copied answer ran before, and did not run again: loaf paste asks, and runs it again"));
});

test("a copied answer of which nothing was run may run later", async () => {
  const root = createFolder();
  let most = 1;
  const watching = watchIn(root, { open: () => Loaf.create({ repoPath: root, config: { relative_paths: true, limits: { max_blocks: most } } }) });
  const text = [append("one"), append("two")].join("\n");
  watching.watcher.requests.add({ kind: "text", text });
  await watching.ran(1);
  most = 2;
  watching.watcher.requests.add({ kind: "text", text });
  await watching.ran(2);
  expect(log(root)).toEqual(["one", "two"]);
});

test("asks about a copied answer if it has to, and not about text without actions", async () => {
  const root = createFolder();
  const asked: string[] = [];
  const watching = watchIn(root, { confirmCopied: async (text) => asked.push(text) > 1 });
  for (const text of ["prose", broken("bad"), append("one"), append("two")]) watching.watcher.requests.add({ kind: "text", text });
  await watching.ran(1);
  expect([asked, log(root), watching.told.length]).toEqual([[append("one"), append("two")], ["two"], 1]);
});

test("restores a file that a killed Loaf had renamed away", async () => {
  const root = createFolder({ ".loaf-input.md.loaf-old": append("one"), ".loaf-input.md.loaf-new": "half" });
  const watching = watchIn(root);
  await watching.ran(1);
  expect([watching.text(), existsSync(join(root, ".loaf-input.md.loaf-old")), existsSync(join(root, ".loaf-input.md.loaf-new"))]).toEqual([done("one") + append("one"), false, false]);
  expect(watching.told).toEqual([`${watching.input} was missing since Loaf was interrupted, and is back`]);
});

test("tells where the text is that a killed Loaf had renamed away, if another has its place", async () => {
  const root = createFolder({ "loaf-input.md": append("one"), ".loaf-input.md.loaf-old": append("two") });
  const watching = watchIn(root);
  await watching.ran(1);
  const beside = `${watching.input}.saved-meanwhile-1`;
  expect(readFileSync(beside, "utf8")).toBe(append("two"));
  expect(watching.told).toEqual([`Loaf was interrupted while it replaced ${watching.input}. The text from then is in ${beside}`]);
});

test("starts nothing after close", async () => {
  const root = createFolder();
  const watching = watchIn(root, { debounce: 200 });
  watching.save(append("one"));
  await watching.quiet();
  watching.save(append("two"));
  await watching.end();
  expect(log(root)).toEqual(["one"]);
});

/** Reviews as the page makes them: see, choose, run, report, undo. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { AnswerView, FilesView, FileView, PastRunView, ReversalView, TriedView } from "../../src/faces/web/protocol.ts";
import { hasSandbox } from "../support/programs.ts";
import { openPage, reportOf, without } from "./open-page.ts";

const LINES = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
const FILE = `${LINES.join("\n")}\n`;

/** An edit of lines 3 and 20, in one block. */
const EDIT = `I change two lines.

a.txt
\`\`\`
<<<<<<< SEARCH
${LINES.slice(1, 21).join("\n")}
=======
${LINES.slice(1, 21).join("\n").replace("line 3\n", "LINE 3\n").replace("line 20", "LINE 20")}
>>>>>>> REPLACE
\`\`\`
`;

const write = (path: string, content: string): string => `#!nesl [@three-char-SHA-256: k7m]
action = "file_write"
path = "${path}"
content = <<'EOT_k7m'
${content}
EOT_k7m
#!end_k7m
`;

const run = (code: string): string => `#!nesl [@three-char-SHA-256: r2x]
action = "exec"
lang = "bash"
code = "${code}"
#!end_r2x
`;

function hunksOf(answer: AnswerView, position = 0): string[] {
  return answer.items[position]?.files.flatMap(({ hunks }) => hunks.map(({ id = "" }) => id)) ?? [];
}

test("an answer is shown with its hunks, the lines around them, folds, and the words that differ", async () => {
  const page = await openPage({ "a.txt": FILE });
  const answer = await page.take(EDIT);
  expect(answer).toMatchObject({ title: "I change two lines.", source: "clipboard", items: [{ label: "e1", kind: "edit", subject: "a.txt", tags: [] }] });
  const [file] = answer.items[0]?.files ?? [];
  expect(file).toMatchObject({ path: "a.txt", kind: "changed", fold: { lines: 7, old: 24, new: 24 } });
  expect(file?.hunks.map(({ fold }) => fold)).toEqual([undefined, { lines: 10, old: 7, new: 7 }]);
  expect(file?.hunks[0]?.lines.map(({ sign, old, new: now, text }) => `${sign} ${old ?? ""} ${now ?? ""} ${text}`)).toEqual([
    "  1 1 line 1",
    "  2 2 line 2",
    "- 3  line 3",
    "+  3 LINE 3",
    "  4 4 line 4",
    "  5 5 line 5",
    "  6 6 line 6",
  ]);
  const more = await page.ask<Array<{ text: string }>>("lines", { key: answer.key, position: 0, path: "a.txt", from: 7, to: 17, shift: 0 });
  expect(more.map(({ text }) => text)).toEqual(LINES.slice(6, 16));
});

test("of an edit one hunk is left out: the rest lands, and the report says what stays, why, and what was said", async () => {
  const page = await openPage({ "a.txt": FILE });
  const answer = await page.take(EDIT);
  const [, second = ""] = hunksOf(answer);
  const choice = without(answer, [], { 0: [second] });
  const shown = await page.ask<AnswerView>("preview", { key: answer.key, choice });
  const comments = [
    { position: 0, path: "a.txt", hunk: second, quote: "LINE 20", line: 20, side: "new", text: "20 is part of an interface" },
    { position: 0, path: "a.txt", quote: "line 2", line: 2, side: "new", text: "is this still needed?" },
  ];
  const report = reportOf(await page.run(shown, { choice, comments }));
  expect(readFileSync(join(page.root, "a.txt"), "utf8")).toBe(FILE.replace("line 3\n", "LINE 3\n"));
  expect(report.text).toContain("1 of 2 hunks");
  expect(report.text).toContain("partly taken: 1 of 2 hunks; the user left out a.txt line 20");
  expect(report.text).toContain(`[e1] a.txt left out by the user:
line 20 stays as it is:
line 20

not taken:
LINE 20

the user says:
20 is part of an interface`);
  expect(report.text).toContain(`[e1] a.txt comment of the user:
line 2:
line 2

the user says:
is this still needed?`);
  expect(page.copied).toEqual([report.text]);
  expect(report).toMatchObject({ isCopied: true, success: true, run: 1 });
});

test("a whole new text of a file is shown and chosen hunk by hunk, as an edit is", async () => {
  const page = await openPage({ "a.txt": FILE });
  const text = FILE.replace("line 3\n", "LINE 3\n").replace("line 20\n", "").replace("line 28\n", "line 28\nmore\n");
  for (const [whole, index] of [[write("a.txt", text.trimEnd()), 0], [`Here is the whole a.txt without line 20:\n\na.txt\n\`\`\`\n${text}\`\`\`\n`, 2]] as const) {
    const answer = await page.take(whole);
    const ids = hunksOf(answer);
    expect(ids).toHaveLength(3);
    const choice = without(answer, [], { 0: [ids[index] ?? ""] });
    const report = reportOf(await page.run(await page.ask<AnswerView>("preview", { key: answer.key, choice }), { choice }));
    expect(report.text).toContain("partly taken: 2 of 3 hunks; the user left out a.txt line");
    expect(readFileSync(join(page.root, "a.txt"), "utf8")).toBe(index === 0 ? text.replace("LINE 3", "line 3") : text.replace("more\n", ""));
    await page.ask("reverse", { run: report.run, kind: "undo" });
  }
});

test("an item that is left out is reported as refused, and not made", async () => {
  const page = await openPage({ "a.txt": FILE });
  const answer = await page.take(`${EDIT}\n${write("b.txt", "b")}`);
  const choice = without(answer, [1]);
  const shown = await page.ask<AnswerView>("preview", { key: answer.key, choice });
  // It is still shown as it was.
  expect(shown.items[1]).toEqual(answer.items[1]);
  const report = reportOf(await page.run(shown, { choice }));
  expect(report.text).toContain("k7m ❌ file_write b.txt - Refused by the user");
  expect(() => readFileSync(join(page.root, "b.txt"))).toThrow("ENOENT");
});

test.skipIf(!hasSandbox)("134: a question waits for the next tab, and is still asked once the time for that is over", async () => {
  const page = await openPage({}, { patience: 300 });
  const append = `#!nesl [@three-char-SHA-256: e5d]\naction = "file_append"\npath = "made.txt"\ncontent = "two"\n#!end_e5d\n`;
  const answer = await page.take(`${run("echo one > made.txt")}\n${append}`);
  const { key, digest } = answer;
  const second = await page.open(page.key);
  await page.ask("run", { key, digest, choice: without(answer, []), comments: [], again: false });
  await vi.waitFor(() => expect(second.events.at(-1)?.kind).toBe("ask"), { timeout: 20_000 });
  second.close();
  await new Promise((done) => setTimeout(done, 50));
  const third = await page.open(page.key);
  await new Promise((done) => setTimeout(done, 600));
  expect(third.events.findLast(({ kind }) => kind !== "ping")?.kind).toBe("ask");
  expect(await page.ask("answer", { id: 1, value: "once" })).toBe(true);
  await vi.waitFor(() => expect(third.events.at(-1)).toMatchObject({ kind: "done", report: { success: true } }), { timeout: 20_000 });
});

test("133: a project that has changed since is shown anew, and nothing is applied", async () => {
  const page = await openPage({ "a.txt": FILE });
  const answer = await page.take(EDIT);
  writeFileSync(join(page.root, "a.txt"), `mine\n${FILE}`);
  const event = (await page.run(answer)).at(-1);
  expect(event).toMatchObject({ kind: "changed", answer: { key: answer.key } });
  expect(readFileSync(join(page.root, "a.txt"), "utf8")).toBe(`mine\n${FILE}`);
  const again = event?.kind === "changed" ? event.answer : answer;
  expect(again.items[0]?.files[0]?.hunks[0]?.lines.find(({ sign }) => sign === "-")?.old).toBe(4);
  reportOf(await page.run(again));
  expect(readFileSync(join(page.root, "a.txt"), "utf8")).toContain("LINE 3\n");
});

test("133: nothing is applied twice: not by a second request, not by the same answer again, and not by two at once", async () => {
  const page = await openPage({ "a.txt": FILE });
  const append = `#!nesl [@three-char-SHA-256: k7m]\naction = "file_append"\npath = "a.txt"\ncontent = "more\\n"\n#!end_k7m\n`;
  const answer = await page.take(append);
  const both = await Promise.allSettled([page.run(answer), page.run(answer)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  await expect(page.run(answer)).rejects.toThrow("422 This answer has run already");
  const same = await page.take(append);
  expect(same).toMatchObject({ ranAt: expect.any(String), items: [{ appliedIn: 1 }] });
  reportOf(await page.run(same));
  expect(readFileSync(join(page.root, "a.txt"), "utf8")).toBe(`${FILE}more\n`);
});

test("a tab that opens after a run gets what happened in it, until there is a new answer", async () => {
  const page = await openPage({ "a.txt": FILE });
  const events = await page.run(await page.take(EDIT));
  const second = await page.open(page.key);
  await expect.poll(() => second.events.map(({ kind }) => kind)).toEqual(["hello", "answer", ...events.map(({ kind }) => kind)]);
  await page.take(write("b.txt", "b"));
  const third = await page.open(page.key);
  await expect.poll(() => third.events.map(({ kind }) => kind)).toEqual(["hello", "answer"]);
});

test("an edit that cannot be made stands beside the closest place, and the rest runs", async () => {
  const page = await openPage({ "a.txt": FILE });
  const answer = await page.take(`a.txt\n\`\`\`\n<<<<<<< SEARCH\nline 7\nline 8!\nline 9\n=======\nx\n>>>>>>> REPLACE\n\`\`\`\n\n${write("b.txt", "b")}`);
  expect(answer.items[0]?.problem).toMatchObject({
    sentence: "The lines to replace are not in the file",
    sought: [{ text: "line 7" }, { text: "line 8!", words: [[6, 7, "word"]] }, { text: "line 9" }],
    closest: { path: "a.txt", lines: [{ new: 7, text: "line 7" }, { new: 8, text: "line 8" }, { new: 9, text: "line 9" }] },
  });
  const report = reportOf(await page.run(answer));
  expect(report).toMatchObject({ success: false, summary: "1 file, +1 · 1 refused" });
});

test("of an item that cannot be made, what it would write is shown, up to 15 lines", async () => {
  const page = await openPage({ "a.txt": FILE });
  const answer = await page.take(`In \`b.txt\`:\n\n\`\`\`\nuser = "ann"\n\`\`\`\n`);
  expect(answer.items[0]).toMatchObject({ files: [], problem: { sentence: expect.stringContaining("unclear"), sought: [{ sign: " ", text: 'user = "ann"' }] } });
  const long = await page.take(write("b/", LINES.join("\n")));
  expect(long.items[0]?.problem?.sought?.map(({ text }) => text)).toEqual(LINES.slice(0, 15));
});

test("each of two blocks with the same ID gets its own mark, also where one of them is left out", async () => {
  const page = await openPage({});
  const answer = await page.take([write("a.txt", "a"), write("b/", "b"), write("c.txt", "c")].join("\n"));
  expect(answer.items.map(({ label }) => label)).toEqual(["k7m", "k7m#2", "k7m#3"]);
  const choice = without(answer, [0]);
  const events = await page.run(await page.ask<AnswerView>("preview", { key: answer.key, choice }), { choice });
  const told = events.flatMap((event) => (event.kind === "started" ? [event.label] : event.kind === "ended" ? [`${event.label} ${event.mark}`] : []));
  expect(told).toEqual(["k7m", "k7m ✗", "k7m#2", "k7m#2 ✗", "k7m#3", "k7m#3 ✓"]);
});

test("what was not read is told, and a path makes a file of it", async () => {
  const page = await openPage({});
  const answer = await page.take(`${write("b.txt", "b")}\n\`\`\`python\nx = 1\ny = 2\n\`\`\`\n\n\`\`\`bash\npip install rich\n\`\`\`\n`);
  expect(answer.unread.map(({ message, fences }) => [message, fences])).toEqual([
    ["not read: 1 code block without a path (line 9)", [9]],
    ["not run: pip install rich (line 14)", undefined],
  ]);
  const used = await page.ask<AnswerView>("useAs", { key: answer.key, line: 9, path: "src/x.py" });
  expect(used.items.map(({ files }) => files.map(({ path, kind }) => [path, kind]))).toEqual([[["b.txt", "new"]], [["src/x.py", "new"]]]);
  reportOf(await page.run(used));
  expect(readFileSync(join(page.root, "src/x.py"), "utf8")).toBe("x = 1\ny = 2\n");
});

test("deleted files and secrets are marked, and hidden characters are shown", async () => {
  const page = await openPage({ "a.txt": FILE });
  const answer = await page.take(`#!nesl [@three-char-SHA-256: d1e]\naction = "file_delete"\npath = "a.txt"\n#!end_d1e\n\n${write("b.txt", `token = ghp_${"a1B2".repeat(9)}\nif admin\u202e`)}`);
  expect(answer.items.map(({ tags }) => tags)).toEqual([["deletes"], ["secret"]]);
  expect(answer.items[1]?.files[0]?.hunks[0]?.lines[1]?.text).toBe("if admin\\u202e");
});

test("a moved file is one file, in a folder that moves too, and what is deleted beside it is not taken for it", async () => {
  const page = await openPage({ "a.txt": FILE, "old/b.txt": "b\n", "old/c.txt": FILE, "d.txt": "" });
  const move = (from: string, to: string): string => `#!nesl [@three-char-SHA-256: m1v]\naction = "file_move"\nold_path = "${from}"\nnew_path = "${to}"\n#!end_m1v\n`;
  const answer = await page.take(move("a.txt", "to/a.md") + move("old", "new"));
  expect(answer.items.map(({ files }) => files.map(({ path, movedFrom, kind, hunks }) => [path, movedFrom, kind, hunks.length]))).toEqual([
    [["to/a.md", "a.txt", "moved", 0]],
    [["new/b.txt", "old/b.txt", "moved", 0], ["new/c.txt", "old/c.txt", "moved", 0], ["old", undefined, "folder", 0]],
  ]);
  const other = await page.take(`#!nesl [@three-char-SHA-256: m1v]\naction = "file_move"\nold_path = "d.txt"\nnew_path = "e.txt"\n#!end_m1v\n`);
  expect(other.items[0]?.files.map(({ path }) => path)).toEqual(["d.txt", "e.txt"]);
});

test.skipIf(!hasSandbox)("a command is shown with its code, runs on a copy when tried, and for real only with the run", async () => {
  const page = await openPage({ "a.txt": FILE });
  const answer = await page.take(`${write("b.txt", "b")}\n${run("cat b.txt; echo out > c.txt; exit 3")}`);
  expect(answer.items[1]).toMatchObject({ kind: "command", subject: "cat b.txt; echo out > c.txt; exit 3", command: { lang: "bash" }, files: [] });
  const tried = await page.ask<TriedView>("try", { key: answer.key, position: 1, choice: without(answer, []) });
  expect(tried).toMatchObject({ stdout: "b\n", error: "Process exited with code 3", files: [{ path: "c.txt", kind: "new" }] });
  expect(() => readFileSync(join(page.root, "c.txt"))).toThrow("ENOENT");
  const refused = without(answer, [1]);
  const shown = await page.ask<AnswerView>("preview", { key: answer.key, choice: refused });
  reportOf(await page.run(shown, { choice: refused }));
  expect(() => readFileSync(join(page.root, "c.txt"))).toThrow("ENOENT");
});

test.skipIf(!hasSandbox)("133: an edit of what a command makes was not shown, so it is asked about while it runs, and nothing else runs meanwhile", async () => {
  const page = await openPage({});
  const edit = `#!nesl [@three-char-SHA-256: e5d]\naction = "file_replace_text"\npath = "made.txt"\nold_text = "one"\nnew_text = "two"\n#!end_e5d\n`;
  const answer = await page.take(`${run("echo one > made.txt")}\n${edit}`);
  expect(answer.items[1]?.problem).toBeDefined();
  const running = page.run(answer);
  await vi.waitFor(() => expect(page.events.at(-1)?.kind).toBe("ask"), { timeout: 20_000 });
  await expect(page.run(answer)).rejects.toThrow("422 A run is in progress");
  expect(await page.ask("answer", { id: 1, value: "once" })).toBe(true);
  const events = await running;
  expect(events.find(({ kind }) => kind === "ask")).toMatchObject({ question: { files: [{ path: "made.txt" }] } });
  reportOf(events);
  expect(readFileSync(join(page.root, "made.txt"), "utf8")).toBe("two\n");
});

test("a run is listed with its diff, and undone and redone, with conflicts shown before", async () => {
  const page = await openPage({ "a.txt": FILE });
  reportOf(await page.run(await page.take(EDIT)));
  expect(await page.ask<PastRunView[]>("history")).toMatchObject([{ run: 1, state: "done", added: 2, removed: 2, answer: "I change two lines.", isStep: false }]);
  const [file] = await page.ask<FileView[]>("diff", { run: 1 });
  expect(file?.hunks.map(({ lines }) => lines.flatMap(({ sign, text }) => (sign === " " ? [] : sign + text)))).toEqual([["-line 3", "+LINE 3"], ["-line 20", "+LINE 20"]]);
  expect(await page.ask<ReversalView>("foresee", { run: 1, kind: "undo" })).toMatchObject({ restored: [{ path: "a.txt", how: "restored" }], refused: [] });
  writeFileSync(join(page.root, "a.txt"), FILE.replace("line 3\n", "mine\n").replace("line 20", "LINE 20"));
  expect(await page.ask<ReversalView>("foresee", { run: 1, kind: "undo" })).toMatchObject({ restored: [], refused: [{ path: "a.txt", reason: "it has changed since" }] });
  writeFileSync(join(page.root, "a.txt"), FILE.replace("line 3\n", "LINE 3\n").replace("line 20", "LINE 20"));
  expect(await page.ask<ReversalView>("reverse", { run: 1, kind: "undo" })).toMatchObject({ sentence: "Run 1 is undone" });
  expect(readFileSync(join(page.root, "a.txt"), "utf8")).toBe(FILE);
  expect(await page.ask<ReversalView>("reverse", { run: 1, kind: "redo" })).toMatchObject({ sentence: "Run 1 is redone" });
});

test("the files tab lists what may be read, keeps ticks, outlines, and copies the context below the instructions", async () => {
  const page = await openPage({ "a.txt": FILE, "src/b.md": "# One\n\n## Two\n", ".env": "SECRET=1" });
  const view = await page.ask<FilesView>("files");
  expect(view.files.map(({ path }) => path)).toEqual(["a.txt", "src/b.md"]);
  expect(view.files.every(({ tokens }) => tokens > 0)).toBe(true);
  expect(await page.ask("tick", { path: "src", on: true })).toEqual(["src"]);
  await expect(page.ask("tick", { path: ".env", on: true })).rejects.toThrow("422 .env cannot be added");
  expect(await page.ask("outline", { path: "src/b.md" })).toMatchObject([{ kind: expect.any(String), line: 1 }, { line: 3 }]);
  expect(await page.ask("context", { instructions: true })).toMatchObject({ isCopied: true, parts: [{ text: "INSTRUCTIONS\n\nsrc/b.md\n# One\n\n## Two\n" }] });
  expect((await page.ask<FilesView>("files")).ticked).toEqual(["src"]);
  expect(await page.ask("tick", { path: "src", on: false })).toEqual([]);
});

test("lines have the colours of their language, also in a comment over several lines", async () => {
  const page = await openPage({ "a.ts": "/* one\n   two */\nconst a = 1;\n" });
  const answer = await page.take("a.ts\n```\n<<<<<<< SEARCH\nconst a = 1;\n=======\nconst a = \"x\";\n>>>>>>> REPLACE\n```\n");
  expect(answer.items[0]?.files[0]?.hunks[0]?.lines.map(({ sign, tokens }) => [sign, tokens])).toEqual([
    [" ", [[0, 6, "comment"]]],
    [" ", [[0, 9, "comment"]]],
    ["-", [[0, 5, "keyword"], [10, 11, "number"]]],
    ["+", [[0, 5, "keyword"], [10, 13, "string"]]],
  ]);
});

test("a past run has the same colours and declarations", async () => {
  const page = await openPage({ "a.ts": "function f() {\n  const a = 1;\n}\n" });
  const answer = await page.take("a.ts\n```\n<<<<<<< SEARCH\n  const a = 1;\n=======\n  const a = 2;\n>>>>>>> REPLACE\n```\n");
  const shown = answer.items[0]?.files[0]?.hunks[0];
  expect(shown).toMatchObject({ within: "f" });
  reportOf(await page.run(answer));
  const [file] = await page.ask<FileView[]>("diff", { run: 1 });
  expect(file?.hunks[0]).toEqual({ ...shown, id: undefined });
});

test("a hunk names the declaration that it is in, as the file was before", async () => {
  const code = "class Cart {\n  total() {\n    return 1;\n  }\n  count() {\n    return 2;\n  }\n}\n\nconst one = 1;\n";
  const page = await openPage({ "a.ts": code, "a.txt": FILE });
  const changed = code.replace("return 1", "return 3").replace("return 2;", "return 2;\n    // two").replace("\n\nconst", "\n\n// first\nconst");
  const answer = await page.take(`${write("a.ts", changed)}\n${EDIT}`);
  expect(answer.items.map(({ files }) => files[0]?.hunks.map(({ within }) => within))).toEqual([["Cart › total", "Cart › count", undefined], [undefined, undefined]]);
});

test("a text without an answer shows nothing, and the last answer stays", async () => {
  const page = await openPage({ "a.txt": FILE });
  const answer = await page.take(EDIT);
  expect(await page.take("hello there")).toBeNull();
  expect(await page.take(EDIT)).toBeNull();
  expect(await page.ask<AnswerView>("preview", { key: answer.key, choice: without(answer, []) })).toMatchObject({ key: answer.key });
});

test("a choice of an answer that is no longer shown counts no more", async () => {
  const page = await openPage({ "a.txt": FILE });
  const old = await page.take(EDIT);
  const shown = await page.take(write("b.txt", "b"));
  expect(await page.ask("preview", { key: old.key, choice: without(old, [0]) })).toBeNull();
  expect(await page.ask<AnswerView>("preview", { key: shown.key, choice: without(shown, []) })).toMatchObject({ key: shown.key });
});

test("a hunk that has another ID, since an item beside it is left out, is left out too", async () => {
  const page = await openPage({ "a.txt": FILE });
  const beside = write("a.txt", FILE.replace("line 2\n", "LINE 2\n"));
  const answer = await page.take(`${beside}\n${EDIT.replaceAll(/(<<<<<<< SEARCH|=======)\nline 2\n/g, "$1\n")}`);
  const shown = await page.ask<AnswerView>("preview", { key: answer.key, choice: without(answer, [0]) });
  const [near = ""] = hunksOf(shown, 1);
  expect(hunksOf(answer, 1)).not.toContain(near);
  const choice = without(shown, [0], { 1: [near] });
  reportOf(await page.run(await page.ask<AnswerView>("preview", { key: answer.key, choice }), { choice }));
  expect(readFileSync(join(page.root, "a.txt"), "utf8")).toBe(FILE.replace("line 20", "LINE 20"));
});

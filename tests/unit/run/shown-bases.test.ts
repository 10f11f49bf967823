/** Tags of shown files, and what is said where an edit misses a file that has changed since. */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Loaf, type ActionResult } from "../../../src/index.ts";
import { shownFile } from "../../../src/context/shown-files.ts";
import { projectStateFolder } from "../../../src/state/places.ts";
import type { LoafOptions } from "../../../src/run/options.ts";
import { fullReport } from "../../../src/report/chat.ts";
import { printBlock } from "../../../src/syntaxes/nesl/teach.ts";
import { createFolder } from "../../support/folder.ts";

type More = Readonly<Record<string, string>>;
const block = (action: string, more: More): string => printBlock("b1k", { action, ...more });
const read = (path: string): string => block("file_read", { path });
const edit = (path: string, old_text: string, more: More = {}): string => block("file_replace_text", { path, old_text, new_text: "new", ...more });
const open = (repoPath: string, options: LoafOptions = {}): Promise<Loaf> => Loaf.create({ repoPath, config: { relative_paths: true }, ...options });
const baseOf = (text: string): string => shownFile("", text).base;
const READ_AGAIN = "read the lines again with file_read_numbered before you replace them by number";
const TEXT = "one\ntwo\nthree\nfour\nfive\n";

async function run(root: string, answer: string, options: LoafOptions = {}): Promise<ActionResult> {
  const [result] = (await (await open(root, options)).execute(answer)).results;
  if (result === undefined) throw new Error("nothing ran");
  return result;
}

/** Returns the last line of an edit's hint. */
async function said(root: string, answer: string): Promise<string | undefined> {
  return (await run(root, answer)).hint?.split("\n").at(-1);
}

/** A project whose `a.txt` was read, and then became another text. */
async function changedSinceRead(now: string): Promise<string> {
  const root = createFolder({ "a.txt": TEXT });
  await run(root, read("a.txt"));
  writeFileSync(join(root, "a.txt"), now);
  return root;
}

/** Everything in the state folder about shown files: names, and texts. */
function kept(root: string): string[] {
  const folder = join(projectStateFolder(root), "shown");
  return existsSync(folder) ? readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8")) : [];
}

const CHANGED = `a.txt has changed since it was shown (${baseOf(TEXT)})`;

test("an edit that misses a file changed since it was shown says which lines changed, and where its text was", async () => {
  const root = await changedSinceRead("zero\none\ntwo\n3\nfour\nfive\n");
  expect(await said(root, edit("a.txt", "three\n"))).toBe(`${CHANGED}: lines 1, 4; the old text was on line 3 then: write it as the lines are now`);
});

describe("an edit by line numbers of an earlier version, named by base", () => {
  const replace = (lines: string, base = baseOf(TEXT)): string => block("file_replace_lines", { path: "a.txt", lines, new_content: "new", base });

  test.each([
    ["3", "Line 3 has changed since base ", READ_AGAIN],
    ["2-3", "Lines 2-3 have changed since base ", READ_AGAIN],
    ["4", "Line 4 is no longer there: the file has changed since base ", READ_AGAIN],
    ["6", "The file had no line 6 at base ", READ_AGAIN],
  ])("line %s is refused", async (lines, error, hint) => {
    const now = "zero\none\ntwo\n3\n5\nsix\nseven\n";
    const root = await changedSinceRead(lines === "4" ? "one\ntwo\nthree\nfive\n" : now);
    const result = await run(root, replace(lines));
    expect([result.code, result.error, result.hint]).toEqual(["lines/moved", expect.stringContaining(error), expect.stringContaining(hint)]);
    expect(readFileSync(join(root, "a.txt"), "utf8")).not.toContain("new");
  });

  test.each([
    ["2", `zero\none\nnew\n3\nfour\nfive\n`],
    ["1-2", `zero\nnew\n3\nfour\nfive\n`],
    ["5", `zero\none\ntwo\n3\nfour\nnew\n`],
  ])("line %s is followed to where the user has moved it", async (lines, expected) => {
    const root = await changedSinceRead("zero\none\ntwo\n3\nfour\nfive\n");
    expect((await run(root, replace(lines))).success).toBe(true);
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe(expected);
  });

  test("is followed to where the user and earlier blocks have moved it, among equal lines too", async () => {
    const lines = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? `line ${index + 1}` : "}"));
    const root = createFolder({ "a.txt": `${lines.join("\n")}\n` });
    await run(root, read("a.txt"));
    const base = baseOf(`${lines.join("\n")}\n`);
    writeFileSync(join(root, "a.txt"), `${[...lines.slice(0, 8), "user 1", "user 2", ...lines.slice(8)].join("\n")}\n`);
    const line = (number: string, new_content: string, more: More = { base }): string => block("file_replace_lines", { path: "a.txt", lines: number, new_content, ...more });
    const answer = [line("3-4", "a\nb\nc\nd\ne"), edit("a.txt", "line 5\n}\nline 7"), line("16", "sixteen"), line("8", "eight"), line("5", "five"), line("20", "20", {})];
    const { results } = await (await open(root)).execute(answer.join("\n"));
    expect(results.map(({ success, error }) => error ?? success)).toEqual([true, true, true, true, "file_replace_lines: Line 5 is already changed by an earlier action of this run: see line 8 now", "file_replace_lines: Line 20 is now line 21: an earlier action of this run moved it"]);
    expect(readFileSync(join(root, "a.txt"), "utf8").split("\n")).toEqual(["line 1", "}", "a", "b", "c", "d", "e", "new", "eight", "user 1", "user 2", ...lines.slice(8, 15), "sixteen", ...lines.slice(16), ""]);
  });

  test.each([
    ["CRLF", TEXT.replaceAll("\n", "\r\n")],
    ["no final newline", TEXT.trimEnd()],
  ])("lands where only line endings have changed: %s", async (_, now) => {
    const root = await changedSinceRead(now);
    expect((await run(root, replace("5"))).success).toBe(true);
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe(now.replace("five", "new"));
  });

  test("lands where the lines have not moved, also after edits of the same run", async () => {
    const root = await changedSinceRead(`${TEXT}six\n`);
    const answer = [replace("2"), replace("4"), edit("a.txt", "five"), block("file_replace_lines", { path: "a.txt", lines: "1", new_content: "1\n1", base: baseOf(TEXT) })].join("\n");
    const { results } = await (await open(root)).execute(answer);
    expect(results.map(({ success }) => success)).toEqual([true, true, true, true]);
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("1\n1\nnew\nthree\nnew\nnew\nsix\n");
  });

  test("lands without a base, and with one that is not kept", async () => {
    const root = await changedSinceRead(`zero\n${TEXT}`);
    expect((await run(root, replace("2", "zzzz"))).success).toBe(true);
    expect((await run(root, block("file_replace_lines", { path: "a.txt", lines: "3", new_content: "new" }))).success).toBe(true);
  });
});

test("an edit that also missed what was shown says so", async () => {
  const root = await changedSinceRead("zero\none\ntwo\n3\nfour\nfive\n");
  expect(await said(root, edit("a.txt", "seven\n"))).toBe(`${CHANGED}: lines 1, 4; the old text was not in it then either`);
});

test.each([
  ["an ambiguous text", edit("a.txt", "two", {}), "two\ntwo\n", "text/ambiguous"],
  ["a wrong count", block("file_replace_all_text", { path: "a.txt", old_text: "two", new_text: "new", count: "1" }), "two\ntwo\n", "text/count"],
  ["a range's missing beginning", block("file_replace_text_range", { path: "a.txt", old_text_beginning: "two", old_text_end: "three", new_text: "" }), "2\n", "text/not-found"],
  ["lines beyond the end", block("file_replace_lines", { path: "a.txt", lines: "4-5", new_content: "x" }), "2\n", "lines/out-of-bounds"],
])("what has changed since is said of %s", async (_, answer, now, code) => {
  const root = await changedSinceRead(now);
  const result = await run(root, answer);
  expect(result).toMatchObject({ success: false, code });
  expect(result.hint).toContain(CHANGED);
});

test("an edit that replaces every occurrence and finds none says what has changed since", async () => {
  const root = await changedSinceRead("2\n");
  expect(await said(root, block("file_replace_all_text", { path: "a.txt", old_text: "two", new_text: "new" }))).toContain(`${CHANGED}: line 1; the old text was on line 2 then`);
});

test("a part of a file that is gone since it was shown has the changed lines in its hint", async () => {
  const root = createFolder({ "a.md": "# A\n\n## B\n\ntext\n" });
  await run(root, read("a.md@@# A@@## B"));
  writeFileSync(join(root, "a.md"), "# A\n\n## C\n\ntext\n");
  const result = await run(root, edit("a.md@@# A@@## B", "text"));
  expect(result.code).toBe("address/not-found");
  expect(result.hint).toContain("a.md has changed since it was shown");
});

test("a read beyond the end of the file is no edit, and is not compared", async () => {
  const root = await changedSinceRead("2\n");
  expect((await run(root, block("file_read_numbered", { path: "a.txt", lines: "4-5" }))).hint ?? "").not.toContain("changed since");
});

describe("a tag", () => {
  test("chooses the version that the model has seen, which need not be the last one shown", async () => {
    const root = await changedSinceRead("other\n");
    await run(root, read("a.txt"));
    expect(await said(root, edit("a.txt", "three\n"))).not.toContain("changed since");
    expect(await said(root, edit("a.txt", "three\n", { base: baseOf(TEXT) }))).toContain(`${CHANGED}: line 1; the old text was on line 3 then`);
  });

  test("of a version that is not kept leads to the advice to read again", async () => {
    const root = await changedSinceRead("other\n");
    expect(await said(root, edit("a.txt", "three\n", { base: "zzzz" }))).toBe("a.txt is not the version zzzz, which is not kept: read the file again");
  });

  test("finds what was shown of a file that has been moved, or was read through a link", async () => {
    const root = createFolder({ "a.txt": TEXT });
    symlinkSync("a.txt", join(root, "link.txt"));
    await run(root, read("link.txt"));
    writeFileSync(join(root, "a.txt"), "other\n");
    expect(await said(root, edit("a.txt", "three\n", { base: baseOf(TEXT) }))).toContain(CHANGED);
    renameSync(join(root, "a.txt"), join(root, "b.txt"));
    expect(await said(root, edit("b.txt", "three\n", { base: baseOf(TEXT) }))).toContain("b.txt has changed since it was shown");
  });

  test("of the file as it is leaves the hint alone, whatever was shown last", async () => {
    const root = await changedSinceRead("other\n");
    await run(root, read("a.txt"));
    writeFileSync(join(root, "a.txt"), TEXT);
    expect(await said(root, edit("a.txt", "seven\n", { base: baseOf(TEXT) }))).not.toContain("since");
  });
});

test("where an edit lands, where the content is the same, and where nothing was shown, nothing is said", async () => {
  const root = createFolder({ "a.txt": TEXT, "b.txt": TEXT });
  await run(root, read("a.txt"));
  writeFileSync(join(root, "a.txt"), TEXT);
  expect(await said(root, edit("a.txt", "seven"))).not.toContain("changed since");
  expect(await said(root, edit("b.txt", "seven"))).not.toContain("changed since");
  writeFileSync(join(root, "a.txt"), `${TEXT}six\n`);
  const landed = await run(root, edit("a.txt", "two", { base: baseOf(TEXT) }));
  expect([landed.success, landed.hint, landed.warnings]).toEqual([true, undefined, undefined]);
});

test("the file that a report shows for a failed edit counts as shown", async () => {
  const root = await changedSinceRead("other\n");
  expect(await said(root, edit("a.txt", "three\n"))).toContain(CHANGED);
  expect(await said(root, edit("a.txt", "three\n"))).not.toContain("changed since");
});

test("the comparison ends with the budget for hints", async () => {
  const root = await changedSinceRead("other\n".repeat(200_000));
  const { results } = await (await open(root)).execute(Array.from({ length: 200 }, () => edit("a.txt", "three\n")).join("\n"));
  const hints = results.map(({ hint = "" }) => hint);
  expect(hints.filter((hint) => hint.includes(CHANGED))).toHaveLength(hints.findIndex((hint) => hint.startsWith("many edits")) - 1);
  expect(hints.at(-1)).toBe("many edits of this answer miss, so no similar place was looked for: read the file again");
});

test("line endings and formatting do not hide where the text was", async () => {
  const root = createFolder({ "a.txt": "one\r\n  two  \r\nthree\r\n" });
  await run(root, read("a.txt"));
  writeFileSync(join(root, "a.txt"), "1\r\n2\r\n");
  expect(await said(root, edit("a.txt", "  two\nthree\n"))).toContain("the old text was on line 2 then");
});

test("a file that the run changes after reading it is tagged as the report shows it", async () => {
  const root = createFolder({ "a.txt": TEXT });
  const loaf = await open(root);
  const { results } = await loaf.execute([read("a.txt"), block("files_read", { paths: "a.txt" }), edit("a.txt", "two")].join("\n"));
  expect(results.map(({ bases }) => bases)).toEqual([{ "a.txt": baseOf(TEXT.replace("two", "new")) }, { "a.txt": baseOf(TEXT) }, undefined]);
  writeFileSync(join(root, "a.txt"), "other\n");
  for (const text of [TEXT, TEXT.replace("two", "new")]) expect(await said(root, edit("a.txt", "seven", { base: baseOf(text) }))).toContain(`shown (${baseOf(text)})`);
});

test("a file's own line cannot pass for a tag, which stands below its end mark", async () => {
  const text = 'one\nnote: base = "aaaa"\n';
  const root = createFolder({ "a.txt": text, "b.txt": text });
  const loaf = await open(root);
  const answer = [read("a.txt"), block("file_read_numbered", { path: "b.txt", delimiter: " " })].join("\n");
  const report = fullReport(await loaf.execute(answer), loaf);
  expect(report).toContain(`=== END FILE: a.txt ===\nnote: base = "${baseOf(text)}"`);
  expect(report.match(/^note: base = "(?!aaaa)/gm)).toHaveLength(2);
});

describe("the state folder", () => {
  test("gets nothing from a dry run", async () => {
    const root = createFolder({ "a.txt": TEXT });
    await run(root, read("a.txt"), { dryRun: true });
    expect(existsSync(join(projectStateFolder(root), "shown.json"))).toBe(false);
    expect(kept(root)).toEqual([]);
  });

  test("gets nothing from a run that shows nothing, and nothing is read of it", async () => {
    const root = createFolder({ "a.txt": TEXT });
    const { bases } = await run(root, edit("a.txt", "two"));
    expect([bases, kept(root), existsSync(join(projectStateFolder(root), "shown.json"))]).toEqual([undefined, [], false]);
  });

  test("holds no secret that reports mask, and no part of a key, and its lines keep their numbers", async () => {
    const key = ["-----BEGIN RSA PRIVATE KEY-----", ...Array.from({ length: 8 }, (_, line) => `MIIEow${line}`.padEnd(64, "aB3dE5gH7jK9")), "-----END RSA PRIVATE KEY-----"].join("\n");
    const secret = "s3cr!t-Word";
    const text = `url = postgres://app:${secret}@db:5432/shop\n${key}\nlast\n`;
    const root = createFolder({ "a.txt": text });
    const { bases } = await run(root, read("a.txt"));
    const [stored] = kept(root);
    expect(stored).toBe(`url = postgres://app:[masked: password]@db:5432/shop\n[masked: private key]${"\n".repeat(9)}\nlast\n`);
    for (const file of ["shown.json"]) expect(readFileSync(join(projectStateFolder(root), file), "utf8")).not.toContain(secret);
    writeFileSync(join(root, "a.txt"), text.replace("last", "end").replace(secret, "0ther-Word"));
    expect(await said(root, edit("a.txt", "last\n"))).toContain("line 12; the old text was on line 12 then");
    writeFileSync(join(root, "a.txt"), text.replace(secret, "0ther-Word"));
    expect((await run(root, read("a.txt"))).bases).toEqual(bases);
  });

  test("holds no file that must not be read", async () => {
    const root = createFolder({ ".env": "KEY=1\n", "a.txt": TEXT });
    const loaf = await open(root);
    await loaf.execute([read(".env"), block("files_read", { paths: ".env\na.txt" }), read("a.txt"), edit(".env", "KEY=2")].join("\n"));
    expect(kept(root)).toEqual([TEXT]);
    expect(readFileSync(join(projectStateFolder(root), "shown.json"), "utf8")).not.toContain(".env");
  });

  test("is private", async () => {
    const root = createFolder({ "a.txt": TEXT });
    const before = process.umask(0);
    try {
      await run(root, read("a.txt"));
    } finally {
      process.umask(before);
    }
    const folder = projectStateFolder(root);
    const files = readdirSync(join(folder, "shown")).map((name) => join(folder, "shown", name));
    expect(files).toHaveLength(1);
    const modes = [...files, join(folder, "shown.json"), join(folder, "shown"), folder].map((file) => (statSync(file).mode & 0o777).toString(8));
    expect(modes).toEqual(["600", "600", "700", "700"]);
  });
});

test.each(["{}", "[null]", "not JSON", '[{"path":"a.txt","hash":"../x","length":1}]'])("a damaged record of what was shown is ignored, and replaced: %s", async (damaged) => {
  const root = await changedSinceRead("other\n");
  writeFileSync(join(projectStateFolder(root), "shown.json"), damaged);
  expect(await run(root, edit("a.txt", "three\n"))).toMatchObject({ success: false, code: "text/not-found" });
  await run(root, read("a.txt"));
  writeFileSync(join(root, "a.txt"), TEXT);
  expect(await said(root, edit("a.txt", "six\n"))).toContain(`has changed since it was shown (${baseOf("other\n")})`);
});

test.each([
  ["damaged", (file: string) => writeFileSync(file, "x")],
  ["removed", (file: string) => rmSync(file)],
])("a kept text that was %s is not compared with", async (_, damage) => {
  const root = await changedSinceRead("other\n");
  const folder = join(projectStateFolder(root), "shown");
  for (const name of readdirSync(folder)) damage(join(folder, name));
  expect(await said(root, edit("a.txt", "seven\n"))).not.toContain("changed since");
});

test("a run whose state folder takes no file still shows what it reads", async () => {
  const root = createFolder({ "a.txt": TEXT });
  await run(root, edit("a.txt", "two"));
  writeFileSync(join(projectStateFolder(root), "shown"), "in the way");
  expect((await run(root, read("a.txt"))).success).toBe(true);
});

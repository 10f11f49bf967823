/**
 * What models write for other tools: how much of it lands, what it costs to tell the syntaxes apart, and how reading grows on
 * text made to be slow. The cases are those of the folder that LOAF_SHARED names, and again with CRLF in the project, without its
 * final newlines, and with spaces at ends of lines that the answer has lost.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { Loaf } from "../dist/modules/index.js";
import { DELIMITERS } from "../dist/modules/syntaxes/csl/marker.js";
import { read } from "../dist/modules/answer/read-answer.js";
import { FORMATS } from "../dist/modules/syntaxes/index.js";
import { atMost, fastest, growth, medians, longer, share } from "./measure.mjs";
import { smallBlocks } from "./texts.mjs";

const MB = 1e6;
const CSL = { csl: DELIMITERS };

export async function intakeRows() {
  return [...(await landed()), ...(await detection()), ...(await hostile())];
}

/** Of the cases with one meaning, those that land byte for byte; and of all, those that leave any other tree. */
async function landed() {
  const shared = process.env.LOAF_SHARED;
  if (shared === undefined) return [{ what: "the cases are skipped: LOAF_SHARED names no folder", measured: "", value: "", goal: "", met: true }];
  const rows = [];
  for (const suite of ["search-replace", "patch", "unified-diff", "whole-file", "lazy"]) {
    const counts = { meant: 0, exact: 0, refused: 0, wrong: 0 };
    for (const one of casesOf(join(shared, "conformance", suite), suite)) {
      const after = await treeAfter(one);
      const { trees, mayRefuse } = allowed(one);
      const isUnchanged = same(after, one.files);
      const isExact = trees.some((tree) => same(tree, after));
      if (!mayRefuse && trees.length === 1) counts.meant += 1;
      if (isExact && !mayRefuse && trees.length === 1) counts.exact += 1;
      else if (isUnchanged) counts.refused += 1;
      else if (!isExact) counts.wrong += 1;
    }
    rows.push(share(`${suite}: cases with one meaning that land byte for byte`, counts.exact, counts.meant, 0.99));
    rows.push(atMost(`${suite}: wrong (of all cases; ${counts.refused} refused)`, counts.wrong, 0, "cases"));
  }
  return rows;
}

function casesOf(folder, suite) {
  const files = readdirSync(folder).filter((name) => name.endsWith(".json") && name !== "aider-gold.json");
  return files.flatMap((name) => JSON.parse(readFileSync(join(folder, name), "utf8")).cases).flatMap((one) => [one, ...variantsOf(one, suite)]);
}

/** The same edits in projects that differ in what an edit keeps: line endings, the end of the file, spaces at ends of lines. */
function variantsOf(one, suite) {
  const { expected } = one;
  const edited = Object.keys(one.files).filter((path) => "files" in expected && path in expected.files);
  const texts = edited.flatMap((path) => [one.files[path], expected.files[path]]);
  // What an edit keeps of a file is kept only where a line of it is left.
  const isEdit = edited.length > 0 && edited.every((path) => linesOf(one.files[path]).some((line) => linesOf(expected.files[path]).includes(line)));
  const isMoved = Object.keys(one.files).some((path) => !edited.includes(path)) && Object.keys(expected.files ?? {}).some((path) => !edited.includes(path));
  if (!isEdit || isMoved || texts.some((text) => /\r|[ \t]$/m.test(text) || !text.includes("\n"))) return [];
  const changed = (change) => {
    const of = (tree, isAfter) => Object.fromEntries(Object.entries(tree).map(([path, text]) => [path, path in one.files ? change(text, isAfter ? one.files[path] : text) : text]));
    return { ...one, files: of(one.files, false), expected: { files: of(expected.files, true) } };
  };
  // Texts of calls are parts of lines, and whole files are written as they are.
  const hasLines = suite !== "whole-file" && suite !== "lazy" && !one.answer.includes("old_string");
  const isUnique = texts.every((text) => new Set(linesOf(text)).size === linesOf(text).length);
  const spaced = (text, before) => text.replace(/^(.+)$/gm, (line) => (linesOf(before).includes(line) ? `${line} ` : line));
  // A diff that says how the file ends is wrong where that differs.
  const mayEndOpen = texts.every((text) => text.endsWith("\n")) && !one.answer.includes("No newline at end");
  return [
    changed((text) => text.replaceAll("\n", "\r\n")),
    ...(mayEndOpen ? [changed((text) => text.replace(/\n$/, ""))] : []),
    ...(hasLines && isUnique ? [changed(spaced)] : []),
  ];
}

function linesOf(text) {
  return text.split("\n").filter((line) => line.trim() !== "");
}

function allowed({ expected, files }) {
  const all = expected.anyOf ?? [expected];
  const trees = all.filter((one) => "files" in one).map((one) => one.files);
  return { trees: trees.length === 0 ? [files] : trees, mayRefuse: all.some((one) => "refused" in one) };
}

async function treeAfter({ files, answer }) {
  const root = mkdtempSync(join(tmpdir(), "loaf-bench-intake-"));
  try {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    }
    const loaf = await Loaf.create({ repoPath: root, config: { edits: { match: "tolerant" }, syntaxes: [...FORMATS] } });
    await loaf.execute(answer);
    const left = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return Object.fromEntries(left.map(({ parentPath, name }) => [relative(root, join(parentPath, name)), readFileSync(join(parentPath, name), "utf8")]));
  } finally {
    if (existsSync(root)) rmSync(root, { recursive: true });
  }
}

function same(one, other) {
  const paths = Object.keys(one).sort();
  return paths.join("\n") === Object.keys(other).sort().join("\n") && paths.every((path) => one[path] === other[path]);
}

async function detection() {
  const text = smallBlocks(300).slice(0, 50_000);
  const { loaf, peer } = await medians({ loaf: () => read(text, CSL), peer: () => read(text, { format: "nesl" }) }, 201);
  return [longer("tell the syntax of a 50 KB answer in NESL, against reading it", { loaf, peer }, 0.1)];
}

const LINES = {
  "unclosed fences": "```\n",
  "fences with paths": "src/a.ts\n```ts\nx\n",
  "fences of diffs": "```diff\n@@\n",
  "heads of SEARCH": "<<<<<<< SEARCH\n",
  "conflict marks": "<<<<<<<\n",
  "dividers": "a.txt\n<<<<<<< SEARCH\n=======\n",
  "lines with @@": "@@\n",
  "hunks": "@@ -1 +1 @@\n+a\n",
  "heads of diffs": "--- a\n+++ b\n",
  "files of patches": "*** Update File: a\n@@\n\n",
  "nested JSON": '{"name": "Edit", "arguments": {\n',
  "brackets": "[",
  "tags of calls": "<write_to_file>\n<content>\n",
  "calls that never end": '<invoke name="Edit">\n<parameter name="a">\n',
  "blank lines": "\n",
};

async function hostile() {
  const rows = [];
  for (const [what, line] of Object.entries(LINES)) {
    const slowest = [];
    for (const part of [4, 2, 1]) {
      const text = line.repeat(Math.ceil((10 * MB) / part / line.length));
      let total = 0;
      for (const format of FORMATS.slice(3)) total += await fastest(() => read(text, { format }), 3);
      total += await fastest(() => read(text, CSL), 1);
      slowest.push(total);
    }
    // An exponent of 1.1 is a factor of 1.15 for four times the size.
    rows.push(growth(`growth on ${what}, in all syntaxes, up to 10 MB`, slowest, 1.5));
  }
  return rows;
}

/** The edit engine: whether edits land, how fast they do, how long a refusal takes, and what hostile texts cost. */
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Loaf } from "../dist/modules/index.js";
import { printBlock } from "../dist/modules/syntaxes/nesl/teach.js";
import { replaceAll, replaceOnce } from "../dist/modules/edit/replace.js";
import { faster, fastest, growth, medians, share, within } from "./measure.mjs";

const MB = 1e6;

export async function editsRows() {
  const root = mkdtempSync(join(tmpdir(), "loaf-bench-"));
  try {
    return [...(await landing(root)), ...(await throughput(root)), await manyEdits(root), ...(await excerpts(root)), ...refusals(), ...hostile()];
  } finally {
    rmSync(root, { recursive: true });
  }
}

const transforms = {
  none: (text) => text,
  "lf-to-crlf": (text) => text.replaceAll("\n", "\r\n"),
  "rstrip-then-append-search": (text, search) => `${text.replace(/\n+$/, "")}\n\n${search}`,
};

/** Edits of models, changed as models and chats change text, from the folder that LOAF_SHARED names. */
async function landing(root) {
  const shared = process.env.LOAF_SHARED;
  if (shared === undefined) return [{ what: "edits of models: skipped, LOAF_SHARED is not set", measured: "", value: "", goal: "", met: true }];
  const folder = join(shared, "edits");
  const edits = readFileSync(join(folder, "cases.jsonl"), "utf8").trim().split("\n").map((line) => JSON.parse(line));
  const path = join(root, "file.py");
  const rows = [];
  let worst = 0;
  for (const match of ["exact", "tolerant"]) {
    const loaf = await Loaf.create({ repoPath: root, config: { edits: { match } } });
    const counts = new Map();
    for (const { kind, base_file, base_transform, search, replace, should_apply, expected_sha256 } of edits) {
      const source = transforms[base_transform](readFileSync(join(folder, base_file), "utf8"), search);
      const text = printBlock("edt", { action: "file_replace_text", path, old_text: search, new_text: replace });
      const [before, success, duration] = [createHash("sha256").update(source).digest("hex"), ...(await timed(loaf, path, source, text))];
      worst = Math.max(worst, duration);
      const isRight = should_apply ? success && hash(path) === expected_sha256 : !success && hash(path) === before;
      const key = `${should_apply ? "applied" : "refused"}, ${kind}`;
      const { right = 0, all = 0 } = counts.get(key) ?? {};
      counts.set(key, { right: right + (isRight ? 1 : 0), all: all + 1 });
    }
    for (const [key, { right, all }] of counts) rows.push(share(`edits of models under ${match}: rightly ${key}`, right, all, hasGoal(match, key) ? 1 : undefined));
  }
  return [...rows, within("the slowest of these edits", worst, 50)];
}

/**
 * Plain answers about a file of 5,000 lines: a function, a class with one method, statements, and a part of other
 * languages. What a user waits before the question. Each round has another text, so that nothing is known of it.
 */
async function excerpts(root) {
  const sourceIn = (one) => Array.from({ length: 1_000 }, (_, at) => one(at)).join("\n");
  const functions = sourceIn((at) => `export function f${at}(a: number): number {\n  const b = a + ${at};\n  return b * 2;\n}\n`);
  const typescript = `${functions}\nexport class Last {\n  one(): number {\n    return 1;\n  }\n\n  two(): number {\n    return 2;\n  }\n}\n`;
  const answers = {
    "a function": ["long.ts", typescript, "export function f500(a: number): number {\n  return a;\n}"],
    "a class with one method": ["long.ts", typescript, "export class Last {\n  // ...\n  two(): number {\n    return 3;\n  }\n}"],
    statements: ["long.ts", typescript, "  const b = a + 700;\n  console.log(b);\n  return b * 2;"],
    "a function of Python": ["long.py", sourceIn((at) => `def f${at}(a):\n    b = a + ${at}\n    return b * 2\n\n`), "def f500(a):\n    return a"],
    "a function of Go": ["long.go", `package x\n\n${sourceIn((at) => `func f${at}(a int) int {\n\tb := a + ${at}\n\treturn b * 2\n}\n`)}`, "func f500(a int) int {\n\treturn a\n}"],
    "a function of Rust": ["long.rs", sourceIn((at) => `fn f${at}(a: i32) -> i32 {\n    let b = a + ${at};\n    b * 2\n}\n`), "fn f500(a: i32) -> i32 {\n    a\n}"],
    "a rule of CSS": ["long.css", sourceIn((at) => `.c${at} {\n  color: red;\n  margin: ${at}px;\n}\n`), ".c500 {\n  color: blue;\n  margin: 500px;\n}"],
    "a section of Markdown": ["long.md", sourceIn((at) => `## Part ${at}\n\nText of ${at}.\n\n`), "## Part 500\n\nNew text."],
  };
  const loaf = await Loaf.create({ repoPath: root, config: { relative_paths: true, syntaxes: ["plain"] } });
  const rows = [];
  for (const [what, [file, source, shown]] of Object.entries(answers)) {
    const path = join(root, file);
    const durations = [];
    for (let round = 0; round < 7; round++) {
      // Other at both ends, or the tree of the last text would serve for this one.
      writeFileSync(path, "\n".repeat(round) + source + "\n".repeat(round));
      const started = performance.now();
      const { success } = await loaf.execute(`${what === "statements" ? "In `f700` of" : "Update"} \`${file}\`:\n\n\`\`\`\n${shown}\n\`\`\`\n`);
      durations.push(performance.now() - started);
      if (!success) throw new Error(`${what} did not land`);
    }
    const median = durations.sort((a, b) => a - b)[3];
    rows.push(within(`a plain answer with ${what}, in a file of 5,000 lines: median`, median, 100));
  }
  return rows;
}

/** Whether it succeeded, and the least of its durations; what was quick needs no second one. */
async function timed(loaf, path, source, text) {
  let least = Infinity;
  let isDone = false;
  for (let round = 0; round < 5 && least > 10; round++) {
    writeFileSync(path, source);
    const begun = performance.now();
    const { success } = await loaf.execute(text);
    least = Math.min(least, performance.now() - begun);
    isDone = success;
  }
  return [isDone, least];
}

function hasGoal(match, key) {
  return key.startsWith("refused") || /exact|crlf-file/.test(key) || (match === "tolerant" && !/extra-blank-first|dedent-substring/.test(key));
}

function hash(path) {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

/** Against the least that has to be done: read, find, write a temporary file, rename. */
async function throughput(root) {
  const path = join(root, "large.js");
  const long = `${sourceOf(3_000)}// version A\n`;
  const rows = [];
  for (const [what, oldText, change] of [
    ["a line", "// version A", (text) => text],
    ["60 lines", long, (text) => text],
    ["60 lines of CRLF", long, (text) => text.replaceAll("\n", "\r\n")],
  ]) {
    writeFileSync(path, change(`${sourceOf(9.9 * MB)}${long}`));
    const loaf = await Loaf.create({ repoPath: root, config: { limits: { max_file_size: 20 * MB } } });
    const block = (from, to) => printBlock("edt", { action: "file_replace_text", path, old_text: oldText.replace("version A", `version ${from}`), new_text: oldText.replace("version A", `version ${to}`) });
    const turns = [block("A", "B"), block("B", "A")];
    let turn = 0;
    const shipped = await medians({ loaf: () => execute(loaf, turns[turn++ % 2]), peer: () => replaceInFile(path) }, 15);
    const isGoal = !what.endsWith("CRLF");
    rows.push(faster(`an edit of ${what} in 10 MB, durable and journaled, against read, indexOf, write, rename`, shipped, isGoal ? 0.4 : undefined));
  }
  return rows;
}

function replaceInFile(path) {
  const bytes = readFileSync(path);
  const at = bytes.indexOf("// version ");
  const result = Buffer.concat([bytes.subarray(0, at), Buffer.from("// version "), bytes.subarray(at + 11)]);
  writeFileSync(`${path}.tmp`, result);
  renameSync(`${path}.tmp`, path);
}

async function manyEdits(root) {
  const path = join(root, "many.js");
  const loaf = await Loaf.create({ repoPath: root, config: { edits: { match: "tolerant" } } });
  const source = Array.from({ length: 4_000 }, (_, index) => `    export const value${index} = ${index};\n`).join("");
  const durations = [];
  for (const count of [250, 500, 1_000]) {
    const text = Array.from({ length: count }, (_, index) => printBlock("edt", { action: "file_replace_text", path, old_text: `export const value${index} = ${index};  \n`, new_text: `export const value${index} = 0;\n` })).join("\n");
    const run = async () => {
      writeFileSync(path, source);
      await execute(loaf, text);
    };
    durations.push(await fastest(run, 5));
  }
  return growth("growth of a run of tolerant edits to one file, up to 1,000", durations, 1.5);
}

/** Of the engine alone, in 10 MB, under `tolerant`: all that looking for formatting and for the closest place costs. */
function refusals() {
  const bytes = Buffer.from(`${sourceOf(9.9 * MB)}function start(port) {\n  listen(port);\n}\n`);
  return [
    ["one word differs", "function start(port) {\n  listen(Number(port));\n}\n"],
    ["one word of 2,000 lines differs", sourceOf(0.05 * MB).replace("total * 300;", "sum * 300;")],
    ["frequent lines only", "  const total = items.reduce((sum, { price }) => sum - price, 0);\n}\n"],
    ["words of it are everywhere", "const total = items.map((sum, { price }) => sum);\n".repeat(40)],
    ["nothing like it", "zebra quagga okapi\n".repeat(20)],
  ].map(([what, oldText]) => within(`refusal with a hint in 10 MB: ${what}`, refused(bytes, oldText), 50));
}

function hostile() {
  const line = "        const total = items.reduce((sum, { price }) => sum + price, 0);\n";
  const repeated = Buffer.from(line.repeat((10 * MB) / line.length));
  const candidates = Buffer.from(Array.from({ length: 100_000 }, (_, index) => `  anchor();\n  value${index};\n`).join(""));
  const words = Buffer.from("a ".repeat(5 * MB));
  const oldMegabyte = line.repeat(MB / line.length).replaceAll("\n", "  \n");
  return [
    within("hostile: 10 MB of one line, that line with white space behind it", refused(repeated, `${line.trimEnd()}  \n`), 200),
    within("hostile: 10 MB of one line, 1 MB of it with white space behind each", refused(repeated, oldMegabyte), 500),
    within("hostile: 10 MB of one line, 1 MB of it and another one", refused(repeated, `${oldMegabyte}end\n`), 500),
    within("hostile: 10 MB of one line, that very line", refused(repeated, line), 500),
    within("hostile: 100,000 candidates, and none fits", refused(candidates, "anchor();  \n  value();\n"), 200),
    within("hostile: 10 MB without a line ending, five million candidates", refused(words, "a  \n"), 200),
    within("hostile: all of 10,000,000 places replaced", timeOf(() => replaceAll(Buffer.alloc(10 * MB, "a"), "a", "b")), 1_000),
  ];
}

function refused(bytes, oldText) {
  return timeOf(() => {
    try {
      replaceOnce(bytes, oldText, "x", "tolerant");
    } catch (thrown) {
      if (thrown.alignment?.hint !== undefined) return;
      throw thrown;
    }
    throw new Error("this should have been refused");
  });
}

/** The least of five durations: a bound of work is told by the round that nothing disturbed. */
function timeOf(act) {
  const times = Array.from({ length: 5 }, () => {
    const begun = performance.now();
    act();
    return performance.now() - begun;
  });
  return Math.min(...times);
}

function sourceOf(bytes) {
  let text = "";
  for (let index = 0; text.length < bytes; index++) text += `export function total${index}(items) {\n  const total = items.reduce((sum, { price }) => sum + price, 0);\n  return total * ${index};\n}\n\n`;
  return text.slice(0, text.lastIndexOf("\n", bytes) + 1);
}

async function execute(loaf, text) {
  const result = await loaf.execute(text);
  if (!result.success) throw new Error(result.results.find(({ error }) => error !== undefined)?.error ?? result.fatalError);
}

/** Reports: masking secrets, in what projects hold and in what is made to be slow, and the whole report of a run. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fullReport, Loaf } from "../dist/modules/index.js";
import { estimateTokens } from "../dist/modules/edit/tokens.js";
import { visible } from "../dist/modules/core/visible.js";
import { maskSecrets } from "../dist/modules/core/mask-secrets.js";
import { growth, longer, medians, within, workOfDoubling } from "./measure.mjs";
import { prose, randomLines } from "./texts.mjs";

const MB = 1e6;

export async function reportRows() {
  return [...(await masking()), ...(await whole()), ...(await failedAnswers())];
}

/** The tokens of reports on typical failed answers: with the whole file, and with the closest places. Each must be no longer, all together at most half. */
async function failedAnswers() {
  const root = mkdtempSync(join(tmpdir(), "loaf-bench-report-"));
  try {
    const rows = [];
    let [all, allBefore] = [0, 0];
    for (const [what, size, blocks] of FAILED) {
      const path = join(root, "file.js");
      writeFileSync(path, source(size));
      const loaf = await Loaf.create({ repoPath: root, config: { edits: { match: "tolerant" } }, dryRun: true });
      const result = await loaf.perform(blocks.map((params) => ({ action: params.action ?? "file_replace_text", params: { path, new_text: "x", ...params } })));
      const tokensOf = (onMiss) => estimateTokens(fullReport(result, { peek: (file) => loaf.peek(file), settings: { report: { max_tokens: 20_000, on_miss: onMiss } } }));
      const [before, after] = [tokensOf("file"), tokensOf("excerpt")];
      [all, allBefore] = [all + after, allBefore + before];
      rows.push(tokensRow(`report on ${what} (${size} lines)`, { before, after }, 1));
    }
    return [...rows, tokensRow("report on all ten failed answers", { before: allBefore, after: all }, 0.5)];
  } finally {
    rmSync(root, { recursive: true });
  }
}

function tokensRow(what, { before, after }, goal) {
  return { what, measured: `${before} → ${after} tokens`, value: `${Math.round((100 * after) / before)} %`, goal: `≤ ${goal * 100} %`, met: after <= before * goal };
}

/** Functions of six lines each. */
function source(lines) {
  return Array.from({ length: Math.ceil(lines / 6) }, (_, index) => `export function handle${index}(request) {\n  const id = request.params.item${index};\n  if (id === undefined) return fail("no id");\n  return store.get(id, "kind${index}");\n}\n\n`).join("");
}

const body = (index, word = "get") => `  const id = request.params.item${index};\n  if (id === undefined) return fail("no id");\n  return store.${word}(id, "kind${index}");\n`;

/** What is wrong with the answer, the lines of its file, the parameters of its edits. */
const FAILED = [
  ["one other word", 300, [{ old_text: body(20, "fetch") }]],
  ["one other word in a long file", 1_500, [{ old_text: body(120, "fetch") }]],
  ["one other word in a short file", 36, [{ old_text: body(2, "fetch") }]],
  ["a text that stands three times", 60, [{ old_text: 'if (id === undefined) return fail("no id");', action: "file_replace_text" }]],
  ["a missing line", 200, [{ old_text: body(9).split("\n").toSpliced(1, 1).join("\n") }]],
  ["uneven indentation", 400, [{ old_text: body(30).replace("  return", "   return") }]],
  ["nothing similar", 100, [{ old_text: "class Zebra extends Quagga {}\n" }]],
  ["two failed edits in one file", 600, [{ old_text: body(10, "fetch") }, { old_text: body(80, "fetch") }]],
  ["a range whose end is missing", 300, [{ action: "file_replace_text_range", old_text_beginning: body(12), old_text_end: "} // end of handler" }]],
  ["another number of places", 240, [{ action: "file_replace_all_text", old_text: "store.get", count: "3" }]],
];

async function masking() {
  const texts = [
    ["prose", prose],
    ["random lines", randomLines],
    ["beginnings of private keys", repeated("-----BEGIN RSA PRIVATE KEY-----\n")],
    ["private keys that are cut", repeated(`-----BEGIN RSA PRIVATE KEY-----${`\n${"MIIE".repeat(16)}`.repeat(9)}_\n`)],
    ["beginnings of tokens", repeated("eyJaaaaaaaaaaaa.ghp_aaaaaa sk-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa- xoxb-.")],
    ["addresses with a password that does not end", repeated(`://a:${"b".repeat(199)}`)],
    ["one long word", repeated("0123456789AA")],
  ];
  const rows = [longer("mask secrets in 10 MB of prose, against making it visible", await medians({ loaf: () => maskSecrets(prose(10 * MB)), peer: () => visible(prose(10 * MB)) }, 9), 4)];
  for (const [what, make] of texts) {
    const masking = (size) => {
      const text = make(size);
      return () => maskSecrets(text);
    };
    rows.push(growth(`mask secrets in 2.5 → 5 → 10 MB of ${what}`, workOfDoubling(masking, { largest: 10 * MB, rounds: 9 }), 1.5));
  }
  return rows;
}

/** One edit, as most runs are; and so much that the report has to be cut to its limit of tokens. */
async function whole() {
  const small = reportOf([edit(0)], "");
  const large = reportOf([...Array.from({ length: 200 }, (_, index) => edit(index)), ...Array.from({ length: 20 }, (_, index) => read(index))], prose(100_000));
  const { one, many } = await medians({ one: small, many: large }, 21);
  return [within("report on one small edit", one, 2), within("report on 200 edits and 20 files of 100 KB, cut to 20,000 tokens", many, 150)];
}

function reportOf(results, text) {
  const result = { success: true, totalBlocks: results.length, executedActions: results.length, results, parseErrors: [] };
  const project = { peek: (path) => ({ path, text }), settings: { report: { max_tokens: 20_000 } } };
  return () => fullReport(result, project);
}

function edit(index) {
  const params = { path: `/p/${index}.js`, old_text: "a", new_text: "b" };
  return { seq: index + 1, blockId: "ed1", blockStartLine: index * 10, action: "file_replace_text", params, success: true, data: { path: params.path, replacements: 1 } };
}

function read(index) {
  return { ...edit(index), blockStartLine: 10_000 + index, action: "file_read", params: { path: `/p/${index}.md` } };
}

function repeated(text) {
  return (size) => text.repeat(Math.ceil(size / text.length));
}

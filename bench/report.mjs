/** Reports: masking secrets, in what projects hold and in what is made to be slow, and the whole report of a run. */
import { fullReport } from "../dist/lib/index.js";
import { visible } from "../dist/lib/core/visible.js";
import { maskSecrets } from "../dist/lib/core/mask-secrets.js";
import { growth, longer, medians, within, workOfDoubling } from "./measure.mjs";
import { prose, randomLines } from "./texts.mjs";

const MB = 1e6;

export async function reportRows() {
  return [...(await masking()), ...(await whole())];
}

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

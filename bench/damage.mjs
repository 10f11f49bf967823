/** What it costs to look for damage in an answer, and how that grows on text made to be slow. */
import { parse } from "../dist/modules/index.js";
import { readAnswer } from "../dist/modules/answer/read-answer.js";
import { placeholderJudge } from "../dist/modules/edit/placeholder.js";
import { fastest, growth, medians, longer } from "./measure.mjs";
import { heredoc, prose, randomLines, smallBlocks } from "./texts.mjs";

const MB = 1e6;

export async function damageRows() {
  return [...(await againstParsing()), ...(await onHostileText())];
}

async function againstParsing() {
  const rows = [];
  const usual = [["1,000 small blocks", smallBlocks(1_000), 4], ["a 10 MB heredoc", heredoc(10 * MB), 1.5]];
  for (const [what, text, limit] of usual) {
    rows.push(longer(`read ${what} as a run does, against parsing alone`, await medians({ loaf: () => readAnswer(text), peer: () => parse(text) }, 21), limit));
  }
  return rows;
}

async function onHostileText() {
  const hostile = [
    ["headers in headers, each indented more", readAnswer, (size) => headersIndentedMore(size), 1 * MB],
    ["indented heredocs that a last line spoils", readAnswer, (size) => `${indentedHeredocs(size)}x\n`, 10 * MB],
    ["one long line of marks", readAnswer, (size) => "`~<*-+@#> ".repeat(size / 10), 10 * MB],
    ["lines that are nearly headers", readAnswer, (size) => repeated("- #!nesl [[[@@@ a-b-c: : k7m\n", size), 10 * MB],
    ["fences, paths and edits", readAnswer, (size) => repeated("src/a.ts\n```ts\n<<<<<<< SEARCH\n```\n+++ a\n--- b\n+++ c\n*** Begin Patch\n", size), 10 * MB],
    ["prose", readAnswer, prose, 10 * MB],
    ["random lines", readAnswer, randomLines, 10 * MB],
    ["a content of lines that are nearly placeholders", judge, (size) => repeated("// ... the same rest of the other existing x\n", size), 10 * MB],
    ["a content of ellipses", judge, (size) => "... ".repeat(size / 4), 10 * MB],
  ];
  const rows = [];
  for (const [what, read, make, size] of hostile) {
    const durations = [];
    for (const part of [4, 2, 1]) {
      const text = make(size / part);
      durations.push(await fastest(() => read(text), 5));
    }
    rows.push(growth(`growth on ${what}, up to ${size / MB} MB`, durations, 1.5));
  }
  return rows;
}

function judge(content) {
  placeholderJudge("/project/a.ts", content)?.(undefined);
}

function repeated(lines, bytes) {
  return lines.repeat(Math.ceil(bytes / lines.length));
}

function indentedHeredocs(bytes) {
  return repeated("  #!nesl [@three-char-SHA-256: abc]\n  a = <<'EOT_abc'\n", bytes);
}

/** The text itself grows with the square of its lines. */
function headersIndentedMore(bytes) {
  const lines = [];
  for (let size = 0; size < bytes; size += lines.length + 80) lines.push(`${" ".repeat(lines.length + 1)}#!nesl [@three-char-SHA-256: abc]\n${" ".repeat(lines.length + 1)}a = <<'EOT_abc'\n`);
  return `${lines.join("")}x\n`;
}

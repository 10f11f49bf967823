/**
 * Finds logic that stands twice in src: runs of tokens that two places share, either to the letter or, when longer, but for their
 * names. Imports do not count. Prints the places; exits 1 when there are any. `duplicates.mjs FOLDER` looks at another project's src.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { filesBelow } from "./files.mjs";

process.chdir(process.argv[2] ?? join(import.meta.dirname, ".."));

/** How long a shared run has to be, in tokens. Five lines of code hold about fifty. */
const RUN = { exact: 50, renamed: 80 };

const files = filesBelow("src").filter((file) => file.endsWith(".ts")).map((file) => ({ file, tokens: tokensOf(readFileSync(file, "utf8")) }));
const found = [...sharedRuns("exact"), ...sharedRuns("renamed")];
for (const line of new Set(found)) console.log(line);
process.exitCode = found.length === 0 ? 0 : 1;

/** Where runs of the kind's length were met before. What overlaps a run already told is passed over. */
function sharedRuns(kind) {
  const length = RUN[kind];
  const met = new Map();
  const told = [];
  for (const { file, tokens } of files) {
    let next = 0;
    for (let start = 0; start + length <= tokens.length; start++) {
      const run = tokens.slice(start, start + length);
      const key = run.map((token) => token[kind]).join(" ");
      const first = met.get(key);
      if (first === undefined) met.set(key, { file, start, line: run[0].line });
      else if (start >= next && !(first.file === file && start < first.start + length)) {
        told.push(`${file}:${run[0].line} repeats ${first.file}:${first.line} (${kind === "exact" ? "word for word" : "with other names"})`);
        next = start + length;
      }
    }
  }
  return told;
}

function tokensOf(source) {
  const tree = ts.createSourceFile("", source, ts.ScriptTarget.Latest);
  const lineStarts = tree.getLineStarts();
  const tokens = [];
  const collect = (node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    const parts = node.getChildren(tree);
    if (parts.length > 0) return parts.forEach(collect);
    const exact = node.getText(tree);
    const line = lineStarts.findLastIndex((lineStart) => lineStart <= node.getStart(tree)) + 1;
    if (exact !== "" && !ts.isJSDoc(node)) tokens.push({ exact, renamed: ts.isIdentifier(node) ? "name" : exact, line });
  };
  collect(tree);
  return tokens;
}

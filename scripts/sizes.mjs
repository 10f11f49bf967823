/** Checks that no file in src outgrows its limit in lines. `sizes.mjs FOLDER` looks at another project's src. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { filesBelow } from "./files.mjs";

process.chdir(process.argv[2] ?? join(import.meta.dirname, ".."));

const LIMIT = 250;
const ACTION_LIMIT = 60;

/** The files that may be longer. */
const exceptions = {
  "src/syntax/nesl.ts": { lines: 400, reason: "one state machine, with a drawing of each state" },
};

const problems = filesBelow("src").flatMap(judge);
for (const path of Object.keys(exceptions)) {
  if (filesBelow(path).length === 0) problems.push(`${path} has an exception, and is not there any more`);
}
for (const problem of problems) console.log(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

function judge(file) {
  const text = readFileSync(file, "utf8");
  const lines = text.split("\n").length - 1;
  const exception = exceptions[file];
  if (exception !== undefined && lines <= LIMIT) return [`${file} has ${lines} lines, and needs no exception any more`];
  const limit = exception?.lines ?? (text.includes("= defineAction(") ? ACTION_LIMIT : LIMIT);
  if (lines <= limit) return [];
  return [`${file} has ${lines} lines, ${lines - limit} over its limit${exception === undefined ? "" : ` (${exception.reason})`}`];
}

/** Checks that no file in src outgrows its limit in lines. `sizes.mjs FOLDER` looks at another project's src. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { filesBelow } from "./files.mjs";

process.chdir(process.argv[2] ?? join(import.meta.dirname, ".."));

const LIMIT = 350;
const ACTION_LIMIT = 60;

const problems = filesBelow("src").flatMap(judge);
for (const problem of problems) console.log(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

function judge(file) {
  const text = readFileSync(file, "utf8");
  const lines = text.split("\n").length - 1;
  const limit = text.includes("= defineAction(") ? ACTION_LIMIT : LIMIT;
  return lines <= limit ? [] : [`${file} has ${lines} lines, ${lines - limit} over its limit`];
}

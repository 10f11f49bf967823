/** Checks that no file in src outgrows its limit in lines. A file with a good reason to be longer stands in `exceptions`, with the reason. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { filesBelow } from "./files.mjs";

process.chdir(join(import.meta.dirname, ".."));

const notAnAction = ["define", "params", "index", "for-each-path"];

/** The first pattern that fits holds. */
const limits = [
  { files: new RegExp(`^src/actions/(?!(${notAnAction.join("|")})\\.ts$)`), lines: 60 },
  { files: /^src\/syntax\/nesl\.ts$/, lines: 400 },
  { files: /^src\//, lines: 250 },
];

/** Path to `{lines, reason}`. */
const exceptions = {};

const problems = [];
for (const file of filesBelow("src")) {
  const lines = readFileSync(file, "utf8").split("\n").length - 1;
  const limit = limits.find(({ files }) => files.test(file)).lines;
  const allowed = exceptions[file]?.lines ?? limit;
  if (lines > allowed) problems.push(`${file} has ${lines} lines, ${lines - allowed} over its limit`);
  if (file in exceptions && lines <= limit) problems.push(`${file} needs no exception any more`);
}
for (const problem of problems) console.log(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

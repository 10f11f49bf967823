/**
 * Checks that no file in src outgrows its limit in lines, and no line its limit in columns. `sizes.mjs FOLDER` looks at another project's src.
 * A line may be longer by one string, regular expression or template literal. A doc comment below the head of a file must be directly above
 * what it describes: else it is the head of a part that wants a file of its own.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { filesBelow } from "./files.mjs";

process.chdir(process.argv[2] ?? join(import.meta.dirname, ".."));

const LIMIT = 350;
/** Of a table. */
const TABLE_LIMIT = 500;
const ACTION_LIMIT = 60;
const COLUMNS = 120;

/** Texts that are printed as they are, and two long regular expressions. */
const MAY_BE_WIDE =
  /\/teach\.ts$|-document\.ts$|config\/starter\.ts$|cli\/completion\.ts$|tool-calls\/read|c-family/;

/** What ends a line that is long only by it: a literal, then closing punctuation. */
const LITERAL_AT_END = /^(.*?)(?:`[^`]*(?:`[^`]*`[^`]*)*`|"(?:[^"\\]|\\.)*"|\/(?:[^/\\]|\\.)+\/\w*)\W*$/;

const problems = filesBelow("src").flatMap(judge);
for (const problem of problems) console.log(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

function judge(file) {
  const text = readFileSync(file, "utf8");
  const lines = text.split("\n").length - 1;
  const limit = text.includes("= defineAction(") ? ACTION_LIMIT : file.endsWith("-table.ts") ? TABLE_LIMIT : LIMIT;
  const mayBeWide = MAY_BE_WIDE.test(file);
  const wide = text.split("\n").flatMap((line, index) => (mayBeWide || !isTooWide(line) ? [] : [`${file}:${index + 1} has over ${COLUMNS} columns`]));
  const long = lines <= limit ? [] : [`${file} has ${lines} lines, ${lines - limit} over its limit`];
  return [...long, ...wide, ...looseComments(text).map((line) => `${file}:${line} has a doc comment that is attached to nothing`)];
}

/** Returns the lines of doc comments that a blank line or another doc comment follows. */
function looseComments(text) {
  return [...text.matchAll(/(?<=\n)\/\*\*(?:(?!\*\/)[^])*\*\/\n(?=\n|\/\*\*)/g)].map(({ index }) => text.slice(0, index).split("\n").length);
}

function isTooWide(line) {
  const before = line.length <= COLUMNS ? "" : LITERAL_AT_END.exec(line)?.[1];
  return before === undefined || before.length > COLUMNS;
}

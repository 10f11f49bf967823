/**
 * Finds names that two files of src export: a reader who searches a name must find one meaning. Prints them; exits 1 when there are any, or
 * when a name of `KNOWN` is exported once by now. `names.mjs FOLDER` looks at another project's src.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { filesBelow } from "./files.mjs";

process.chdir(process.argv[2] ?? join(import.meta.dirname, ".."));

/** Every syntax that is taught has its `teach`, and the page its own `counted`. The others are still to be renamed. */
const KNOWN = new Set("teach counted Block cutOffIn Fault Found Grammar Holes holds Import indentOf isHead isHeading isIn Kind kindOf LineRange linesOf Meant Merged nameOf nearest Part Place Placed plain Put replaceLines replaceSpan Search Source Span Splice startsLine unifiedDiff wordsOf".split(" "));

const places = new Map();
for (const file of filesBelow("src").filter((name) => /\.tsx?$/.test(name)))
  for (const name of exportedBy(ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest)))
    places.set(name, (places.get(name) ?? new Set()).add(file));
const twins = [...places].filter(([, files]) => files.size > 1);
const problems = [
  ...twins.filter(([name]) => !KNOWN.has(name)).map(([name, files]) => `${name} is exported by ${[...files].join(" and ")}`),
  ...[...KNOWN].filter((name) => places.get(name)?.size === 1).map((name) => `${name} is exported once: take it out of KNOWN`),
];
for (const problem of problems) console.log(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

/** Returns the names that a file declares and exports, not those that it passes on. */
function exportedBy({ statements }) {
  return statements
    .filter(({ modifiers }) => modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword))
    .flatMap(({ name, declarationList }) => (declarationList === undefined ? [name] : declarationList.declarations.map((declared) => declared.name)))
    .flatMap((name) => (name !== undefined && ts.isIdentifier(name) ? [name.text] : []));
}

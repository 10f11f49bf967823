/** The switches of `scripts/mutants.mjs`: turns one mutant on, and writes down which test reaches which. */
import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { afterAll, afterEach, beforeEach } from "vitest";

const active = Number(process.env["LOAF_MUTANT"]);
/** By the test's name. What is reached outside of a test has no name. */
const seen = { "": [] };
let reached = new Set();
let file;

globalThis.isMutant = (id) => {
  reached.add(id);
  return id === active;
};

beforeEach(({ task }) => {
  file = task.file.filepath;
  keep("");
});
afterEach(({ task }) => keep(nameOf(task)));
afterAll(() => {
  keep("");
  if (active === 0 && file !== undefined) writeFileSync(join(process.env["LOAF_MUTANT_RUN"], "seen", encodeURIComponent(relative(process.cwd(), file))), JSON.stringify(seen));
});

function keep(name) {
  seen[name] = [...new Set([...(seen[name] ?? []), ...reached])];
  reached = new Set();
}

function nameOf(task) {
  return task.suite === undefined ? task.name : `${nameOf(task.suite)} ${task.name}`;
}

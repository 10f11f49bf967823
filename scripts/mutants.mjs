/**
 * Counts how many small faults in the sources the tests notice: the mutation score.
 *
 *   npm run test:mutants                       300 mutants; fails below 85 %
 *   npm run test:mutants -- --only=journal     of one of the folders
 *   npm run test:mutants -- --count=50 --seed=2
 *
 * All mutants are switches in one copy of the work tree. The tests run once to see which test reaches which switch. Then each mutant is
 * switched on, and the tests that reach it run, those of its own file first, then the fastest, until one fails or 60 seconds have passed.
 */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { filesBelow } from "./files.mjs";
import { mutantsIn, withSwitches } from "./find-mutants.mjs";

const FOLDERS = ["guard", "journal", "edit", "excerpts", "answer", "syntaxes", "process", "programs", "run"];
/** Run the code in their own process, where a switch can be turned. The others start workers or the built command. */
const TESTS = ["tests/unit", "tests/cases", "tests/conformance", "tests/laws", "tests/plain-answers.test.ts"];
const LIMIT = 60_000;
const WANTED = 0.85;
/** Milliseconds of tests for one mutant. What is left of the limit is for starting the runner. */
const BUDGET = 40_000;
const FILE_COST = 500;

process.chdir(join(import.meta.dirname, ".."));
const { seed, count, folders } = readArguments(process.argv.slice(2));
const start = performance.now();
const work = mkdtempSync(join(tmpdir(), "loaf-mutants-"));
const tree = join(work, "tree");
const running = new Set();
process.on("exit", () => {
  for (const child of running) end(child);
  remove(work);
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));

const namespace = findNamespace();
const mutants = sample();
fillTree();
const tests = await findTests();
say(`${tests.length} tests reach ${mutants.filter(({ id }) => tests.some((test) => test.seen.has(id))).length} of ${mutants.length} mutants`);
const queue = [...mutants];
await Promise.all(Array.from({ length: availableParallelism() }, async () => {
  for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
    mutant.killer = await tryMutant(mutant);
    if ((mutants.length - queue.length) % 25 === 0) say(`${mutants.length - queue.length} of ${mutants.length} mutants`);
  }
}));
await dismissUnfitKillers();
report();

/** Tests leave trees behind that are deeper than a path can be long, where only the system's own command gets. */
function remove(folder) {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  } catch {
    spawnSync("rm", ["-rf", "--", folder]);
  }
}

/** The sample depends on a hash of each mutant, so that an edit of one file leaves most of it alone. */
function sample() {
  const all = folders.flatMap((folder) => filesBelow(`src/${folder}`)).flatMap((file) => {
    const text = readFileSync(file, "utf8");
    if (namespace === undefined && text.includes("process.kill(")) return (say(`${file} is left out: here a mutant of it could kill any process`), []);
    const times = new Map();
    return mutantsIn(file, text).map((mutant) => {
      const code = text.slice(mutant.start, mutant.end);
      const name = [file, code, mutant.what].join("\n");
      times.set(name, (times.get(name) ?? 0) + 1);
      return { ...mutant, code, rank: createHash("sha256").update([seed, name, times.get(name)].join("\n")).digest("hex") };
    });
  });
  const chosen = all.toSorted((a, b) => (a.rank < b.rank ? -1 : 1)).slice(0, count);
  say(`${chosen.length} of ${all.length} mutants, seed ${seed}`);
  return chosen.map((mutant, index) => ({ ...mutant, id: index + 1 }));
}

function fillTree() {
  const left = [".git", "node_modules", "coverage"];
  cpSync(".", tree, { recursive: true, filter: (path) => !left.includes(path) });
  symlinkSync(join(process.cwd(), "node_modules"), join(tree, "node_modules"));
  for (const file of new Set(mutants.map((one) => one.file))) {
    writeFileSync(join(tree, file), withSwitches(readFileSync(file, "utf8"), mutants.filter((one) => one.file === file)));
  }
}

/** Returns the tests that pass, with the mutants they reach. A module's own code runs for all tests of a file. */
async function findTests() {
  const { results, seen } = await runTests({ isolate: true, files: TESTS, workers: availableParallelism() });
  return results.filter(({ status }) => status === "passed").map((test) => ({ ...test, seen: new Set([...(seen[test.file]?.[""] ?? []), ...(seen[test.file]?.[test.name] ?? [])]) }));
}

/** Returns what noticed the mutant, or undefined. */
async function tryMutant({ id, file: source }) {
  let left = BUDGET;
  const files = new Map();
  const order = (test) => test.time - (isNamedAfter(test.file, source) ? BUDGET : 0);
  for (const test of tests.filter(({ seen }) => seen.has(id)).toSorted((a, b) => order(a) - order(b))) {
    left -= test.time + (files.has(test.file) ? 0 : FILE_COST);
    if (left < 0 && files.size > 0) break;
    files.set(test.file, [...(files.get(test.file) ?? []), test]);
  }
  if (files.size === 0) return undefined;
  const { results, status, isLate } = await runTests({ mutant: id, files: [...files.keys()], names: [...files.values()].flat().map(({ name }) => name), workers: 1 });
  if (isLate) return { how: "the time limit" };
  const failed = results.find((result) => result.status === "failed");
  if (failed !== undefined) return { how: "a test", ...failed };
  return status === 0 ? undefined : { how: "a test file that does not load, or a dead runner" };
}

function isNamedAfter(test, source) {
  const [one, other] = [basename(test, ".test.ts"), basename(source, ".ts")];
  return one.startsWith(other) || other.startsWith(one);
}

/** A mutant lives if the test that failed also fails without it: one that needs the tests before it, or fails now and then. */
async function dismissUnfitKillers() {
  const killed = mutants.filter(({ killer }) => killer?.name !== undefined);
  if (killed.length === 0) return;
  const { results } = await runTests({ files: [...new Set(killed.map(({ killer }) => killer.file))], names: [...new Set(killed.map(({ killer }) => killer.name))], workers: availableParallelism() });
  for (const mutant of killed) {
    if (results.some(({ file, name, status }) => status === "failed" && file === mutant.killer.file && name === mutant.killer.name)) mutant.killer = undefined;
  }
}

/** Runs tests in the copy; those of a mutant for no longer than the limit. */
async function runTests({ mutant = 0, files, names, isolate = false, workers }) {
  const folder = mkdtempSync(join(work, "run-"));
  for (const name of ["tmp", "seen"]) mkdirSync(join(folder, name));
  const output = join(folder, "results.json");
  writeFileSync(join(folder, "plan.json"), JSON.stringify({ files, names, isolate, workers, cache: join(work, "cache"), bail: mutant === 0 ? 0 : 1 }));
  const command = [process.execPath, join(tree, "node_modules/vitest/vitest.mjs"), "run", ...files, "--root=.", "--config=scripts/mutants/vitest.config.mjs", "--reporter=json", `--outputFile=${output}`];
  const environment = { ...process.env, TMPDIR: join(folder, "tmp"), LOAF_MUTANT: String(mutant), LOAF_MUTANT_RUN: folder, LOAF_TESTS: undefined };
  const { status, isLate } = await new Promise((resolve) => {
    const child = spawn(namespace === undefined ? command[0] : "unshare", namespace === undefined ? command.slice(1) : [...namespace, "sh", "-c", '"$@"; exit $?', "sh", ...command], { cwd: tree, env: environment, stdio: "ignore", detached: true });
    running.add(child);
    let isLate = false;
    const timer = mutant === 0 ? undefined : setTimeout(() => {
      isLate = true;
      end(child);
    }, LIMIT);
    child.on("close", (status) => {
      running.delete(child);
      clearTimeout(timer);
      resolve({ status, isLate });
    });
  });
  const testResults = readJson(output)?.testResults ?? [];
  if (mutant === 0 && testResults.length === 0) throw new Error("The tests do not run in the copy");
  const results = testResults.flatMap(({ name: path, assertionResults }) => {
    const file = path.slice(tree.length + 1);
    return assertionResults.map(({ ancestorTitles, title, status, duration }) => ({ file, name: [...ancestorTitles, title].join(" "), status, time: duration ?? 0 }));
  });
  const seen = Object.fromEntries(filesBelow(join(folder, "seen")).map((path) => [decodeURIComponent(basename(path)), readJson(path)]));
  remove(folder);
  return { results, seen, status, isLate };
}

function end({ pid }) {
  process.kill(-pid, "SIGKILL");
}

/** A process namespace of its own keeps a mutant from killing other processes, and ends with the runner. */
function findNamespace() {
  const alone = ["--pid", "--fork", "--kill-child", "--mount-proc"];
  return [alone, ["--user", "--map-current-user", ...alone]].find((options) => spawnSync("unshare", [...options, "true"]).status === 0);
}

function report() {
  for (const folder of folders) {
    const inside = mutants.filter(({ file }) => file.startsWith(`src/${folder}/`));
    console.log(`${folder.padEnd(10)} ${inside.filter(({ killer }) => killer !== undefined).length}/${inside.length}`);
  }
  const survivors = mutants.filter(({ killer }) => killer === undefined).toSorted((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line));
  for (const { id, file, line, code, what } of survivors) {
    const [first, more] = code.split("\n");
    console.log(`survived: ${file}:${line}  ${what}${tests.some(({ seen }) => seen.has(id)) ? "" : " (no test reaches it)"}: ${first}${more === undefined ? "" : " …"}`);
  }
  const ways = mutants.flatMap(({ killer }) => killer?.how ?? []);
  for (const how of new Set(ways)) console.log(`${ways.filter((one) => one === how).length} killed by ${how}`);
  const share = mutants.length === 0 ? 1 : 1 - survivors.length / mutants.length;
  console.log(`${(100 * share).toFixed(1)} % of ${mutants.length} mutants killed, ${100 * WANTED} % wanted; ${((performance.now() - start) / 60_000).toFixed(0)} minutes`);
  process.exitCode = share < WANTED ? 1 : 0;
}

function readArguments(given) {
  const values = { seed: "1", count: "300", only: FOLDERS.join(",") };
  for (const argument of given) {
    const [, name, value] = /^--(seed|count|only)=(.+)$/.exec(argument) ?? [];
    if (name === undefined) usage(`There is no '${argument}': give --seed=, --count= or --only=.`);
    values[name] = value;
  }
  const folders = values.only.split(",");
  const unknown = folders.find((folder) => !FOLDERS.includes(folder));
  if (unknown !== undefined) usage(`'${unknown}' is none of ${FOLDERS.join(", ")}.`);
  if (!/^[1-9]\d*$/.test(values.count)) usage("--count= takes a number.");
  return { seed: values.seed, count: Number(values.count), folders };
}

function usage(sentence) {
  console.error(sentence);
  process.exit(2);
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

function say(sentence) {
  console.error(`${((performance.now() - start) / 60_000).toFixed(1).padStart(5)} min  ${sentence}`);
}

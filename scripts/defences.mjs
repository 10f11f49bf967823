/**
 * Takes each defence of docs/defences.md out, in a copy, and demands that the tests named there fail: for each of its cases at least one.
 *
 *   npm run test:defences                  all
 *   npm run test:defences -- 16 71         those of some cases
 *   node scripts/defences.mjs --check      only whether the page names every case, and what it takes out is there
 *
 * `--page=FILE` reads another page.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript";
import { CASES, readDefences } from "./read-defences.mjs";

process.chdir(join(import.meta.dirname, ".."));

const args = process.argv.slice(2);
const page = args.find((arg) => arg.startsWith("--page="))?.slice("--page=".length) ?? "docs/defences.md";
const unknown = args.find((arg) => arg !== "--check" && !arg.startsWith("--page=") && !/^\d+$/.test(arg));
if (unknown !== undefined) {
  console.error(`There is no '${unknown}': give numbers of cases, --check or --page=FILE.`);
  process.exit(2);
}
const isLong = process.env.LOAF_LONG === "yes";
const { defences, without } = readDefences(readFileSync(page, "utf8"));
let failed = 0;
const fail = (sentence) => {
  failed += 1;
  console.log(sentence);
};

if (args.includes("--check")) {
  for (const number of unnamed()) fail(`${page} says nothing about case ${number}`);
  for (const defence of defences) {
    for (const problem of [withoutIt(defence).problem, ...defence.tests.flatMap((file) => (existsSync(file) ? [] : [`there is no ${file}`]))]) {
      if (problem !== undefined) fail(`${nameOf(defence)}: ${problem}`);
    }
  }
} else takeOut(args.map(Number).filter((number) => number > 0));
process.exitCode = failed === 0 ? 0 : 1;

function takeOut(asked) {
  const chosen = defences.filter(({ cases, isByForce }) => (asked.length === 0 ? isLong || !isByForce : cases.some((number) => asked.includes(number))));
  const copy = mkdtempSync(join(tmpdir(), "loaf-defences-"));
  process.on("exit", () => rmSync(copy, { recursive: true, force: true }));
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));
  fill(copy);
  const compile = createCompiler();
  const before = runTests(copy, [...new Set(chosen.flatMap(({ tests }) => tests))], [...new Set(chosen.flatMap(({ cases }) => cases))]);
  for (const defence of chosen) {
    const { problem, fell } = judge(defence, { copy, compile, before });
    if (problem === undefined) console.log(`✓ ${nameOf(defence)}`);
    else fail(`✗ ${nameOf(defence)}\n    ${problem}`);
    for (const name of fell) console.log(`    fails: ${name}`);
  }
  for (const [number, reason] of without) console.log(`- ${number}: ${reason}`);
  if (asked.length === 0) for (const number of unnamed()) fail(`✗ ${page} says nothing about case ${number}`);
  console.log(`${chosen.length} defences, ${failed} failed`);
}

function nameOf({ cases, title, file }) {
  return `${cases.join(", ")}: ${title} (${file})`;
}

function unnamed() {
  const named = new Set([...defences.flatMap(({ cases }) => cases), ...without.keys()]);
  return CASES.filter((number) => !named.has(number));
}

function fill(folder) {
  chmodSync(folder, 0o755);
  for (const name of ["src", "tests", "scripts", "docs", "examples", "package.json", "package-lock.json", "tsconfig.json", "tsconfig.lib.json", "vitest.config.ts", "README.md", "CONTRIBUTING.md"]) cpSync(name, join(folder, name), { recursive: true });
  symlinkSync(join(process.cwd(), "node_modules"), join(folder, "node_modules"));
}

/** The texts of the files without a defence, or why it cannot be taken out. */
function withoutIt({ changes }) {
  const texts = new Map();
  for (const { file, old, next } of changes) {
    const parts = (texts.get(file) ?? readFileSync(file, "utf8")).split(old);
    if (parts.length !== 2) return { problem: `what is to be taken out of ${file} is there ${parts.length - 1} times:\n${old}` };
    texts.set(file, parts.join(next));
  }
  return { texts };
}

/** What speaks against a defence, and the tests that fail without it. */
function judge(defence, { copy, compile, before }) {
  const { cases, tests } = defence;
  const { texts, problem } = withoutIt(defence);
  if (problem !== undefined) return { problem, fell: [] };
  const [error] = compile(texts);
  if (error !== undefined) return { problem: `what is left is no program: ${error}`, fell: [] };
  for (const [file, text] of texts) writeFileSync(join(copy, file), text);
  const after = runTests(copy, tests, cases);
  for (const file of texts.keys()) cpSync(file, join(copy, file));
  const fell = [...after].filter(([name, one]) => before.get(name)?.status === "passed" && one.status === "failed");
  const names = fell.map(([name]) => name);
  const standing = cases.filter((number) => !fell.some(([, one]) => one.cases.includes(number)));
  return standing.length === 0 ? { fell: names } : { problem: `no test of ${standing.join(", ")} fails without it (of ${after.size} run)`, fell: names };
}

/** Each test of these cases by its whole name. A file that cannot be loaded has none, so that it shows nothing. */
function runTests(copy, files, cases) {
  if (files.some((file) => file.startsWith("tests/faces/cli/"))) run(copy, ["scripts/build.mjs"]);
  const report = join(copy, "tests.json");
  rmSync(report, { force: true });
  // A title that comes from a table's key stands in quotes.
  const names = `(^| )'?(\\d+, )*(${cases.join("|")})(, \\d+)*(, [a-z ]+)?: `;
  const { said } = run(copy, ["node_modules/vitest/vitest.mjs", "run", ...files, "-t", names, "--reporter=json", `--outputFile=${report}`]);
  const results = readJson(report, said).testResults.flatMap(({ name, assertionResults }) => assertionResults.map((one) => ({ file: name.slice(copy.length + 1), ...one })));
  const ran = results.filter(({ status }) => status === "passed" || status === "failed");
  return new Map(ran.map(({ file, title, ancestorTitles, status }) => [`${file} > ${[...ancestorTitles, title].join(" > ")}`, { status, cases: [...ancestorTitles, title].flatMap(numbersOf) }]));
}

function numbersOf(title) {
  return (/^'?(\d+(?:, \d+)*)(?:, [a-z ]+)?: /.exec(title)?.[1] ?? "").split(", ").map(Number);
}

function readJson(file, said) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    throw new Error(`The tests told nothing:\n${said}`);
  }
}

function run(copy, args) {
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: copy, env: { ...process.env, LOAF_LONG: undefined }, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: Infinity });
  return { said: stdout + stderr };
}

/** Tells what the compiler has against files with other texts. That something is not used any more is no wonder. */
function createCompiler() {
  const { options, fileNames } = ts.parseJsonConfigFileContent(ts.readConfigFile("tsconfig.json", ts.sys.readFile).config, ts.sys, process.cwd(), { noUnusedLocals: false, noUnusedParameters: false });
  let texts = new Map();
  const host = {
    getScriptFileNames: () => fileNames.filter((name) => name.includes("/src/")),
    getScriptVersion: (name) => texts.get(name) ?? "",
    getScriptSnapshot: (name) => (texts.has(name) || ts.sys.fileExists(name) ? ts.ScriptSnapshot.fromString(texts.get(name) ?? ts.sys.readFile(name) ?? "") : undefined),
    getCurrentDirectory: () => process.cwd(),
    getCompilationSettings: () => options,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
  };
  const service = ts.createLanguageService(host);
  return (changed) => {
    texts = new Map([...changed].map(([file, text]) => [join(process.cwd(), file), text]));
    const found = [...texts.keys()].flatMap((name) => [...service.getSyntacticDiagnostics(name), ...service.getSemanticDiagnostics(name)]);
    return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "));
  };
}

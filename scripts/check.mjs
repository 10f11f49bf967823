/**
 * Runs the checks of the project, all of them even when one fails, and ends with `N passed, N failed`.
 *
 *   npm test                        what every edit runs: static checks, and the quick tests
 *   npm run test:slow               the rest: faults, races, terminals, whole sets of data, the package
 *   npm run test:all                both
 *   npm test -- --only=types,lint   some of them
 *   npm test -- --list              their names
 *   npm test -- -u                  rewrites what the case documents expect; anything else after `--` goes to vitest too
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

process.chdir(join(import.meta.dirname, ".."));

/** Each runs a tool, and yields how many checks passed and failed and what the tool had to say. */
const quick = {
  types: () => tool("typescript/bin/tsc", "-p", "."),
  "page-types": () => tool("typescript/bin/tsc", "-p", "tsconfig.page.json"),
  lint: () => tool("oxlint/bin/oxlint", "--deny-warnings"),
  layers: () => tool("dependency-cruiser/bin/dependency-cruise.mjs", "src", "--output-type", "err-long"),
  sizes: () => script("sizes"),
  duplicates: () => script("duplicates"),
  names: () => script("names"),
  "own-sentences": () => script("own-sentences"),
  unused: () => tool("knip/bin/knip.js", "--no-progress"),
  docs: () => script("docs", "--check"),
  defences: () => script("defences", "--check"),
  tests: (args) => runTests("quick", args),
};
const slow = {
  "slow-tests": (args) => runTests("slow", args),
  package: () => script("package"),
};
const checks = { ...quick, ...slow };
/** These use all cores by themselves, or measure; the others run side by side. */
const ALONE = new Set(["tests", "slow-tests", "package"]);

const args = process.argv.slice(2);
if (args.includes("--list")) {
  console.log(Object.keys(checks).join("\n"));
  process.exit(0);
}
const { only, rest } = readArguments(args);
const total = { passed: 0, failed: 0 };
await Promise.all(only.filter((name) => !ALONE.has(name)).map(runCheck));
for (const name of only.filter((one) => ALONE.has(one))) await runCheck(name);
const left = Object.keys(checks).filter((name) => !only.includes(name));
if (left.length > 0) console.log(`Not run: ${left.join(", ")} (npm run test:all runs everything)`);
if (process.env.LOAF_SHARED === undefined && only.some((name) => name.endsWith("tests"))) {
  const cases = Object.values(readJson("tests/conformance/counts.json")).reduce((sum, count) => sum + count, 0);
  console.log(`Not loaded: ${cases} cases of the conformance data (LOAF_SHARED names their folder)`);
}
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;

async function runCheck(name) {
  const start = performance.now();
  const { passed, failed, said, note } = await checks[name](rest);
  total.passed += passed;
  total.failed += failed;
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${failed === 0 ? "✓" : "✗"} ${name.padEnd(10)} ${seconds.padStart(5)} s${note ?? ""}`);
  if (failed > 0) console.log(`${said.trimEnd()}\n`);
}

function readArguments(given) {
  const sets = { "--slow": slow, "--all": checks };
  const chosen = given.find((arg) => arg.startsWith("--only=") || arg in sets);
  const names = chosen?.startsWith("--only=") ? chosen.slice("--only=".length).split(",") : Object.keys(sets[chosen] ?? quick);
  const unknown = names.find((name) => !(name in checks));
  if (unknown !== undefined) {
    console.error(`There is no check '${unknown}'; --list names them.`);
    process.exit(2);
  }
  return { only: names, rest: given.filter((arg) => arg !== chosen) };
}

async function script(name, ...given) {
  return one(await run(`scripts/${name}.mjs`, given));
}

async function tool(path, ...given) {
  return one(await run(`node_modules/${path}`, given));
}

/** A tool counts as one check. One that is missing fails, since Node then cannot find its file. */
function one({ status, said }) {
  return { passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1, said };
}

/** Every test counts. A test file that cannot be loaded has no tests, so it counts by itself. */
async function runTests(part, given) {
  const folder = mkdtempSync(join(tmpdir(), "loaf-check-"));
  try {
    const file = join(folder, "tests.json");
    const { status, said } = await run("node_modules/vitest/vitest.mjs", ["run", "--reporter=dot", "--reporter=json", `--outputFile.json=${file}`, ...given], { LOAF_TESTS: part });
    const report = readJson(file);
    if (report === undefined) return { passed: 0, failed: 1, said };
    const { numPassedTests: passed, numPendingTests: skipped } = report;
    const brokenFiles = report.testResults.filter((result) => result.status === "failed" && result.assertionResults.every((test) => test.status !== "failed"));
    const failed = report.numFailedTests + brokenFiles.length;
    const note = `  ${passed} passed, ${failed} failed, ${skipped} skipped; slowest: ${slowestOf(report).join(", ")}`;
    return { passed, failed: failed === 0 && status !== 0 ? 1 : failed, said, note };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function slowestOf({ testResults }) {
  return testResults
    .map(({ name, startTime, endTime }) => ({ name: relative("tests", name), seconds: Math.round((endTime - startTime) / 1000) }))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, 5)
    .map(({ name, seconds }) => `${name} ${seconds} s`);
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

function run(file, given, environment) {
  return new Promise((resolve) => {
    const pieces = [];
    const child = spawn(process.execPath, [file, ...given], { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...environment } });
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece) => pieces.push(piece));
    child.on("close", (status) => resolve({ status, said: Buffer.concat(pieces).toString() }));
  });
}

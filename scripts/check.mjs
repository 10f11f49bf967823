/**
 * Runs every check of the project, one after another, all of them even when one fails, and ends with `N passed, N failed`.
 *
 *   npm test                        all
 *   npm test -- --only=types,lint   some
 *   npm test -- --list              their names
 *   npm test -- -u                  rewrites what the case documents expect; anything else after `--` goes to vitest too
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

process.chdir(join(import.meta.dirname, ".."));

/** Each runs a tool, and yields how many checks passed and failed and what the tool had to say. */
const checks = {
  types: () => tool("typescript/bin/tsc", "-p", "."),
  lint: () => tool("oxlint/bin/oxlint", "--deny-warnings"),
  layers: () => tool("dependency-cruiser/bin/dependency-cruise.mjs", "src", "--output-type", "err-long"),
  sizes: () => script("sizes"),
  duplicates: () => script("duplicates"),
  unused: () => tool("knip/bin/knip.js", "--no-progress"),
  docs: () => script("docs", "--check"),
  tests: (args) => runTests(args),
  package: () => script("package"),
};

if (process.argv.includes("--list")) {
  console.log(Object.keys(checks).join("\n"));
  process.exit(0);
}
const { only, rest } = readArguments(process.argv.slice(2));
const total = { passed: 0, failed: 0 };
for (const name of only) {
  const start = performance.now();
  const { passed, failed, said, note } = checks[name](rest);
  total.passed += passed;
  total.failed += failed;
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${failed === 0 ? "✓" : "✗"} ${name.padEnd(10)} ${seconds.padStart(5)} s${note ?? ""}`);
  if (failed > 0) console.log(`${said.trimEnd()}\n`);
}
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;

function readArguments(args) {
  const chosen = args.find((arg) => arg.startsWith("--only="));
  const names = chosen?.slice("--only=".length).split(",") ?? Object.keys(checks);
  const unknown = names.find((name) => !(name in checks));
  if (unknown !== undefined) {
    console.error(`There is no check '${unknown}'; --list names them.`);
    process.exit(2);
  }
  return { only: names, rest: args.filter((arg) => arg !== chosen) };
}

function script(name, ...args) {
  return one(run(`scripts/${name}.mjs`, args));
}

function tool(path, ...args) {
  return one(run(`node_modules/${path}`, args));
}

/** A tool counts as one check. One that is missing fails, since Node then cannot find its file. */
function one({ status, said }) {
  return { passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1, said };
}

/** Every test counts. A test file that cannot be loaded has no tests, so it counts by itself. */
function runTests(args) {
  const folder = mkdtempSync(join(tmpdir(), "loaf-check-"));
  try {
    const file = join(folder, "tests.json");
    const { status, said } = run("node_modules/vitest/vitest.mjs", ["run", "--reporter=dot", "--reporter=json", `--outputFile.json=${file}`, ...args]);
    const report = readJson(file);
    if (report === undefined) return { passed: 0, failed: 1, said };
    const { numPassedTests: passed, numPendingTests: skipped } = report;
    const brokenFiles = report.testResults.filter((result) => result.status === "failed" && result.assertionResults.every((test) => test.status !== "failed"));
    const failed = report.numFailedTests + brokenFiles.length;
    return { passed, failed: failed === 0 && status !== 0 ? 1 : failed, said, note: `  ${passed} passed, ${failed} failed, ${skipped} skipped` };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

function run(file, args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: Infinity });
  return { status, said: stdout + stderr };
}

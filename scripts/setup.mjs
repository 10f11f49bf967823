/**
 * Makes a fresh clone ready: installs the packages, builds. Does nothing where nothing is to do, so every command can begin with it.
 * `--command` builds the command and not the library. Uses Node alone, since it runs before any package is there. Touches nothing outside the clone: what the system lacks is said.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { sayMissing } from "./programs.mjs";

process.chdir(join(import.meta.dirname, ".."));

const [major, minor] = process.versions.node.split(".").map(Number);
const [wantedMajor, wantedMinor] = JSON.parse(readFileSync("package.json", "utf8")).engines.node.match(/\d+/g).map(Number);
if (major < wantedMajor || (major === wantedMajor && minor < wantedMinor)) {
  fail(`Loaf needs Node ${wantedMajor}.${wantedMinor} or newer; this is ${process.versions.node}. Get one from https://nodejs.org.`);
}

if (!isInstalled()) {
  run("Installing packages", "npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
}
run("Building", process.execPath, ["scripts/build.mjs", ...process.argv.slice(2)]);
const lack = sayMissing();
if (lack !== undefined) process.stderr.write(`${lack}\n`);

/** npm leaves a copy of the lock file in node_modules when it is done. */
function isInstalled() {
  const done = "node_modules/.package-lock.json";
  return existsSync(done) && statSync(done).mtimeMs >= statSync("package-lock.json").mtimeMs;
}

/** Runs a step; its output is shown only where it fails. */
function run(step, command, args) {
  process.stderr.write(`${step} … `);
  const start = performance.now();
  const { status, error, stdout, stderr } = spawnSync(command, args, { encoding: "utf8", shell: process.platform === "win32" && command === "npm" });
  if (status !== 0) fail(`failed.\n${error?.message ?? stdout + stderr}`);
  process.stderr.write(`done (${((performance.now() - start) / 1000).toFixed(1)} s)\n`);
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

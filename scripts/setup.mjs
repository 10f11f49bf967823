/**
 * Makes a fresh clone ready: installs the packages, builds. Does nothing where nothing is to do, so every command can begin with it.
 * Uses Node alone, since it runs before any package is there. A system package that Loaf comes to need is checked for here too.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

process.chdir(join(import.meta.dirname, ".."));

const [major, minor] = process.versions.node.split(".").map(Number);
const [wantedMajor, wantedMinor] = JSON.parse(readFileSync("package.json", "utf8")).engines.node.match(/\d+/g).map(Number);
if (major < wantedMajor || (major === wantedMajor && minor < wantedMinor)) {
  fail(`Loaf needs Node ${wantedMajor}.${wantedMinor} or newer; this is ${process.versions.node}. Get one from https://nodejs.org.`);
}

if (!isInstalled()) {
  run("Installing packages", "npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
}
installPrograms();
run("Building", process.execPath, ["scripts/build.mjs"]);

/** npm leaves a copy of the lock file in node_modules when it is done. */
function isInstalled() {
  const done = "node_modules/.package-lock.json";
  return existsSync(done) && statSync(done).mtimeMs >= statSync("package-lock.json").mtimeMs;
}

/** Programs of the system: what tests or commands need them for, and what happens without. Tests that need one are skipped without it, but not in CI. */
function installPrograms() {
  if (process.platform !== "linux") return;
  const missing = [
    { program: "strace", name: "strace", without: "the tests of crashes are skipped" },
    { program: "bwrap", name: "bubblewrap", without: "commands have no sandbox, so exec is refused, and its tests are skipped" },
    { program: "python3", name: "python3", without: "commands in Python do not run, and their tests are skipped" },
    { program: "ruby", name: "ruby", without: "commands in Ruby do not run, and their tests are skipped" },
    { program: "tmux", name: "tmux", without: "the tests at a terminal are skipped" },
    { program: "zsh", name: "zsh", without: "the tests of its completions are skipped" },
    { program: "fish", name: "fish", without: "the tests of its completions are skipped" },
    { program: "groff", name: "groff", without: "the test of the manual is skipped" },
    { program: "Xvfb", name: "xvfb", without: "the tests of a real clipboard are skipped" },
    { program: "xclip", name: "xclip", without: "the tests of a real clipboard are skipped" },
  ].filter(({ program }) => !(process.env.PATH ?? "").split(":").some((folder) => existsSync(join(folder, program))));
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name).join(" ");
  const canInstall = process.getuid() === 0 && existsSync("/usr/bin/apt-get");
  if (canInstall) return run(`Installing ${names}`, "sh", ["-c", `apt-get update -qq && apt-get install -y -qq --no-install-recommends ${names}`]);
  for (const { name, without } of missing) process.stderr.write(`${name} is not installed, so ${without}: sudo apt-get install ${name}\n`);
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

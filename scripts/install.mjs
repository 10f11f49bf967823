/**
 * Installs what the whole suite needs of a Debian system, as root, for CI: programs, and packages that hold source files, which are unpacked beside what npm
 * installed and never installed themselves. Exits 1 where something is still missing.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { missingPackages } from "./programs.mjs";

const PACKAGES = [
  "golang-github-spf13-cobra-dev",
  "gtk-sharp3-examples",
  "libcurl4-doc",
  "librust-anyhow-dev",
  "librust-itertools-dev",
  "nlohmann-json3-dev",
  "php-twig",
  "rapidjson-dev",
  "ruby-rack",
  "xtables-addons-dkms",
];

/** Packages of npm of which the tests compare two versions. */
const VERSIONS = [
  "bootstrap@5.2.3", "bootstrap@5.3.3", "commander@12.0.0", "commander@12.1.0", "express@4.18.3", "express@4.21.2", "fastify@4.26.0", "fastify@4.28.1",
  "cordova-android@10.0.0", "cordova-android@12.0.0", "cordova-ios@6.2.0", "cordova-ios@7.1.0", "expo-modules-core@1.2.0", "expo-modules-core@1.11.0",
  "immer@9.0.21", "immer@10.1.1", "koa@2.15.0", "koa@2.16.0", "rxjs@7.5.0", "rxjs@7.8.1",
  "marked@12.0.0", "marked@14.1.0", "node-addon-api@5.0.0", "node-addon-api@8.0.0", "node-gyp@10.0.1", "node-gyp@10.3.1", "preact@10.19.0", "preact@10.24.0", "undici@6.13.0", "undici@6.19.0",
];

/** Programs of npm that a benchmark or a test runs beside Loaf, with their own packages. The second and the third need the last, a newer Node. */
const PEERS = [
  "@modelcontextprotocol/server-filesystem@2026.8.31", "@modelcontextprotocol/conformance@0.1.16", "@modelcontextprotocol/inspector@2.12.0",
  `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}@22.23.3`,
];

/** Agents that connect to the server in the long tests: with `--agents` alone, as they take 700 MB. */
const AGENTS = ["@openai/codex@0.171.0", "opencode-ai@1.18.33", "@google/gemini-cli@0.61.0"];

/** Beside what npm installed, so that git and the package leave it alone. */
const folder = join(import.meta.dirname, "../node_modules/.cache/loaf-samples");
const peerFolder = join(import.meta.dirname, "../node_modules/.cache/loaf-peers");
const agentFolder = join(import.meta.dirname, "../node_modules/.cache/loaf-agents");
const agents = process.argv.includes("--agents") ? AGENTS : [];
const programs = missingPackages();
const isMissing = (name) => !existsSync(join(folder, name));
const sources = PACKAGES.filter(isMissing);
const versions = VERSIONS.filter(isMissing);
const missingIn = (folder, names) => names.filter((name) => !existsSync(join(folder, "node_modules", name.replace(/@[^@]+$/, ""))));
const missingPeers = () => [...missingIn(peerFolder, PEERS), ...missingIn(agentFolder, agents)];

if (programs.length + sources.length + versions.length + missingPeers().length > 0) {
  process.stderr.write("Installing what the tests need of the system … ");
  // A machine that is new has no lists of packages yet.
  if (!installAll() && run("apt-get", ["update", "-qq"])) installAll();
  versions.forEach(unpackVersion);
  installPeers();
  const lacking = [...missingPackages(), ...[...PACKAGES, ...VERSIONS].filter(isMissing), ...missingPeers()];
  process.stderr.write(lacking.length === 0 ? "done\n" : `not done: ${lacking.join(", ")}\n`);
  process.exitCode = lacking.length === 0 ? 0 : 1;
}

function installAll() {
  const isInstalled = programs.length === 0 || run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...programs]);
  return sources.map(unpack).every(Boolean) && isInstalled;
}

function unpack(name) {
  return unpackBy(name, ["apt-get", "download", "-qq", name], (file, to) => run("dpkg-deb", ["-x", file, to]));
}

function unpackVersion(name) {
  return unpackBy(name, ["npm", "pack", "--silent", name], (file, to) => mkdirSync(to) === undefined && run("tar", ["-xzf", file, "-C", to]));
}

function installPeers() {
  for (const [folder, names] of [[peerFolder, PEERS], [agentFolder, agents]]) {
    if (missingIn(folder, names).length === 0) continue;
    mkdirSync(folder, { recursive: true });
    run("npm", ["install", "--prefix", folder, "--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts", ...names]);
  }
}

function unpackBy(name, [command, ...args], extract) {
  if (!isMissing(name)) return true;
  const temporary = mkdtempSync(join(tmpdir(), "loaf-samples-"));
  try {
    if (!run(command, args, temporary)) return false;
    const [file] = readdirSync(temporary);
    mkdirSync(folder, { recursive: true });
    const unpacked = join(folder, `.${name}`);
    rmSync(unpacked, { recursive: true, force: true });
    // Renamed at the end: half a package must not look like one.
    return extract(join(temporary, file), unpacked) && renameSync(unpacked, join(folder, name)) === undefined;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function run(command, args, cwd) {
  return spawnSync(command, args, { cwd, env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" }, stdio: "ignore" }).status === 0;
}

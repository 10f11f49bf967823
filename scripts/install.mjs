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

/** Beside what npm installed, so that git and the package leave it alone. */
const folder = join(import.meta.dirname, "../node_modules/.cache/loaf-samples");
const programs = missingPackages();
const sources = PACKAGES.filter((name) => !existsSync(join(folder, name)));

if (programs.length + sources.length > 0) {
  process.stderr.write("Installing what the tests need of the system … ");
  // A machine that is new has no lists of packages yet.
  if (!installAll() && run("apt-get", ["update", "-qq"])) installAll();
  const lacking = [...missingPackages(), ...PACKAGES.filter((name) => !existsSync(join(folder, name)))];
  process.stderr.write(lacking.length === 0 ? "done\n" : `not done: ${lacking.join(", ")}\n`);
  process.exitCode = lacking.length === 0 ? 0 : 1;
}

function installAll() {
  const isInstalled = programs.length === 0 || run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...programs]);
  return sources.map(unpack).every(Boolean) && isInstalled;
}

function unpack(name) {
  if (existsSync(join(folder, name))) return true;
  const temporary = mkdtempSync(join(tmpdir(), "loaf-samples-"));
  try {
    if (!run("apt-get", ["download", "-qq", name], temporary)) return false;
    const [file] = readdirSync(temporary);
    mkdirSync(folder, { recursive: true });
    const unpacked = join(folder, `.${name}`);
    rmSync(unpacked, { recursive: true, force: true });
    // Renamed at the end: half a package must not look like one.
    return run("dpkg-deb", ["-x", join(temporary, file), unpacked]) && renameSync(unpacked, join(folder, name)) === undefined;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function run(command, args, cwd) {
  return spawnSync(command, args, { cwd, env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" }, stdio: "ignore" }).status === 0;
}

/**
 * Fetches what the tests of addresses compare with and read: Universal Ctags, and Debian packages that hold source files, which are
 * unpacked and never installed. Does nothing where they are there, or where this is no Debian: those tests skip then, and say so.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

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
const missing = PACKAGES.filter((name) => !existsSync(join(folder, name)));
const needsCtags = spawnSync("ctags", ["--version"]).status !== 0;

if ((missing.length > 0 || needsCtags) && existsSync("/usr/bin/apt-get")) {
  process.stderr.write("Fetching what the tests of addresses read … ");
  const isRoot = process.getuid() === 0;
  // A machine that is new has no lists of packages yet.
  const isDone = fetchAll(isRoot) || (isRoot && run("apt-get", ["update", "-qq"]) && fetchAll(isRoot));
  process.stderr.write(isDone ? "done\n" : "not done, so those tests skip\n");
}

function fetchAll(isRoot) {
  const hasCtags = !needsCtags || (isRoot && run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "universal-ctags"]));
  return missing.map(unpack).every(Boolean) && hasCtags;
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

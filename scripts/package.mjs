/** Checks the package as its users get it: what is in it, how its library resolves, and that an installed copy works. Exits 1 and says why. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { filesBelow } from "./files.mjs";

process.chdir(join(import.meta.dirname, ".."));

/** Everything a published file may be. */
const contents = [
  /^package\.json$/,
  /^(README|CHANGELOG)\.md$/,
  /^LICENSE$/,
  /^dist\/(loaf|main)\.cjs$/,
  /^dist\/mcp-sdk\.cjs$/,
  /^dist\/review\.html$/,
  /^dist\/licenses\.txt$/,
  /^dist\/grammars\/[\w-]+\.wasm\.br$/,
  /^dist\/lib\/index\.js$/,
  /^dist\/lib\/[\w./-]+\.d\.ts$/,
  /^docs\/loaf\.schema\.json$/,
  /^docs\/loaf\.1$/,
  /^docs\/[\w-]+\.md$/,
  /^docs\/pictures\/\w+\.png$/,
  /^CONTRIBUTING\.md$/,
  /^examples\/answer\.md$/,
  /^examples\/answers\/[\w-]+\.md$/,
  /^examples\/project\/[\w./-]+$/,
];

/** Most that an installed Loaf may take, with all that it needs, in MB of disk blocks. */
const MAX_SIZE = 20;

/** Starts the server, prints its first answer, and ends it as a host does. */
const FIRST_ANSWER = `
  const child = require("node:child_process").spawn(process.execPath, ["node_modules/loaf-cli/dist/loaf.cjs", "mcp", "--root", "."], { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.write(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "try", version: "1" } } }) + "\\n");
  child.stdout.once("data", (answer) => { process.stdout.write(answer); child.stdin.end(); });
`;

const { version, dependencies } = JSON.parse(readFileSync("package.json", "utf8"));
const folder = mkdtempSync(join(tmpdir(), "loaf-package-"));
const problems = [];
try {
  const tarball = pack();
  attempt("publint", () => node("node_modules/publint/src/cli.js", tarball, "--strict"));
  // Every module mode; the schema is no module. CommonJS gets the same modules: all versions of Node that Loaf supports can require them, as is tried below.
  attempt("types resolve", () => node("node_modules/@arethetypeswrong/cli/dist/index.js", tarball, "--no-emoji", "--exclude-entrypoints", "./loaf.schema.json", "--ignore-rules", "cjs-resolves-to-esm"));
  attempt("an installed copy works", () => tryInstalled(tarball));
  attempt("a global install has its manual", () => tryManual(tarball));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const problem of problems) console.log(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

/** The tarball's path. What is in it that should not be, or is missing, becomes a problem. */
function pack() {
  const [packed] = JSON.parse(npm(process.cwd(), "pack", "--json", "--pack-destination", folder));
  const files = packed.files.map(({ path }) => path);
  const stray = files.filter((file) => !contents.some((pattern) => pattern.test(file)));
  const missing = contents.filter((pattern) => !files.some((file) => pattern.test(file)));
  if (stray.length > 0) problems.push(`The package has files that nobody asked for: ${stray.join(", ")}`);
  if (missing.length > 0) problems.push(`The package has no file like ${missing.join(" or ")}`);
  return join(folder, packed.filename);
}

/** As a stranger would: an empty folder, the command through npx, the library as the README shows it, first through a compiler. */
function tryInstalled(tarball) {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module", private: true }));
  // What it depends on comes from this checkout: a check that asked the registry would fail whenever the network does.
  const dependencyFolders = Object.keys(dependencies).map((dependency) => resolve("node_modules", dependency));
  npm(folder, "install", "--prefer-offline", "--install-links", "--no-audit", "--no-fund", tarball, ...dependencyFolders);
  const printed = npm(folder, "exec", "--prefer-offline", "--", "loaf", "--version").trim();
  if (printed !== version) throw new Error(`'loaf --version' prints '${printed}', not '${version}'`);
  const size = filesBelow(join(folder, "node_modules")).reduce((sum, file) => sum + Math.ceil(statSync(file).size / 4096) * 4096, 0) / 1e6;
  if (size > MAX_SIZE) throw new Error(`it takes ${size.toFixed(1)} MB, more than ${MAX_SIZE}`);
  const required = join(folder, "try.cjs");
  writeFileSync(required, 'const { parse } = require("loaf-cli"); process.stdout.write(String(parse("").blocks.length));');
  const { status, stdout, stderr } = spawnSync(process.execPath, [required], { encoding: "utf8" });
  if (status !== 0 || stdout !== "0") throw new Error(`require("loaf-cli") from CommonJS ends with:\n${stdout}${stderr}`);
  // The grammars of languages are files of the package, their parser is a package of its own.
  for (const [file, text] of Object.entries({ "shop.ts": "export class Cart {}", "shop.cs": "class Cart {}", "shop.rb": "class Cart\nend", "shop.h": "class Cart {};" })) {
    writeFileSync(join(folder, file), `${text}\n`);
    const outline = npm(folder, "exec", "--prefer-offline", "--", "loaf", "outline", "--root", folder, file);
    if (!outline.includes("@@Cart")) throw new Error(`'loaf outline ${file}' prints '${outline}'`);
  }
  // The server's protocol is a file of its own.
  const answered = execFileSync(process.execPath, ["-e", FIRST_ANSWER], { cwd: folder, encoding: "utf8", stdio: "pipe" });
  if (!answered.includes('"serverInfo":{"name":"loaf"')) throw new Error(`'loaf mcp' answers '${answered}'`);
  rmSync(join(folder, "node_modules/loaf-cli/dist/grammars"), { recursive: true });
  const { stderr: complaint } = spawnSync(process.execPath, ["node_modules/loaf-cli/dist/loaf.cjs", "outline", "--root", folder, "shop.ts"], { cwd: folder, encoding: "utf8" });
  if (!complaint.includes("its grammar is missing from Loaf's package: install")) throw new Error(`'loaf outline shop.ts' without grammars complains:\n${complaint}`);
  const made = join(folder, "made");
  writeFileSync(join(folder, "try.ts"), `const answer = ${JSON.stringify(block("dir_create", made))};\n${libraryExample().replace("/path/to/project", folder)}`);
  const compiler = ["--target", "es2023", "--module", "nodenext", "--strict", "--types", "node", "--typeRoots", resolve("node_modules/@types"), "--rootDir", "."];
  execFileSync(process.execPath, [resolve("node_modules/typescript/bin/tsc"), ...compiler, "try.ts"], { cwd: folder, encoding: "utf8", stdio: "pipe" });
  const report = execFileSync(process.execPath, ["try.js"], { cwd: folder, encoding: "utf8", stdio: "pipe" });
  if (!report.includes(`✅ dir_create ${made}`) || !existsSync(made)) throw new Error(`README's example of the library reports:\n${report}`);
}

/** Installs it as `npm i -g` does, into a folder of its own, and asks `man`, where there is one. */
function tryManual(tarball) {
  const prefix = join(folder, "prefix");
  mkdirSync(prefix);
  // The manual needs no dependencies, and these come from the registry.
  npm(folder, "install", "--global", "--prefix", prefix, "--offline", "--no-audit", "--no-fund", "--install-links", tarball, ...Object.keys(dependencies).map((dependency) => resolve("node_modules", dependency)));
  if (process.platform === "win32") return;
  const manuals = join(prefix, "share/man");
  if (!existsSync(join(manuals, "man1/loaf.1"))) throw new Error("npm has not put the manual where man looks");
  const { error, status, stdout, stderr } = spawnSync("man", ["loaf"], { encoding: "utf8", env: { ...process.env, MANPATH: manuals, MANPAGER: "cat" } });
  if (error?.code === "ENOENT") return;
  if (status !== 0 || !stdout.startsWith("LOAF(1)")) throw new Error(`'man loaf' ends with ${status}:\n${stdout.slice(0, 200)}${stderr}`);
}

function libraryExample() {
  const [, example] = /\n## As a library\n[^]*?```ts\n([^]*?)```/.exec(readFileSync("README.md", "utf8")) ?? [];
  if (example === undefined) throw new Error("README.md has no example of the library");
  return example;
}

function block(action, path) {
  return `#!nesl [@three-char-SHA-256: pkg]\naction = "${action}"\npath = ${JSON.stringify(path)}\n#!end_pkg\n`;
}

function attempt(what, act) {
  try {
    act();
  } catch (error) {
    problems.push(`${what}: ${error.message}\n${error.stdout ?? ""}${error.stderr ?? ""}`.trim());
  }
}

function node(...args) {
  return execFileSync(process.execPath, args, { encoding: "utf8", stdio: "pipe" });
}

function npm(cwd, ...args) {
  return execFileSync("npm", args, { cwd, encoding: "utf8", stdio: "pipe", shell: process.platform === "win32" });
}

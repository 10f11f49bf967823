/** Builds what is shipped: `dist/loaf.cjs` with `dist/main.cjs`, the command, `dist/review.html`, its page, `dist/lib`, the library with its types, `dist/modules`, its modules for the benchmarks, and `dist/grammars`. Skips what is up to date. `--command` builds only that. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, transform } from "esbuild";
import { filesBelow } from "./files.mjs";
import { compressGrammars, GRAMMARS } from "./grammars.mjs";
import { copyPublicTypes } from "./library.mjs";

process.chdir(join(import.meta.dirname, ".."));
/** What `loaf mcp` alone needs, and is as large as the rest. */
const SDK = "src/faces/mcp/sdk.ts";

/** Leaves the SDK to its own file, beside the bundle. */
const sdkApart = {
  name: "sdk-apart",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^[.]\/sdk[.]ts$/ }, ({ kind }) => (kind === "entry-point" ? undefined : { path: "./mcp-sdk.cjs", external: true })),
};

/** Commander loads `child_process` for commands that are programs of their own, which Loaf has none of: a tenth of the time of `loaf --help`. */
const childProcessLate = {
  name: "child-process-late",
  setup: ({ onLoad }) =>
    onLoad({ filter: /commander.lib.command\.js$/ }, ({ path }) => {
      const [early, late] = ["require('node:child_process')", "{ spawn: (...args) => require('node:child_process').spawn(...args) }"];
      const contents = readFileSync(path, "utf8");
      if (!contents.includes(early)) throw new Error("Commander no longer loads child_process as it did: see childProcessLate.");
      return { contents: contents.replace(early, late) };
    }),
};

const sources = newest("src", "package.json", "package-lock.json", "tsconfig.json", "tsconfig.lib.json", "scripts/build.mjs", "scripts/library.mjs", "scripts/grammars.mjs");

if (oldest("dist/loaf.cjs") < sources) await buildCommand();
if (oldest("dist/review.html") < sources) await buildPage();
if (!process.argv.includes("--command")) {
  if (oldest("dist/grammars") < newest("package-lock.json", "scripts/grammars.mjs", "src/addresses/languages.ts")) compressGrammars("dist/grammars");
  if (oldest("dist/lib") < sources) await buildLibrary();
}

/** Two files: the bundle, and the launcher that runs it with V8's code cache; see `src/faces/cli/start.ts`. */
async function buildCommand() {
  const { version, engines } = JSON.parse(readFileSync("package.json", "utf8"));
  const { metafile } = await bundle("src/faces/cli/main.ts", "dist/main.cjs", { LOAF_VERSION: JSON.stringify(version), LOAF_NODE: JSON.stringify(engines.node) });
  writeFileSync("dist/main.cjs", inAscii(readFileSync("dist/main.cjs", "utf8")));
  const sdk = await bundle(SDK, "dist/mcp-sdk.cjs", {});
  writeFileSync("dist/licenses.txt", licensesOf([...Object.keys(metafile.inputs), ...Object.keys(sdk.metafile.inputs)]));
  const hash = createHash("sha256").update(readFileSync("dist/main.cjs")).digest("hex").slice(0, 16);
  await bundle("src/faces/cli/start.ts", "dist/loaf.cjs", { BUNDLE_HASH: JSON.stringify(hash) }, { js: "#!/usr/bin/env node" });
  chmodSync("dist/loaf.cjs", 0o755);
}

/** Escapes what esbuild leaves, which are characters in regular expressions: a text of ASCII is read in half the time. */
function inAscii(script) {
  return script.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function bundle(entryPoint, outfile, define, banner = {}) {
  return build({
    // It would take the folder that it was loaded in.
    absWorkingDir: process.cwd(),
    entryPoints: [entryPoint],
    outfile,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: "none",
    // It is found beside the bundle, as its packages are.
    define: { ...define, "import.meta.url": "__filename" },
    // What reads addresses is large and seldom needed. In a script that the launcher compiles there is no `import()`.
    external: ["markdown-it", "web-tree-sitter"],
    plugins: [sdkApart, childProcessLate],
    supported: { "dynamic-import": false },
    banner,
    metafile: true,
    logLevel: "warning",
  });
}

/** The page of `loaf review`: one file with its style and script, which loads nothing. A file of its own, because no other command needs it. */
async function buildPage() {
  const folder = "src/faces/web/page";
  const { outputFiles: [script] } = await build({
    absWorkingDir: process.cwd(),
    entryPoints: [`${folder}/main.tsx`],
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    charset: "utf8",
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "none",
    write: false,
    logLevel: "warning",
  });
  const { code: style } = await transform(readFileSync(`${folder}/style.css`, "utf8"), { loader: "css", minify: true });
  const page = readFileSync(`${folder}/index.html`, "utf8");
  // A tag in a string would end the element.
  const inScript = script.text.trim().replaceAll("</script", "<\\/script");
  writeFileSync("dist/review.html", page.replace("/* style */", () => style.trim()).replace("/* script */", () => inScript));
}

/** The licences of the packages in the bundle and of the grammars, which have to travel with them. */
function licensesOf(inputs) {
  const packages = new Set([...GRAMMARS, "preact", ...inputs.flatMap((input) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? [])]);
  return [...packages].sort().map((name) => {
    const file = readdirSync(`node_modules/${name}`).find((entry) => /^licen[cs]e/i.test(entry));
    if (file === undefined) throw new Error(`The package ${name} has no licence file to ship with the bundle.`);
    return `${name}\n\n${readFileSync(`node_modules/${name}/${file}`, "utf8").trim()}\n`;
  }).join("\n\n");
}

/** One script with its types: hundreds of modules take half as long again to load, and two thirds more disk blocks. */
async function buildLibrary() {
  for (const folder of ["dist/lib", "dist/modules"]) rmSync(folder, { recursive: true, force: true });
  const { status } = spawnSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.lib.json", "--noEmitOnError"], { stdio: "inherit" });
  if (status !== 0) process.exit(1);
  await build({
    absWorkingDir: process.cwd(),
    entryPoints: ["src/index.ts"],
    outfile: "dist/lib/index.js",
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    charset: "utf8",
    legalComments: "none",
    external: Object.keys(JSON.parse(readFileSync("package.json", "utf8")).dependencies),
    logLevel: "warning",
  });
  copyPublicTypes("dist/modules", "dist/lib");
}

/** Modification time, in milliseconds, of the newest file among these. */
function newest(...paths) {
  return Math.max(...filesBelow(...paths).map((file) => statSync(file).mtimeMs));
}

/** The same of the oldest, and 0 where there is nothing. */
function oldest(path) {
  const files = filesBelow(path);
  return files.length === 0 ? 0 : Math.min(...files.map((file) => statSync(file).mtimeMs));
}

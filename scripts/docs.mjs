/**
 * Writes the documents that are derived from the code. With --check it writes nothing, names those that are stale and exits with 1, also
 * when a document names a source file that does not exist.
 * `docs.mjs [--check] FOLDER` does so with another folder's.
 * In a document with prose it fills what stands between `<!-- generated: NAME -->` and `<!-- end -->`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { filesBelow } from "./files.mjs";
import { messagesDocument } from "./messages.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const checking = process.argv.includes("--check");
const folder = process.argv.slice(2).find((arg) => arg !== "--check") ?? root;
const code = await importSources(`
  export { explain } from "./src/core/failure.ts";
  export { actionSections, actionsTable, failuresTable, refusalsList, settingsTable } from "./scripts/documents/tables.ts";
  export { FAILURES } from "./scripts/documents/failure-samples.ts";
  export { actionsSchema, settingsSchema } from "./scripts/documents/schemas.ts";
  export { configSchema } from "./src/config/schema.ts";
  export { DEFAULT_DENY, TEMPLATES } from "./src/guard/default-rules.ts";
`);
const { manualPage } = await importProgram();
const { version } = JSON.parse(readFileSync(`${root}/package.json`, "utf8"));
const settings = code.settingsSchema(code.configSchema);

const documents = {
  "README.md": filled("README.md", { actions: code.actionsTable() }),
  "docs/actions.md": filled("docs/actions.md", { actions: code.actionSections(), failures: code.failuresTable() }),
  "docs/actions.schema.json": printJson(code.actionsSchema()),
  "docs/configuration.md": filled("docs/configuration.md", { keys: code.settingsTable(settings), refusals: code.refusalsList(code.DEFAULT_DENY, code.TEMPLATES) }),
  "docs/loaf.schema.json": printJson(settings),
  "docs/messages.md": messagesDocument(root, code.FAILURES.map((failure) => [failure.code, code.explain(failure)])),
  "docs/loaf.1": manualPage(version),
};

const stale = Object.entries(documents).filter(([path, text]) => readIfThere(`${folder}/${path}`) !== text);
for (const [path, text] of stale) {
  if (!checking) writeFileSync(`${folder}/${path}`, text);
  console.log(checking ? `${path} is stale: run \`npm run docs\`` : `wrote ${path}`);
}
const dangling = checking ? ["docs/architecture.md", "docs/decisions.md"].flatMap(missingSources) : [];
for (const sentence of dangling) console.log(sentence);
if (checking && stale.length + dangling.length > 0) process.exitCode = 1;

/** Returns a sentence for each source file that a document names, by the end of its path, and that does not exist. */
function missingSources(path) {
  const sources = filesBelow(...["src", "tests", "scripts", "bench"].map((name) => `${root}/${name}`));
  const named = new Set([...(readIfThere(`${folder}/${path}`) ?? "").matchAll(/`([\w./-]+\.(?:ts|mjs))`/g)].map(([, name]) => name));
  return [...named].filter((name) => !sources.some((source) => source.endsWith(`/${name}`))).map((name) => `${path} names ${name}, which does not exist`);
}

/** The exports of a module of TypeScript, bundled in memory: this runs before anything is built. */
async function importSources(contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root, loader: "ts" },
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
    logLevel: "error",
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

/** The commands, without what they do: they load that when they are called. The library for them is CommonJS, so this is, too. */
async function importProgram() {
  const contents = `
    export { manualPage } from "./scripts/documents/manual.ts";
  `;
  const lazily = { name: "lazily", setup: ({ onResolve }) => onResolve({ filter: /^\./ }, ({ kind, path }) => (kind === "dynamic-import" ? { path, external: true } : undefined)) };
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root, loader: "ts" },
    bundle: true,
    write: false,
    platform: "node",
    format: "cjs",
    define: { LOAF_VERSION: '""' },
    plugins: [lazily],
    logLevel: "error",
  });
  const made = { exports: {} };
  new Function("module", "exports", "require", outputFiles[0].text)(made, made.exports, createRequire(import.meta.url));
  return made.exports;
}

/** The text of a document, with each of its generated parts anew. */
function filled(path, parts) {
  return Object.entries(parts).reduce((text, [name, content]) => {
    const begin = `<!-- generated: ${name} -->\n`;
    const start = text.indexOf(begin);
    const end = text.indexOf("<!-- end -->", start);
    if (start === -1 || end === -1) throw new Error(`${path} has no part '${name}' between ${begin.trim()} and <!-- end -->`);
    return `${text.slice(0, start)}${begin}${content}\n${text.slice(end)}`;
  }, readFileSync(`${folder}/${path}`, "utf8"));
}

function readIfThere(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function printJson(value) {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

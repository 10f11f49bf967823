/**
 * Counts what one edit passes on its way from the text of an answer to its report: the functions of `src` that V8 sees called by `execute` and `fullReport`, and
 * the files that hold them. Opening the project and loading the modules are not counted. `files-passed.mjs -v` lists the files.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";

const ANSWERS = {
  "NESL file_replace_text": "#!nesl [@three-char-SHA-256: k7m]\naction = \"file_replace_text\"\npath = \"a.txt\"\nold_text = \"two\"\nnew_text = \"2\"\n#!end_k7m\n",
  "SEARCH/REPLACE": "a.txt\n<<<<<<< SEARCH\ntwo\n=======\n2\n>>>>>>> REPLACE\n",
  "unified diff": "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n",
  "SEARCH/REPLACE that is refused": "a.txt\n<<<<<<< SEARCH\ntwe\n=======\n2\n>>>>>>> REPLACE\n",
};

process.chdir(join(import.meta.dirname, ".."));
const folder = mkdtempSync(join(tmpdir(), "loaf-passed-"));
try {
  process.env.XDG_STATE_HOME = join(folder, "state");
  const bundle = join(import.meta.dirname, "../dist/files-passed.cjs");
  const { outputFiles } = await build({
    entryPoints: ["src/index.ts"], bundle: true, platform: "node", format: "cjs", write: false, define: { "import.meta.url": "__filename" }, packages: "external", logLevel: "warning",
  });
  const text = outputFiles[0].text;
  writeFileSync(bundle, text);
  try {
    const { Loaf, fullReport } = await import(bundle);
    for (const [name, answer] of Object.entries(ANSWERS)) {
      const { files, functions } = filesOf(await functionsCalled(bundle, await opened(Loaf), (loaf) => loaf.execute(answer).then((result) => fullReport(result, loaf))), text);
      console.log(`${name}: ${functions} functions in ${files.size} files`);
      if (process.argv.includes("-v")) for (const [file, count] of [...files].sort()) console.log(`  ${String(count).padStart(3)} ${file}`);
    }
  } finally {
    rmSync(bundle);
  }
} finally {
  rmSync(folder, { recursive: true });
}

/** A project of which everything is loaded, and whose newest run is none. */
async function opened(Loaf) {
  const root = mkdtempSync(join(folder, "project-"));
  writeFileSync(join(root, "a.txt"), "one\ntwo\nthree\n");
  const options = { repoPath: root, config: { relative_paths: true, edits: { match: "tolerant" } }, gitCommit: false };
  const warm = await Loaf.create({ ...options, dryRun: true });
  for (const answer of Object.values(ANSWERS)) await warm.execute(answer);
  return Loaf.create(options);
}

async function functionsCalled(bundle, loaf, act) {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await act(loaf);
  const { result } = await session.post("Profiler.takePreciseCoverage");
  session.disconnect();
  const script = result.find(({ url }) => url.endsWith(bundle));
  return script.functions.filter(({ ranges: [range] }) => range.count > 0).map(({ ranges: [range] }) => range.startOffset);
}

/** Which file a place of the bundle comes from: esbuild writes its name above its code. */
function filesOf(offsets, text) {
  const heads = [...text.matchAll(/^ *\/\/ (src\/\S+\.ts)$/gm)].map(({ index, 1: file }) => ({ index, file }));
  const files = new Map();
  for (const offset of offsets) {
    const file = heads.findLast(({ index }) => index <= offset)?.file;
    if (file !== undefined) files.set(file, (files.get(file) ?? 0) + 1);
  }
  return { files, functions: [...files.values()].reduce((sum, count) => sum + count, 0) };
}

/** Whole runs, from the text to the result, against the same work with the promises of `node:fs`, each awaited before the next as a run does it. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Loaf } from "../dist/modules/index.js";
import { faster, medians, within } from "./measure.mjs";

const FILES = 1_000;
const source = "export const answer = 42; // a line of a source file\n".repeat(40);

export async function executeRows() {
  const root = mkdtempSync(join(tmpdir(), "loaf-bench-"));
  try {
    const paths = Array.from({ length: FILES }, (_, index) => join(root, `file-${index}.js`));
    for (const path of paths) writeFileSync(path, `${source}// version A\n`);
    const loaf = await Loaf.create({ repoPath: root });
    return [
      faster("execute 1,000 reads of 2 KB, against readFile", await reads(loaf, paths), 2),
      faster("execute 2,000 replaces, against readFile, temporary file, rename", await replaces(loaf, paths), 1),
      faster("execute 1,000 writes, nothing synced, against temporary file, rename", await writes(loaf, paths), 1),
      within("execute file_replace_all_text, 64,000 matches in 2 MB", await replaceAll(loaf, join(root, "large.txt")), 50),
    ];
  } finally {
    rmSync(root, { recursive: true });
  }
}

function reads(loaf, paths) {
  const text = blocks(paths, () => ({ action: "file_read" }));
  return medians(
    {
      loaf: () => execute(loaf, text),
      peer: async () => {
        const contents = [];
        for (const path of paths) contents.push(await readFile(path, "utf8"));
      },
    },
    15,
  );
}

/** A to B in every file, and back again. */
function replaces(loaf, paths) {
  const there = blocks(paths, () => ({ action: "file_replace_text", old_text: "version A", new_text: "version B" }));
  const back = blocks(paths, () => ({ action: "file_replace_text", old_text: "version B", new_text: "version A" }));
  const replaceAllFiles = async (from, to) => {
    for (const path of paths) await replaceFile(path, (await readFile(path, "utf8")).replace(from, to));
  };
  return medians(
    {
      loaf: async () => {
        await execute(loaf, there);
        await execute(loaf, back);
      },
      peer: async () => {
        await replaceAllFiles("version A", "version B");
        await replaceAllFiles("version B", "version A");
      },
    },
    7,
  );
}

function writes(loaf, paths) {
  const text = blocks(paths, () => ({ action: "file_write", content: source }));
  return medians(
    {
      loaf: () => execute(loaf, text),
      peer: async () => {
        for (const path of paths) await replaceFile(path, source);
      },
    },
    9,
  );
}

async function replaceFile(path, content) {
  await writeFile(`${path}.tmp`, content);
  await rename(`${path}.tmp`, path);
}

/** Each line has 32 bytes, so 64,000 make 2 MB. */
async function replaceAll(loaf, path) {
  writeFileSync(path, "call(oldName, 'with arguments')\n".repeat(64_000));
  const there = blocks([path], () => ({ action: "file_replace_all_text", old_text: "oldName", new_text: "newName", count: "64000" }));
  const back = blocks([path], () => ({ action: "file_replace_all_text", old_text: "newName", new_text: "oldName", count: "64000" }));
  let turn = 0;
  const { loaf: duration } = await medians({ loaf: () => execute(loaf, turn++ % 2 === 0 ? there : back) }, 9);
  return duration;
}

function blocks(paths, properties) {
  return paths
    .map((path) => {
      const lines = Object.entries({ path, ...properties() }).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
      return ["#!nesl [@three-char-SHA-256: ben]", ...lines, "#!end_ben"].join("\n");
    })
    .join("\n");
}

/** What fails is not measured. */
async function execute(loaf, text) {
  const result = await loaf.execute(text);
  if (!result.success) throw new Error(result.fatalError ?? result.results.find(({ error }) => error !== undefined)?.error ?? result.parseErrors[0]?.message);
}

/** What it costs that changes are durable and can be undone: runs as they are shipped, against files written without either. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Loaf } from "../dist/lib/index.js";
import { longer, medians } from "./measure.mjs";

const ROUNDS = 11;
/** Rounds of both sides before one is timed: whoever watches, or uses the library, runs many. What the first ones cost is a row of its own. */
const WARM_UP = 100;
const source = "export const answer = 42; // a line of a source file\n".repeat(40);

export async function journalRows() {
  const folder = mkdtempSync(join(tmpdir(), "loaf-bench-"));
  const usual = process.env.XDG_STATE_HOME;
  process.env.XDG_STATE_HOME = join(folder, "state");
  try {
    const root = join(folder, "project");
    mkdirSync(root);
    const loaf = await Loaf.create({ repoPath: root });
    return [
      longer("durable, journaled write of 1 file in a process's first runs, against temporary file, rename", await writes(loaf, root, 1)),
      longer(`the same after ${WARM_UP} of both`, await writes(loaf, root, 1, WARM_UP), 3),
      longer("the same of 20 files, each awaited", await writes(loaf, root, 20), 2),
    ];
  } finally {
    if (usual === undefined) delete process.env.XDG_STATE_HOME;
    else process.env.XDG_STATE_HOME = usual;
    rmSync(folder, { recursive: true });
  }
}

async function writes(loaf, root, count, warmUp = 0) {
  const paths = pathsIn(root, count);
  let turn = 0;
  const subjects = {
    loaf: () => execute(loaf, blocks(paths, `${source}// ${turn++}\n`)),
    peer: async () => {
      for (const path of paths) {
        await writeFile(`${path}.tmp`, `${source}// ${turn++}\n`);
        await rename(`${path}.tmp`, path);
      }
    },
  };
  if (warmUp > 0) await medians(subjects, warmUp);
  return medians(subjects, ROUNDS);
}

function pathsIn(root, count) {
  return Array.from({ length: count }, (_, index) => join(root, `file-${index}.js`));
}

function blocks(paths, content) {
  return paths.map((path) => `#!nesl [@three-char-SHA-256: ben]\naction = "file_write"\npath = ${JSON.stringify(path)}\ncontent = ${JSON.stringify(content)}\n#!end_ben`).join("\n");
}

async function execute(loaf, text) {
  const result = await loaf.execute(text);
  if (!result.success) throw new Error(result.fatalError ?? result.results.find(({ error }) => error !== undefined)?.error);
}

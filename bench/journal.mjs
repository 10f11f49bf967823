/**
 * What it costs that changes are durable and can be undone, against files written without either.
 *
 * A write by the workspace is what a run does with a file: the guard's rules are looked at again, the path is judged, what the file holds is read and kept in a new log, and
 * there are all syncs, the rename, the record of the commit and the log's end. What a whole run does besides is not in it: it takes the lock, looks for what was interrupted,
 * reads the answer, tells the result. That has rows of its own; for a single file, only to inform.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { Loaf } from "../dist/modules/index.js";
import { createGuard } from "../dist/modules/guard/guard.js";
import { Journal } from "../dist/modules/journal/journal.js";
import { ProjectFiles } from "../dist/modules/files/project-files.js";
import { Disk } from "../dist/modules/disk/disk.js";
import { Overlay } from "../dist/modules/disk/overlay.js";
import { longer, medians } from "./measure.mjs";

const ROUNDS = 11;
/** Rounds of both sides before one is timed: whoever watches, or uses the library, runs many. What the first ones cost is a row of its own. */
const WARM_UP = 100;
/** The peer awaits each of its calls, as programs do. */
const AGAINST = "against temporary file, rename";
const source = "export const answer = 42; // a line of a source file\n".repeat(40);

export async function journalRows() {
  const folder = mkdtempSync(join(tmpdir(), "loaf-bench-"));
  const usual = process.env.XDG_STATE_HOME;
  process.env.XDG_STATE_HOME = join(folder, "state");
  try {
    const root = join(folder, "project");
    mkdirSync(root);
    const loaf = await Loaf.create({ repoPath: root });
    const [one, many] = [pathsIn(root, 1), pathsIn(root, 20)];
    const write = writing(root, join(folder, "runs"));
    const run = (paths, content) => execute(loaf, blocks(paths, content));
    return [
      longer(`a whole run of 1 file in a process's first runs, ${AGAINST}`, await timed(run, one, 0)),
      longer(`of that the guarded, durable, journaled write by the workspace, after ${WARM_UP} of both`, await timed(write, one, WARM_UP), 3),
      longer(`the whole run after ${WARM_UP} of both`, await timed(run, one, WARM_UP)),
      longer(`a whole run of 20 files, ${AGAINST} of each`, await timed(run, many, 0), 2),
    ];
  } finally {
    if (usual === undefined) delete process.env.XDG_STATE_HOME;
    else process.env.XDG_STATE_HOME = usual;
    rmSync(folder, { recursive: true });
  }
}

/** Both sides write the same files, one after the other. */
async function timed(write, paths, warmUp) {
  let turn = 0;
  const subjects = {
    loaf: () => write(paths, `${source}// ${turn++}\n`),
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

/** As a run does it, each time with a log of its own. */
function writing(root, runs) {
  mkdirSync(runs);
  const rules = [{ read: {}, write: {} }];
  let [newest, policy] = [0, undefined];
  return async (paths, content) => {
    const overlay = new Overlay(new Disk());
    const guard = createGuard({ volume: overlay, root, home: homedir(), rules, policy, sealed: [runs], readOnly: [], platform: process.platform });
    policy = guard.refusal;
    const files = new ProjectFiles({ volume: overlay, guard, maxFileSize: 2 ** 20, finalNewline: "as-is" });
    const journal = new Journal(runs, { kind: "run", root, newest });
    for (const path of paths) files.write(path, content);
    const { outcomes } = await journal.commit(overlay.take(), { atomic: false });
    journal.finish();
    newest = journal.sequence;
    if (outcomes.some(({ failure }) => failure !== undefined)) throw new Error(JSON.stringify(outcomes));
  };
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

/** Taking runs back, against having done them; and runs in projects of several sizes. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Loaf } from "../dist/modules/index.js";
import { longer, medians } from "./measure.mjs";

const FILES = 1_000;
const source = "export const answer = 42; // a line of a source file\n".repeat(40);

export async function historyRows() {
  const folder = mkdtempSync(join(tmpdir(), "loaf-bench-"));
  const { XDG_STATE_HOME: usual } = process.env;
  process.env.XDG_STATE_HOME = join(folder, "state");
  try {
    return [longer("undo of 1,000 changed files, against the run that changed them", await undo(join(folder, "undo")), 2), await sizes(folder)];
  } finally {
    if (usual === undefined) delete process.env.XDG_STATE_HOME;
    else process.env.XDG_STATE_HOME = usual;
    rmSync(folder, { recursive: true });
  }
}

async function undo(root) {
  const loaf = await createProject(root, FILES);
  const answer = writes(Array.from({ length: FILES }, (_, index) => nameOf(index)));
  return medians({ peer: () => execute(loaf, answer), loaf: async () => wasWhole(await loaf.undo()) }, 11);
}

/** What git and other tools do that look at every file is not done: the size of a project costs nothing. */
async function sizes(folder) {
  const [small, large] = [await createProject(join(folder, "small"), 1_000), await createProject(join(folder, "large"), 100_000)];
  let turn = 0;
  const run = async (loaf) => {
    turn += 1;
    await execute(loaf, writes(Array.from({ length: 20 }, (_, index) => nameOf(index)), `// turn ${turn}`));
  };
  const durations = await medians({ peer: () => run(small), loaf: () => run(large) }, 31);
  return longer("a run of 20 writes in a project of 100,000 files, against 1,000", durations, 1.25);
}

/** A hundred files a directory. */
function nameOf(index) {
  return `directory-${Math.floor(index / 100)}/file-${index}.js`;
}

async function createProject(root, files) {
  for (let index = 0; index < files; index++) {
    if (index % 100 === 0) mkdirSync(join(root, nameOf(index), ".."), { recursive: true });
    writeFileSync(join(root, nameOf(index)), source);
  }
  return Loaf.create({ repoPath: root, config: { relative_paths: true } });
}

function writes(paths, line = "// changed") {
  return paths
    .map((path) => `#!nesl [@three-char-SHA-256: ben]\naction = "file_write"\npath = ${JSON.stringify(path)}\ncontent = ${JSON.stringify(`${source}${line}\n`)}\n#!end_ben`)
    .join("\n");
}

/** What fails is not measured. */
async function execute(loaf, text) {
  const { success, fatalError, results } = await loaf.execute(text);
  if (!success) throw new Error(fatalError ?? results.find(({ error }) => error !== undefined)?.error);
}

function wasWhole({ runs, missing }) {
  if (missing > 0 || runs.some(({ refused }) => refused.length > 0)) throw new Error("The undo was not whole.");
}

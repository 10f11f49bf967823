/** What it costs to find out what a command changed, in a project of 10,000 files, against what git takes to look at them. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Checkpoints } from "../dist/lib/run/commands/checkpoints.js";
import { longer, medians, within } from "./measure.mjs";

const FOLDERS = 400;
const FILES = 25;
const source = "export const answer = 42; // a line of a source file\n".repeat(20);

export async function checkpointRows() {
  const root = mkdtempSync(join(tmpdir(), "loaf-bench-"));
  const [peer, state] = [mkdtempSync(join(tmpdir(), "loaf-bench-git-")), mkdtempSync(join(tmpdir(), "loaf-bench-state-"))];
  const usual = process.env.XDG_STATE_HOME;
  process.env.XDG_STATE_HOME = state;
  try {
    for (let folder = 0; folder < FOLDERS; folder++) {
      const path = join(root, `d${folder % 20}`, `e${folder}`);
      mkdirSync(path, { recursive: true });
      for (let file = 0; file < FILES; file++) writeFileSync(join(path, `f${file}.ts`), `${source}// ${folder} ${file}\n`);
    }
    const git = (...args) => spawnSync("git", args, { env: { PATH: process.env.PATH, GIT_DIR: peer, GIT_WORK_TREE: root, GIT_CONFIG_NOSYSTEM: "1", HOME: peer }, cwd: root });
    git("init", "-q");
    git("add", "-A");
    const checkpoints = new Checkpoints(root, { max_size: 2 ** 30 });
    let count = 0;
    const start = performance.now();
    await checkpoints.before();
    const first = performance.now() - start;
    const command = () => writeFileSync(join(root, "d1/e1/f1.ts"), `${source}// changed ${count++}\n`);
    const none = { there: [], gone: [] };
    const times = await medians(
      {
        both: async () => {
          await checkpoints.before();
          command();
          await checkpoints.after();
        },
        shared: async () => {
          await checkpoints.before(none);
          command();
          await checkpoints.after();
        },
        peer: () => git("add", "-A"),
        status: () => git("--no-optional-locks", "status", "--porcelain"),
      },
      21,
    );
    return [
      within("checkpoint the first of 10,000 files, all copied", first, 5_000),
      within("checkpoint both around a command, 10,000 files, one changed", times.both, 40),
      longer("checkpoint both around a command, against git add -A", { loaf: times.both, peer: times.peer }, 2.5),
      longer("checkpoint both around a command, against git status twice", { loaf: times.both, peer: 2 * times.status }, 1.5),
      longer("checkpoint around a command right after another, against git add -A", { loaf: times.shared, peer: times.peer }, 1.5),
    ];
  } finally {
    if (usual === undefined) delete process.env.XDG_STATE_HOME;
    else process.env.XDG_STATE_HOME = usual;
    for (const folder of [root, peer, state]) rmSync(folder, { recursive: true });
  }
}

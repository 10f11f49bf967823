/** A run that ends in a commit: in a small repository against starting Node, in a large one against git's own `add` and `commit` of the same files. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { longer, medians } from "./measure.mjs";

const command = resolve(import.meta.dirname, "../dist/loaf.cjs");
const FILES = 100_000;

/** Both slow down Node itself, by more than all that is measured. */
const { NODE_EXTRA_CA_CERTS: _certificates, NODE_OPTIONS: _options, ...environment } = process.env;

export async function gitRows() {
  const small = createRepository(3);
  const large = createRepository(FILES);
  try {
    return [
      longer("loaf run with its commit, 3 files, against bare node", await medians({ loaf: small.run, peer: () => small.node("-e", "0") }, 21), 3.5),
      longer("loaf run without a commit, 3 files, against bare node", await medians({ loaf: () => small.run("--no-git"), peer: () => small.node("-e", "0") }, 21)),
      longer("loaf run with its commit, 100,000 files, against git add, commit", await medians({ loaf: large.run, peer: large.commit }, 7), 1.3),
    ];
  } finally {
    for (const { folder } of [small, large]) rmSync(folder, { recursive: true, maxRetries: 5 });
  }
}

/** Files in folders of a hundred; each run and each commit changes the first. */
function createRepository(count) {
  const folder = mkdtempSync(join(tmpdir(), "loaf-bench-"));
  const root = join(folder, "project");
  const env = { ...environment, HOME: folder, XDG_CONFIG_HOME: join(folder, "config"), XDG_STATE_HOME: join(folder, "state"), GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
  for (let index = 0; index < count; index++) {
    const inner = join(root, `folder-${Math.floor(index / 100)}`);
    if (index % 100 === 0) mkdirSync(inner, { recursive: true });
    writeFileSync(join(inner, `file-${index % 100}.txt`), `file ${index}\n`);
  }
  const call = (program, args, input) => execFileSync(program, args, { cwd: root, env, input: input ?? "", stdio: ["pipe", "pipe", "pipe"] });
  const git = (...args) => call("git", args);
  git("init", "-q");
  git("config", "user.name", "Bench");
  git("config", "user.email", "bench@example.org");
  // It would go on in the background, and slow down whatever is measured next.
  git("config", "maintenance.auto", "false");
  git("add", "-A");
  git("commit", "-q", "-m", "begin");
  const first = join(root, "folder-0/file-0.txt");
  let turn = 0;
  return {
    folder,
    node: (...args) => call(process.execPath, args),
    run: (...options) => call(process.execPath, [command, "run", ...options], `#!nesl [@three-char-SHA-256: one]\naction = "file_write"\npath = ${JSON.stringify(first)}\ncontent = "turn ${turn++}"\n#!end_one\n`),
    commit: () => {
      writeFileSync(first, `turn ${turn++}`);
      git("add", "folder-0/file-0.txt");
      git("commit", "-q", "-m", `turn ${turn}`);
    },
  };
}

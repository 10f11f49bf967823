/** Starts `loaf watch` in a process of its own, and saves into its input file. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";

const command = resolve(import.meta.dirname, "../dist/loaf.cjs");
const { NODE_EXTRA_CA_CERTS: _certificates, NODE_OPTIONS: _options, ...environment } = process.env;

/**
 * @param node options for Node
 * @param ipc whether messages go to the process
 */
export async function watching({ debounce = 100, clipboard = "{}", env = {}, isRepository = false, node = [], ipc = false }, act) {
  const folder = mkdtempSync(join(tmpdir(), "loaf-bench-"));
  const [root, config] = [join(folder, "project"), join(folder, "config")];
  mkdirSync(root);
  mkdirSync(join(config, "loaf"), { recursive: true });
  writeFileSync(join(config, "loaf/config.yml"), `relative_paths: true\nwatch: {debounce: ${debounce}, clipboard: ${clipboard}}\n`);
  writeFileSync(join(root, "a.txt"), `round 0\n${"another line\n".repeat(400)}`);
  writeFileSync(join(root, "loaf-input.md"), "");
  if (isRepository) {
    execFileSync("git", ["init", "-q"], { cwd: root });
    for (const setting of ["user.name", "user.email"]) execFileSync("git", ["config", setting, "bench@example.com"], { cwd: root });
    execFileSync("git", ["add", "a.txt"], { cwd: root });
    execFileSync("git", ["commit", "-qm", "start"], { cwd: root });
  }
  const child = spawn(process.execPath, [...node, command, "watch", "--root", root], { env: { ...environment, HOME: folder, XDG_CONFIG_HOME: config, XDG_STATE_HOME: join(folder, "state"), ...env }, stdio: ["ignore", "pipe", "inherit", ...(ipc ? ["ipc"] : [])] });
  try {
    await once(child.stdout, "data");
    child.stdout.resume();
    return await act({ input: join(root, "loaf-input.md"), child, pid: child.pid, folder });
  } finally {
    child.kill();
    await once(child, "exit");
    rmSync(folder, { recursive: true });
  }
}

/** Saves an answer with one edit. Returns the milliseconds until its results are there. Rounds count from 0. */
export async function saveRound(input, round) {
  const id = `r${String(round).padStart(4, "0")}`;
  const answer = `#!nesl [@three-char-SHA-256: ${id}]\naction = "file_replace_text"\npath = "a.txt"\nold_text = "round ${round}\\n"\nnew_text = "round ${round + 1}\\n"\n#!end_${id}\n`;
  const start = performance.now();
  writeFileSync(input, answer);
  while (!textOf(input).startsWith(`=== LOAF RESULTS ===\n${id} ✅`)) {
    if (performance.now() - start > 30_000) throw new Error(`no results for ${id}: ${textOf(input)}`);
    await setTimeout(1);
  }
  return performance.now() - start;
}

/** For a moment there is none. */
function textOf(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

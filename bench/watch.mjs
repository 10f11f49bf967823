/** `loaf watch`, measured from a second process: how long a save takes to its results, and what it costs while nothing happens. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { atMost, longer, within } from "./measure.mjs";

const command = resolve(import.meta.dirname, "../dist/loaf.cjs");
const { NODE_EXTRA_CA_CERTS: _certificates, NODE_OPTIONS: _options, ...environment } = process.env;

export async function watchRows() {
  const [bare, committed] = [await saveToResults(60), await saveToResults(60, true)];
  const rows = [
    within("loaf watch, from a save to its results, no repository, debounce excluded", bare, 30),
    longer("the same in a repository, with the run's commit, against without", { loaf: committed, peer: bare }),
  ];
  if (process.platform !== "linux") return rows;
  rows.push(atMost("the same, idle for 10 s, clipboard off", (await idle({})).cpu, 20, "ms of CPU"));
  const display = await startDisplay();
  if (display === undefined) return rows;
  try {
    const { cpu, seconds } = await idle({ clipboard: "{read: true}", env: display.env });
    rows.push(atMost("the same, reading the clipboard by xclip, of a core", (cpu / seconds / 1_000) * 100, 10, "%"));
  } finally {
    display.stop();
  }
  return rows;
}

/** The median of so many. */
async function saveToResults(rounds, isRepository = false) {
  return watching({ debounce: 0, isRepository }, async ({ input }) => {
    const times = [];
    for (let round = 0; round <= rounds; round++) {
      const id = `r${String(round).padStart(3, "0")}`;
      const answer = `#!nesl [@three-char-SHA-256: ${id}]\naction = "file_replace_text"\npath = "a.txt"\nold_text = "round ${round}\\n"\nnew_text = "round ${round + 1}\\n"\n#!end_${id}\n`;
      const start = performance.now();
      writeFileSync(input, answer);
      while (!textOf(input).startsWith(`=== LOAF RESULTS ===\n${id} ✅`)) {
        if (performance.now() - start > 10_000) throw new Error(`no results for ${id}: ${textOf(input)}`);
        await setTimeout(1);
      }
      if (round > 0) times.push(performance.now() - start);
      await setTimeout(20);
    }
    return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];
  });
}

/** For a moment there is none. */
function textOf(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** Milliseconds of processor time, of the programs that it starts too. */
async function idle({ clipboard = "{read: false}", env = {} }) {
  return watching({ clipboard, env }, async ({ pid }) => {
    await setTimeout(1_500);
    const [start, before] = [performance.now(), processorTime(pid)];
    await setTimeout(10_000);
    return { cpu: processorTime(pid) - before, seconds: (performance.now() - start) / 1_000 };
  });
}

/** Its own to the nanosecond; that of programs which have ended in hundredths of a second. */
function processorTime(pid) {
  const threads = readdirSync(`/proc/${pid}/task`);
  const own = threads.reduce((sum, thread) => sum + Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]) / 1e6, 0);
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return own + (Number(fields[13]) + Number(fields[14])) * 10;
}

async function watching({ debounce = 100, clipboard = "{}", env = {}, isRepository = false }, act) {
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
  const child = spawn(process.execPath, [command, "watch", "--root", root], { env: { ...environment, HOME: folder, XDG_CONFIG_HOME: config, XDG_STATE_HOME: join(folder, "state"), ...env }, stdio: ["ignore", "pipe", "inherit"] });
  try {
    await once(child.stdout, "data");
    child.stdout.resume();
    return await act({ input: join(root, "loaf-input.md"), pid: child.pid });
  } finally {
    child.kill();
    await once(child, "exit");
    rmSync(folder, { recursive: true });
  }
}

/** A display without a screen, or undefined where there is none to be had. */
async function startDisplay() {
  const server = spawn("Xvfb", ["-displayfd", "1", "-screen", "0", "64x64x8"], { stdio: ["ignore", "pipe", "ignore"] });
  const number = await Promise.race([once(server.stdout, "data").then(([data]) => String(data).trim()), once(server, "error").then(() => undefined), setTimeout(5_000, undefined, { ref: false })]);
  return number === undefined ? undefined : { env: { DISPLAY: `:${number}` }, stop: () => server.kill() };
}

/** `loaf watch`, measured from a second process: how long a save takes to its results, and what it costs while nothing happens. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { atMost, longer, within } from "./measure.mjs";
import { memoryRows } from "./watch-memory.mjs";
import { saveRound, watching } from "./watching.mjs";

export async function watchRows() {
  const [bare, committed] = [await saveToResults(60), await saveToResults(60, true)];
  const rows = [
    within("loaf watch, from a save to its results, no repository, debounce excluded", bare, 30),
    longer("the same in a repository, with the run's commit, against without", { loaf: committed, peer: bare }),
  ];
  if (process.platform !== "linux") return rows;
  rows.push(...(await memoryRows()), atMost("the same, idle for 10 s, clipboard off", (await idle({})).cpu, 20, "ms of CPU"));
  const display = await startDisplay();
  if (display === undefined) return rows;
  try {
    const { cpu, seconds } = await idle({ clipboard: "{read: twice}", env: display.env });
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
      const duration = await saveRound(input, round);
      if (round > 0) times.push(duration);
      await setTimeout(20);
    }
    return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];
  });
}

/** Milliseconds of processor time, of the programs that it starts too. */
async function idle({ clipboard = "{read: off}", env = {} }) {
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

/** A display without a screen, or undefined where there is none to be had. */
async function startDisplay() {
  const server = spawn("Xvfb", ["-displayfd", "1", "-screen", "0", "64x64x8"], { stdio: ["ignore", "pipe", "ignore"] });
  const number = await Promise.race([once(server.stdout, "data").then(([data]) => String(data).trim()), once(server, "error").then(() => undefined), setTimeout(5_000, undefined, { ref: false })]);
  return number === undefined ? undefined : { env: { DISPLAY: `:${number}` }, stop: () => server.kill() };
}

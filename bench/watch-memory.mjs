/**
 * Whether the memory of `loaf watch` stays flat: its heap after garbage collection, at two points of a long time. Without compiled
 * code, of which V8 makes and drops some all the time: what Loaf itself holds is what counts.
 */
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { saveRound, watching } from "./watching.mjs";

/** The timers of the process are so many times as fast, so that an hour takes a minute. */
const FASTER = 60;
const HOUR_MS = 3_600_000 / FASTER;

const [FEW, MANY] = [100, 1_000];

/** Maximum growth. A leak of 0.5 KB for each of the 900 saves, or reads of the clipboard, is more. */
const LIMIT_MB = 0.4;

export async function memoryRows() {
  return [...(await savesThenHour()), await clipboardReads()];
}

/** After the saves, it holds as many old input files open as it ever does; during the hour, it lets go of them. */
async function savesThenHour() {
  return probed({ debounce: 0, env: { LOAF_BENCH_TIMERS: String(FASTER) } }, async ({ input, heap }) => {
    const sizes = [];
    for (let round = 0; round < MANY; round++) {
      if (round === FEW) sizes.push(await heap());
      await saveRound(input, round);
    }
    sizes.push(await heap());
    await setTimeout(HOUR_MS);
    sizes.push(await heap());
    const [few, many, later] = sizes;
    return [growthRow(`loaf watch, heap after GC, from ${FEW} to ${MANY} saves`, few, many), growthRow(`the same, then idle for an hour (in a minute, timers ${FASTER} times as fast)`, many, later)];
  });
}

/** The program takes no time, so that the number of reads is what counts. */
async function clipboardReads() {
  const folder = mkdtempSync(join(tmpdir(), "loaf-bench-"));
  const count = join(folder, "count");
  writeFileSync(count, "");
  writeFileSync(join(folder, "xclip"), `#!/bin/sh\nprintf x >> '${count}'\nprintf '#!end_abc %s' $$\n`);
  chmodSync(join(folder, "xclip"), 0o755);
  const readsOf = async (wanted) => {
    while (statSync(count).size < wanted) await setTimeout(5);
  };
  try {
    const env = { PATH: `${folder}:${process.env.PATH}`, DISPLAY: ":0", WAYLAND_DISPLAY: "", LOAF_BENCH_SLEEPS: String(FASTER) };
    return await probed({ clipboard: "{read: twice}", env }, async ({ heap }) => {
      await readsOf(FEW);
      const few = await heap();
      await readsOf(MANY);
      return growthRow(`the same, from ${FEW} to ${MANY} reads of the clipboard, each with another text`, few, await heap());
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs `loaf watch` with a probe in it. `heap` returns its bytes. */
async function probed(options, act) {
  const node = ["--expose-gc", "--no-opt", "--no-maglev", "--no-sparkplug", "--require", resolve(import.meta.dirname, "watch-probe.cjs")];
  return watching({ ...options, node, ipc: true }, async ({ child, input }) => {
    const heap = async () => {
      // What is under way ends first.
      await setTimeout(200);
      child.send("heap");
      const [bytes] = await once(child, "message");
      return bytes;
    };
    return act({ input, heap });
  });
}

function growthRow(what, from, to) {
  const megabytes = (bytes) => `${(bytes / 2 ** 20).toFixed(2)} MB`;
  return { what, measured: `${megabytes(from)} → ${megabytes(to)}`, value: megabytes(to - from), goal: `≤ ${LIMIT_MB} MB`, met: to - from <= LIMIT_MB * 2 ** 20 };
}

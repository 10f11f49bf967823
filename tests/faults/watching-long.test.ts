/** Watching for a long time costs no more than watching for a short one. LOAF_LONG=yes watches 10,000 runs. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { printBlock } from "../../src/syntaxes/nesl/teach.ts";
import { createFolder } from "../support/folder.ts";
import { watchIn } from "../support/watching.ts";

const runs = process.env["LOAF_LONG"] === "yes" ? 10_000 : 500;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

test(
  `memory and descriptors stay the same over ${runs} runs`,
  async () => {
    const root = createFolder({ "a.txt": "round 0\n" });
    const watching = watchIn(root, { debounce: 0 });
    const answer = (round: number) => printBlock(`r${round}`, { action: "file_replace_text", path: "a.txt", old_text: `round ${round}\n`, new_text: `round ${round + 1}\n` });
    const warm = Math.floor(runs / 5);
    let before = 0;
    for (let round = 0; round < runs; round++) {
      if (round === warm) before = heapInUse();
      writeFileSync(join(root, "loaf-input.md"), answer(round));
      const { result } = await watching.ran(round + 1);
      expect(result.success).toBe(true);
      // What the test itself keeps is no part of it.
      watching.runs[round] = undefined as never;
    }
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe(`round ${runs}\n`);
    expect(heapInUse() - before).toBeLessThan(4 * 2 ** 20);
    if (process.platform === "linux") expect(readdirSync("/proc/self/fd").length).toBeLessThan(100);
  },
  runs * 500,
);

function heapInUse(): number {
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

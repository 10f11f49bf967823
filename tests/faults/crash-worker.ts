/** The program that faults are injected into: `node worker.mjs keep|all-or-nothing|undo|recover FOLDER`. Prints what came of it as JSON. */
import { readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { recoverRuns as recover } from "../../src/history/recover.ts";
import { runActions, undoRun } from "./crash-scenario.ts";

const [, , command = "", folder = ""] = process.argv;
/** What each open descriptor leads to in the folder. Node has others of its own, and makes and closes them when it likes. */
function openDescriptors(): string[] {
  return readdirSync("/proc/self/fd").flatMap((name) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${name}`);
      return target.startsWith(folder) ? [`${name} ${target}`] : [];
    } catch {
      // That by which they are listed.
      return [];
    }
  });
}

const openBefore = openDescriptors();
let failed: number[] = [];
if (command === "keep" || command === "all-or-nothing") failed = await runActions(folder, command);
else if (command === "undo") failed = await undoRun(folder);
else await recover(join(folder, "runs"));
// oxlint-disable-next-line no-console -- It is a program.
console.log(JSON.stringify({ failed, leaked: openDescriptors().filter((one) => !openBefore.includes(one)) }));

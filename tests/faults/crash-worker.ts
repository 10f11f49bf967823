/** The program that faults are injected into: `node worker.mjs keep|all-or-nothing|undo|recover FOLDER`. Prints what came of it as JSON. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { recover } from "../../src/workspace/journal/recover.ts";
import { runActions, undoRun } from "./crash-scenario.ts";

const [, , command = "", folder = ""] = process.argv;
const openDescriptors = (): number => readdirSync("/proc/self/fd").length;

const openBefore = openDescriptors();
let failed: number[] = [];
if (command === "keep" || command === "all-or-nothing") failed = await runActions(folder, command);
else if (command === "undo") failed = await undoRun(folder);
else await recover(join(folder, "runs"));
// oxlint-disable-next-line no-console -- It is a program.
console.log(JSON.stringify({ failed, leaked: openDescriptors() - openBefore }));

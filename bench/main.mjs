/**
 * `npm run bench`: one table of ratios, each measured in one run against its limit or its peer. Exits 1 when a goal is missed.
 * Names after `--` choose some: `npm run bench -- parse`.
 */
import { availableParallelism, cpus, loadavg } from "node:os";
import { afterRows } from "./after.mjs";
import { commandRows } from "./command.mjs";
import { damageRows } from "./damage.mjs";
import { editsRows } from "./edits.mjs";
import { execRows } from "./exec.mjs";
import { executeRows } from "./execute.mjs";
import { gitRows } from "./git.mjs";
import { hostileRows } from "./hostile.mjs";
import { intakeRows } from "./intake.mjs";
import { journalRows } from "./journal.mjs";
import { historyRows } from "./history.mjs";
import { mcpRows } from "./mcp.mjs";
import { pageRows } from "./page.mjs";
import { parseRows } from "./parse.mjs";
import { reportRows } from "./report.mjs";
import { searchRows } from "./search.mjs";
import { structureRows } from "./structure.mjs";
import { watchRows } from "./watch.mjs";
import { workspaceRows } from "./workspace.mjs";

const groups = {
  parse: parseRows,
  damage: damageRows,
  hostile: hostileRows,
  intake: intakeRows,
  edits: editsRows,
  workspace: workspaceRows,
  execute: executeRows,
  exec: execRows,
  journal: journalRows,
  history: historyRows,
  git: gitRows,
  search: searchRows,
  structure: structureRows,
  after: afterRows,
  report: reportRows,
  command: commandRows,
  watch: watchRows,
  mcp: mcpRows,
  page: pageRows,
};
const chosen = process.argv.slice(2);
const unknown = chosen.find((name) => !(name in groups));
if (unknown !== undefined) {
  console.error(`There is no group '${unknown}'. There are: ${Object.keys(groups).join(", ")}.`);
  process.exit(2);
}

const model = cpus()[0]?.model.trim() ?? "of an unknown kind";
console.log(`Node ${process.versions.node}, ${availableParallelism()} cores (${model}), load ${loadavg()[0].toFixed(1)}. Expect a fifth of noise on a quiet machine, more on one that others use: there, measure a missed goal again.`);
let missed = 0;
print({ what: "what", measured: "measured", value: "ratio", goal: "goal" }, " ");
for (const [name, rowsOf] of Object.entries(groups)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  for (const row of await rowsOf()) {
    print(row, row.goal === "" ? " " : row.met ? "✓" : "✗");
    if (!row.met) missed += 1;
  }
}
console.log(missed === 0 ? "Every goal is met." : `Goals missed: ${missed}.`);
process.exitCode = missed === 0 ? 0 : 1;

function print({ what, measured, value, goal }, mark) {
  console.log(`${mark} ${what.padEnd(68)} ${measured.padEnd(44)} ${value.padStart(9)}  ${goal}`);
}

/** Runs commands through Loaf, as whatever user it is started as: bundled, and told in JSON what to run. */
import { readFileSync, writeFileSync } from "node:fs";
import { Loaf } from "../../src/index.ts";
import { printBlock } from "../../src/syntaxes/nesl/teach.ts";

export interface Job {
  readonly root: string;
  /** Properties of one `exec` block each. */
  readonly commands: ReadonlyArray<Readonly<Record<string, string>>>;
}

const [job = "", out = ""] = process.argv.slice(2);
const { root, commands } = JSON.parse(readFileSync(job, "utf8")) as Job;
const loaf = await Loaf.create({ repoPath: root });
const { results, fatalError } = await loaf.execute(commands.map((command) => printBlock("cmd", { action: "exec", ...command })).join("\n"));
writeFileSync(out, JSON.stringify(fatalError ?? results));

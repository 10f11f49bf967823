/** The program that faults are injected into: `node worker.mjs ROOT TRANSACTION COMMAND`. Prints what came of it as JSON. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type CommandRunOptions, runCommands } from "../support/command-run.ts";

const [, , root = "", transaction = "keep", line = ""] = process.argv;
const told = await runCommands(root, [{ command: (files) => promisify(execFile)("bash", ["-c", line], { cwd: files }) }], { transaction: transaction as NonNullable<CommandRunOptions["transaction"]> }).then(
  ({ commands, notices, failures }) => ({ warnings: commands.flatMap(({ warnings }) => warnings), notices, failures }),
  (thrown: unknown) => ({ warnings: [], error: String(thrown) }),
);
// oxlint-disable-next-line no-console -- It is a program.
console.log(JSON.stringify(told));

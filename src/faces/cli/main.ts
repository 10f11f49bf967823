import { loaf } from "./command-table.ts";
import { createProgram } from "./program.ts";
import { explainEnd } from "./usage-error.ts";

main(process.argv.slice(2)).catch(explainEnd);

async function main(args: string[]): Promise<void> {
  const [command, ...words] = args;
  if (command === undefined) await (await import("./overview.ts")).showOverview();
  else if (command === "complete") (await import("./completion.ts")).printCandidates(words, loaf);
  else await createProgram().parseAsync(args, { from: "user" });
}

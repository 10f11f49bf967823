import { explainEnd } from "./usage-error.ts";
import { createProgram } from "./program.ts";

main(process.argv.slice(2)).catch(explainEnd);

async function main(args: string[]): Promise<void> {
  if (args.length === 0) await (await import("./overview.ts")).showOverview();
  else await createProgram().parseAsync(args, { from: "user" });
}

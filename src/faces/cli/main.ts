import { explainEnd } from "./explain-end.ts";
import { createProgram } from "./program.ts";

main(process.argv.slice(2)).catch(explainEnd);

async function main(args: string[]): Promise<void> {
  const program = createProgram();
  if (args.length === 0) program.outputHelp();
  else await program.parseAsync(args, { from: "user" });
}

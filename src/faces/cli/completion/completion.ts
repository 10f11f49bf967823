import type { Command } from "commander";
import { factsOf } from "../command-facts.ts";
import { print } from "../output.ts";
import { bashCompletion } from "./bash.ts";
import { fishCompletion } from "./fish.ts";
import { zshCompletion } from "./zsh.ts";

const SHELLS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

/** `loaf completion` */
export function printCompletion(shell: keyof typeof SHELLS, program: Command): void {
  print(SHELLS[shell](factsOf(program)));
}

import { createInterface } from "node:readline";
import { isTerminal } from "./output.ts";

/** Whether there is somebody to ask: both ends are a terminal. */
export function canAsk(): boolean {
  return process.stdin.isTTY && isTerminal();
}

/** A question at the terminal, to which Enter says yes; an end of the input, or Ctrl-C, says no. */
export function askYes(question: string): Promise<boolean> {
  return new Promise((answer) => {
    const terminal = createInterface({ input: process.stdin, output: process.stdout });
    terminal.on("close", () => answer(false));
    terminal.question(`${question} [Y/n] `, (given) => {
      answer(/^\s*(y|yes)?\s*$/i.test(given));
      terminal.close();
    });
  });
}

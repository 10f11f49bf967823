/** Asks the person at the terminal. */
import { styleText } from "node:util";
import type { Approval, ApprovalRequest } from "../core/approval.ts";
import { openTerminal } from "../host/terminal.ts";
import { shownRequest } from "../report/request.ts";
import { paintDiff } from "./reports.ts";

/** One who answers. */
export class Person {
  readonly #root: string;
  readonly #terminal = openTerminal();

  /** @param root paths below it are shown relative to it */
  constructor(root: string) {
    this.#root = root;
  }

  readonly approve = async (request: ApprovalRequest): Promise<Approval> => {
    const { title, body } = shownRequest(request, this.#root);
    this.#terminal.write(`\n${paint("bold", title)}\n${body === "" ? "" : `${paintDiff(body, paint)}\n`}`);
    const question = request.kind === "action" ? "Run this? [y]es, [n]o, [a]ll like it," : "Allow this? [y]es, from now on, [n]o, [a]ll like it in this run,";
    return this.#ask(`${question} [q]uit (Enter: no) `, ["yes", "no", "all", "quit"], "quit");
  };

  /** Shows a text, a diff it may be, and asks. Everything but a yes is a no. */
  async confirm(text: string, question: string): Promise<boolean> {
    this.#terminal.write(`${paintDiff(text.trimEnd(), paint)}\n`);
    return (await this.#ask(`${question} [y]es, [n]o (Enter: no) `, ["yes", "no"], "no")) === "yes";
  }

  /** Asks about what does no harm: Enter is a yes. */
  async accepts(question: string): Promise<boolean> {
    return (await this.#ask(`${question} [Y/n] `, ["yes", "no"], "no", "yes")) === "yes";
  }

  /**
   * @param ended the answer of somebody who is gone, or has interrupted
   * @param empty that of Enter alone
   */
  async #ask(question: string, answers: readonly Approval[], ended: Approval, empty: Approval = "no"): Promise<Approval> {
    for (;;) {
      const line = await this.#terminal.ask(paint("cyan", question));
      if (line === undefined) this.#terminal.write("\n");
      const word = line?.trim().toLowerCase();
      const answer = word === undefined ? ended : word === "" ? empty : answers.find((one) => one === word || one.charAt(0) === word);
      if (answer !== undefined) return answer;
    }
  }
}

/** The terminal need not be where standard output leads. */
function paint(style: Parameters<typeof styleText>[0], text: string): string {
  const isPlain = (process.env["NO_COLOR"] ?? "") !== "" || process.env["TERM"] === "dumb";
  return isPlain ? text : styleText(style, text, { validateStream: false });
}

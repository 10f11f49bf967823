/** Asks the person at the terminal. */
import { styleText } from "node:util";
import type { Approval, ApprovalRequest } from "../../core/approval.ts";
import { openTerminal } from "./terminal.ts";
import { shownRequest } from "../../report/request.ts";
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
    this.#terminal.write(`\n${paint("bold", title)}\n`);
    const refusal = body === "" ? undefined : await this.#showWhole(paintDiff(body, paint).split("\n"));
    if (refusal !== undefined) return refusal;
    if (request.kind === "failed") return "no";
    const question = request.kind !== "action" ? "Allow this?" : request.ran === undefined ? "Run this?" : "It ran on a copy. Keep this?";
    return this.#ask(question, answersTo(request), "quit");
  };

  /** Shows a text, a diff it may be, and asks. Everything but a yes is a no. */
  async confirm(text: string, question: string): Promise<boolean> {
    this.#terminal.write(`${paintDiff(text.trimEnd(), paint)}\n`);
    return (await this.#ask(question, [YES, NO], "no")) === "yes";
  }

  /** Asks about what does no harm: Enter is a yes. */
  async accepts(question: string): Promise<boolean> {
    return (await this.#answer(`${question} [Y/n] `, [YES, NO], "no", "yes")) === "yes";
  }

  /** In pages where it is long: nobody can agree to what they were not shown. Returns the answer of somebody who did not want to see the rest. */
  async #showWhole(lines: readonly string[]): Promise<"no" | "quit" | undefined> {
    for (let from = 0; from < lines.length; from += PAGE) {
      const last = Math.min(from + PAGE, lines.length);
      this.#terminal.write(`${lines.slice(from, last).join("\n")}\n`);
      if (last === lines.length) return undefined;
      const line = await this.#terminal.ask(paint("cyan", `Lines 1-${last} of ${lines.length}; Enter shows more, [n]o: do not run it `));
      if (line === undefined) return "quit";
      if (line.trim() !== "") return "no";
    }
    return undefined;
  }

  async #ask(question: string, answers: readonly Answer[], ended: Approval): Promise<Approval> {
    return this.#answer(`${question} ${answers.map(({ label }) => label).join(", ")} (Enter: no) `, answers, ended, "no");
  }

  /**
   * @param ended the answer of somebody who is gone, or has interrupted
   * @param empty that of Enter alone
   */
  async #answer(question: string, answers: readonly Answer[], ended: Approval, empty: Approval): Promise<Approval> {
    for (;;) {
      const line = await this.#terminal.ask(paint("cyan", question));
      if (line === undefined) this.#terminal.write("\n");
      const word = line?.trim();
      const answer = word === undefined ? ended : word === "" ? empty : answers.find(({ keys }) => keys.includes(word) || (word.length > 1 && keys.includes(word.toLowerCase())))?.approval;
      if (answer !== undefined) return answer;
    }
  }
}

/** Lines shown at a time: most terminals can scroll back as far. */
const PAGE = 200;

interface Answer {
  readonly approval: Approval;
  /** What is typed for it. */
  readonly keys: readonly string[];
  readonly label: string;
}

const YES: Answer = { approval: "yes", keys: ["y", "Y", "yes"], label: "[y]es" };
const NO: Answer = { approval: "no", keys: ["n", "N", "no"], label: "[n]o" };
const QUIT: Answer = { approval: "quit", keys: ["q", "Q", "quit"], label: "[q]uit" };
const ONCE: Answer = { approval: "once", keys: ["o", "O", "once"], label: "[o]nce" };
const SAME_FILE: Answer = { approval: "file", keys: ["a"], label: "[a]ll further edits inside this file" };

/** Only what the request lets one agree to in advance. */
function answersTo(request: Exclude<ApprovalRequest, { readonly kind: "failed" }>): readonly Answer[] {
  if (request.kind === "command") return [{ ...YES, label: "[y]es, from now on" }, ONCE, NO, QUIT];
  if (request.kind === "no-sandbox") return [{ ...YES, label: "[y]es, from now on" }, { ...ONCE, label: "[o]nce, for this run" }, NO, QUIT];
  const { files, mayRepeat, action } = request;
  const sameKind: Answer = { approval: "kind", keys: ["A"], label: `[A]ll further ${action}` };
  return [YES, NO, ...(files.length > 0 ? [files.length === 1 ? SAME_FILE : { ...SAME_FILE, label: "[a]ll further edits inside these files" }] : []), ...(mayRepeat ? [sameKind] : []), QUIT];
}

/** The terminal need not be where standard output leads. */
function paint(style: Parameters<typeof styleText>[0], text: string): string {
  const isPlain = (process.env["NO_COLOR"] ?? "") !== "" || process.env["TERM"] === "dumb";
  return isPlain ? text : styleText(style, text, { validateStream: false });
}

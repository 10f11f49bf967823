/** Asks the person at the terminal. */
import { styleText } from "node:util";
import type { Approval, ApprovalRequest } from "../../core/approval.ts";
import { visibleOnOneLine } from "../../core/visible.ts";
import { cutPath, wrapText } from "../../report/cells.ts";
import { nameWithin } from "../../report/diff.ts";
import { readerWidth } from "./output.ts";
import { openTerminal } from "./terminal.ts";
import { shownRequest } from "../../report/request.ts";
import { paintDiff } from "./reports.ts";
import { Unanswered } from "./usage-error.ts";

/** The user at the terminal. */
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
    const question =
      request.kind !== "action"
        ? "Allow this?"
        : request.ran === undefined
          ? "Run this?"
          : "It ran on a copy. Keep this?";
    return this.#ask(question, answersTo(request, this.#root), "quit");
  };

  /** Shows a text or a diff, and asks. Enter means no. Throws `Unanswered` on end of input or Ctrl-C. */
  async confirm(text: string, question: string): Promise<boolean> {
    const refusal = await this.#showWhole(paintDiff(text.trimEnd(), paint).split("\n"));
    const answer = refusal ?? (await this.#ask(question, [YES, NO], "quit"));
    if (answer === "quit") throw new Unanswered();
    return answer === "yes";
  }

  /** Asks about something harmless: Enter takes the default. Returns undefined on end of input or Ctrl-C. */
  async chooses(question: string, byDefault: boolean): Promise<boolean | undefined> {
    const answer = await this.#answer(
      `${question} ${byDefault ? "[Y/n]" : "[y/N]"}`,
      [YES, NO],
      "quit",
      byDefault ? "yes" : "no",
    );
    return answer === "quit" ? undefined : answer === "yes";
  }

  /**
   * Shows a long text in pages, since users can only agree to what they have seen. Returns the answer if they skip the
   * rest.
   */
  async #showWhole(lines: readonly string[]): Promise<"no" | "quit" | undefined> {
    for (let from = 0; from < lines.length; from += PAGE) {
      const last = Math.min(from + PAGE, lines.length);
      this.#terminal.write(`${lines.slice(from, last).join("\n")}\n`);
      if (last === lines.length) return undefined;
      const line = await this.#terminal.ask(
        paint("cyan", `Lines 1-${last} of ${lines.length}; Enter shows more, [n]o: do not run it `),
      );
      if (line === undefined) return "quit";
      if (line.trim() !== "") return "no";
    }
    return undefined;
  }

  async #ask(question: string, answers: readonly Answer[], ended: Approval): Promise<Approval> {
    const help = answers.length > 2 ? ["[?] explains"] : [];
    return this.#answer(
      `${question} ${[...answers.map(({ label }) => label), ...help].join(", ")} (Enter: no)`,
      answers,
      ended,
      "no",
    );
  }

  /**
   * @param ended the answer on end of input or Ctrl-C
   * @param empty the answer on Enter
   */
  async #answer(question: string, answers: readonly Answer[], ended: Approval, empty: Approval): Promise<Approval> {
    for (;;) {
      // Leaves room for the answer.
      const line = await this.#terminal.ask(`${paint("cyan", wrapText(question, readerWidth() - ANSWER))} `);
      if (line === undefined) this.#terminal.write("\n");
      const word = line?.trim();
      if (word === "?")
        this.#terminal.write(
          `${wrapText(answers.map(({ keys: [key = ""], means }) => `  ${paint("bold", key)}  ${means}`).join("\n"), readerWidth())}\n`,
        );
      const answer =
        word === undefined
          ? ended
          : word === ""
            ? empty
            : answers.find(({ keys }) => keys.includes(word) || (word.length > 1 && keys.includes(word.toLowerCase())))
                ?.approval;
      if (answer !== undefined) return answer;
    }
  }
}

/** Cells for a space and an answer. */
const ANSWER = 4;

/** Lines shown at a time. Most terminals can scroll back that far. */
const PAGE = 200;

interface Answer {
  readonly approval: Approval;
  /** The input for it. */
  readonly keys: readonly string[];
  readonly label: string;
  /** What it does, for `?`. */
  readonly means: string;
}

const YES: Answer = { approval: "yes", keys: ["y", "Y", "yes"], label: "[y]es", means: "do it" };
const NO: Answer = { approval: "no", keys: ["n", "N", "no"], label: "[n]o", means: "do not do it" };
const ONCE: Answer = {
  approval: "once",
  keys: ["o", "O", "once"],
  label: "[o]nce",
  means: "allow it this time, and ask again the next time",
};
const QUIT: Answer = {
  approval: "quit",
  keys: ["q", "Q", "quit"],
  label: "[q]uit",
  means: "run neither this block nor any after it; what ran before stays, and loaf undo takes it back",
};
const FROM_NOW_ON: Answer = { ...YES, label: "[y]es, from now on" };

/** Offers only those answers for later actions that the request accepts. */
function answersTo(request: Exclude<ApprovalRequest, { readonly kind: "failed" }>, root: string): readonly Answer[] {
  const refusal = { ...NO, means: "do not run it; the report says that you refused it" };
  if (request.kind === "command")
    return [
      { ...FROM_NOW_ON, means: "always allow exactly this command in this project (loaf allow --remove revokes it)" },
      ONCE,
      refusal,
      QUIT,
    ];
  if (request.kind === "no-sandbox")
    return [
      { ...FROM_NOW_ON, means: "always let commands run without a sandbox on this machine" },
      { ...ONCE, label: "[o]nce, for this run", means: "allow it until this run ends" },
      refusal,
      QUIT,
    ];
  const { files, mayRepeat, action, ran } = request;
  const yes = {
    ...YES,
    means: ran === undefined ? "run this block" : "keep what the command changed, and show its output to the model",
  };
  const [file = ""] = files;
  const inside =
    files.length === 1 ? visibleOnOneLine(cutPath(nameWithin(root, file), MAX_PATH)) : `these ${files.length} files`;
  const sameFile: Answer = {
    approval: "file",
    keys: ["a"],
    label: `[a]ll further edits inside ${inside}`,
    means: `run this block, and every further edit inside ${inside}, until this run ends`,
  };
  const name = visibleOnOneLine(action);
  const sameKind: Answer = {
    approval: "kind",
    keys: ["A"],
    label: `[A]ll further ${name}`,
    means: `run this block, and every further ${name} that neither deletes nor replaces a file by another, until this run ends`,
  };
  return [yes, refusal, ...(files.length > 0 ? [sameFile] : []), ...(mayRepeat ? [sameKind] : []), QUIT];
}

/** Cells of a path in a question. */
const MAX_PATH = 40;

/** Unlike `paint` of output.ts, ignores whether standard output is a terminal. */
function paint(style: Parameters<typeof styleText>[0], text: string): string {
  const isPlain = (process.env["NO_COLOR"] ?? "") !== "" || process.env["TERM"] === "dumb";
  return isPlain ? text : styleText(style, text, { validateStream: false });
}

/** Asks the person at the terminal. */
import { resolve } from "node:path";
import { actionByName } from "../../actions/index.ts";
import type { ActionRequest, Approval, ApprovalRequest, Decision } from "../../core/approval.ts";
import type { UserComment } from "../../core/outcome.ts";
import { visibleOnOneLine } from "../../core/visible.ts";
import { cutPath, painter, screenRowsOf, wrapText } from "../../report/cells.ts";
import { nameWithin } from "../../report/diff.ts";
import { shownRequest } from "../../report/request.ts";
import * as page from "../web/questions.ts";
import { readerHeight, readerWidth } from "./output.ts";
import { Terminal } from "./question.ts";
import { paintDiff } from "./reports.ts";
import { Unanswered } from "./usage-error.ts";
import { Colours } from "../web/colours.ts";
import { changeLines, fileViews } from "../web/files-of-change.ts";

/** Where a block stands in its answer. */
export interface BlockPosition {
  /** `2 of 4` */
  readonly number?: string;
  /** What the model says above it. */
  readonly sentence?: string;
}

/** The user at the terminal. */
export class Person {
  readonly #root: string;
  readonly #terminal = new Terminal();

  /** @param root paths below it are shown relative to it */
  constructor(root: string) {
    this.#root = root;
  }

  readonly approve = async (
    request: ApprovalRequest,
    { number, sentence }: BlockPosition = {},
  ): Promise<Approval | Decision> => {
    const { title, body, act } = shownRequest(request, this.#root);
    const above = sentence === undefined ? "" : `${wrapText(visibleOnOneLine(sentence), readerWidth())}\n`;
    const heading = number === undefined ? title : `${number}: ${title}`;
    this.#terminal.write(`\n${above}${paint("bold", wrapText(heading, readerWidth()))}\n`);
    const pages = body === "" ? [] : pagesOf(paintDiff(body, paint));
    const refusal = await this.#showWhole(pages);
    if (refusal !== undefined) return refusal;
    if (request.kind === "failed") return "no";
    // The title of several pages is no longer on the screen.
    const what = pages.length > 1 && act !== undefined ? act : "this";
    const question =
      request.kind !== "action"
        ? "Allow this?"
        : request.ran === undefined
          ? `Run ${what}?`
          : `It ran on a copy. Keep ${pages.length > 1 ? `what ${what} changed` : "this"}?`;
    if (request.kind !== "action") return this.#ask(question, page.answersTo(request).map(withKeys));
    const comments: UserComment[] = [];
    const answer = await this.#askOrComment(question, answersToAction(request, this.#root), {}, comments);
    return answer === "hunks"
      ? { ...(await this.#askHunks(request, comments)), comments }
      : { approval: answer, comments };
  };

  /** Asks until the answer is no comment. Adds the comments. */
  async #askOrComment<Value>(
    question: string,
    answers: ReadonlyArray<Answer<Value | "comment">>,
    about: Omit<UserComment, "text">,
    comments: UserComment[],
  ): Promise<Value | "no" | "quit"> {
    for (;;) {
      const answer = await this.#ask(question, answers);
      if (answer !== "comment") return answer as Exclude<typeof answer, "comment">;
      const text = await this.#terminal.line(paint("cyan", "For the chat (Enter: nothing): "));
      if (text) comments.push({ text, ...about });
    }
  }

  /** Asks about each hunk of an edit. */
  async #askHunks(request: ActionRequest, comments: UserComment[]): Promise<Omit<Decision, "comments">> {
    const hunks = await hunksToShow(request, this.#root);
    const taken = new Set<string>();
    let forRest: "all" | "none" | undefined;
    for (const { id, title, lines, about } of hunks) {
      if (forRest === undefined) {
        this.#terminal.write(`\n${paint("bold", wrapText(title, readerWidth()))}\n`);
        const refusal = await this.#showWhole(pagesOf(paintDiff(lines, paint)));
        const answer =
          refusal ?? (await this.#askOrComment("Take this hunk?", HUNK_ANSWERS, { hunk: id, about }, comments));
        if (answer === "quit") return { approval: "quit" };
        if (answer === "all" || answer === "none") forRest = answer;
        if (answer === "yes") taken.add(id);
      }
      if (forRest === "all") taken.add(id);
    }
    return taken.size === 0 ? { approval: "no" } : { approval: "once", hunks: taken };
  }

  /** Shows a text or a diff, and asks. Enter means no. Throws `Unanswered` on end of input or Ctrl-C. */
  async confirm(text: string, question: string): Promise<boolean> {
    const refusal = await this.#showWhole(pagesOf(paintDiff(text.trimEnd(), paint)));
    const answer = refusal ?? (await this.#ask(question, [YES, NO]));
    if (answer === "quit") throw new Unanswered();
    return answer === "yes";
  }

  /** Asks about something harmless: Enter takes the default. Returns undefined on end of input or Ctrl-C. */
  async chooses(question: string, byDefault: boolean): Promise<boolean | undefined> {
    const choices = `${question} ${byDefault ? "[Y/n]" : "[y/N]"}`;
    const answer = await this.#answer(choices, [YES, NO], byDefault ? "yes" : "no");
    return answer === "quit" ? undefined : answer === "yes";
  }

  /**
   * Shows a long text page by page, since users can only agree to what they have seen. Returns the answer if they skip
   * the rest.
   */
  async #showWhole(pages: readonly (readonly string[])[]): Promise<"no" | "quit" | undefined> {
    const total = pages.flat().length;
    let last = 0;
    for (const page of pages) {
      this.#terminal.write(`${page.join("\n")}\n`);
      last += page.length;
      if (last === total) break;
      const question = `Lines 1-${last} of ${total}: Enter shows more and asks at the end, [n]o refuses it`;
      const answer = await this.#answer(question, [NO], "more");
      if (answer !== "more") return answer;
    }
    return undefined;
  }

  async #ask<Value>(question: string, answers: ReadonlyArray<Answer<Value>>): Promise<Value | "no" | "quit"> {
    const help = answers.length > 2 ? ["[?] explains"] : [];
    return this.#answer(
      `${question} ${[...answers.map(({ label }) => label), ...help].join(", ")} (Enter: no)`,
      answers,
      "no",
    );
  }

  /**
   * Repeats the question until the answer is one of those. Returns `quit` on end of input or Ctrl-C.
   *
   * @param empty the answer on Enter
   */
  async #answer<Value, Empty extends string>(
    question: string,
    answers: ReadonlyArray<Answer<Value>>,
    empty: Empty,
  ): Promise<Value | Empty | "quit"> {
    for (;;) {
      // Leaves room for the answer.
      const word = await this.#terminal.ask(`${paint("cyan", wrapText(question, readerWidth() - ANSWER))} `);
      // Raw mode shows no key.
      this.#terminal.write(`${visibleOnOneLine(word ?? "", MAX_ECHO)}\n`);
      if (word === "?")
        this.#terminal.write(
          `${wrapText(answers.map(({ keys: [key = ""], means }) => `  ${paint("bold", key)}  ${means}`).join("\n"), readerWidth())}\n`,
        );
      const answer =
        word === undefined
          ? "quit"
          : word === ""
            ? empty
            : answers.find(({ keys }) => keys.includes(word) || (word.length > 1 && keys.includes(word.toLowerCase())))
                ?.value;
      if (answer !== undefined) return answer;
    }
  }
}

/** Characters of an answer to show: it may be a pasted text. */
const MAX_ECHO = 20;

/** Cells for a space and an answer. */
const ANSWER = 4;

/** Breaks a text into pages that fit on the screen, with the title above or the question below. */
function pagesOf(text: string): string[][] {
  const [width, height] = [readerWidth(), readerHeight()];
  const room = height === undefined ? PAGE : Math.max(height - AROUND, AROUND);
  const pages: string[][] = [];
  let used = room;
  for (const line of text.split("\n")) {
    const rows = screenRowsOf(line, width);
    if (used + rows > room) {
      pages.push([]);
      used = 0;
    }
    pages.at(-1)?.push(line);
    used += rows;
  }
  return pages;
}

/** Rows for a title and a question. */
const AROUND = 6;

/** Rows of a page if the screen's height is unknown. Most terminals can scroll back that far. */
const PAGE = 200;

interface Answer<Value = Approval> {
  readonly value: Value;
  /** The input for it. */
  readonly keys: readonly string[];
  readonly label: string;
  /** What it does, for `?`. */
  readonly means: string;
}

/** Gives an answer of the page its key. */
function withKeys<Value extends string>({ value, label, means }: page.Offered<Value>): Answer<Value> {
  const [key = ""] = value;
  return { value, keys: [key, key.toUpperCase(), value], label: `[${key}]${label.slice(1)}`, means };
}

const YES = withKeys({ value: "yes", label: "Yes", means: "do it" });
const QUIT = withKeys(page.QUIT);
const NO = withKeys(page.NO);
const COMMENT = {
  value: "comment",
  keys: ["c"],
  label: "[c]omment",
  means: "say something to the model, in the report, and decide then",
} as const;

const HUNK_ANSWERS: ReadonlyArray<Answer<"yes" | "no" | "all" | "none" | "comment" | "quit">> = [
  { ...YES, means: "take this hunk" },
  { ...NO, means: "leave it out; the report says so" },
  { value: "all", keys: ["a"], label: "[a]ll from here", means: "take this hunk and all after it" },
  { value: "none", keys: ["d"], label: "[d]rop all from here", means: "leave out this hunk and all after it" },
  { ...COMMENT, means: "say something about this hunk to the model, such as why you leave it out" },
  QUIT,
];

/** Offers only those answers for later actions that the request accepts. */
function answersToAction(
  { files, mayRepeat, action, ran, hunks }: ActionRequest,
  root: string,
): ReadonlyArray<Answer<Approval | "hunks" | "comment">> {
  const yes = {
    ...YES,
    means: ran === undefined ? "run this block" : "keep what the command changed, and show its output to the model",
  };
  const [file = ""] = files;
  const inside =
    files.length === 1 ? visibleOnOneLine(cutPath(nameWithin(root, file), MAX_PATH)) : `these ${files.length} files`;
  const eachHunk: Answer<"hunks"> = {
    value: "hunks",
    keys: ["h"],
    label: "[h]unk by hunk",
    means: "decide about each place of this edit",
  };
  const sameFile: Answer = {
    value: "file",
    keys: ["a"],
    label: `[a]ll further edits inside ${inside}`,
    means: `run this block, and every further edit inside ${inside}, until this run ends`,
  };
  const notSameFile: Answer = {
    value: "not-file",
    keys: ["d"],
    label: "[d]rop them",
    means: `run neither this block, nor any further edit inside ${inside}, until this run ends`,
  };
  const name = visibleOnOneLine(action);
  const sameKind: Answer = {
    value: "kind",
    keys: ["A"],
    label: `[A]ll further ${name}`,
    means: `run this block, and every further ${name}${typeof actionByName.get(action)?.destroys === "function" ? " that replaces no file by another" : ""}, until this run ends`,
  };
  return [
    yes,
    NO,
    ...(hunks === undefined ? [] : [eachHunk]),
    ...(files.length > 0 ? [sameFile, notSameFile] : []),
    ...(mayRepeat ? [sameKind] : []),
    COMMENT,
    QUIT,
  ];
}

/** Cells of a path in a question. */
const MAX_PATH = 40;

/** Unlike `paint` of output.ts, ignores whether standard output is a terminal. */
const paint = painter((process.env["NO_COLOR"] ?? "") === "" && process.env["TERM"] !== "dumb");

interface ShownHunk {
  readonly id: string;
  /** `src/cart.ts line 7, Cart › total: hunk 2 of 3` */
  readonly title: string;
  /** A diff without its header. */
  readonly lines: string;
  /** Its first changed line. */
  readonly about: NonNullable<UserComment["about"]>;
}

/** @param root paths below it are shown relative to it */
async function hunksToShow({ changes, hunks = [] }: ActionRequest, root: string): Promise<ShownHunk[]> {
  const files = await new Colours().colour(fileViews(changes, { root, hunks }), changes);
  const views = files.flatMap((file) => file.hunks);
  return hunks.map((hunk, index) => {
    // A path through a link leads to a file with another name, whose view has none of the hunks.
    const { lines, within } = views.find(({ id }) => id === hunk.id) ?? { lines: changeLines(hunk, hunk.newStart) };
    const path = visibleOnOneLine(nameWithin(root, resolve(root, hunk.path)));
    const first = lines.find(({ sign }) => sign !== " ");
    const line = first?.new ?? first?.old ?? hunk.oldStart;
    const place = `${path} line ${line}${within === undefined ? "" : `, ${visibleOnOneLine(within)}`}`;
    return {
      id: hunk.id,
      title: `${place}: hunk ${index + 1} of ${hunks.length}`,
      lines: lines.map(({ sign, text }) => `${sign}${text}`).join("\n"),
      about: { path, line, text: first?.text ?? "" },
    };
  });
}

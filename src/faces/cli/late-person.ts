import type { AnswerItem } from "../../answer/answer-items.ts";
import type { ApprovalRequest, Approve } from "../../core/approval.ts";
import type { Person, BlockPosition } from "./ask.ts";
import { aside, hasTerminal } from "./terminal.ts";

/**
 * Shows a text and asks a question. Resolves to true for a yes. Throws `Unanswered` on Ctrl-C or end of input.
 */
export type Confirm = (text: string, question: string) => Promise<boolean>;

/** Returns who is at the terminal. Undefined if nobody can be asked. */
export function personAt(...given: ConstructorParameters<typeof LatePerson>): LatePerson | undefined {
  return hasTerminal() ? new LatePerson(...given) : undefined;
}

/** Loads `Person` when there is something to ask. */
export class LatePerson {
  readonly #root: string;
  #person: Promise<Person> | undefined;
  readonly #declined = new Set<string>();
  readonly #showsFailed: boolean;
  /** Returns the items of the answer, for their number and the sentences above them. */
  items: () => readonly AnswerItem[] = () => [];

  /** @param showsFailed whether to show blocks that cannot run. False if a list on the same screen has them. */
  constructor(root: string, showsFailed = true) {
    [this.#root, this.#showsFailed] = [root, showsFailed];
  }

  readonly approve: Approve = (request) => {
    if (request.kind === "failed" && !this.#showsFailed) return "no";
    return aside(async () => (await this.#load()).approve(request, placeIn(this.items(), request)));
  };

  readonly ask: Confirm = (text, question) => aside(async () => (await this.#load()).confirm(text, question));

  /** Like `ask`, but does not repeat a question that was answered with no. */
  readonly confirm: Confirm = async (text, question) => {
    const asked = `${text}\n${question}`;
    if (this.#declined.has(asked)) return false;
    const isAgreed = await this.ask(text, question);
    if (!isAgreed) this.#declined.add(asked);
    return isAgreed;
  };

  #load(): Promise<Person> {
    this.#person ??= import("./ask.ts").then((asking) => new asking.Person(this.#root));
    return this.#person;
  }
}

/** Returns which block of an answer a request is about, if it has several. */
function placeIn(items: readonly AnswerItem[], request: ApprovalRequest): BlockPosition {
  const line = request.kind === "action" || request.kind === "failed" ? request.blockStartLine : undefined;
  const index = items.findIndex((item) => item.line === line);
  const { sentence } = items[index] ?? {};
  const isCounted = index !== -1 && items.length > 1;
  return { ...(sentence !== undefined && { sentence }), ...(isCounted && { number: `${index + 1} of ${items.length}` }) };
}

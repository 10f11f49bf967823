import type { Approve } from "../../core/approval.ts";
import type { Person } from "./ask.ts";
import { aside, hasTerminal } from "./terminal.ts";
import type { Confirm } from "./trusted-project.ts";

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

  /** @param showsFailed whether to show blocks that cannot run. False if a list on the same screen has them. */
  constructor(root: string, showsFailed = true) {
    [this.#root, this.#showsFailed] = [root, showsFailed];
  }

  readonly approve: Approve = (request) => {
    if (request.kind === "failed" && !this.#showsFailed) return "no";
    return aside(async () => (await this.#load()).approve(request));
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

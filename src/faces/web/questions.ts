/** Questions of a run, asked on the page, and their answers. */
import { type Approval, type ApprovalRequest, shownRequest } from "../../index.ts";
import { fileViews } from "./files-of-change.ts";
import type { Question } from "./protocol.ts";

type Asked = Exclude<ApprovalRequest, { readonly kind: "failed" }>;

/** An answer that the page offers as a button. */
export interface Offered<Value extends string = Approval> {
  readonly value: Value;
  readonly label: string;
  readonly means: string;
}

const YES = { value: "yes", label: "Yes, from now on" } as const;
const ONCE = { value: "once", label: "Once", means: "allow it this time, and ask again the next time" } as const;
const REVOKED = "(loaf allow --remove revokes it)";
export const NO = { value: "no", label: "No", means: "do not run it; the report says that you refused it" } as const;
export const QUIT = {
  value: "quit",
  label: "Quit",
  means: "run neither this block nor any after it; what ran before stays, and loaf undo takes it back",
} as const;

/** Ways to say yes. */
const WAYS: { readonly [Kind in Asked["kind"]]: readonly Offered[] } = {
  action: [{ ...ONCE, label: "Yes", means: "do it" }],
  command: [{ ...YES, means: `always allow exactly this command in this project ${REVOKED}` }, ONCE],
  protected: [{ ...YES, means: `always let this file be written in this project ${REVOKED}` }, ONCE],
  loss: [{ ...YES, label: "Yes", means: "replace the file by the text, and lose what is shown as removed" }],
  "no-sandbox": [
    { ...YES, means: "always let commands run without a sandbox on this machine" },
    { ...ONCE, label: "Once, for this run", means: "allow it until this run ends" },
  ],
};

/** Returns the answers to a question, of the page and of the terminal. */
export function answersTo({ kind }: Asked): readonly Offered[] {
  return [...WAYS[kind], NO, QUIT];
}

/** Asks the page, one question after the other, and waits. */
export class Questions {
  readonly #send: (question: Question) => void;
  readonly #root: string;
  readonly #waiting = new Map<number, (answer: string) => void>();
  #count = 0;

  constructor(root: string, send: (question: Question) => void) {
    this.#root = root;
    this.#send = send;
  }

  async approve(request: Asked): Promise<Approval> {
    const { title, body } = shownRequest(request, this.#root);
    const changes = "changes" in request ? request.changes : [];
    const files = fileViews(changes, { root: this.#root });
    const answers = answersTo(request);
    // The page shows the changes better than a diff does.
    const answer = await this.#ask({ title, body: files.length > 0 ? "" : body, files, answers });
    return answers.some(({ value }) => value === answer) ? (answer as Approval) : "no";
  }

  async confirm(text: string, question: string): Promise<boolean> {
    const answers = [{ ...YES, label: "Yes", means: "do it" }, NO];
    return (await this.#ask({ title: question, body: text, files: [], answers })) === "yes";
  }

  /** Returns false if nothing waits for this answer. */
  answer(id: number, value: string): boolean {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    waiting?.(value);
    return waiting !== undefined;
  }

  /** Answers all questions with no, as when the page is gone. */
  close(): void {
    for (const id of this.#waiting.keys()) this.answer(id, "quit");
  }

  #ask(question: Omit<Question, "id">): Promise<string> {
    const id = ++this.#count;
    return new Promise((done) => {
      this.#waiting.set(id, done);
      this.#send({ id, ...question });
    });
  }
}

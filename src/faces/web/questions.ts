/** Questions of a run, asked on the page, and their answers. */
import { type Approval, type ApprovalRequest, shownRequest } from "../../index.ts";
import { fileViews } from "./files-of-change.ts";
import type { Question } from "./protocol.ts";

type Asked = Exclude<ApprovalRequest, { readonly kind: "failed" }>;

const YES = { value: "yes", label: "Yes", means: "do it" };
const NO = { value: "no", label: "No", means: "the report says that you refused it" };
const STOP = { value: "quit", label: "Stop the run", means: "run neither this nor anything after it" };
const ALWAYS = { ...YES, label: "Yes, from now on" };
const ONCE = { value: "once", label: "Yes, once", means: "ask again the next time" };

/** Ways to say yes, above `NO` and `STOP`. */
const WAYS: { readonly [Kind in Asked["kind"]]: Question["answers"] } = {
  action: [{ ...ONCE, label: "Yes" }],
  command: [ONCE, { ...ALWAYS, means: "always allow exactly this command in this project" }],
  protected: [ONCE, { ...ALWAYS, means: "always let this file be written in this project" }],
  loss: [{ ...YES, label: "Replace it", means: "lose what is shown as removed" }],
  "no-sandbox": [
    { ...ONCE, label: "Yes, for this run", means: "until this run ends" },
    { ...ALWAYS, means: "always let commands run without a sandbox on this machine" },
  ],
};

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
    const answers = [...WAYS[request.kind], NO, STOP];
    // The page shows the changes better than a diff does.
    const answer = await this.#ask({ title, body: files.length > 0 ? "" : body, files, answers });
    return answers.some(({ value }) => value === answer) ? (answer as Approval) : "no";
  }

  async confirm(text: string, question: string): Promise<boolean> {
    const answers = [YES, { ...NO, means: "leave it as it is" }];
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

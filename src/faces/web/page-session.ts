/** What the page can ask for, and when the session ends. */
import * as z from "zod/mini";
import { basename } from "node:path";
import type { Environment } from "./environment.ts";
import { FilesTab } from "./files-tab.ts";
import { HistoryTab } from "./history-tab.ts";
import type { ProjectView, RunEvent, TabEvent } from "./protocol.ts";
import { Review } from "./review.ts";
import { ReviewRun } from "./run.ts";
import { BadRequest, type Handlers, PageServer, type SendLine } from "./server.ts";

interface SessionOptions extends Environment {
  readonly html: string;
  /** Bytes of an answer. */
  readonly maxInput: number;
  /** The file that `loaf watch` reads, for people to know. */
  readonly input: string;
  /** Called when the tab has been gone for a while. */
  readonly ended: () => void;
  /** Milliseconds for a reload. */
  readonly patience?: number;
}

/** A reload, and a lost connection, take less. */
const PATIENCE_MS = 10_000;
const PING_EVERY_MS = 3_000;

const choice = z.object({ off: z.array(z.int()), hunks: z.record(z.string(), z.array(z.string())) });
const comment = z.object({
  position: z.int(),
  path: z.string(),
  hunk: z.optional(z.string()),
  quote: z.string(),
  line: z.int(),
  side: z.enum(["old", "new"]),
  text: z.string(),
});
const key = z.string();
const position = z.int();
const run = z.int();

/** The requests of the page, with their parameters. */
const REQUESTS = {
  take: z.object({ text: z.string(), source: z.string() }),
  preview: z.object({ key, choice }),
  lines: z.object({ key, position, path: z.string(), from: z.int(), to: z.int(), shift: z.int() }),
  try: z.object({ key, position, choice }),
  useAs: z.object({ key, line: z.int(), path: z.string() }),
  run: z.object({ key, digest: z.string(), choice, comments: z.array(comment), again: z.boolean() }),
  answer: z.object({ id: z.int(), value: z.string() }),
  stop: z.object({}),
  instructions: z.object({}),
  history: z.object({}),
  diff: z.object({ run }),
  foresee: z.object({ run, kind: z.enum(["undo", "redo"]) }),
  reverse: z.object({ run, kind: z.enum(["undo", "redo"]) }),
  files: z.object({}),
  outline: z.object({ path: z.string() }),
  tick: z.object({ path: z.string(), on: z.boolean() }),
  context: z.object({ tokens: z.optional(z.int()), instructions: z.boolean() }),
};

type Name = keyof typeof REQUESTS;
type Body<Of extends Name> = z.output<(typeof REQUESTS)[Of]>;

export class PageSession implements Handlers {
  readonly #options: SessionOptions;
  readonly #server: PageServer;
  readonly #review: Review;
  readonly #history: HistoryTab;
  readonly #files: FilesTab;
  #send: SendLine | undefined;
  #run: ReviewRun | undefined;
  /** What has happened in the last run, and the key of its answer. */
  #log: { readonly key: string; readonly events: RunEvent[] } = { key: "", events: [] };
  #timer: NodeJS.Timeout | undefined;
  /** One request after the other, but those that a run waits for. */
  #turn: Promise<unknown> = Promise.resolve();
  readonly #pings: NodeJS.Timeout;

  constructor(options: SessionOptions) {
    this.#options = options;
    const { html, maxInput } = options;
    // A text of control characters takes six times its size as JSON.
    const limit = maxInput * 6 + 2 ** 20;
    this.#server = new PageServer({ html, handlers: this, limit });
    this.#review = new Review(options);
    this.#history = new HistoryTab(options);
    this.#files = new FilesTab(options);
    this.#pings = setInterval(() => this.#tell({ kind: "ping" }), PING_EVERY_MS);
  }

  start(): Promise<void> {
    return this.#server.listen();
  }

  /** Returns an address that opens the page once. */
  address(): string {
    return this.#server.address();
  }

  get isOpen(): boolean {
    return this.#server.isOpen;
  }

  /** Shows an answer on the page. Returns false if the text holds none. */
  async offer(text: string, source: string): Promise<boolean> {
    return this.#inTurn(async () => {
      const answer = await this.#review.take(text, source);
      if (answer !== undefined) this.#tell({ kind: "answer", answer });
      return answer !== undefined;
    });
  }

  /** Ends the server. A run in progress stops after its current action. */
  close(): void {
    this.#run?.stop();
    clearTimeout(this.#timer);
    clearInterval(this.#pings);
    this.#server.close();
  }

  opened(send: SendLine): void {
    clearTimeout(this.#timer);
    this.#send = send;
    this.#tell({ kind: "hello", project: this.#project });
    const { answer } = this.#review;
    if (answer === undefined) return;
    this.#tell({ kind: "answer", answer: answer.view });
    if (this.#log.key === answer.key) for (const event of this.#log.events) this.#tell(event);
  }

  closed(): void {
    this.#send = undefined;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#run?.questions.close();
      // What has begun ends first.
      void this.#turn.finally(() => this.#server.isOpen || this.#options.ended());
    }, this.#options.patience ?? PATIENCE_MS);
  }

  async answer(name: string, body: unknown): Promise<unknown> {
    // A run waits for these.
    if (name === "answer") return this.#answerQuestion(checked(name, body));
    if (name === "stop") return this.#run?.stop();
    if (this.#run !== undefined && CHANGING.has(name))
      throw new Error("A run is in progress: stop it, or wait for its end");
    if (name === "run") return this.#start(checked(name, body));
    return this.#inTurn(() => this.#answer(name, body));
  }

  /** Begins a run. What happens in it goes to the tab that is open then. */
  #start(request: Body<"run">): true {
    const events: RunEvent[] = [];
    const send = (event: RunEvent): void => {
      // Only the last line of output is shown.
      if (event.kind === "output" && events.at(-1)?.kind === "output") events.pop();
      events.push(event);
      this.#tell(event);
    };
    const running = new ReviewRun(this.#options, this.#review, send);
    running.check(request);
    this.#run = running;
    this.#log = { key: request.key, events };
    send({ kind: "running", since: Date.now() });
    void this.#inTurn(() => running.run(request))
      .catch((thrown: unknown) => send({ kind: "refused", sentence: String(Object(thrown).message) }))
      .finally(() => (this.#run = undefined));
    return true;
  }

  #answerQuestion({ id, value }: Body<"answer">): boolean {
    const { events } = this.#log;
    const asked = events.findIndex((event) => event.kind === "ask" && event.question.id === id);
    if (asked !== -1) events.splice(asked, 1);
    return this.#run?.questions.answer(id, value) ?? false;
  }

  async #answer(name: string, body: unknown): Promise<unknown> {
    switch (name) {
      case "take": {
        const { text, source } = checked(name, body);
        return this.#review.take(text, source);
      }
      case "preview": {
        const { key, choice } = checked(name, body);
        return this.#review.preview(key, choice);
      }
      case "lines":
        return this.#review.linesOf(checked(name, body));
      case "try": {
        const { key, position, choice } = checked(name, body);
        return this.#review.try(key, position, choice);
      }
      case "useAs": {
        const { key, line, path } = checked(name, body);
        return this.#review.useAs(key, line, path);
      }
      case "instructions":
        return this.#files.instructions();
      case "history":
        return this.#history.list();
      case "diff":
        return this.#history.diff(checked(name, body).run);
      case "foresee":
        return this.#history.foresee(checked(name, body));
      case "reverse":
        return this.#history.reverse(checked(name, body));
      case "files":
        return this.#files.list();
      case "outline":
        return this.#files.outline(checked(name, body).path);
      case "tick": {
        const { path, on } = checked(name, body);
        return this.#files.tick(path, on);
      }
      case "context":
        return this.#files.context(checked(name, body));
      default:
        throw new BadRequest(`There is no request '${name}'`);
    }
  }

  #inTurn<Value>(act: () => Promise<Value>): Promise<Value> {
    const done = this.#turn.then(act);
    this.#turn = done.catch(() => {});
    return done;
  }

  #tell(event: TabEvent): void {
    this.#send?.(event);
  }

  get #project(): ProjectView {
    const { root, branch, input } = this.#options;
    return { name: basename(root), root, input, ...(branch !== undefined && { branch }) };
  }
}

/** What would change the project while a run does. */
const CHANGING: ReadonlySet<string> = new Set(["reverse", "run", "take", "useAs"]);

function checked<Of extends Name>(name: Of, body: unknown): Body<Of> {
  const result = REQUESTS[name].safeParse(body);
  if (!result.success) throw new BadRequest(`The request '${name}' has other parameters`);
  return result.data as Body<Of>;
}

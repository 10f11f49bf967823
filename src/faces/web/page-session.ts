/** What the page can ask for, and when the session ends. */
import { basename } from "node:path";
import type { Environment } from "./environment.ts";
import { FilesTab } from "./files-tab.ts";
import { filesOfRun, foreseeReversal, listRuns, reverse } from "./history-tab.ts";
import type { ProjectSummary, RunEvent, TabEvent } from "./protocol.ts";
import { type Answers, PARAMETERS, type RequestBody, type RequestName } from "./requests.ts";
import { Review } from "./review.ts";
import { ReviewRun } from "./run.ts";
import { BadRequest, type Handlers, PageServer } from "./server.ts";

interface SessionOptions extends Environment {
  readonly html: string;
  /** Bytes of an answer. */
  readonly maxInput: number;
  /** The file that `loaf watch` reads, for people to know. */
  readonly input: string;
  /** Called when no tab has been open for `patience`. */
  readonly ended: () => void;
  /** Milliseconds to wait for the next tab. */
  readonly patience?: number;
}

/** A reload takes less. */
const PATIENCE_MS = 10_000;
const PING_EVERY_MS = 3_000;

/** Requests that are refused during a run, because they change the project or the answer. */
const CHANGING: ReadonlySet<string> = new Set(["reverse", "run", "take", "useAs"]);
/** Requests that do not wait for earlier ones. A run may be one of these, and may need them to end. */
const AT_ONCE: ReadonlySet<string> = new Set(["answer", "run", "stop"]);

type Responders = {
  readonly [Name in RequestName]: (body: RequestBody<Name>) => Answers[Name] | Promise<Answers[Name]>;
};

export class PageSession implements Handlers {
  readonly #options: SessionOptions;
  readonly #server: PageServer;
  readonly #review: Review;
  readonly #responders: Responders;
  readonly #project: ProjectSummary;
  #run: ReviewRun | undefined;
  /** The events of the last run, and the key of its answer. */
  #log: { readonly key: string; readonly events: RunEvent[] } = { key: "", events: [] };
  #timer: NodeJS.Timeout | undefined;
  /** Ends with the last request that was begun. Requests run one after the other, except those `AT_ONCE`. */
  #turn: Promise<unknown> = Promise.resolve();
  readonly #pings: NodeJS.Timeout;

  constructor(options: SessionOptions) {
    this.#options = options;
    const { html, maxInput, root, branch, input } = options;
    this.#project = { name: basename(root), branch, input };
    // A text of control characters takes six times its size as JSON.
    const limit = maxInput * 6 + 2 ** 20;
    this.#server = new PageServer({ html, handlers: this, limit });
    const [review, files] = [new Review(options), new FilesTab(options)];
    this.#review = review;
    this.#responders = {
      take: ({ text }) => review.take(text, "clipboard"),
      // A choice of an answer that is no longer shown counts no more.
      preview: (body) => (review.answer?.key === body.key ? review.preview(body) : null),
      lines: (body) => review.linesOf(body),
      try: (body) => review.try(body),
      useAs: (body) => review.useAs(body),
      run: (body) => this.#start(body),
      answer: (body) => this.#answerQuestion(body),
      stop: () => this.#stop(),
      instructions: () => files.instructions(),
      history: () => listRuns(options),
      diff: ({ run }) => filesOfRun(options, run),
      foresee: (body) => foreseeReversal(options, body),
      reverse: (body) => reverse(options, body),
      files: () => files.list(),
      outline: ({ path }) => files.outline(path),
      tick: ({ path, on }) => files.tick(path, on),
      context: (body) => files.context(body),
    };
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
      if (answer !== null) this.#tell({ kind: "answer", answer });
      return answer !== null;
    });
  }

  /** Ends the server. A run in progress stops after its current action. */
  close(): void {
    this.#run?.stop();
    clearTimeout(this.#timer);
    clearInterval(this.#pings);
    this.#server.close();
  }

  opened(): void {
    clearTimeout(this.#timer);
    this.#tell({ kind: "hello", project: this.#project });
    const { answer } = this.#review;
    if (answer === undefined) return;
    this.#tell({ kind: "answer", answer: answer.view });
    if (this.#log.key === answer.key) for (const event of this.#log.events) this.#tell(event);
  }

  closed(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#run?.questions.close();
      // What has begun ends first.
      void this.#turn.finally(() => this.#server.isOpen || this.#options.ended());
    }, this.#options.patience ?? PATIENCE_MS);
  }

  async answer(name: string, body: unknown): Promise<unknown> {
    if (!Object.hasOwn(PARAMETERS, name)) throw new BadRequest(`There is no request '${name}'`);
    const { success, data } = PARAMETERS[name as RequestName].safeParse(body);
    if (!success) throw new BadRequest(`The request '${name}' has other parameters`);
    if (this.#run !== undefined && CHANGING.has(name))
      throw new Error("A run is in progress: stop it, or wait for its end");
    const respond = async () => this.#responders[name as RequestName](data as never);
    return AT_ONCE.has(name) ? respond() : this.#inTurn<unknown>(respond);
  }

  /** Begins a run. What happens in it goes to the tab that is open then. */
  #start(request: RequestBody<"run">): true {
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

  #answerQuestion({ id, value }: RequestBody<"answer">): boolean {
    const { events } = this.#log;
    const asked = events.findIndex((event) => event.kind === "ask" && event.question.id === id);
    if (asked !== -1) events.splice(asked, 1);
    return this.#run?.questions.answer(id, value) ?? false;
  }

  #stop(): null {
    this.#run?.stop();
    return null;
  }

  #inTurn<Value>(act: () => Promise<Value>): Promise<Value> {
    const done = this.#turn.then(act);
    this.#turn = done.catch(() => {});
    return done;
  }

  #tell(event: TabEvent): void {
    this.#server.tell(event);
  }
}

/** The state that all clients of a server share: the opened project, the queue of changes, the runs and their commits. */
import type { Approve, DescribedAction, Loaf } from "../../index.ts";
import { describeActions } from "../../index.ts";
import { type Chosen, type OfferedTool, offeredTools } from "./tools.ts";

/** A project as the command line opens it. */
export interface ServedProject extends Chosen {
  readonly root: string;
  /** Of Loaf. */
  readonly version: string;
  /** Who answers questions: the client's user, or somebody at this machine, if anybody. */
  readonly person: "client" | Approve | undefined;
  open(options: ServerOpenOptions): Promise<Loaf>;
  /** Changes with the configuration and with what the user trusts. */
  stamp(): string;
  /** Tells the user, who may not look. */
  warn(sentence: string): void;
  /** Returns what the user should know of the configuration, once. */
  news(): readonly string[];
  /** Starts a process that commits runs. Returns whether it could. */
  commitApart(runs: readonly number[]): boolean;
}

export interface ServerOpenOptions {
  /** Changes nothing, and reads without waiting for a turn. */
  readonly dryRun?: boolean;
  /** Whether runs commit, if the settings say so. */
  readonly commits?: boolean;
  readonly approve?: Approve | undefined;
}

/** A project as it was opened, until the configuration changes. */
interface Opened {
  readonly stamp: string;
  readonly loaf: Promise<Loaf>;
  readonly actions: Promise<readonly DescribedAction[]>;
  readonly tools: Promise<readonly OfferedTool[]>;
  readonly since: number;
  uses: number;
}

export class ServerSession {
  readonly project: ServedProject;
  readonly #runs = new Set<number>();
  readonly #opened = new Map<"reading" | "writing" | "asking", Opened>();
  #seen = { stamp: "", at: -Infinity };
  /** The last change, which the next one waits for. */
  #last: Promise<unknown> = Promise.resolve();
  /** Changes that have been asked for and have not begun. */
  #waiting = 0;
  /** Ends the question that the current change waits for. */
  #endQuestion: (() => void) | undefined;
  /** Asks the user on behalf of the change that is being made. */
  #approve: Approve = () => "no";
  #idle: NodeJS.Timeout | undefined;
  /** Runs that another process commits. */
  readonly #handedOver = new Set<number>();
  readonly #ending = new AbortController();

  constructor(project: ServedProject) {
    this.project = project;
  }

  /** Ends all calls when the server ends. */
  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  /** Returns the project for reading. */
  reader(): Promise<Loaf> {
    return this.#open("reading").loaf;
  }

  async tools(): Promise<readonly OfferedTool[]> {
    return this.#open("reading").tools;
  }

  /** Returns the names of the actions that can be done twice. */
  async readingActions(): Promise<ReadonlySet<string>> {
    const actions = await this.#open("reading").actions;
    return new Set(actions.filter(({ isReadOnly }) => isReadOnly).map(({ name }) => name));
  }

  /** Returns the project for a change. Call it within `change`. */
  async writer(approve: Approve | undefined): Promise<Loaf> {
    if (approve !== undefined) this.#approve = approve;
    return this.#open(approve === undefined ? "writing" : "asking").loaf;
  }

  /** Opens the project, again if the configuration has changed: opening takes longer than an edit. */
  #open(use: "reading" | "writing" | "asking"): Opened {
    const stamp = this.#stamp();
    const known = this.#opened.get(use);
    if (known?.stamp === stamp && known.uses++ < MAX_USES && Date.now() - known.since < MAX_AGE_MS) return known;
    const loaf = this.#openFor(use);
    const actions = loaf.then(({ settings }) => describeActions(settings));
    const tools = actions.then((all) => offeredTools(all, this.project));
    const opened: Opened = { stamp, loaf, actions, tools, since: Date.now(), uses: 0 };
    this.#opened.set(use, opened);
    // The next call finds the configuration repaired.
    tools.catch(() => this.#opened.delete(use));
    return opened;
  }

  /** Looks at the files at most every few milliseconds: a host may read hundreds of files at once. */
  #stamp(): string {
    const now = performance.now();
    if (now - this.#seen.at > MAX_STAMP_AGE_MS) this.#seen = { stamp: this.project.stamp(), at: now };
    return this.#seen.stamp;
  }

  async #openFor(use: "reading" | "writing" | "asking"): Promise<Loaf> {
    if (use === "reading") return this.project.open({ dryRun: true });
    const { mcp } = (await this.reader()).settings;
    const approve: Approve | undefined = use === "asking" ? (request) => this.#approve(request) : undefined;
    return this.project.open({ approve, commits: mcp.commit === "call" });
  }

  /** Changes the project, after the changes that were asked for before. */
  change<Value>(act: () => Promise<Value>): Promise<Value> {
    this.#waiting += 1;
    this.#endQuestion?.();
    const done = this.#last.then(() => {
      this.#waiting -= 1;
      return act();
    });
    this.#last = done.catch(() => {});
    return done;
  }

  /** Waits within a change for the user's answer. Calls `end` once another change waits. */
  readonly hold = async <Value>(answer: Promise<Value>, end: () => void): Promise<Value> => {
    this.#endQuestion = end;
    if (this.#waiting > 0) end();
    return answer.finally(() => (this.#endQuestion = undefined));
  };

  isOwn(run: number): boolean {
    return this.#runs.has(run);
  }

  get runs(): ReadonlySet<number> {
    return this.#runs;
  }

  /** Notes a change. Those without a commit are committed together once nothing has happened for a while. */
  async noteChange(run: number | undefined): Promise<void> {
    if (run !== undefined) this.#runs.add(run);
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.change(() => this.#commit()), IDLE_MS);
    this.#idle.unref();
  }

  /** Lets another process commit, because this one may be killed at any moment. It does nothing if the commit is made. */
  handOver(): void {
    const runs = this.#runsToCommit();
    if (runs.length > 0 && this.project.commitApart(runs)) for (const run of runs) this.#handedOver.add(run);
  }

  /** Ends running calls, waits for them, and commits. */
  async end(): Promise<void> {
    clearTimeout(this.#idle);
    this.#ending.abort();
    await this.change(() => this.#commit());
  }

  #runsToCommit(): number[] {
    return [...this.#runs].filter((run) => !this.#handedOver.has(run));
  }

  async #commit(): Promise<void> {
    clearTimeout(this.#idle);
    const runs = this.#runsToCommit();
    if (runs.length === 0) return;
    try {
      const loaf = await this.project.open({ commits: true });
      for (const notice of (await loaf.commitRuns(runs)).notices) this.project.warn(notice);
    } catch (thrown) {
      this.project.warn(`No commit was made: ${String(Object(thrown).message)}. The changes stay in the files`);
    }
  }
}

/** Milliseconds. */
const IDLE_MS = 60_000;

/** A project opened for dry runs keeps what they have read. */
const MAX_USES = 1_000;

const MAX_STAMP_AGE_MS = 20;

/** What git runs in the project, and so may not be written, can change as well. */
const MAX_AGE_MS = 10_000;

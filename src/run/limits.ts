/**
 * Limits the time and the memory of an action. Its work is synchronous, so timers and signal handlers cannot run
 * meanwhile. V8 itself ends it at the next loop or call, even in a regular expression or WebAssembly. No `finally` runs
 * then, so changes in memory are rolled back.
 */
import { resolve } from "node:path";
import { createContext, Script } from "node:vm";
import { Failed, failureOf } from "../core/failure.ts";
import { once } from "../core/once.ts";
import { AttemptRollback } from "../core/attempt-rollback.ts";
import { attempt } from "../disk/system-error.ts";
import type { Volume } from "../disk/volume.ts";
import type { AddressedFiles } from "../files/addressed-files.ts";
import type { Workspace } from "../files/workspace.ts";
import type { Action } from "../answer/resolve.ts";
import { whileSignalsEnd } from "./end-signals.ts";

interface ActionTimeOptions extends Omit<TimeLimit, "restore"> {
  readonly root: string;
  /** Maximum bytes that one action may write. Beyond it, the action is rolled back, as after a timeout. */
  readonly memory: number;
  readonly volume: Pick<Volume, "entry">;
  readonly workspace: AddressedFiles;
}

/** Creates the clocks that limit the time of a session's actions. */
export class ActionTime {
  readonly #options: ActionTimeOptions;
  #current: InTime = unlimited;

  constructor(options: ActionTimeOptions) {
    this.#options = options;
  }

  /**
   * Returns the clock of one action, which is the current one while it runs. Commands have a limit of their own.
   *
   * @param paths that the action names
   */
  of({ definition, params }: Pick<Action, "definition" | "params">, paths: readonly string[]): InTime {
    const isShort =
      definition.ofContext === undefined && this.#options.memory >= MAX_SMALL_BYTES && this.#isSmall(params, paths);
    const clock = definition.runs !== undefined || isShort ? unlimited : this.start();
    return async (act) => {
      const outer = this.#current;
      this.#current = clock;
      try {
        return await clock(act);
      } finally {
        this.#current = outer;
      }
    };
  }

  /** Returns a clock for work outside a run. */
  start(): InTime {
    const { limit, undo, isStopped, workspace } = this.#options;
    return timeLimit({ limit, undo, isStopped, restore: () => workspace.restore() });
  }

  readonly current: InTime = (act) => this.#current(act);

  /**
   * Returns whether an action reads so little that it cannot take long. The limit needs a thread, which would slow down
   * a run of thousands of small actions.
   */
  #isSmall(params: Action["params"], paths: readonly string[]): boolean {
    const { root, volume, workspace } = this.#options;
    if (paths.length === 0 || paths.some((path) => path.length > LONG_PATH || workspace.mayBeAddress(path)))
      return false;
    let size = 0;
    for (const value of Object.values(params)) if (typeof value === "string") size += value.length;
    for (const path of size > SMALL ? [] : paths) {
      // The action itself reports a path that cannot be read.
      attempt(() => {
        const entry = volume.entry(resolve(root, path));
        if (entry !== undefined) size += entry.kind === "file" ? entry.size : Infinity;
      });
    }
    return size <= SMALL;
  }
}

const unlimited: InTime = async (act) => await act();

/** UTF-16 units and bytes together. */
const SMALL = 16_384;
/** Bytes that a small action may write, if it replaces each unit of its files by its whole text. */
const MAX_SMALL_BYTES = 2 ** 28;
const LONG_PATH = 256;

interface MemoryBudgetOptions {
  /** Bytes. */
  readonly limit: number;
  readonly undo: AttemptRollback;
  /** Returns the bytes that the run keeps in memory until its end. Undefined if it flushes earlier. */
  waiting(): number | undefined;
}

/**
 * Limits the bytes that one action writes, and those that a run keeps in memory. A file written twice counts twice,
 * because its first content is kept for a rollback.
 */
export class MemoryBudget {
  readonly #options: MemoryBudgetOptions;
  #held = 0;

  constructor(options: MemoryBudgetOptions) {
    this.#options = options;
  }

  /** Starts a new action. */
  begin(): void {
    this.#held = 0;
  }

  /** Adds bytes. Throws `limit/memory` beyond a limit. */
  readonly hold = (bytes: number): void => {
    const { limit, undo, waiting } = this.#options;
    const before = this.#held;
    undo.note(() => (this.#held = before));
    this.#held += bytes;
    if (this.#held > limit) throw new Failed({ code: "limit/memory", limit, of: "action" });
    if ((waiting() ?? 0) + bytes > limit) throw new Failed({ code: "limit/memory", limit, of: "run" });
  };
}

/**
 * UTF-16 units. The text stays in memory for the report, and may grow sixfold in JSON, where string length is limited
 * too.
 */
const MAX_READ = 2 ** 26;

/** Limits what all actions of one run read together, each through a workspace wrapped here. */
export function createReadBudget(undo: AttemptRollback): (workspace: Workspace) => Workspace {
  let left = MAX_READ;
  return (workspace) => ({
    ...workspace,
    read(path) {
      // Once the budget is used up, nothing more is read, because reading alone could take hours.
      const text = left < 0 ? "" : workspace.read(path);
      const before = left;
      undo.note(() => (left = before));
      left -= text.length;
      if (left < 0) throw new Failed({ code: "file/read-budget", path, limit: MAX_READ });
      return text;
    },
  });
}

/** Runs one stretch of an action's work. Throws `limit/time` if no time is left, `skip/stopped` after a signal. */
export type InTime = <Value>(act: () => Value | Promise<Value>) => Promise<Value>;

export interface TimeLimit {
  /** Milliseconds for all stretches together. */
  readonly limit: number;
  /** Where the work records its changes in memory. */
  readonly undo: AttemptRollback;
  /** Whether no more actions should start. */
  isStopped(): boolean;
  /** Reloads what may be broken after an interruption. */
  restore(): Promise<void>;
}

/** Milliseconds before the event loop runs, so that signals are handled within a second. */
const FIRST_TRY_MS = 500;

/**
 * Creates the clock of one action, which starts with its first stretch. A stretch that exceeds the first try is rolled
 * back and started again, after pending signals are handled. In the second try, Ctrl-C ends the work, and signals that
 * cannot be handled meanwhile end the process.
 */
export function timeLimit({ limit, undo, isStopped, restore }: TimeLimit): InTime {
  let deadline: number | undefined;
  return async (act) => {
    await yieldToEventLoopWhenDue();
    deadline ??= performance.now() + limit;
    for (const isFirst of [true, false]) {
      const left = Math.ceil(deadline - performance.now());
      if (left <= 0) break;
      const work = () =>
        runInLimits(act, { timeout: isFirst ? Math.min(left, FIRST_TRY_MS) : left, breakOnSigint: !isFirst, undo });
      const { ended, value } = isFirst ? work() : whileSignalsEnd(work);
      if (ended === undefined) return await value;
      await Promise.all([restore(), yieldToEventLoop()]);
      if (ended === "signal" || isStopped()) throw new Failed({ code: "skip/stopped" });
    }
    throw new Failed({ code: "limit/time", limit });
  };
}

/**
 * Returns the result of work outside any action. Undefined if it takes longer than `limit`.
 *
 * @param size how much it reads, if that is known: on little, it cannot take long
 */
export function resultInTime<Value>(act: () => Value, limit: number, size = Infinity): Value | undefined {
  if (size <= SMALL) return act();
  const result = runInLimits(act, { timeout: limit });
  return result.ended === undefined ? result.value : undefined;
}

/**
 * Runs long work before anything is changed, so that any signal may end it. Returns undefined if Ctrl-C did and a
 * handler kept the process alive.
 */
export function untilSignal<Value>(act: () => Value): Value | undefined {
  const result = whileSignalsEnd(() => runInLimits(act, { breakOnSigint: true }));
  return result.ended === undefined ? result.value : undefined;
}

interface Limits {
  /** Milliseconds. */
  readonly timeout?: number;
  readonly breakOnSigint?: boolean;
  readonly undo?: AttemptRollback;
}

type Result<Value> =
  | { readonly ended?: undefined; readonly value: Value }
  | { readonly ended: "time" | "signal"; readonly value?: undefined };

const sandbox = once(() => createContext({ act: undefined as unknown }));
const script = once(() => new Script("act()"));

function runInLimits<Value>(act: () => Value, { undo = new AttemptRollback(), ...limits }: Limits): Result<Value> {
  const directory = process.cwd();
  undo.begin();
  sandbox()["act"] = act;
  try {
    return { value: script().runInContext(sandbox(), { ...limits, displayErrors: false }) as Value };
  } catch (thrown) {
    const ended = isCoded(thrown) ? ENDED[thrown.code] : undefined;
    if (ended === undefined) {
      if (failureOf(thrown).code === "limit/memory") undo.rewind();
      throw thrown;
    }
    undo.rewind();
    // On some systems a pin changes the current directory.
    if (process.cwd() !== directory) process.chdir(directory);
    // V8 has consumed the signal, so it is passed on to its handlers.
    if (ended === "signal" && !process.emit("SIGINT", "SIGINT")) process.kill(process.pid, "SIGINT");
    return { ended };
  } finally {
    undo.end();
    sandbox()["act"] = undefined;
  }
}

const ENDED: Readonly<Record<string, "time" | "signal">> = {
  ERR_SCRIPT_EXECUTION_TIMEOUT: "time",
  ERR_SCRIPT_EXECUTION_INTERRUPTED: "signal",
};

function isCoded(thrown: unknown): thrown is { readonly code: string } {
  return typeof thrown === "object" && thrown !== null && "code" in thrown && typeof thrown.code === "string";
}

/** Maximum milliseconds between two turns of the event loop, where signals and timers are handled. */
const MAX_STRETCH = 50;
let turned = 0;

/** Lets the event loop run if it has not for a while. Otherwise thousands of short actions would block it. */
export function yieldToEventLoopWhenDue(): Promise<void> | undefined {
  return performance.now() - turned < MAX_STRETCH ? undefined : yieldToEventLoop();
}

async function yieldToEventLoop(): Promise<void> {
  await new Promise((resolve) => void setImmediate(resolve));
  turned = performance.now();
}

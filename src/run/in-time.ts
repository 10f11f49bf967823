/**
 * Enforces an action's time limit. Its work is synchronous, so timers and signal handlers cannot run meanwhile. V8
 * itself ends it at the next loop or call, even in a regular expression or WebAssembly. No `finally` runs then, so
 * changes in memory are rolled back.
 */
import { createContext, Script } from "node:vm";
import { Failed, failureOf } from "../core/failure.ts";
import { once } from "../core/once.ts";
import { UndoLog } from "../core/undo-log.ts";
import { whileSignalsEnd } from "./end-signals.ts";

/** Runs one stretch of an action's work. Throws `limit/time` if no time is left, `skip/stopped` after a signal. */
export type InTime = <Value>(act: () => Value | Promise<Value>) => Promise<Value>;

export interface TimeLimit {
  /** Milliseconds for all stretches together. */
  readonly limit: number;
  /** Where the work records its changes in memory. */
  readonly undo: UndoLog;
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
        attempt(act, { timeout: isFirst ? Math.min(left, FIRST_TRY_MS) : left, breakOnSigint: !isFirst, undo });
      const { ended, value } = isFirst ? work() : whileSignalsEnd(work);
      if (ended === undefined) return await value;
      await Promise.all([restore(), yieldToEventLoop()]);
      if (ended === "signal" || isStopped()) throw new Failed({ code: "skip/stopped" });
    }
    throw new Failed({ code: "limit/time", limit });
  };
}

/** Returns the result of work outside any action. Undefined if it takes longer than `limit`. */
export function resultInTime<Value>(act: () => Value, limit: number): Value | undefined {
  const result = attempt(act, { timeout: limit });
  return result.ended === undefined ? result.value : undefined;
}

/**
 * Runs long work before anything is changed, so that any signal may end it. Returns undefined if Ctrl-C did and a
 * handler kept the process alive.
 */
export function untilSignal<Value>(act: () => Value): Value | undefined {
  const result = whileSignalsEnd(() => attempt(act, { breakOnSigint: true }));
  return result.ended === undefined ? result.value : undefined;
}

interface Limits {
  /** Milliseconds. */
  readonly timeout?: number;
  readonly breakOnSigint?: boolean;
  readonly undo?: UndoLog;
}

type Result<Value> =
  | { readonly ended?: undefined; readonly value: Value }
  | { readonly ended: "time" | "signal"; readonly value?: undefined };

const sandbox = once(() => createContext({ act: undefined as unknown }));
const script = once(() => new Script("act()"));

function attempt<Value>(act: () => Value, { undo = new UndoLog(), ...limits }: Limits): Result<Value> {
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

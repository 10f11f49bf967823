/**
 * Keeps an action within its time, whatever it does. Its work is synchronous, so no timer and no handler of a signal runs meanwhile: V8 itself ends it, at the
 * next loop or call, also in a regular expression or WebAssembly. No `finally` runs then, so all that it changed in memory is taken back.
 */
import { createContext, Script } from "node:vm";
import { Failed, failureOf } from "../core/failure.ts";
import { once } from "../core/once.ts";
import { UndoLog } from "../core/undo-log.ts";
import { whileSignalsEnd } from "./end-signals.ts";

/** Does one stretch of an action's work. Throws `limit/time` where the action has no time left, `skip/stopped` where a signal has ended it. */
export type InTime = <Value>(act: () => Value | Promise<Value>) => Promise<Value>;

export interface TimeLimit {
  /** Milliseconds for all stretches together. */
  readonly limit: number;
  /** Where the work notes what it changes. */
  readonly undo: UndoLog;
  /** Whether no further action is to begin. */
  isStopped(): boolean;
  /** Loads anew what cannot be relied on after being ended half-way. */
  restore(): Promise<void>;
}

/** Milliseconds after which the event loop turns, so that a signal is handled within a second. */
const FIRST_TRY = 500;

/**
 * The clock of one action, which starts with its first stretch. A stretch that takes longer than the first try is taken back and begun again: in between, a signal
 * that has come is handled. In the second try Ctrl-C ends the work, and a signal that cannot be noticed meanwhile ends the process.
 */
export function timeLimit({ limit, undo, isStopped, restore }: TimeLimit): InTime {
  let deadline: number | undefined;
  return async (act) => {
    await turnWhenDue();
    deadline ??= performance.now() + limit;
    for (const isFirst of [true, false]) {
      const left = Math.ceil(deadline - performance.now());
      if (left <= 0) break;
      const work = () => attempt(act, { timeout: isFirst ? Math.min(left, FIRST_TRY) : left, breakOnSigint: !isFirst, undo });
      const { ended, value } = isFirst ? work() : whileSignalsEnd(work);
      if (ended === undefined) return await value;
      await Promise.all([restore(), turnOfEventLoop()]);
      if (ended === "signal" || isStopped()) throw new Failed({ code: "skip/stopped" });
    }
    throw new Failed({ code: "limit/time", limit });
  };
}

/** What work of no action comes to; undefined where it takes longer than `limit`. */
export function valueInTime<Value>(act: () => Value, limit: number): Value | undefined {
  const result = attempt(act, { timeout: limit });
  return result.ended === undefined ? result.value : undefined;
}

/** Does long work before anything has been done that would have to be told: any signal ends it. Undefined where Ctrl-C did, and whoever handles it goes on. */
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

type Result<Value> = { readonly ended?: undefined; readonly value: Value } | { readonly ended: "time" | "signal"; readonly value?: undefined };

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
    // On some systems a pin is the current directory.
    if (process.cwd() !== directory) process.chdir(directory);
    // V8 has kept it from whoever handles it.
    if (ended === "signal" && !process.emit("SIGINT", "SIGINT")) process.kill(process.pid, "SIGINT");
    return { ended };
  } finally {
    undo.end();
    sandbox()["act"] = undefined;
  }
}

const ENDED: Readonly<Record<string, "time" | "signal">> = { ERR_SCRIPT_EXECUTION_TIMEOUT: "time", ERR_SCRIPT_EXECUTION_INTERRUPTED: "signal" };

function isCoded(thrown: unknown): thrown is { readonly code: string } {
  return typeof thrown === "object" && thrown !== null && "code" in thrown && typeof thrown.code === "string";
}

/** Milliseconds between two turns of the event loop, in which signals and timers are handled. */
const LONGEST_STRETCH = 50;
let turned = 0;

/** Lets the event loop turn where it has not for a while: a run of thousands of short actions is one stretch else. */
export function turnWhenDue(): Promise<void> | undefined {
  return performance.now() - turned < LONGEST_STRETCH ? undefined : turnOfEventLoop();
}

async function turnOfEventLoop(): Promise<void> {
  await new Promise((resolve) => void setImmediate(resolve));
  turned = performance.now();
}

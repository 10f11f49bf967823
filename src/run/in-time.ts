/**
 * Keeps an action within its time, whatever it does. Handlers are synchronous, so no timer runs while one works: V8 itself ends it, from another
 * thread, at the next loop or call.
 */
import { createContext, Script } from "node:vm";
import { Failed } from "../core/failure.ts";

export interface TimeLimit {
  /** Milliseconds. */
  readonly time: number;
  /** What a failure names: the limit of the whole action. */
  readonly limit: number;
  /** Whether the run is to stop. */
  isStopped(): boolean;
  /** Takes back what the action has changed, of which the last may be half done. */
  takeBack(): void;
  /** Runs what may take long. A signal ends the process at once meanwhile, as none can be handled. */
  whileBusy<Value>(act: () => Value): Value;
}

/** Milliseconds after which the event loop turns, so that a signal is handled within a second. */
const FIRST_TRY = 700;

/**
 * Runs an action, and throws `limit/time` where it takes too long. One that takes longer than the first try is taken back
 * and begun again: in between, a signal that has come meanwhile is handled.
 */
export async function inTime<Value>(act: () => Value | Promise<Value>, limit: TimeLimit): Promise<Value> {
  const { time, isStopped, whileBusy } = limit;
  const tooLong = () => new Failed({ code: "limit/time", limit: limit.limit });
  const deadline = performance.now() + time;
  const first = attempt(act, Math.min(time, FIRST_TRY), limit);
  if (first !== undefined) return beforeDeadline(first.value, deadline, tooLong);
  await turnOfEventLoop();
  if (isStopped()) throw new Failed({ code: "skip/stopped" });
  const left = Math.ceil(deadline - performance.now());
  const second = left <= 0 ? undefined : whileBusy(() => attempt(act, left, limit));
  if (second === undefined) throw tooLong();
  return beforeDeadline(second.value, deadline, tooLong);
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

/** Undefined where the time was over; then nothing is changed. */
function attempt<Value>(act: () => Value, time: number, { takeBack }: TimeLimit): { readonly value: Value } | undefined {
  const directory = process.cwd();
  try {
    return { value: interruptible(act, time) };
  } catch (thrown) {
    if (!isInterruption(thrown)) throw thrown;
    // No `finally` has run: on some systems a pin is a current directory.
    if (process.cwd() !== directory) process.chdir(directory);
    takeBack();
    return undefined;
  }
}

const context = createContext({ act: undefined as unknown });
const script = new Script("act()");

function interruptible<Value>(act: () => Value, timeout: number): Value {
  context["act"] = act;
  return script.runInContext(context, { timeout, displayErrors: false }) as Value;
}

function isInterruption(thrown: unknown): boolean {
  return typeof thrown === "object" && thrown !== null && "code" in thrown && thrown.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}

/** What an asynchronous action still does after its time is not waited for. */
async function beforeDeadline<Value>(value: Value | Promise<Value>, deadline: number, tooLong: () => Failed): Promise<Value> {
  if (!(value instanceof Promise)) return value;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooLong()), Math.max(0, deadline - performance.now()));
  });
  try {
    return await Promise.race([value, late]);
  } finally {
    clearTimeout(timer);
    value.catch(() => {});
  }
}

import { readFileSync } from "node:fs";
import { tryOr } from "../core/try-or.ts";
import { statFields } from "../state/process-identity.ts";

/** What a program has done so far. */
interface Progress {
  /** CPU time in milliseconds, to the nearest ten. */
  readonly busy: number;
  /** The system's counters of reads and writes, as text. */
  readonly io: string;
}

/** Works only on Linux; elsewhere returns undefined. */
function progressOf(pid: number): Progress | undefined {
  const [user, system] = statFields(pid)?.slice(11) ?? [];
  const io = tryOr(() => readFileSync(`/proc/${pid}/io`, "latin1"), undefined);
  return user === undefined || io === undefined ? undefined : { busy: (Number(user) + Number(system)) * MS_PER_TICK, io };
}

const MS_PER_TICK = 10;

/**
 * Calls back each time a program has neither read nor written for a period and used almost no CPU: idle threads still
 * wake up now and then. Lasts until the interval is cleared.
 *
 * @param time milliseconds
 */
export function whenStalled(pid: number, time: number, act: () => void): NodeJS.Timeout {
  let before: Progress | undefined;
  return setInterval(() => {
    const now = progressOf(pid);
    if (now !== undefined && before?.io === now.io && now.busy - before.busy < time / 10) act();
    before = now;
  }, time);
}

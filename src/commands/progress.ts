import { readFileSync } from "node:fs";

/** What a program has done so far. */
interface Progress {
  /** CPU time in milliseconds, to the nearest ten. */
  readonly busy: number;
  /** The system's counters of reads and writes, as text. */
  readonly io: string;
}

/** Works only on Linux; elsewhere returns undefined. */
function progressOf(pid: number): Progress | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name in brackets may contain spaces and brackets.
    const [user, system] = stat.slice(stat.lastIndexOf(")") + 2).split(" ").slice(11);
    return { busy: (Number(user) + Number(system)) * MS_PER_TICK, io: readFileSync(`/proc/${pid}/io`, "latin1") };
  } catch {
    return undefined;
  }
}

const MS_PER_TICK = 10;

/**
 * Calls back each time a program has neither read nor written for a period and used almost no CPU: idle threads still wake up now and then.
 * Lasts until the interval is cleared.
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

import { readFileSync } from "node:fs";

/** What a program has done so far. */
interface Progress {
  /** The processor's time that it has used, in milliseconds, exact to ten. */
  readonly busy: number;
  /** How often and how much it has read and written, in the system's words. */
  readonly io: string;
}

/** Undefined where the system does not tell; only Linux does. */
function progressOf(pid: number): Progress | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The program's name stands in brackets before these, and may hold spaces and brackets itself.
    const [user, system] = stat.slice(stat.lastIndexOf(")") + 2).split(" ").slice(11);
    return { busy: (Number(user) + Number(system)) * MS_PER_TICK, io: readFileSync(`/proc/${pid}/io`, "latin1") };
  } catch {
    return undefined;
  }
}

const MS_PER_TICK = 10;

/**
 * Calls back when a program has read nothing for so long, in milliseconds, and hardly worked: threads that wait for others look at them now
 * and then. Until the interval is cleared.
 */
export function whenStalled(pid: number, time: number, act: () => void): NodeJS.Timeout {
  let before: Progress | undefined;
  return setInterval(() => {
    const now = progressOf(pid);
    if (now !== undefined && before?.io === now.io && now.busy - before.busy < time / 10) act();
    before = now;
  }, time);
}

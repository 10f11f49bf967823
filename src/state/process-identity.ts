/** Who a process is, so that another one can tell later whether it is still there: the system gives its number to others once it has ended. */
import { existsSync, readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

export interface ProcessIdentity {
  readonly pid: number;
  /** Of the machine, which other ones may share a home folder with. */
  readonly host: string;
  /** What only Linux tells: when the process started, in ticks since the machine did; which start of the machine; and where its number counts. */
  readonly started?: string;
  readonly boot?: string;
  readonly numbering?: string;
}

/** `unknown`: on another machine or in another container, or one cannot tell it from one that has its number now. */
type Whereabouts = "running" | "gone" | "unknown";

export interface ProcessTable {
  identify(): ProcessIdentity;
  find(identity: ProcessIdentity): Whereabouts;
}

/** Linux. It never takes one process for another. */
export const procTable: ProcessTable = {
  identify: () => (own ??= { pid: process.pid, host: hostname(), started: statOf(process.pid)?.started ?? "", boot: bootOf(), numbering: numberingOf() }),
  find({ pid, host, started, boot, numbering }) {
    const here = procTable.identify();
    // The machine was started anew since, or this is another one.
    if (boot !== here.boot) return host === here.host ? "gone" : "unknown";
    if (numbering !== here.numbering) return "unknown";
    const found = statOf(pid);
    return found !== undefined && found.started === started && !/[ZXx]/.test(found.state) ? "running" : "gone";
  },
};

/** As long as a process runs, nothing of it changes. */
let own: ProcessIdentity | undefined;

/**
 * macOS, Windows and where there is no /proc: more would take another program. It is weaker in one way: once the number of a process that was
 * killed has been given to another one, it may still be running for all one knows. So one waits for nothing, and never goes on too early.
 */
export const pidTable: ProcessTable = {
  identify: () => ({ pid: process.pid, host: hostname() }),
  find({ pid, host }) {
    if (host !== hostname()) return "unknown";
    try {
      process.kill(pid, 0);
      return pid === process.pid ? "running" : "unknown";
    } catch (thrown) {
      // EPERM: another user's.
      return (thrown as NodeJS.ErrnoException).code === "ESRCH" ? "gone" : "unknown";
    }
  },
};

export const processTable = existsSync("/proc/self/ns/pid") ? procTable : pidTable;

function bootOf(): string {
  return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
}

function numberingOf(): string {
  return readlinkSync("/proc/self/ns/pid");
}

/** Fields of `/proc/PID/stat`. The second one is the program's name in parentheses, which may hold anything. */
function statOf(pid: number): { readonly state: string; readonly started: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0] ?? "", started: fields[19] ?? "" };
  } catch {
    return undefined;
  }
}

/** Identifies processes across restarts, since the system reuses the IDs of ended processes. */
import { existsSync, readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { tryOr } from "../core/errors.ts";

export interface ProcessIdentity {
  readonly pid: number;
  /** Name of the machine. Several machines may share a home folder. */
  readonly host: string;
  /** Start time of the process, in ticks since boot. Linux only. */
  readonly started?: string;
  /** Boot ID of the machine. Linux only. */
  readonly boot?: string;
  /** PID namespace. Linux only. */
  readonly numbering?: string;
}

/** `unknown`: on another machine or in another container, or possibly another process with the same ID. */
type Whereabouts = "running" | "gone" | "unknown";

export interface ProcessTable {
  identify(): ProcessIdentity;
  find(identity: ProcessIdentity): Whereabouts;
}

/** Linux. Never confuses two processes. */
export const procTable: ProcessTable = {
  identify: () =>
    (self ??= {
      pid: process.pid,
      host: hostname(),
      started: statFields(process.pid)?.[STARTED] ?? "",
      boot: readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim(),
      numbering: readlinkSync("/proc/self/ns/pid"),
    }),
  find({ pid, host, started, boot, numbering }) {
    const here = procTable.identify();
    // The machine has been restarted, or this is another one.
    if (boot !== here.boot) return host === here.host ? "gone" : "unknown";
    if (numbering !== here.numbering) return "unknown";
    const fields = statFields(pid);
    return fields !== undefined && fields[STARTED] === started && !/[ZXx]/.test(fields[0] ?? "") ? "running" : "gone";
  },
};

/** Place of the start time among the fields. */
export const STARTED = 19;

/** Cached: constant while the process runs. */
let self: ProcessIdentity | undefined;

/**
 * macOS, Windows, and Linux without /proc. A start time would need another program. So a killed process whose ID was
 * reused may seem to run: waiting for it is needless, but nothing continues too early.
 */
export const pidTable: ProcessTable = {
  identify: () => ({ pid: process.pid, host: hostname() }),
  find({ pid, host }) {
    if (host !== hostname()) return "unknown";
    try {
      process.kill(pid, 0);
      return pid === process.pid ? "running" : "unknown";
    } catch (thrown) {
      // EPERM: a process of another user.
      return (thrown as NodeJS.ErrnoException).code === "ESRCH" ? "gone" : "unknown";
    }
  },
};

export const processTable = existsSync("/proc/self/ns/pid") ? procTable : pidTable;

/**
 * Returns the fields of `/proc/PID/stat` from the state on. The name before them is in parentheses and may contain any
 * character.
 */
export function statFields(pid: number | "self"): readonly string[] | undefined {
  const stat = tryOr(() => readFileSync(`/proc/${pid}/stat`, "latin1"), undefined);
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
}

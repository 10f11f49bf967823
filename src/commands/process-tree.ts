/** Everything that a program has started: to end it, and to find what got away. */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** How far the end of a program reaches. `leave`: what it leaves in the background goes on; `group`: its process group ends with it; `hunt`: so does what left the group and can be found. */
export type Reach = "leave" | "group" | "hunt";

/**
 * A program's descendants. One that starts a session of its own leaves the process group, and one whose parent ends belongs to nobody;
 * it is then known by having been seen before, or by holding the output's end.
 */
export class ProcessTree {
  readonly #leader: number;
  readonly #reach: Reach;
  /** Where a descendant's output goes: the names of the leader's own, which nobody else has open. */
  readonly #outputs: ReadonlySet<string>;
  /** In ticks since the machine was started. */
  readonly #startedAt: number;
  readonly #seen = new Map<number, string>();

  /** @param leader the number of the process that was started, which leads its own group */
  constructor(leader: number, reach: Reach) {
    this.#leader = leader;
    this.#reach = reach;
    this.#outputs = reach === "hunt" ? new Set([1, 2].flatMap((descriptor) => outputOf(leader, descriptor))) : new Set();
    this.#startedAt = reach === "hunt" ? Number(statOf(leader)?.started ?? Infinity) : Infinity;
  }

  /** Ends all of it at once. */
  end(): void {
    if (process.platform === "win32") spawn("taskkill", ["/PID", String(this.#leader), "/T", "/F"], { stdio: "ignore", windowsHide: true }).on("error", () => {});
    // What is found first would be found no more once its parents are gone.
    const found = this.#reach === "hunt" ? this.#find() : [];
    kill(-this.#leader);
    for (const pid of found) kill(pid);
  }

  /**
   * Ends what the program, which has ended by now, has left behind.
   *
   * @returns processes that may be its and were left alone, since nothing proves it: `4711 (sleep)`
   */
  endRest(): string[] {
    if (this.#reach === "leave") return [];
    kill(-this.#leader);
    if (this.#reach === "group") return [];
    // What is ended may have started another one meanwhile.
    for (let round = 0; round < 100; round++) {
      const found = this.#find();
      if (found.length === 0) break;
      for (const pid of found) kill(pid);
    }
    return this.#orphans();
  }

  #find(): number[] {
    const all = processes();
    const isOurs = new Set<number>();
    const take = (one: Process) => {
      if (one.pid === process.pid || isOurs.has(one.pid)) return;
      isOurs.add(one.pid);
      this.#seen.set(one.pid, one.started);
    };
    for (const one of all) {
      const isKnown = one.pid === this.#leader || one.group === this.#leader || one.session === this.#leader || this.#seen.get(one.pid) === one.started;
      if (isKnown || (Number(one.started) >= this.#startedAt && this.#holdsOutput(one.pid))) take(one);
    }
    // Parents may come after their children in the list.
    for (let before = -1; before < isOurs.size; ) {
      before = isOurs.size;
      for (const one of all) if (isOurs.has(one.parent)) take(one);
    }
    return all.filter((one) => isOurs.has(one.pid) && isAlive(one)).map(({ pid }) => pid);
  }

  #holdsOutput(pid: number): boolean {
    return [0, 1, 2].some((descriptor) => outputOf(pid, descriptor).some((name) => this.#outputs.has(name)));
  }

  /** What was started since by somebody who is gone: it came to one of those that Loaf itself descends from, and shares no terminal with it. */
  #orphans(): string[] {
    const all = processes();
    const user = process.getuid?.();
    const own = all.find(({ pid }) => pid === process.pid);
    const ancestors = ancestorsOf(own, all);
    return all
      .filter((one) => Number(one.started) >= this.#startedAt && ancestors.has(one.parent) && one.session !== own?.session && isAlive(one) && one.user() === user)
      .map(({ pid, name }) => `${pid} (${name})`);
  }
}

function ancestorsOf(one: Process | undefined, all: readonly Process[]): Set<number> {
  const ancestors = new Set<number>();
  for (let at = one; at !== undefined && !ancestors.has(at.parent); at = all.find(({ pid }) => pid === at?.parent)) ancestors.add(at.parent);
  return ancestors;
}

const isAlive = ({ state }: Process): boolean => !/[ZXx]/.test(state);

interface Process {
  readonly pid: number;
  readonly name: string;
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly started: string;
  user(): number | undefined;
}

/** Every process there is; none where there is no /proc. */
function processes(): Process[] {
  try {
    return readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? (statOf(Number(name)) ?? []) : []));
  } catch {
    return [];
  }
}

function statOf(pid: number): Process | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name in brackets may hold anything, brackets too.
    const close = text.lastIndexOf(")");
    const [state = "", parent, group, session, ...rest] = text.slice(close + 2).split(" ");
    return { pid, name: text.slice(text.indexOf("(") + 1, close), state, parent: Number(parent), group: Number(group), session: Number(session), started: rest[15] ?? "", user: () => userOf(pid) };
  } catch {
    return undefined;
  }
}

function userOf(pid: number): number | undefined {
  try {
    return Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1]);
  } catch {
    return undefined;
  }
}

function outputOf(pid: number, descriptor: number): string[] {
  try {
    const name = readlinkSync(`/proc/${pid}/fd/${descriptor}`);
    return /^(?:pipe|socket):/.test(name) ? [name] : [];
  } catch {
    return [];
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It is gone, or was never there.
  }
}

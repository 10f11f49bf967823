/** All processes that a program has started: ends them and finds those that escaped. */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { tryOr } from "../core/errors.ts";

/**
 * What to end with the program. `leave`: background processes continue. `group`: its process group ends. `hunt`:
 * processes that left the group end too, as far as they can be found.
 */
export type Reach = "leave" | "group" | "hunt";

/**
 * A program's descendants. One that starts its own session leaves the process group, and an orphan has no known parent.
 * Such processes are recognised because they were seen before, or hold the output open.
 */
export class ProcessTree {
  readonly #leader: number;
  readonly #reach: Reach;
  /** Output pipes of the leader, which no other process has open. */
  readonly #outputs: ReadonlySet<string>;
  /** In ticks since boot. */
  readonly #startedAt: number;
  readonly #seen = new Map<number, string>();

  /** @param leader id of the started process, which leads its own group */
  constructor(leader: number, reach: Reach) {
    this.#leader = leader;
    this.#reach = reach;
    this.#outputs =
      reach === "hunt" ? new Set([1, 2].flatMap((descriptor) => outputOf(leader, descriptor))) : new Set();
    this.#startedAt = reach === "hunt" ? Number(statOf(leader)?.started ?? Infinity) : Infinity;
  }

  /** Kills all of them at once. */
  end(): void {
    if (process.platform === "win32") {
      spawn("taskkill", ["/PID", String(this.#leader), "/T", "/F"], { stdio: "ignore", windowsHide: true }).on(
        "error", () => {}
      );
    }
    // Find descendants first: once their parents are gone, they cannot be found.
    const found = this.#reach === "hunt" ? this.#find() : [];
    kill(-this.#leader);
    for (const pid of found) kill(pid);
  }

  /**
   * Kills what an ended program has left behind.
   *
   * @returns processes that may be its own but were spared, because nothing proves it: `4711 (sleep)`
   */
  endRest(): string[] {
    if (this.#reach === "leave") return [];
    kill(-this.#leader);
    if (this.#reach === "group") return [];
    // A killed process may have started another one meanwhile.
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
      const isKnown =
        one.pid === this.#leader ||
        one.group === this.#leader ||
        one.session === this.#leader ||
        this.#seen.get(one.pid) === one.started;
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

  /** Returns orphans started since: adopted by an ancestor of Loaf, in another session. */
  #orphans(): string[] {
    const all = processes();
    const user = process.getuid?.();
    const own = all.find(({ pid }) => pid === process.pid);
    const ancestors = ancestorsOf(own, all);
    return all
      .filter(
        (one) =>
          Number(one.started) >= this.#startedAt &&
          ancestors.has(one.parent) &&
          one.session !== own?.session &&
          isAlive(one) &&
          one.user() === user,
      )
      .map(({ pid, name }) => `${pid} (${name})`);
  }
}

function ancestorsOf(one: Process | undefined, all: readonly Process[]): Set<number> {
  const ancestors = new Set<number>();
  for (let at = one; at !== undefined && !ancestors.has(at.parent); at = all.find(({ pid }) => pid === at?.parent))
    ancestors.add(at.parent);
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

/** Returns all processes, or none without /proc. */
function processes(): Process[] {
  return tryOr(
    () => readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? (statOf(Number(name)) ?? []) : [])), []
  );
}

function statOf(pid: number): Process | undefined {
  const text = tryOr(() => readFileSync(`/proc/${pid}/stat`, "latin1"), undefined);
  if (text === undefined) return undefined;
  // The name in brackets may contain anything, even brackets.
  const close = text.lastIndexOf(")");
  const name = text.slice(text.indexOf("(") + 1, close);
  const [state = "", parent, group, session, ...rest] = text.slice(close + 2).split(" ");
  const user = () => userOf(pid);
  return {
    pid,
    name,
    state,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    started: rest[15] ?? "",
    user,
  };
}

function userOf(pid: number): number | undefined {
  return tryOr(() => Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1]), undefined);
}

function outputOf(pid: number, descriptor: number): string[] {
  return tryOr(() => [readlinkSync(`/proc/${pid}/fd/${descriptor}`)], []).filter((name) =>
    /^(?:pipe|socket):/.test(name),
  );
}

/** Does nothing if the process is gone. */
function kill(pid: number): void {
  tryOr(() => process.kill(pid, "SIGKILL"), false);
}

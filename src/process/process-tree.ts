/** All processes that a program has started: ends them and finds those that escaped. */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { tryOr } from "../core/errors.ts";
import { STARTED, statFields } from "../state/process-identity.ts";

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
        "error",
        () => {},
      );
    }
    // Find descendants first: once their parents are gone, they cannot be found.
    const descendants = this.#reach === "hunt" ? this.#find() : [];
    kill(-this.#leader);
    for (const pid of descendants) kill(pid);
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
      const survivors = this.#find();
      if (survivors.length === 0) break;
      for (const pid of survivors) kill(pid);
    }
    return this.#orphans();
  }

  #find(): number[] {
    const all = processes();
    const isOurs = new Set<number>();
    const take = (entry: Process) => {
      if (entry.pid === process.pid || isOurs.has(entry.pid)) return;
      isOurs.add(entry.pid);
      this.#seen.set(entry.pid, entry.started);
    };
    for (const entry of all) {
      const isKnown =
        entry.pid === this.#leader ||
        entry.group === this.#leader ||
        entry.session === this.#leader ||
        this.#seen.get(entry.pid) === entry.started;
      if (isKnown || (Number(entry.started) >= this.#startedAt && this.#holdsOutput(entry.pid))) take(entry);
    }
    // Parents may come after their children in the list.
    for (let before = -1; before < isOurs.size;) {
      before = isOurs.size;
      for (const entry of all) if (isOurs.has(entry.parent)) take(entry);
    }
    return all.filter((entry) => isOurs.has(entry.pid) && isAlive(entry)).map(({ pid }) => pid);
  }

  #holdsOutput(pid: number): boolean {
    return [0, 1, 2].some((descriptor) => outputOf(pid, descriptor).some((name) => this.#outputs.has(name)));
  }

  /** Returns orphans started since: adopted by an ancestor of Loaf, in another session. */
  #orphans(): string[] {
    const all = processes();
    const user = process.getuid?.();
    const self = all.find(({ pid }) => pid === process.pid);
    const ancestors = ancestorsOf(self, all);
    return all
      .filter(
        (entry) =>
          Number(entry.started) >= this.#startedAt &&
          ancestors.has(entry.parent) &&
          entry.session !== self?.session &&
          isAlive(entry) &&
          userOf(entry.pid) === user,
      )
      .map(({ pid }) => `${pid} (${tryOr(() => readFileSync(`/proc/${pid}/comm`, "utf8").trim(), "")})`);
  }
}

function ancestorsOf(self: Process | undefined, all: readonly Process[]): Set<number> {
  const ancestors = new Set<number>();
  for (let at = self; at !== undefined && !ancestors.has(at.parent); at = all.find(({ pid }) => pid === at?.parent))
    ancestors.add(at.parent);
  return ancestors;
}

const isAlive = ({ state }: Process): boolean => !/[ZXx]/.test(state);

interface Process {
  readonly pid: number;
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly started: string;
}

/** Returns all processes, or none without /proc. */
function processes(): Process[] {
  return tryOr(
    () => readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? (statOf(Number(name)) ?? []) : [])),
    [],
  );
}

function statOf(pid: number): Process | undefined {
  const fields = statFields(pid);
  if (fields === undefined) return undefined;
  const [state = "", ...others] = fields;
  const [parent = 0, group = 0, session = 0] = others.slice(0, 3).map(Number);
  return { pid, state, parent, group, session, started: fields[STARTED] ?? "" };
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

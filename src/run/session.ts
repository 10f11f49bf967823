import { homedir } from "node:os";
import { join } from "node:path";
import type { ActionContext } from "../actions/define.ts";
import { neededPaths } from "../actions/validate.ts";
import type { GuardRules } from "../config/guard-rules.ts";
import type { Settings } from "../config/schema.ts";
import { ContextSet } from "../context/context-set.ts";
import type { ChangedPath } from "../core/changed-path.ts";
import { explain } from "../core/explain.ts";
import { Failed, type Failure, failureOf } from "../core/failure.ts";
import { findRipgrep } from "../host/find-ripgrep.ts";
import { otherHomes } from "../host/places.ts";
import { createSearch } from "../search/search.ts";
import { AddressedFiles } from "../workspace/addressed-files.ts";
import { Disk } from "../workspace/volume/disk.ts";
import { createGuard, type Guard } from "../workspace/guard/guard.ts";
import type { createPolicy } from "../workspace/guard/policy.ts";
import type { Journal } from "../workspace/journal/journal.ts";
import { LineMoves } from "../workspace/line-moves.ts";
import { checkOf, narrow } from "../workspace/guard/narrow.ts";
import { Overlay } from "../workspace/volume/overlay.ts";
import { ProjectFiles } from "../workspace/project-files.ts";
import { createTree, type Tree } from "../workspace/tree.ts";
import { isSystemError } from "../workspace/volume/system-error.ts";
import type { Volume } from "../workspace/volume/volume.ts";
import { createContextView } from "./context-view.ts";
import { bytesBeforeCommand } from "./commands/before-command.ts";
import { CommandObserver, noticesOf, type ObservedCommand } from "./commands/command-observer.ts";
import { Consent } from "./consent.ts";
import { failuresOf, notWhole } from "./flush-failures.ts";
import { footprintOf, type RunFootprint } from "./history/footprint.ts";
import { inTime, type TimeLimit, turnWhenDue } from "./in-time.ts";
import { ownPlaces } from "./own-places.ts";
import type { ContextFor } from "./perform.ts";
import { createPrograms } from "./commands/programs.ts";
import { createReadBudget } from "./read-budget.ts";

export interface SessionOptions {
  /** Absolute, with links resolved. */
  readonly root: string;
  readonly settings: Settings;
  /** Access is granted only where every one of these grants it. */
  readonly rules: readonly GuardRules[];
  /** What git would run or read as configuration: not written unless a rule opens it by name. Absolute. */
  readonly executed?: readonly string[];
  /** Remembers what the rules mean from one run to the next. */
  readonly makePolicy?: typeof createPolicy;
  /** Nothing is kept, neither changes nor the context set. */
  readonly isDry: boolean;
  /** Who is asked about commands; nobody unless given. */
  readonly consent?: Consent;
  /** Ends a command that is running. */
  readonly signal?: AbortSignal | undefined;
  /** Whether no further action is to begin. */
  readonly isStopped?: (() => boolean) | undefined;
  readonly whileBusy?: TimeLimit["whileBusy"] | undefined;
}

/** Milliseconds for an action of several steps to tell which of them it had no time for. */
const GRACE = 250;

/** UTF-16 units and bytes. */
const SMALL = 16_384;

/** Bytes to be written that wait in memory at most. */
const MOST_WAITING = 64 * 2 ** 20;

/**
 * The project as the actions of one run see it. What they change waits on an overlay until a program could look; then it is brought
 * to the disk as one group, through the journal. Without a journal it stays on the overlay: that is a dry run.
 */
export class Session {
  readonly overlay: Overlay;
  readonly guard: Guard;
  readonly workspace: AddressedFiles;
  readonly tree: Tree;
  /** What somebody has agreed to in this run. */
  readonly consent: Consent;
  readonly #options: SessionOptions;
  readonly #journal: Journal | undefined;
  readonly #budgeted = createReadBudget();
  readonly #lineMoves: LineMoves;
  readonly #own: ReturnType<typeof ownPlaces>;
  #context: ContextSet | undefined;
  #warn: (warning: string) => void = () => {};
  #observer: CommandObserver | undefined;
  /** Of actions that have been told to have succeeded. */
  #late = new Map<number, Failure>();
  /** Who has changed what all or nothing has brought to the disk already. */
  readonly #early = new Set<number>();
  /** What else the user should know: sentences. */
  readonly notices: string[] = [];

  /** @param volume where the project is */
  constructor(options: SessionOptions, journal?: Journal, volume: Volume = new Disk(), lineMoves = new LineMoves()) {
    const { root, settings, rules, executed = [], makePolicy } = options;
    this.#options = options;
    this.consent = options.consent ?? new Consent(undefined);
    this.#journal = journal;
    this.#lineMoves = lineMoves;
    this.overlay = new Overlay(volume);
    this.#own = ownPlaces(root, settings);
    this.guard = createGuard({ volume: this.overlay, root, home: homedir(), otherHomes: otherHomes(), rules, executed, platform: process.platform, makePolicy, ...this.#own });
    const { limits, edits } = settings;
    const { hard_links: hardLinks } = settings["fs-guard"];
    const files = new ProjectFiles({
      volume: this.overlay,
      guard: this.guard,
      maxFileSize: limits.max_file_size,
      finalNewline: edits.final_newline,
      hardLinks,
      warn: (warning) => this.#warn(warning),
      lineMoves,
    });
    this.workspace = new AddressedFiles(files, this.guard);
    this.tree = createTree({ volume: this.overlay, guard: this.guard, hardLinks, touched: () => this.overlay.touched() });
  }

  /** What is kept in view for the project. */
  get context(): ContextSet {
    const { root, isDry } = this.#options;
    this.#context ??= new ContextSet(root, createContextView({ root, tree: this.tree, workspace: this.workspace }), isDry ? "never" : this.#journal !== undefined && this.isAtomic ? "held back" : "at once");
    return this.#context;
  }

  readonly contextFor: ContextFor = async ({ definition, params }, seq, warn) => {
    const { root, settings } = this.#options;
    const allowed = settings["allowed-actions"];
    if (allowed !== undefined && !allowed.includes(definition.name)) throw new Failed({ code: "action/not-allowed", action: definition.name, allowed });
    this.overlay.author = seq;
    this.#warn = warn;
    const [{ workspace, tree, context }, grants] = [this, neededPaths(definition, params)];
    for (const { path, access, takesAddress } of grants) if (!takesAddress) workspace.refuseAddress(path, access);
    const paths = grants.map(({ path }) => path);
    await workspace.prepare(paths, this.#options.isStopped);
    if (definition.isOfContext !== true) context.noteNamed(paths);
    context.author = seq;
    const check = checkOf(grants);
    const programs = () => this.#programs(seq);
    return {
      workspace: this.#budgeted(narrow(workspace, grants)),
      search: createSearch({ tree, root, ripgrep: findRipgrep, checkGranted: (path) => check(path, "read") }),
      context,
      match: settings.edits.match,
      checkLines: this.#checkLines,
      get programs() {
        return programs();
      },
      outline: (path, levels) => (check(path, "read"), workspace.outline(path, levels)),
      limited: async (act) => (definition.runs !== undefined || this.#isSmall(params, paths) ? act() : inTime(act, this.#timeLimit(settings.limits.action_time + GRACE))),
      step: this.#stepsWithin(settings.limits.action_time),
    };
  };

  /** Whether an action has so little to do that quadratic work would be short too: then it needs no limit, which takes a thread to keep. */
  #isSmall(params: Readonly<Record<string, unknown>>, paths: readonly string[]): boolean {
    let size = 0;
    for (const value of Object.values(params)) if (typeof value === "string") size += value.length;
    if (paths.length === 0 || paths.some((path) => path.includes("@@"))) return false;
    try {
      for (const path of size > SMALL ? [] : paths) {
        const entry = this.overlay.entry(path);
        if (entry !== undefined && entry.kind !== "file") return false;
        size += entry?.size ?? 0;
        if (size > SMALL) return false;
      }
      return size <= SMALL;
    } catch (thrown) {
      if (isSystemError(thrown)) return false;
      throw thrown;
    }
  }

  #timeLimit(time: number): TimeLimit {
    const { settings, isStopped = () => false, whileBusy = (act) => act() } = this.#options;
    const { author } = this.overlay;
    const mark = this.overlay.mark();
    return {
      time,
      limit: settings.limits.action_time,
      isStopped,
      whileBusy,
      takeBack: () => {
        this.overlay.rewind(mark);
        this.overlay.author = author;
      },
    };
  }

  /** Steps of one action that all together keep within its time. */
  #stepsWithin(time: number): ActionContext["step"] {
    const deadline = performance.now() + time;
    return async (act) => {
      await turnWhenDue();
      if (this.#options.isStopped?.() === true) throw new Failed({ code: "skip/stopped" });
      const left = Math.ceil(deadline - performance.now());
      if (left <= 0) throw new Failed({ code: "limit/time", limit: time });
      return inTime(act, this.#timeLimit(left));
    };
  }

  /** The project as it is now in this session, to try actions out in: nothing of what they change comes back here, or reaches the disk. */
  rehearsal(): Session {
    return new Session({ ...this.#options, isDry: true }, undefined, this.overlay, this.#lineMoves.copy());
  }

  get isAtomic(): boolean {
    return this.#options.settings.transaction === "all-or-nothing";
  }

  isFull(): boolean {
    return !this.isAtomic && this.overlay.size > MOST_WAITING;
  }

  /** Nothing happens while the run is all or nothing. */
  async flush(): Promise<ReadonlyMap<number, Failure>> {
    return this.#withLate(this.isAtomic ? new Map() : await this.#commit());
  }

  /**
   * Runs a command or a hook: all that was done before is on the disk for it to see, and what it changes belongs to the run. Throws `Failed`, and has not
   * started it, where nobody could tell what it changes. Not for a dry run.
   *
   * @param seq position of the action, which is told the warnings; 0 for a hook
   */
  async observe<Value>(seq: number, act: () => Promise<Value>): Promise<ObservedCommand<Value>> {
    const journal = this.#journal;
    if (journal === undefined) throw new Error("A dry run starts no command");
    const failures = await this.#commit(this.isAtomic);
    for (const [author, failure] of failures) this.#late.set(author, failure);
    if (this.isAtomic && failures.size > 0) throw new Failed({ code: "run/not-whole" });
    this.#observer ??= new CommandObserver({ ...this.#options, consent: this.consent }, journal);
    try {
      const observed = await this.#observer.observe(seq, act, this.isAtomic);
      if (this.isAtomic && observed.changed.length > 0) this.#early.add(seq);
      this.#noteLines(seq, observed.changed);
      if (seq > 0 && observed.failure !== undefined) this.#late.set(seq, observed.failure);
      if (seq > 0) for (const warning of observed.warnings) this.#warn(warning);
      return observed;
    } finally {
      this.overlay.forgetReads();
    }
  }

  /** The same for hooks. What the user should know of what they changed is among the notices. */
  async observeHooks<Value>(act: () => Promise<Value>): Promise<Value> {
    const observed = await this.observe(0, act);
    this.notices.push(...noticesOf(observed));
    return observed.value;
  }

  /** @param isWhole whether everything has succeeded so far */
  async finish(isWhole: boolean): Promise<ReadonlyMap<number, Failure>> {
    await this.#observer?.tidy();
    const isBroken = this.isAtomic && (!isWhole || this.#late.size > 0);
    const failures = isBroken ? await this.#giveUp() : await this.#commit();
    if (!this.isAtomic || (!isBroken && failures.size === 0)) return this.#withLate(this.isAtomic ? this.#settleContext() : failures);
    return this.#withLate(new Map([...notWhole(this.#context?.takeBack() ?? []), ...failures]));
  }

  /** What the run has changed so far and brought to the disk. */
  footprint(): RunFootprint {
    return footprintOf(this.#journal?.read(), this.#options.root);
  }

  /** All or nothing comes to nothing. */
  async #giveUp(): Promise<Map<number, Failure>> {
    const { stays = [], trouble } = (await this.#journal?.takeBack()) ?? {};
    this.notices.push(...stays.map(({ path, reason }) => `${path} stays as it is: ${reason}`));
    if (trouble !== undefined) this.notices.push(`What the run has changed could not be taken back (${explain(trouble)}): once that is mended, the next command that changes something does it, or loaf recover`);
    return notWhole([...this.overlay.take().flatMap(({ authors }) => authors), ...this.#early]);
  }

  #withLate(failures: ReadonlyMap<number, Failure>): ReadonlyMap<number, Failure> {
    const all = new Map([...failures, ...this.#late]);
    this.#late = new Map();
    return all;
  }

  /** By now the files are as the run wants them: what cannot be kept beside them fails alone. */
  #settleContext(): ReadonlyMap<number, Failure> {
    try {
      this.#context?.settle();
      return new Map();
    } catch (thrown) {
      const failure = failureOf(thrown);
      return new Map(this.#context?.takeBack().map((author) => [author, failure]));
    }
  }

  #programs(seq: number) {
    const { isDry, signal } = this.#options;
    const { consent } = this;
    const site = { ...this.#options, home: homedir(), policy: this.guard.refusal, volume: this.overlay, ...this.#own };
    return createPrograms({ site, guard: this.guard, consent, isDry, signal, observe: (act) => this.observe(seq, act) });
  }

  readonly #checkLines: ActionContext["checkLines"] = (path, range) => {
    const { file } = this.workspace.split(path);
    const place = this.guard.admit({ path: file, access: ["read"], of: "target", names: "file", syscall: "open" });
    this.#lineMoves.check(place.path, range, () => this.overlay.readFile(place.path).bytes);
  };

  /** A command changes lines, too. */
  #noteLines(seq: number, changes: readonly ChangedPath[]): void {
    const pathsOf = (kind: ChangedPath["change"]): string[] => changes.filter(({ change }) => change === kind).map(({ path }) => join(this.#options.root, path));
    this.#lineMoves.movedByCommand(pathsOf("created"), pathsOf("deleted"));
    for (const path of pathsOf("changed")) this.#lineMoves.changedByCommand(path, () => bytesBeforeCommand(this.#journal?.read(), path, seq));
  }

  /** @param goesOn more will come that is all or nothing together with it */
  async #commit(goesOn = false): Promise<Map<number, Failure>> {
    if (this.#journal === undefined) return new Map();
    const staged = this.overlay.take();
    if (staged.length === 0) return new Map();
    this.#observer?.noteWritten(staged);
    try {
      const { outcomes, versions } = await this.#journal.commit(staged, { atomic: this.isAtomic, goesOn });
      for (const [path, version] of versions) this.overlay.remember(path, version);
      const failures = failuresOf(staged.map(({ authors }, index) => ({ authors, failure: outcomes[index]?.failure })));
      if (goesOn) for (const { authors } of staged) for (const author of authors) this.#early.add(author);
      return this.isAtomic && failures.size > 0 ? new Map([...notWhole(this.#early), ...failures]) : failures;
    } catch (thrown) {
      return failuresOf(staged.map(({ authors }) => ({ authors, failure: failureOf(thrown) })));
    }
  }
}

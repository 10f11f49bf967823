import { homedir } from "node:os";
import { join } from "node:path";
import type { ActionContext } from "../actions/define.ts";
import { neededPaths } from "../actions/validate.ts";
import { observeHook } from "../commands/hooks/observe-hook.ts";
import { createPrograms, type LandedCommand, type SandboxDecision } from "../commands/programs.ts";
import type { CommandSite, ViewedProject } from "../commands/sandbox/confinement.ts";
import { type Agree, onView } from "../commands/view/command-views.ts";
import { withLandingNotice } from "../commands/view/land.ts";
import { ContextSet } from "../context/context-set.ts";
import type { ChangedPath } from "../core/change.ts";
import { explain } from "../core/explain.ts";
import { Failed, type Failure, failureOf } from "../core/failure.ts";
import { UndoLog } from "../core/undo-log.ts";
import { Disk } from "../disk/disk.ts";
import { pathsOf } from "../disk/operation.ts";
import { Overlay } from "../disk/overlay.ts";
import type { Volume } from "../disk/volume.ts";
import { AddressedFiles } from "../files/addressed-files.ts";
import { LineMoves } from "../files/line-moves.ts";
import { checkOf, narrow } from "../files/narrow.ts";
import { createTree, type Tree } from "../files/tree.ts";
import { createGuard, type Guard } from "../guard/guard.ts";
import { bytesBeforeCommand, footprintOf, type Journal, type RunFootprint } from "../journal/journal.ts";
import { findRipgrep } from "../search/ripgrep.ts";
import { createSearch } from "../search/search.ts";
import { ownPlaces } from "../state/own-places.ts";
import { otherHomes } from "../state/places.ts";
import { ActionTime, createReadBudget, MemoryBudget } from "./action-limits.ts";
import type { Action } from "./answer/resolve.ts";
import { Consent } from "./consent.ts";
import { createContextView } from "./context-view.ts";
import { failuresOf, notWhole } from "./flush-failures.ts";
import type { SessionOptions } from "./options.ts";
import type { ContextFor } from "./perform.ts";
import { SyntaxCheck } from "./syntax-check.ts";

/** Maximum bytes of pending writes in memory. */
const MAX_PENDING_BYTES = 64 * 2 ** 20;
/** Maximum number of pending operations. A signal must end a run within a second, and pending operations are flushed first. */
const MAX_PENDING_OPERATIONS = 250;

/**
 * The project as the actions of one run see it. Their changes stay on an overlay until a program could look at the files. They are then
 * flushed as one group, through the journal. Without a journal they stay on the overlay, as in a dry run.
 */
export class Session {
  readonly overlay: Overlay;
  readonly guard: Guard;
  readonly workspace: AddressedFiles;
  readonly tree: Tree;
  readonly syntax = new SyntaxCheck();
  /** What somebody has agreed to in this run. */
  readonly consent: Consent;
  readonly #options: SessionOptions;
  readonly #journal: Journal | undefined;
  /** Changes in memory of the current action. */
  readonly #undo = new UndoLog();
  readonly #budgeted = createReadBudget(this.#undo);
  readonly #memory: MemoryBudget;
  readonly time: ActionTime;
  readonly #lineMoves: LineMoves;
  readonly #own: ReturnType<typeof ownPlaces>;
  #context: ContextSet | undefined;
  #warn: (warning: string) => void = () => {};
  readonly #known: SandboxDecision = {};
  /** Closes views whose bytes are still needed. */
  readonly #openViews: Array<() => Promise<void>> = [];
  /** Failures of actions already reported as successful. */
  #lateFailures = new Map<number, Failure>();
  /** Actions whose atomic changes were flushed early. */
  readonly #flushedEarly = new Set<number>();
  /** Notices for the user: sentences. */
  readonly notices: string[] = [];

  /** @param volume where the project is */
  constructor(options: SessionOptions, journal?: Journal, volume: Volume = new Disk(), lineMoves = new LineMoves()) {
    const { root, settings, rules, executed = [], makePolicy } = options;
    this.#options = options;
    this.consent = options.consent ?? new Consent(undefined);
    this.#journal = journal;
    this.#lineMoves = lineMoves.copy(this.#undo);
    this.overlay = new Overlay(volume, this.#undo, this.syntax);
    this.#own = ownPlaces(root, settings);
    this.guard = createGuard({ volume: this.overlay, root, home: homedir(), otherHomes: otherHomes(), rules, executed, platform: process.platform, makePolicy, ...this.#own });
    const { limits, edits, "fs-guard": { hard_links: hardLinks } } = settings;
    this.#memory = new MemoryBudget({ limit: limits.action_memory, undo: this.#undo, waiting: () => (this.#journal === undefined || this.isAtomic ? this.overlay.size : undefined) });
    this.workspace = new AddressedFiles({
      volume: this.overlay,
      guard: this.guard,
      maxFileSize: limits.max_file_size,
      finalNewline: edits.final_newline,
      hardLinks,
      hold: this.#memory.hold,
      warn: (warning) => this.#warn(warning),
      lineMoves: this.#lineMoves,
    });
    this.time = new ActionTime({ root, limit: limits.action_time, memory: limits.action_memory, volume: this.overlay, workspace: this.workspace, undo: this.#undo, isStopped: options.isStopped ?? (() => false) });
    this.tree = createTree({ volume: this.overlay, guard: this.guard, hardLinks, touched: () => this.overlay.touched() });
  }

  /** The project's context set. */
  get context(): ContextSet {
    const { root, isDry } = this.#options;
    this.#context ??= new ContextSet(root, createContextView({ ...this, root, inTime: this.time.current }), isDry ? "never" : "at once", this.#undo);
    return this.#context;
  }

  readonly contextFor: ContextFor = async (action, seq, warn) => {
    const { definition, params } = action;
    const { root, settings, runsCommands } = this.#options;
    const allowed = settings["allowed-actions"];
    if (allowed !== undefined && !allowed.includes(definition.name)) throw new Failed({ code: "action/not-allowed", action: definition.name, allowed });
    if (definition.runs !== undefined && runsCommands === false) throw new Failed({ code: "skip/no-exec" });
    this.overlay.author = seq;
    this.#memory.begin();
    this.#warn = warn;
    const [{ workspace, tree, context }, grants] = [this, neededPaths(definition, params)];
    for (const { path, access, takesAddress } of grants) if (!takesAddress) workspace.refuseAddress(path, access);
    const paths = grants.map(({ path }) => path);
    await workspace.prepare(paths);
    context.hold();
    if (definition.isOfContext !== true) context.noteNamed(paths);
    context.author = seq;
    const granted = narrow(workspace, grants);
    const check = checkOf(grants);
    const programs = () => this.#programs(seq, action);
    const inTime = this.time.of({ definition, params }, paths);
    return {
      workspace: this.#budgeted(action.hunks?.within(granted, this.#undo) ?? granted),
      search: createSearch({ tree, root, inTime, timeout: settings.limits.action_time, ripgrep: findRipgrep, checkGranted: (path) => check(path, "read") }),
      context,
      match: settings.edits.match,
      checkLines: this.#checkLines,
      get programs() {
        return programs();
      },
      outline: async (path, levels) => {
        check(path, "read");
        await workspace.prepareOutline(path);
        return inTime(() => workspace.outline(path, levels));
      },
      inTime: this.time.during(inTime),
    };
  };

  /** Returns a session with the current state, to rehearse actions: their changes affect neither this session nor the disk. */
  rehearsal(): Session {
    return new Session({ ...this.#options, isDry: true, isRehearsal: true }, undefined, this.overlay, this.#lineMoves);
  }

  get isAtomic(): boolean {
    return this.#options.settings.transaction === "all-or-nothing";
  }

  isFull(): boolean {
    return !this.isAtomic && (this.overlay.size > MAX_PENDING_BYTES || this.overlay.count > MAX_PENDING_OPERATIONS);
  }

  /** Does nothing in an atomic run. */
  async flush(): Promise<ReadonlyMap<number, Failure>> {
    return this.#withLate(new Map(this.isAtomic ? [] : [...(await this.#commit()), ...this.#settleContext()]));
  }

  /**
   * Runs a command on a view of the session's current state and lands its changes. They go to the disk, or to the overlay if the run is dry
   * or atomic. Throws `Failed` without starting the command if no view can be made.
   */
  async onView<Value>(seq: number, act: (project: ViewedProject) => Promise<Value>, agree?: Agree<Value>): Promise<LandedCommand<Value>> {
    const staysPending = this.#journal === undefined || this.isAtomic;
    if (!staysPending) this.#noteLate(await this.#commit());
    this.overlay.author = seq;
    const before = new Map<string, Buffer>();
    const noteBefore = staysPending ? (path: string, bytes: Buffer) => void before.set(path, bytes) : undefined;
    const { value, changed, refused, isHeld, close } = await onView(this.site, { overlay: this.overlay, mostHeld: staysPending ? MAX_PENDING_BYTES : 0, isDry: this.#options.isDry, noteBefore }, act, this.#observed(agree));
    if (staysPending) {
      this.#noteLines(changed, (path) => before.get(path));
      if (isHeld) await close();
      else this.#openViews.push(close);
      return { value, changed, refused };
    }
    try {
      const failure = (await withLandingNotice(() => this.#commit({ isWhole: true }), changed.length, (notice) => this.notices.push(notice))).get(seq);
      if (failure !== undefined) return { value, changed: [], refused, failure };
      this.#noteLines(changed, (path) => bytesBeforeCommand(this.#journal?.read(), path, seq));
      return { value, changed, refused };
    } finally {
      await close();
    }
  }

  /** Passes a command's changes on before somebody agrees to them. */
  #observed<Value>(agree: Agree<Value> | undefined): Agree<Value> | undefined {
    const { onCommandChanges } = this.#options;
    if (onCommandChanges === undefined) return agree;
    return async (came) => {
      onCommandChanges(came.changes);
      return agree === undefined || agree(came);
    };
  }

  /** Runs a command on the project's files, after flushing pending changes. */
  async #onFiles<Value>(act: (noteStart: () => void) => Promise<Value>): Promise<Value> {
    await this.#flushAll();
    try {
      return await act(() => this.#journal?.recordUnconfined());
    } finally {
      this.overlay.forgetReads();
    }
  }

  async #flushAll(): Promise<void> {
    const failures = await this.#commit({ continues: this.isAtomic });
    this.#noteLate(failures);
    if (!this.isAtomic) return this.#noteLate(this.#settleContext());
    if (failures.size > 0) throw new Failed({ code: "run/not-whole" });
  }

  #noteLate(failures: ReadonlyMap<number, Failure>): void {
    for (const [author, failure] of failures) this.#lateFailures.set(author, failure);
  }

  /** Runs hooks on the project's files after flushing pending changes. The hooks' changes belong to the run. Not for a dry run. */
  async observeHooks<Value>(act: () => Promise<Value>): Promise<Value> {
    const journal = this.#journal;
    if (journal === undefined) throw new Error("A dry run starts no hook");
    await this.#flushAll();
    try {
      return await observeHook({ ...this.#options, journal, notify: (notice) => this.notices.push(notice) }, act);
    } finally {
      this.overlay.forgetReads();
    }
  }

  /** @param isWhole whether everything has succeeded so far */
  async finish(isWhole: boolean): Promise<ReadonlyMap<number, Failure>> {
    try {
      return await this.#settle(isWhole);
    } finally {
      // The changes of a dry run can still be queried.
      if (this.#journal !== undefined) await this.closeViews();
    }
  }

  /** Closes the views of commands. Frees the bytes of large files that they changed. */
  async closeViews(): Promise<void> {
    for (const close of this.#openViews.splice(0)) await close();
  }

  async #settle(isWhole: boolean): Promise<ReadonlyMap<number, Failure>> {
    const isBroken = this.isAtomic && (!isWhole || this.#lateFailures.size > 0);
    const failures = isBroken ? await this.#rollBack() : await this.#commit();
    if (!this.isAtomic || (!isBroken && failures.size === 0)) return this.#withLate(new Map([...this.#settleContext(), ...failures]));
    return this.#withLate(new Map([...notWhole(this.#context?.discard() ?? []), ...failures]));
  }

  /** Returns the run's changes that are flushed so far. */
  footprint(): RunFootprint {
    return footprintOf(this.#journal?.read(), this.#options.root);
  }

  /** Rolls back an atomic run. */
  async #rollBack(): Promise<Map<number, Failure>> {
    const { kept = [], failure } = (await this.#journal?.rollBack()) ?? {};
    this.notices.push(...kept.map(({ path, reason }) => `${path} stays as it is: ${reason}`));
    if (failure !== undefined) this.notices.push(`What the run has changed could not be taken back (${explain(failure)}): once that is mended, the next command that changes something does it, or loaf recover`);
    return notWhole([...this.overlay.take().flatMap(({ authors }) => authors), ...this.#flushedEarly]);
  }

  #withLate(failures: ReadonlyMap<number, Failure>): ReadonlyMap<number, Failure> {
    const all = new Map([...failures, ...this.#lateFailures]);
    this.#lateFailures = new Map();
    return all;
  }

  /** Saves the context set after the files. If that fails, only its own actions fail. */
  #settleContext(): ReadonlyMap<number, Failure> {
    try {
      this.#context?.flush();
      return new Map();
    } catch (thrown) {
      const failure = failureOf(thrown);
      return new Map(this.#context?.discard().map((author) => [author, failure]));
    }
  }

  #programs(seq: number, { block, definition, params }: Action) {
    const { isDry, isRehearsal, asksEach, signal } = this.#options;
    const named = { kind: "action", blockId: block.id, blockStartLine: block.startLine, action: definition.name, params, mayRepeat: false, files: [] } as const;
    const mode = isRehearsal === true ? "rehearsal" : isDry ? "dry" : "run";
    return createPrograms({
      site: this.site,
      guard: this.guard,
      consent: this.consent,
      mode,
      signal,
      known: this.#known,
      confirm: asksEach === true && !isDry ? (came) => this.consent.isGiven({ ...named, changes: came?.changes ?? [], ran: came?.value }) : undefined,
      onView: (act, agree) => this.onView(seq, act, agree),
      onFiles: (act) => this.#onFiles(act),
    });
  }

  get site(): CommandSite {
    return { ...this.#options, home: homedir(), policy: this.guard.refusal, volume: this.overlay, ...this.#own };
  }

  readonly #checkLines: ActionContext["checkLines"] = (path, range) => {
    const { file } = this.workspace.split(path);
    const place = this.guard.admit({ path: file, access: ["read"], of: "target", names: "file", syscall: "open" });
    this.#lineMoves.check(place.path, range, () => this.overlay.readFile(place.path).bytes);
  };

  /** Records lines that a command moved. */
  #noteLines(changes: readonly ChangedPath[], before: (path: string) => Buffer | undefined): void {
    const pathsOf = (kind: ChangedPath["change"]): string[] => changes.filter(({ change }) => change === kind).map(({ path }) => join(this.#options.root, path));
    this.#lineMoves.movedByCommand(pathsOf("created"), pathsOf("deleted"));
    for (const path of pathsOf("changed")) this.#lineMoves.changedByCommand(path, () => before(path));
  }

  /**
   * @param options.continues whether more commits of the same atomic unit follow
   * @param options.isWhole whether this commit alone is atomic
   */
  async #commit({ continues = false, isWhole = false }: { readonly continues?: boolean; readonly isWhole?: boolean } = {}): Promise<Map<number, Failure>> {
    if (this.#journal === undefined) return new Map();
    const staged = this.overlay.take();
    if (staged.length === 0) return new Map();
    try {
      const { outcomes, versions } = await this.#journal.commit(staged, { atomic: this.isAtomic || isWhole, continues });
      for (const path of staged.flatMap(({ operation }) => pathsOf(operation))) this.overlay.remember(path, versions.get(path));
      const failures = failuresOf(staged.map(({ authors }, index) => ({ authors, failure: outcomes[index]?.failure })));
      if (continues) for (const { authors } of staged) for (const author of authors) this.#flushedEarly.add(author);
      return this.isAtomic && failures.size > 0 ? new Map([...notWhole(this.#flushedEarly), ...failures]) : failures;
    } catch (thrown) {
      return failuresOf(staged.map(({ authors }) => ({ authors, failure: failureOf(thrown) })));
    }
  }
}

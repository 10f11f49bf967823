import { homedir } from "node:os";
import { join } from "node:path";
import type { ActionContext } from "../actions/define.ts";
import { neededPaths } from "../actions/validate.ts";
import { observeHook, withConfigWatched } from "../history/observe-hook.ts";
import { createPrograms, type LandedCommand, type SandboxDecision } from "../programs/programs.ts";
import type { CommandSite, ViewedProject } from "../programs/sandbox/confinement.ts";
import { type Agree, onView } from "../programs/view/command-views.ts";
import { withLandingNotice } from "../programs/view/land.ts";
import { ContextSet } from "../context/context-set.ts";
import type { ChangedPath } from "../core/change-set.ts";
import { Failed, type Failure } from "../core/failure.ts";
import { AttemptRollback } from "../core/attempt-rollback.ts";
import { Disk } from "../disk/disk.ts";
import { Overlay } from "../disk/overlay.ts";
import { AddressedFiles } from "../files/addressed-files.ts";
import { LineMoves } from "../files/line-moves.ts";
import { checkOf, narrow } from "../files/workspace.ts";
import { createTree, type Tree } from "../files/reader.ts";
import { createGuard, type Guard } from "../guard/guard.ts";
import { bytesBeforeCommand, footprintOf, LineTally, type RunFootprint, TouchedPaths } from "./logged-changes.ts";
import type { Journal } from "../journal/journal.ts";
import { findRipgrep } from "../search/ripgrep.ts";
import { createSearch } from "../search/search.ts";
import { allowedPaths } from "../trust/trust.ts";
import { guardedMachine, ownPlaces } from "../state/places.ts";
import { ActionTime, createReadBudget, MemoryBudget } from "./limits.ts";
import { type Action, mayMerge } from "../answer/resolve.ts";
import { Consent } from "./consent.ts";
import { createContextView } from "./context-view.ts";
import { Flushing } from "./flushing.ts";
import type { SessionBase, SessionOptions, TimedContext } from "./options.ts";
import { LineBases } from "./line-bases.ts";
import { SyntaxCheck } from "./syntax-check.ts";

/** Maximum bytes of pending writes in memory. */
const MAX_PENDING_BYTES = 64 * 2 ** 20;
/** Maximum number of pending operations: a flush before a signal ends a run takes a second at most. */
const MAX_PENDING_OPERATIONS = 250;

/**
 * The project as the actions of one run see it. Their changes stay on an overlay until a program could look at the
 * files. They are then flushed as one group, through the journal. Without a journal they stay on the overlay, as in a
 * dry run.
 */
export class Session {
  readonly overlay: Overlay;
  readonly guard: Guard;
  readonly workspace: AddressedFiles;
  readonly tree: Tree;
  /** What somebody has agreed to in this run. */
  readonly consent: Consent;
  readonly options: SessionOptions;
  readonly #syntax = new SyntaxCheck();
  readonly #touched = new TouchedPaths();
  onProgress: SessionOptions["onProgress"];
  readonly #journal: Journal | undefined;
  /** Changes in memory of the current action. */
  readonly #undo = new AttemptRollback();
  readonly lines = new LineTally(this.#undo);
  readonly #budgeted = createReadBudget(this.#undo);
  readonly #memory: MemoryBudget;
  readonly #flushing: Flushing;
  readonly time: ActionTime;
  readonly lineMoves: LineMoves;
  readonly #lineBases: LineBases;
  readonly replacedTexts = new Map<string, string>();
  readonly #ownPlaces: ReturnType<typeof ownPlaces>;
  #context: ContextSet | undefined;
  /** Receives warnings about the effects of the action that is running. */
  #warn: (warning: string) => void = () => {};
  readonly #known: SandboxDecision = {};
  /** Closes views whose bytes are still needed. */
  readonly #openViews: Array<() => Promise<void>> = [];
  /** Notices for the user: sentences. */
  readonly notices: string[] = [];
  readonly #notify = (notice: string): void => void this.notices.push(notice);

  constructor(options: SessionOptions, base: SessionBase = {}) {
    const { journal, volume = new Disk(), policy, lineMoves = new LineMoves() } = base;
    const { root, settings, rules, executed = [] } = options;
    const { limits } = settings;
    this.options = options;
    this.consent = options.consent ?? new Consent(undefined);
    this.#journal = journal;
    this.lineMoves = lineMoves.copy(this.#undo);
    this.#lineBases = new LineBases(root);
    this.overlay = new Overlay(volume, this.#undo, [this.#syntax, this.lines, this.#touched]);
    const notify = this.#notify;
    const context = (): ContextSet | undefined => this.#context;
    this.#flushing = new Flushing({ overlay: this.overlay, journal, isAtomic: this.isAtomic, context, notify });
    this.#ownPlaces = ownPlaces(root, settings);
    const places = { root, ...guardedMachine(), ...this.#ownPlaces };
    this.guard = createGuard({ volume: this.overlay, policy, rules, executed, ...places });
    // What was opened once ends with its run.
    if (policy === undefined) for (const path of allowedPaths.of(root)) this.guard.refusal.opened.add(path);
    const waiting = () => (this.#journal === undefined || this.isAtomic ? this.overlay.size : undefined);
    this.#memory = new MemoryBudget({ limit: limits.action_memory, undo: this.#undo, waiting });
    this.workspace = this.#createWorkspace();
    const { isStopped = () => false } = options;
    const times = { limit: limits.action_time, memory: limits.action_memory, undo: this.#undo, isStopped };
    this.time = new ActionTime({ root, volume: this.overlay, workspace: this.workspace, ...times });
    const tree = { volume: this.overlay, guard: this.guard, hardLinks: settings["fs-guard"].hard_links };
    this.tree = createTree({ ...tree, touched: () => this.overlay.touched() });
  }

  #createWorkspace(): AddressedFiles {
    const { limits, edits, "fs-guard": rules } = this.options.settings;
    return new AddressedFiles({
      volume: this.overlay,
      guard: this.guard,
      maxFileSize: limits.max_file_size,
      finalNewline: edits.final_newline,
      hardLinks: rules.hard_links,
      hold: this.#memory.hold,
      warn: (warning) => this.#warn(warning),
      lineMoves: this.lineMoves,
    });
  }

  /** The project's context set. */
  get context(): ContextSet {
    const { root } = this.options;
    const view = () => createContextView({ ...this, root, inTime: this.time.current });
    return (this.#context ??= new ContextSet(root, view(), this.isDry ? "never" : "at once", this.#undo));
  }

  /**
   * Returns what an action may use, and the clock that its handler runs by. Throws `Failed` if it may not run at all.
   * Passes warnings about its effects to `warn`.
   */
  async contextFor(action: Action, seq: number, warn: (warning: string) => void): Promise<TimedContext> {
    const { definition, params } = action;
    const { root, settings, enableCommands } = this.options;
    const allowed = settings["allowed-actions"];
    if (allowed !== undefined && !allowed.includes(definition.name))
      throw new Failed({ code: "action/not-allowed", action: definition.name, allowed });
    if (definition.runs !== undefined && enableCommands === false) throw new Failed({ code: "skip/no-exec" });
    // Actions run one after the other.
    [this.#warn, this.overlay.author] = [warn, seq];
    if (this.onProgress !== undefined) this.lines.begin();
    this.#memory.begin();
    const { workspace, tree, context } = this;
    const grants = neededPaths(definition, params);
    for (const { path, access, takesAddress } of grants) if (!takesAddress) workspace.refuseAddress(path, access);
    const paths = grants.map(({ path }) => path);
    await workspace.prepare(paths, definition.parses?.(params as never));
    context.hold();
    if (definition.ofContext === undefined) context.noteNamed(paths);
    context.author = seq;
    const granted = narrow(workspace, grants);
    const check = checkOf(grants);
    const programs = () => this.#programs(seq, action);
    const inTime = this.time.of({ definition, params }, paths);
    return {
      workspace: this.#budgeted(action.hunks?.within(granted, this.#undo) ?? granted),
      get search() {
        return createSearch({
          tree,
          root,
          inTime,
          timeout: settings.limits.action_time,
          ripgrep: findRipgrep,
          checkGranted: (path) => check(path, "read"),
        });
      },
      context,
      match: settings.edits.match,
      checkLines: this.#checkLines,
      replacedTexts: this.replacedTexts,
      get programs() {
        return programs();
      },
      outline: async (path, levels) => {
        check(path, "read");
        await workspace.prepareOutline(path);
        return inTime(() => workspace.outline(path, levels));
      },
      source: (path) => workspace.source(path),
      mayMerge: mayMerge(action, settings.syntaxes),
      inTime,
    };
  }

  /** Returns a session with the current state for a rehearsal, which changes neither this session nor the disk. */
  rehearsal(): Session {
    const options = { ...this.options, dryRun: true, isRehearsal: true };
    return new Session(options, { volume: this.overlay, policy: this.guard.refusal, lineMoves: this.lineMoves });
  }

  /** Whether all changes are discarded, including those of the context set. */
  get isDry(): boolean {
    return this.options.dryRun === true;
  }

  get isAtomic(): boolean {
    return this.options.settings.transaction === "all-or-nothing";
  }

  isFull(): boolean {
    return !this.isAtomic && (this.overlay.size > MAX_PENDING_BYTES || this.overlay.count > MAX_PENDING_OPERATIONS);
  }

  /** Does nothing in an atomic run. */
  async flush(): Promise<ReadonlyMap<number, Failure>> {
    return this.#flushing.flush();
  }

  /**
   * Runs a command on a view of the session's current state and lands its changes. They go to the disk, or to the
   * overlay if the run is dry or atomic. Throws `Failed` without starting the command if no view can be made.
   */
  async onView<Value>(
    seq: number,
    act: (project: ViewedProject) => Promise<Value>,
    agree?: Agree<Value>,
  ): Promise<LandedCommand<Value>> {
    const staysPending = this.#journal === undefined || this.isAtomic;
    if (!staysPending) await this.#flushing.flushForView();
    this.overlay.author = seq;
    const mostHeld = staysPending ? MAX_PENDING_BYTES : 0;
    const before = new Map<string, Buffer>();
    const noteBefore = staysPending ? (path: string, bytes: Buffer) => void before.set(path, bytes) : undefined;
    const options = { overlay: this.overlay, undo: this.#undo, mostHeld, isDry: this.isDry, noteBefore };
    const viewed = await onView(this.site, options, act, this.#observed(agree));
    const { value, changed, refused, isHeld, failure: unstaged, close } = viewed;
    if (staysPending || unstaged !== undefined) {
      this.#noteLinesOfCommand(changed, (path) => before.get(path));
      if (isHeld) await close();
      else this.#openViews.push(close);
      return { value, changed, refused, ...(unstaged !== undefined && { failure: unstaged }) };
    }
    try {
      const land = () => this.#flushing.commit({ isWhole: true });
      const failure = (await withLandingNotice(land, changed.length, this.#notify)).get(seq);
      if (failure !== undefined) return { value, changed: [], refused, failure };
      this.#noteLinesOfCommand(changed, (path) => bytesBeforeCommand(this.#journal?.read(), path, seq));
      return { value, changed, refused };
    } finally {
      await close();
    }
  }

  /** Passes a command's changes on before somebody agrees to them. */
  #observed<Value>(agree: Agree<Value> | undefined): Agree<Value> | undefined {
    const { onCommandChanges } = this.options;
    if (onCommandChanges === undefined) return agree;
    return async (result) => {
      onCommandChanges(result.changes);
      return agree === undefined || agree(result);
    };
  }

  /** Runs a program on the project's files, after flushing pending changes. */
  async #onFiles<Value>(act: () => Promise<Value>): Promise<Value> {
    await this.#flushing.flushForProgram();
    try {
      return await act();
    } finally {
      this.overlay.forgetReads();
    }
  }

  /**
   * Runs hooks on the project's files after flushing pending changes. The hooks' changes belong to the run. Not for a
   * dry run.
   */
  async observeHooks<Value>(when: "before" | "after", act: () => Promise<Value>): Promise<Value> {
    const journal = this.#journal;
    if (journal === undefined) throw new Error("A dry run starts no hook");
    const site = { ...this.options, journal, notify: this.#notify };
    return this.#onFiles(() => (when === "before" ? withConfigWatched(site, act) : observeHook(site, act)));
  }

  async finish(isWhole: boolean): Promise<ReadonlyMap<number, Failure>> {
    try {
      return await this.#flushing.settle(isWhole);
    } finally {
      // The changes of a dry run can still be queried.
      if (this.#journal !== undefined) await this.closeViews();
    }
  }

  readonly isRolledBack = (): boolean => this.#flushing.isRolledBack;

  /** Closes the views of commands. Frees the bytes of large files that they changed. */
  async closeViews(): Promise<void> {
    for (const close of this.#openViews.splice(0)) await close();
  }

  /** Returns warnings about files that the actions have broken, by the position of the action. */
  async syntaxWarnings(): Promise<ReadonlyMap<number, readonly string[]>> {
    return this.#syntax.warnings(this, this.options.root);
  }

  /** Returns the run's changes that are flushed so far. */
  footprint(): RunFootprint {
    return footprintOf(this.#journal?.read(), this.options.root, this.#touched);
  }

  #programs(seq: number, { block, definition, params }: Action) {
    const { isRehearsal, approveEach, signal } = this.options;
    const named = { blockId: block.id, blockStartLine: block.startLine, action: definition.name, params };
    const request = { kind: "action", ...named, mayRepeat: false, files: [] } as const;
    const mode = isRehearsal === true ? "rehearsal" : this.isDry ? "dry" : "run";
    return createPrograms({
      site: this.site,
      guard: this.guard,
      consent: this.consent,
      mode,
      signal,
      known: this.#known,
      confirm:
        approveEach === true && !this.isDry
          ? (result) => this.consent.isGiven({ ...request, changes: result?.changes ?? [], ran: result?.value })
          : undefined,
      onView: (act, agree) => this.onView(seq, act, agree),
      onFiles: (act) => this.#onFiles(() => act(() => this.#journal?.recordUnconfined())),
    });
  }

  get site(): CommandSite {
    const onPiece = this.onProgress && ((piece: Uint8Array) => this.onProgress?.({ kind: "output", piece }));
    const places = { home: homedir(), policy: this.guard.refusal, volume: this.overlay };
    return { ...this.options, onPiece, ...places, ...this.#ownPlaces };
  }

  readonly #checkLines: ActionContext["checkLines"] = (path, range, base) => {
    const file = this.workspace.realFile(path);
    const read = (): Buffer => this.overlay.readFile(file).bytes;
    if (base === undefined) return this.lineMoves.check(file, range, read);
    const { file: named } = this.workspace.split(path);
    const since = this.#lineBases.follow(named, base, range, this.lineMoves.startOf(file, read), read);
    return this.lineMoves.check(file, since ?? range, read, since !== undefined);
  };

  #noteLinesOfCommand(changes: readonly ChangedPath[], before: (path: string) => Buffer | undefined): void {
    const pathsOf = (kind: ChangedPath["change"]): string[] =>
      changes.filter(({ change }) => change === kind).map(({ path }) => join(this.options.root, path));
    this.lineMoves.movedByCommand(pathsOf("created"), pathsOf("deleted"));
    for (const path of pathsOf("changed")) this.lineMoves.changedByCommand(path, () => before(path));
  }
}

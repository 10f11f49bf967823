import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { neededPaths } from "../actions/validate.ts";
import type { GuardRules } from "../config/guard-rules.ts";
import type { Settings } from "../config/schema.ts";
import { ContextSet } from "../context/context-set.ts";
import { Failed, type Failure, failureOf } from "../core/failure.ts";
import { findRipgrep } from "../host/find-ripgrep.ts";
import { stateFolders, userConfigPath } from "../host/places.ts";
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
import type { Volume } from "../workspace/volume/volume.ts";
import { createContextView } from "./context-view.ts";
import type { ContextFor } from "./perform.ts";
import { createReadBudget } from "./read-budget.ts";

export interface SessionOptions {
  /** Absolute, with links resolved. */
  readonly root: string;
  readonly settings: Settings;
  /** Access is granted only where every one of these grants it. */
  readonly rules: readonly GuardRules[];
  /** Remembers what the rules mean from one run to the next. */
  readonly makePolicy?: typeof createPolicy;
  /** Nothing is kept, neither changes nor the context set. */
  readonly isDry: boolean;
}

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
  readonly #options: SessionOptions;
  readonly #journal: Journal | undefined;
  readonly #budgeted = createReadBudget();
  readonly #moves = new LineMoves();
  #context: ContextSet | undefined;
  #warn: (warning: string) => void = () => {};

  /** @param volume where the project is */
  constructor(options: SessionOptions, journal?: Journal, volume: Volume = new Disk()) {
    const { root, settings, rules, makePolicy } = options;
    this.#options = options;
    this.#journal = journal;
    this.overlay = new Overlay(volume);
    const watched = [settings.watch.input, settings.watch.output].map((name) => join(root, name));
    const own = { sealed: stateFolders(), readOnly: [dirname(userConfigPath()), userConfigPath(), ...watched] };
    this.guard = createGuard({ volume: this.overlay, root, home: homedir(), rules, platform: process.platform, makePolicy, ...own });
    const { limits, edits } = settings;
    const { hard_links: hardLinks } = settings["fs-guard"];
    const files = new ProjectFiles({
      volume: this.overlay,
      guard: this.guard,
      maxFileSize: limits.max_file_size,
      finalNewline: edits.final_newline,
      hardLinks,
      warn: (warning) => this.#warn(warning),
    });
    this.workspace = new AddressedFiles(this.#moves.watch(files), this.guard);
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
    const { workspace, tree, context } = this;
    const grants = neededPaths(definition, params);
    for (const { path, access, takesAddress } of grants) if (!takesAddress) workspace.refuseAddress(path, access);
    const paths = grants.map(({ path }) => path);
    await workspace.prepare(paths);
    context.noteNamed(paths);
    context.author = seq;
    const check = checkOf(grants);
    return {
      workspace: this.#budgeted(narrow(workspace, grants)),
      search: createSearch({ tree, root, ripgrep: findRipgrep, checkGranted: (path) => check(path, "read") }),
      context,
      match: settings.edits.match,
      linesMovedBefore: (path, offset) => this.#linesMovedBefore(path, offset),
      outline: (path, levels) => (check(path, "read"), workspace.outline(path, levels)),
    };
  };

  /** The project as it is now in this session, to try actions out in: nothing of what they change comes back here, or reaches the disk. */
  rehearsal(): Session {
    return new Session({ ...this.#options, isDry: true }, undefined, this.overlay);
  }

  get isAtomic(): boolean {
    return this.#options.settings.transaction === "all-or-nothing";
  }

  isFull(): boolean {
    return !this.isAtomic && this.overlay.size > MOST_WAITING;
  }

  /** Nothing happens while the run is all or nothing. */
  async flush(): Promise<ReadonlyMap<number, Failure>> {
    return this.isAtomic ? new Map() : this.#commit();
  }

  /** @param isWhole whether everything has succeeded so far */
  async finish(isWhole: boolean): Promise<ReadonlyMap<number, Failure>> {
    if (!this.isAtomic) return this.#commit();
    const failures = isWhole ? await this.#commit() : new Map<number, Failure>();
    if (isWhole && failures.size === 0) return this.#settleContext();
    const failure: Failure = { code: "run/not-whole" };
    const authors = [...this.overlay.take().flatMap((staged) => staged.authors), ...(this.#context?.takeBack() ?? [])];
    return new Map([...authors.map((author) => [author, failure] as const), ...failures]);
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

  #linesMovedBefore(path: string, offset: number): number {
    const { file, start } = this.workspace.beginning(path);
    return this.#moves.before(file, start + offset);
  }

  async #commit(): Promise<ReadonlyMap<number, Failure>> {
    if (this.#journal === undefined) return new Map();
    const staged = this.overlay.take();
    if (staged.length === 0) return new Map();
    try {
      const { outcomes, versions } = await this.#journal.commit(staged, { atomic: this.isAtomic });
      for (const [path, version] of versions) this.overlay.remember(path, version);
      return failuresOf(staged.map(({ authors }, index) => ({ authors, failure: outcomes[index]?.failure })));
    } catch (thrown) {
      return failuresOf(staged.map(({ authors }) => ({ authors, failure: failureOf(thrown) })));
    }
  }
}

/** The first failure of each action. */
function failuresOf(outcomes: ReadonlyArray<{ readonly authors: readonly number[]; readonly failure: Failure | undefined }>): Map<number, Failure> {
  const failures = new Map<number, Failure>();
  for (const { authors, failure } of outcomes) {
    if (failure === undefined) continue;
    for (const author of authors) if (!failures.has(author)) failures.set(author, failure);
  }
  return failures;
}

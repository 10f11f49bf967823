import { homedir } from "node:os";
import { dirname } from "node:path";
import { neededPaths } from "../actions/validate.ts";
import type { GuardRules } from "../config/guard-rules.ts";
import type { Settings } from "../config/schema.ts";
import { Failed, type Failure, failureOf } from "../core/failure.ts";
import { stateFolders, userConfigPath } from "../host/places.ts";
import { createSearch } from "../search/search.ts";
import type { Project } from "../search/walk.ts";
import { Disk } from "../workspace/disk.ts";
import { createGuard, type Guard } from "../workspace/guard.ts";
import type { Journal } from "../workspace/journal.ts";
import { LineMoves } from "../workspace/line-moves.ts";
import { narrow } from "../workspace/narrow.ts";
import { Overlay } from "../workspace/overlay.ts";
import { ProjectFiles } from "../workspace/project-files.ts";
import type { Volume } from "../workspace/volume.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { ContextFor } from "./perform.ts";
import { createReadBudget } from "./read-budget.ts";

export interface SessionOptions {
  /** Absolute, with links resolved. */
  readonly root: string;
  readonly settings: Settings;
  /** Access is granted only where every one of these grants it. */
  readonly rules: readonly GuardRules[];
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
  readonly workspace: Workspace;
  readonly #options: SessionOptions;
  readonly #journal: Journal | undefined;
  readonly #budgeted = createReadBudget();
  readonly #moves = new LineMoves();
  #warn: (warning: string) => void = () => {};

  /** @param volume where the project is */
  constructor(options: SessionOptions, journal?: Journal, volume: Volume = new Disk()) {
    const { root, settings, rules } = options;
    this.#options = options;
    this.#journal = journal;
    this.overlay = new Overlay(volume);
    const own = { sealed: stateFolders(), readOnly: [dirname(userConfigPath()), userConfigPath()] };
    this.guard = createGuard({ volume: this.overlay, root, home: homedir(), rules, platform: process.platform, ...own });
    const { limits, edits } = settings;
    this.workspace = new ProjectFiles({
      volume: this.overlay,
      guard: this.guard,
      maxFileSize: limits.max_file_size,
      finalNewline: edits.final_newline,
      hardLinks: settings["fs-guard"].hard_links,
      warn: (warning) => this.#warn(warning),
    });
  }

  readonly contextFor: ContextFor = ({ definition, params }, seq, warn) => {
    const { settings } = this.#options;
    const allowed = settings["allowed-actions"];
    if (allowed !== undefined && !allowed.includes(definition.name)) throw new Failed({ code: "action/not-allowed", action: definition.name, allowed });
    this.overlay.author = seq;
    this.#warn = warn;
    const workspace = this.#moves.watch(this.#budgeted(narrow(this.workspace, neededPaths(definition, params))));
    const linesMovedBefore = (at: string, offset: number) => this.#moves.before(at, offset);
    return { workspace, search: createSearch(workspace, this.project), match: settings.edits.match, linesMovedBefore };
  };

  /** The project as searches see it. */
  get project(): Project {
    const locate = (directory: string) => this.guard.admit({ path: directory, access: ["read"], of: "target", names: "directory", syscall: "scandir" }).path;
    return { root: this.#options.root, locate, readIgnoreFile: (path) => this.workspace.peek(path) };
  }

  /** The project as it is now in this session, to try actions out in: nothing of what they change comes back here, or reaches the disk. */
  rehearsal(): Session {
    return new Session(this.#options, undefined, this.overlay);
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
    if (!this.isAtomic || isWhole) return this.#commit();
    const failure: Failure = { code: "run/not-whole" };
    return new Map(this.overlay.take().flatMap(({ authors }) => authors.map((author) => [author, failure])));
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

import type { GuardRules } from "./config/guard-rules.ts";
import type { Settings } from "./config/schema.ts";
import { starterConfig } from "./config/starter.ts";
import type { ContextSet } from "./context/context-set.ts";
import type { Change } from "./core/change-set.ts";
import { Refusal } from "./core/failure.ts";
import type { History, Recovery, Reversal, WhichRuns } from "./core/history.ts";
import { once } from "./core/once.ts";
import type { ExecutionResult, Peeked } from "./core/outcome.ts";
import { projectConfigPath } from "./state/config-files.ts";
import type { RunCommit } from "./git/commit-run.ts";
import { pathsThatRun } from "./git/repository-of-project.ts";
import type { Squashed, SquashOptions } from "./git/squash.ts";
import type { Step, StepOptions } from "./history/step.ts";
import { writeNewFile } from "./state/state-file.ts";
import { excludeProgramsOf } from "./process/find-program.ts";
import { canonicalDirectory, findRoot, refuseRoot } from "./state/root.ts";
import { Journal } from "./journal/journal.ts";
import type { OutlineEntry } from "./files/workspace.ts";
import type { Format } from "./syntaxes/index.ts";
import { type AnswerItems, answerItems } from "./answer/answer-items.ts";
import { Consent } from "./run/consent.ts";
import { createProjectView, type ProjectView } from "./run/context-view.ts";
import { operationSummary, refusedAsChanged } from "./git/operation-summary.ts";
import { linesOfRun, namedFiles } from "./run/logged-changes.ts";
import { outline, peek } from "./run/session-files.ts";
import type { ExecuteOptions, LoafOptions, PerformOptions, PreviewOptions, SessionOptions } from "./run/options.ts";
import { type ProjectSettings, readSettings } from "./run/read-settings.ts";
import { FilesShown } from "./answer/files-shown.ts";
import { refusedWhole, type StructuredAction } from "./answer/reading.ts";
import { appliedIn, type Input, preview, type Previewed, type Ran, run, type RunOptions, stopSignal } from "./run/run.ts";
import { Session } from "./run/session.ts";
import { takenBack } from "./history/observe-hook.ts";
import { failedBlocks, noteIdleRun } from "./history/past-runs.ts";
import type { RunChanges } from "./history/run-changes.ts";
import { type Project, takeTurn } from "./history/turn.ts";
import { factsOfRun, type Hooked, type HookEnvironment, skippedHooksNotice, withHooks } from "./run/with-hooks.ts";
import { messageOf } from "./core/errors.ts";

/**
 * A project, opened to run answers in it.
 *
 * @example
 * const loaf = await Loaf.create({ repoPath: "/path/to/project" });
 * const { success, results } = await loaf.execute(answer);
 */
export class Loaf {
  /** Absolute, with links resolved. */
  readonly root: string;
  readonly settings: Settings;
  readonly #options: LoafOptions;
  readonly #rules: readonly GuardRules[];
  readonly #executed: readonly string[];
  /** The session of the last run, or the one that all dry runs share. */
  #session: Session;
  #hasCreatedConfig = false;
  readonly #shown = new FilesShown(() => this.#session);

  private constructor(root: string, opened: ProjectSettings & { executed: readonly string[] }, options: LoafOptions) {
    // JavaScript can call a private constructor.
    if (options === undefined)
      throw new Error("new Loaf() does not open a project: use await Loaf.create({ repoPath })");
    const { settings, rules, executed } = opened;
    this.root = root;
    this.settings = settings;
    this.#options = options;
    this.#rules = rules;
    this.#executed = executed;
    this.#session = new Session(this.#sessionOptions);
  }

  /**
   * Reads the configuration and opens the project. Throws `ConfigError` if the configuration is invalid. Throws `Error`
   * if the root is not a directory, is unreadable or contains Loaf's state folder.
   */
  static async create(options: LoafOptions = {}): Promise<Loaf> {
    const root = options.repoPath === undefined ? findRoot() : canonicalDirectory(options.repoPath);
    if (root === undefined) throw new Error(`repoPath '${options.repoPath}' is not a directory`);
    refuseRoot(root);
    excludeProgramsOf(root);
    const mayCreate = options.createConfigIfMissing === true && options.dryRun !== true;
    const configCreated = mayCreate && writeNewFile(projectConfigPath(root), starterConfig);
    const [read, executed] = await Promise.all([readSettings(root, options), pathsThatRun(root)]);
    const loaf = new Loaf(root, { ...read, executed }, options);
    loaf.#hasCreatedConfig = configCreated;
    return loaf;
  }

  /**
   * Runs all blocks of a text in order. Waits while another process changes the project. Never throws: failures are
   * data in the result. If the text arrives in pieces, runs and flushes each block as soon as it is complete.
   */
  async execute(text: string | AsyncIterable<string>, options: ExecuteOptions = {}): Promise<ExecutionResult> {
    return this.#execute(text, options);
  }

  async #execute(input: Input, options: ExecuteOptions): Promise<ExecutionResult> {
    const ran = this.#options.dryRun === true ? this.#runDry(input, options) : this.#runInTurn(input, options);
    const result = await ran.finally(() => this.#shown.forget());
    const configCreated = this.#hasCreatedConfig;
    this.#hasCreatedConfig = false;
    return configCreated ? { ...result, configCreated } : result;
  }

  /** Like `execute`, for actions given as data. */
  async perform(actions: readonly StructuredAction[], options: PerformOptions = {}): Promise<ExecutionResult> {
    return this.#execute(actions, options);
  }

  /**
   * Yields what each item of a text, or each action of a list, would do. Changes nothing and asks nobody. Commands run
   * on a view, if at all. `only` limits it to what `execute` with the same `only` would run. Throws `Error` if nothing
   * of the input can run.
   */
  async *preview(input: string | readonly StructuredAction[], options: PreviewOptions = {}): AsyncGenerator<Previewed> {
    yield* preview(input, this.#sessionOptions, { ...options, fileWith: this.#shown.fileWith });
  }

  /** Returns what `execute` would run of a text, to compare it with another text. */
  items(text: string, format?: Format): AnswerItems {
    return answerItems(text, { root: this.root, settings: this.settings, fileWith: this.#shown.fileWith }, format);
  }

  /**
   * Finds edits of a text that earlier runs made and whose effects are still there. Returns those runs by the position
   * of the item, as in `items`.
   */
  async appliedIn(text: string, format?: Format): Promise<ReadonlyMap<number, number>> {
    const options = { ...(format !== undefined && { format }), skipApplied: true };
    return appliedIn(text, this.#session, await this.#runOptions(options));
  }

  /**
   * Returns a file or an addressed part as it is now. A dry run sees its own changes. Undefined if the file cannot or
   * may not be read.
   */
  peek(path: string): Peeked | undefined {
    return peek(this.#session, path);
  }

  /** Returns the addresses in a file or a part of it, down to a depth. Throws `Error` if the file cannot be parsed. */
  async outline(path: string, levels = Infinity): Promise<OutlineEntry[]> {
    return outline(this.#session, path, levels);
  }

  /** Returns the changes of a dry run so far, by path, without the bytes of unreadable files. Empty in other runs. */
  changes(): Change[] {
    return this.#session.overlay.changes(this.#mayRead);
  }

  /** The files kept in view for this project. */
  get context(): ContextSet {
    return this.#session.context;
  }

  /** The project's files that may be read and are not ignored, by their path relative to the root. */
  get view(): ProjectView {
    return createProjectView(this.#project, this.#session);
  }

  async #runInTurn(input: Input, options: ExecuteOptions): Promise<ExecutionResult> {
    try {
      const stop = stopSignal(options);
      const { value, notices } = await takeTurn({ ...this.#project, stop }, async ({ runs, newest }) => {
        const { root } = this;
        // Loaded before the run: a failure to load it afterwards would lose the result.
        const git = this.settings.git.commit ? await import("./git/commit-run.ts") : undefined;
        const commit = git?.commitAfter(root);
        const journal = new Journal(runs, { kind: "run", root }, newest);
        const signals = { signal: options.signal, isStopped: () => stop?.aborted === true };
        this.#session = new Session({ ...this.#sessionOptions, ...signals }, { journal });
        const hooks = this.#hooks(this.#session, journal, options);
        let ran: Omit<Ran, "result"> = { edits: [] };
        const result = await withHooks(hooks, async () => {
          const { result, ...facts } = await this.#run(input, options, this.#session);
          ran = facts;
          return result;
        });
        const { changes, modifiedFiles } = this.#session.footprint();
        const summaryOf = (isLeftOut?: (path: string) => boolean) =>
          operationSummary(result.results, root, changes, { takenBack: hooks.takenBack(), isLeftOut });
        const isNoop = changes.length === 0;
        const summary =
          isNoop && journal.isUnconfined ? "run commands without a sandbox, which cannot be undone" : summaryOf();
        const { edits, words: answer } = ran;
        if (isNoop) journal.finish({ summary, answer, isNoop });
        const done = { ...result, ...namedFiles(journal.read(), root, { changes, modifiedFiles }) };
        const said = { summary: summaryOf, facts: factsOfRun(done, modifiedFiles), body: ran.sentence };
        const committed = await commit?.({ ...this.#project, journal, observe: hooks.observe, ...said });
        const failed = failedBlocks(result);
        if (!isNoop) journal.finish({ summary, edits, answer, failed, lines: linesOfRun(journal.read()) });
        else if (result.totalBlocks + result.parseErrors.length > 0) noteIdleRun(this.root, failed);
        return withCommit(done, { run: journal.sequence, ...committed }, root);
      });
      const all = [...this.#session.notices, ...notices, ...(value.notices ?? [])];
      return { ...value, ...(all.length > 0 && { notices: all }) };
    } catch (thrown) {
      return refusedWhole(messageOf(thrown));
    }
  }

  async #runDry(input: Input, options: ExecuteOptions): Promise<ExecutionResult> {
    const notices = skippedHooksNotice(this.#hooked);
    const { result } = await this.#run(input, options, this.#session);
    return { ...result, dryRun: true, ...(notices.length > 0 && { notices }) };
  }

  #hooks(session: Session, journal: Journal, options: ExecuteOptions): HookEnvironment {
    return {
      root: this.root,
      ...this.#hooked,
      observe: (act, when = "after") => session.observeHooks(when, act),
      modifiedFiles: () => session.footprint().modifiedFiles,
      takenBack: once(() => takenBack(journal.read())),
      signal: stopSignal(options),
    };
  }

  get #hooked(): Hooked {
    return this.#options.enableHooks === false ? {} : this.settings;
  }

  async #run(input: Input, options: ExecuteOptions, session: Session): Promise<Ran> {
    session.onProgress = options.onProgress;
    return run(input, session, await this.#runOptions(options));
  }

  async #runOptions(options: ExecuteOptions): Promise<RunOptions> {
    const { skipApplied = false } = options;
    const applied = skipApplied ? (await import("./history/applied-edits.ts")).AppliedEdits.of(this.root) : undefined;
    const { onEvent, enableCommands } = this.#options;
    const checks = (enableCommands !== false && this.#hooked.checks) || [];
    return { ...options, fileWith: this.#shown.fileWith, applied, onEvent, checks };
  }

  /**
   * Undoes the last run that is not undone, the last ones, newest first, or one by its number, with the changes of
   * later runs kept. Refuses files modified since by name and restores the rest. Throws `Error` if nothing could be
   * done.
   */
  async undo(which: WhichRuns = {}): Promise<Reversal> {
    this.#refuseDryRun("undo");
    return (await import("./history/history.ts")).undo(this.#project, which);
  }

  /** Redoes one run, or else the one undone last, unless a newer run has changed anything. Throws as `undo` does. */
  async redo(which: Pick<WhichRuns, "run"> = {}): Promise<Reversal> {
    this.#refuseDryRun("redo");
    return (await import("./history/history.ts")).redo(this.#project, which);
  }

  /** Commits what finished runs changed as one commit, unless they are undone or committed already. */
  async commitRuns(runs: readonly number[]): Promise<RunCommit> {
    return (await import("./history/git-commands.ts")).commitRuns(this.#project, runs);
  }

  /** Folds the matching commits at HEAD into one with the same tree. Throws as `undo` does. */
  async squash(options: SquashOptions = {}): Promise<Squashed> {
    if (options.dryRun !== true) this.#refuseDryRun("squash");
    return (await import("./history/git-commands.ts")).squash(this.#project, options);
  }

  /** Checks out the commit before HEAD, and sets changed and untracked files aside. Throws as `undo` does. */
  async back(options: StepOptions = {}): Promise<Step> {
    this.#refuseDryRun("back");
    return (await import("./history/git-commands.ts")).back(this.#project, options);
  }

  /**
   * Checks out the next commit, up to the branch where stepping began, and restores files set aside there. Throws as
   * `undo` does.
   */
  async forward(): Promise<Step> {
    this.#refuseDryRun("forward");
    return (await import("./history/git-commands.ts")).forward(this.#project);
  }

  /** Finishes or rolls back an interrupted run. Every run, undo and redo starts with this. Throws as `undo` does. */
  async recover(): Promise<Recovery> {
    this.#refuseDryRun("recover");
    return (await import("./history/history.ts")).recover(this.#project);
  }

  /** Returns the runs that changed something, as far as their logs are kept. */
  async history(): Promise<History> {
    return (await import("./history/history.ts")).history(this.#project);
  }

  /**
   * Returns the changes of a run, by default the last one, without the bytes of unreadable files. Undefined if there is
   * no such run.
   */
  async changesOf(run?: number): Promise<RunChanges | undefined> {
    return (await import("./history/run-changes.ts")).changesOfRun(this.#project, run, this.#mayRead);
  }

  readonly #mayRead = (path: string): boolean => this.#session.guard.refusal(path, "read") === undefined;

  #refuseDryRun(what: string): void {
    if (this.#options.dryRun === true)
      throw new Refusal(`This project was opened for dry runs: ${what} would change it`);
  }

  get #project(): Project {
    return { root: this.root, settings: this.settings, onWait: this.#options.onWait };
  }

  get #sessionOptions(): SessionOptions {
    const { approve, isPerson } = this.#options;
    const project = { root: this.root, settings: this.settings, rules: this.#rules, executed: this.#executed };
    return { ...this.#options, ...project, consent: new Consent(approve, isPerson) };
  }
}

/** Returns the result of a run with its number and its commit. */
function withCommit(
  result: ExecutionResult,
  { run, commit, externalChanges = [], notices = [] }: Partial<RunCommit> & { readonly run: number | undefined },
  root: string,
): ExecutionResult {
  const external = [...new Set([...refusedAsChanged(result.results, root), ...externalChanges])];
  return {
    ...result,
    ...(run !== undefined && { run }),
    ...(commit !== undefined && { commit }),
    ...(external.length > 0 && { externalChanges: external }),
    ...(notices.length > 0 && { notices }),
  };
}

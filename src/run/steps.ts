/** The steps of each item of an answer, from its block to what happened. A preview takes the same ones as a run. */
import { AppliedBefore, currentFiles, editKey, type EarlierEdits, tracesOf } from "../answer/applied-before.ts";
import { pathsByTail, TailFinder } from "../answer/locate.ts";
import { KnownFiles } from "../answer/known-files.ts";
import { placed } from "../answer/placed.ts";
import { placeGroup, type ReadGroup, type Reading, type Resolved } from "../answer/reading.ts";
import { type Action, resolve, strayError } from "../answer/resolve.ts";
import { isBlock, type ReadBlock } from "../core/block.ts";
import { unlessFailed } from "../core/failure.ts";
import type { Outcome } from "../core/outcome.ts";
import { HunkChoice } from "../files/hunks.ts";
import { approved, onlyHunks } from "./approving.ts";
import { type Done, outcomeOf, perform } from "./perform.ts";
import { FailureHints } from "./failure-hints.ts";
import { yieldToEventLoopWhenDue } from "./limits.ts";
import type { Selection } from "./options.ts";
import type { Session } from "./session.ts";

export interface StepsOptions {
  readonly reading: Reading;
  /** The groups to run, unless they are still to arrive. */
  readonly known?: readonly ReadGroup[] | undefined;
  readonly only?: Selection | undefined;
  /** Whether to observe the hunks of all edits. */
  readonly observesHunks?: true;
  /** On abort, starts no more actions and reports the remaining ones as not run. */
  readonly signal?: AbortSignal | undefined;
  /** Edits that earlier runs made, if they are to be skipped. */
  readonly applied?: EarlierEdits | undefined;
}

/** An item with its position in the whole text. */
export type PlacedItem = readonly [position: number, Resolved];

export class Steps {
  readonly #session: Session;
  readonly #options: StepsOptions;
  readonly #tails: TailFinder;
  readonly #hints: FailureHints;
  readonly #applied: AppliedBefore | undefined;
  /** Number of actions so far. */
  #performed = 0;
  /** The blocks that have succeeded, by the keys of their edits. */
  readonly #made = new Map<string, string>();

  constructor(session: Session, options: StepsOptions) {
    const { reading, known: groups = [], applied: edits } = options;
    const { root, settings } = session.options;
    const known = new KnownFiles(session, root);
    [this.#session, this.#options, this.#hints] = [session, options, new FailureHints(known, root)];
    this.#tails = new TailFinder(known, {
      root,
      paths: () => pathsByTail(reading.whole(), session.options),
      isCertain: (syntax) => (settings.syntaxes as readonly string[]).includes(syntax),
    });
    const actions = () =>
      new Map(
        groups
          .flatMap((items) => this.#resolveGroup(items))
          .flatMap(([at, resolved]) => (isAction(resolved) ? [[at, resolved] as const] : [])),
      );
    const { match } = settings.edits;
    this.#applied = edits && new AppliedBefore({ root, edits, files: currentFiles(session), match, actions });
  }

  /** Returns the actions of a group, or their errors. If one of them would fail, refuses them all. */
  async resolve(items: ReadGroup): Promise<readonly PlacedItem[]> {
    const group = await this.place(items);
    if (group.length < 2 || this.#isAborted) return group;
    const obstacle = await this.#obstacleIn(group.map(([, resolved]) => resolved));
    if (obstacle === undefined) return group;
    const skipped: Outcome = { failure: { code: "skip/group", obstacle: obstacle.blockId } };
    return group.map(([at, resolved]) =>
      isAction(resolved) && resolved.applied === undefined
        ? [at, { ...resolved, refusal: resolved.block.id === obstacle.blockId ? obstacle.outcome : skipped }]
        : [at, resolved],
    );
  }

  /** Returns the first block with an error, or the first whose action fails after those before it. */
  async #obstacleIn(
    group: readonly Resolved[],
  ): Promise<{ readonly blockId: string; readonly outcome?: Outcome } | undefined> {
    const [error] = group.flatMap((resolved) => (isAction(resolved) ? [] : resolved));
    if (error !== undefined) return error;
    const rehearsal = this.#session.rehearsal();
    for (const [index, action] of group.entries()) {
      if (!isAction(action) || action.applied !== undefined) continue;
      const outcome = await outcomeOf(action, rehearsal, index + 1);
      if (outcome.failure !== undefined) return { blockId: action.block.id, outcome };
    }
    return undefined;
  }

  /** Returns the actions of a group at their places, or their errors. Notes the edits that were applied before. */
  async place(items: ReadGroup): Promise<readonly PlacedItem[]> {
    const group = this.#resolveGroup(items);
    if (this.#applied === undefined || this.#isAborted) return group;
    const noted: PlacedItem[] = [];
    for (const [at, resolved] of group) {
      const isWhole = isAction(resolved) && resolved.hunks === undefined;
      noted.push([at, isWhole ? { ...resolved, applied: await this.#applied.find(at, resolved) } : resolved]);
    }
    return noted;
  }

  #resolveGroup({ group, positions, text, advise }: ReadGroup): PlacedItem[] {
    const resolved = group.map((item, index) =>
      isBlock(item) ? this.#resolveBlock(item, { text, advise }, positions[index] ?? 0) : [strayError(item, advise)],
    );
    return placeGroup(resolved, (action) => this.placed(action)).map((entry, index) => [positions[index] ?? 0, entry]);
  }

  #resolveBlock(item: ReadBlock, { text, advise }: Pick<ReadGroup, "text" | "advise">, position: number): Resolved {
    const { root, settings } = this.#session.options;
    const { only, observesHunks } = this.#options;
    const allowed = settings["allowed-actions"];
    const resolved = resolve(item, text, { root, relativePaths: settings.relative_paths, allowed, advise });
    if (!isAction(resolved) || this.#isAborted) return resolved;
    const chosen = only !== undefined && "get" in only ? (only.get(position) ?? "all") : "all";
    const taken = chosen === "all" ? resolved : onlyHunks(resolved, chosen);
    return observesHunks ? { hunks: new HunkChoice(), ...taken } : taken;
  }

  async perform(action: Action): Promise<Done> {
    const seq = ++this.#performed;
    const decided = action.applied === undefined ? await this.#decide(action, seq) : action;
    if (action.applied === undefined) this.#applied?.changed();
    else this.#noteEarlierVersions(action, action.applied.run);
    // What was left out of a part may still come, so only a whole edit counts as applied.
    const isWholeEdit =
      action.applied === undefined && action.definition.effect !== undefined && decided.hunks === undefined;
    const key = isWholeEdit ? editKey(decided, this.#session.options.root) : undefined;
    const performed = await perform(decided, seq, this.#session, (failure) => this.#hints.hintOn(failure));
    this.#hints.after(performed);
    return key === undefined ? performed : this.#withRepeated({ ...performed, editKey: key }, key);
  }

  /** Says which block of the answer has made the same edit already, if that is why its old text is gone. */
  #withRepeated(done: Done, key: string): Done {
    const made = this.#made.get(key);
    if (done.failure === undefined) this.#made.set(key, done.action.block.id);
    return made !== undefined && done.failure?.code === "text/not-found"
      ? { ...done, hint: `block ${made} of this answer is the same edit: do not send it again` }
      : done;
  }

  /** Later edits of the answer may name the file as it was before the run that made this one. */
  #noteEarlierVersions(action: Action, run: number): void {
    const { workspace, lineMoves, replacedTexts, options } = this.#session;
    const { applied } = this.#options;
    for (const trace of tracesOf(action, options.root)) {
      const path = unlessFailed(() => workspace.realFile(trace.path), undefined);
      if (path === undefined) continue;
      // No copy is kept of a file that is only moved.
      const before = (): string | undefined =>
        applied?.textBefore(run, path) ?? (trace.kind === "moved" ? "" : undefined);
      lineMoves.madeBefore(path, { run, before });
      const written = String(action.params["path"]);
      if (trace.kind === "content" && !replacedTexts.has(written)) replacedTexts.set(written, before() ?? "");
    }
  }

  /** Returns the action as it is to be performed: at its place, or refused. */
  async #decide(action: Action, seq: number): Promise<Action> {
    await yieldToEventLoopWhenDue();
    if (this.isStopped) return { ...action, refusal: { failure: { code: "skip/stopped" } } };
    const { block, definition, params } = action;
    const started = { seq, blockId: block.id, action: definition.name, params };
    this.#session.onProgress?.({ kind: "started", action: started });
    return approved(this.placed(action), this.#session);
  }

  /** Returns an action at its place: with resolved paths, and texts that fit the file. */
  placed(action: Action): Action {
    const { workspace, options } = this.#session;
    return placed(action, { tails: this.#tails, workspace, match: options.settings.edits.match });
  }

  /** Whether somebody decided that nothing more should run. */
  get isStopped(): boolean {
    const { consent, isDry } = this.#session;
    return this.#isAborted || (!isDry && consent.isStopped);
  }

  get #isAborted(): boolean {
    return this.#options.signal?.aborted === true;
  }
}

export function isAction(resolved: Resolved): resolved is Action {
  return "definition" in resolved;
}

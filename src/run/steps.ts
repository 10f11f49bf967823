/** The steps of each item of an answer, from its block to what happened. A preview takes the same ones as a run. */
import { AppliedBefore, currentFiles, editKey, type EarlierEdits } from "../answer/applied-before.ts";
import { pathsByTail, TailFinder } from "../answer/find-by-tail.ts";
import { placeGroup } from "../answer/groups.ts";
import { KnownFiles } from "../answer/known-files.ts";
import { placed } from "../answer/placed.ts";
import type { ReadGroup, Reading, ReadingOptions } from "../answer/reading.ts";
import { type Action, resolve, strayError } from "../answer/resolve.ts";
import { isBlock, type ReadBlock } from "../core/block.ts";
import type { Failure } from "../core/failure.ts";
import type { BlockComment, ParseError } from "../core/outcome.ts";
import type { AddressedFiles } from "../files/addressed-files.ts";
import { HunkChoice } from "../files/hunks.ts";
import type { Tree } from "../files/tree.ts";
import type { Guard } from "../guard/guard.ts";
import type { Done } from "./done.ts";
import { FailureHints } from "./failure-hints.ts";
import { yieldToEventLoopWhenDue } from "./in-time.ts";
import { type ContextFor, perform } from "./perform.ts";
import { rehearse } from "./rehearse.ts";
import type { Listeners, RunRecord } from "./run-record.ts";
import { type Selection, withChosenHunks } from "./selection.ts";

export interface StepsEnvironment extends Pick<ReadingOptions, "settings">, Pick<Listeners, "onProgress"> {
  /** Absolute. */
  readonly root: string;
  readonly only?: Selection | undefined;
  /** Whether to observe the hunks of all edits. */
  readonly observesHunks?: true;
  /** On abort, starts no more actions and reports the remaining ones as not run. */
  readonly signal?: AbortSignal | undefined;
  readonly project: ProjectOfSteps;
  readonly approver: Approver;
  /** Edits that earlier runs made, if they are to be skipped. */
  readonly applied?: EarlierEdits | undefined;
}

export interface ProjectOfSteps {
  readonly guard: Guard;
  readonly tree: Tree;
  readonly contextFor: ContextFor;
  readonly workspace: AddressedFiles;
  /** Returns a copy in which groups are rehearsed. Its changes reach nobody else. */
  rehearsal(): Pick<ProjectOfSteps, "contextFor">;
}

/** Decides about the actions of a run, mostly by asking somebody. */
export interface Approver {
  /** Returns the action, unchanged or refused. */
  approve(action: Action): Action | Promise<Action>;
  /** Shows the errors of an invalid block in its place. */
  showErrors(errors: readonly ParseError[]): Promise<void>;
  /** Whether somebody decided that nothing more should run. */
  readonly isStopped: boolean;
  /** What was said about the actions so far. */
  readonly comments: readonly BlockComment[];
}

interface StepsOptions {
  readonly record: RunRecord;
  readonly reading: Reading;
  /** The groups to run, unless they are still to arrive. */
  readonly known?: readonly ReadGroup[] | undefined;
}

export class Steps {
  readonly #environment: StepsEnvironment;
  readonly #record: RunRecord;
  readonly #tails: TailFinder;
  readonly #hints: FailureHints;
  readonly #applied: AppliedBefore | undefined;

  constructor(environment: StepsEnvironment, { record, reading, known: groups = [] }: StepsOptions) {
    const { project, root, applied: edits, settings } = environment;
    const known = new KnownFiles(project, root);
    [this.#environment, this.#record] = [environment, record];
    [this.#tails, this.#hints] = [
      new TailFinder(known, {
        root,
        paths: () => pathsByTail(reading.whole(), environment),
        isCertain: (syntax) => (settings.syntaxes as readonly string[]).includes(syntax),
      }),
      new FailureHints(known, root),
    ];
    const actions = () => new Map(groups.flatMap((items) => this.#actionsIn(items)));
    const { match } = settings.edits;
    this.#applied = edits && new AppliedBefore({ root, edits, files: currentFiles(project), match, actions });
  }

  /** Returns the actions of a group, by their position. */
  #actionsIn(items: ReadGroup): ReadonlyArray<readonly [number, Action]> {
    const resolved = this.#resolveGroup(items);
    return resolved.flatMap((one, index) => ("definition" in one ? [[items.positions[index] ?? 0, one] as const] : []));
  }

  /** Returns for each item its action, or its errors. The actions of a group that fails in rehearsal are refused. */
  async resolve(items: ReadGroup): Promise<ReturnType<typeof placeGroup>> {
    const group = await this.place(items);
    const isAborted = this.#environment.signal?.aborted === true;
    return group.length < 2 || isAborted ? group : rehearse(group, this.#environment.project.rehearsal().contextFor);
  }

  /** Returns for each item its action at its place, or its errors. Notes the edits that were applied before. */
  async place(items: ReadGroup): Promise<ReturnType<typeof placeGroup>> {
    const group = this.#resolveGroup(items);
    const applied = this.#applied;
    if (applied === undefined || this.#environment.signal?.aborted === true) return group;
    const noted: Array<(typeof group)[number]> = [];
    for (const [index, one] of group.entries())
      noted.push(
        "definition" in one && one.hunks === undefined
          ? { ...one, applied: await applied.find(items.positions[index] ?? 0, one) }
          : one,
      );
    return noted;
  }

  /** Returns for each item its action at its place, or its errors. */
  #resolveGroup({ group, positions, text, advise }: ReadGroup): ReturnType<typeof placeGroup> {
    const resolved = group.map((item, index) =>
      isBlock(item)
        ? this.#resolveBlock(item, { text, advise, position: positions[index] ?? 0 })
        : [strayError(item, advise)],
    );
    return placeGroup(resolved, (action) => this.placed(action));
  }

  #resolveBlock(item: ReadBlock, { text, advise, position }: ItemPlace): Action | readonly ParseError[] {
    const { root, settings, signal, only, observesHunks } = this.#environment;
    const allowed = settings["allowed-actions"];
    const resolved = resolve(item, text, { root, relativePaths: settings.relative_paths, allowed, advise });
    if (!("definition" in resolved) || signal?.aborted === true) return resolved;
    const chosen = withChosenHunks(resolved, only, position);
    return observesHunks ? { hunks: new HunkChoice(), ...chosen } : chosen;
  }

  async perform(action: Action): Promise<Done> {
    const decided = action.applied === undefined ? await this.#decide(action) : action;
    if (action.applied === undefined) this.#applied?.changed();
    // What was left out of a part may still come, so only a whole edit counts as applied.
    if (action.applied === undefined && action.definition.effect !== undefined && decided.hunks === undefined)
      this.#record.noteEdit(editKey(decided, this.#environment.root));
    const { contextFor } = this.#environment.project;
    const hintOn = (failure: Failure): string | undefined => this.#hints.hintOn(failure);
    const performed = await perform(decided, this.#record.nextSeq, contextFor, hintOn);
    this.#hints.after(performed);
    return performed;
  }

  /** Returns the action as it is to be performed: at its place, or refused. */
  async #decide(action: Action): Promise<Action> {
    const { signal, approver, onProgress } = this.#environment;
    await yieldToEventLoopWhenDue();
    if (signal?.aborted === true || approver.isStopped)
      return { ...action, refusal: { failure: { code: "skip/stopped" } } };
    const { block, definition, params } = action;
    const started = { seq: this.#record.nextSeq, blockId: block.id, action: definition.name, params };
    onProgress?.({ kind: "started", action: started });
    return approver.approve(this.placed(action));
  }

  /** Returns an action at its place: with resolved paths, and texts that fit the file. */
  placed(action: Action): Action {
    const { project, settings } = this.#environment;
    return placed(action, { tails: this.#tails, workspace: project.workspace, match: settings.edits.match });
  }
}

interface ItemPlace extends Pick<ReadGroup, "text" | "advise"> {
  /** In the whole text. */
  readonly position: number;
}

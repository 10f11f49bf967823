import { defaults } from "../../config/defaults.ts";
import { messageOf } from "../../core/errors.ts";
import type { Finding } from "../../core/finding.ts";
import type { ExecutionResult } from "../../core/outcome.ts";
import type { Loaf } from "../../loaf.ts";
import type { AnswerItem } from "../../answer/answer-items.ts";
import { fullReport, type ReportedProject, summaryReport } from "../../report/chat.ts";
import { refusedWhole } from "../../answer/reading.ts";
import type { ExecuteOptions } from "../../run/options.ts";
import { restoreExchanged } from "../../state/exchange-file.ts";
import type { PlacedReport } from "../../state/input-file.ts";
import { readTextFile } from "../../state/input.ts";
import { stampOf, watchFile } from "../../state/watch-file.ts";
import { LateSaves } from "./late-saves.ts";
import { placeResults, publishReport } from "./publish.ts";
import { rememberAnswer, whenRan } from "./ran-answers.ts";
import { type WatchRequest, Requests } from "./requests.ts";
import { NOTHING_RAN, readMemory, type RunMemory, whatToRun, writeMemory } from "./what-to-run.ts";

/** A finished run, with the report for the chat. */
export interface WatchedRun {
  readonly loaf: Loaf;
  readonly result: ExecutionResult;
  readonly report: string;
}

export interface WatchView {
  /** Called before blocks run. Returns signals that may stop them. */
  starting(): Pick<ExecuteOptions, "signal" | "stop" | "onProgress">;
  finished(run: WatchedRun): Promise<void>;
  /** The text has nothing to run. The result has the findings instead. */
  nothingToRun(result: ExecutionResult): void;
  tell(sentence: string): void;
}

export interface WatcherOptions {
  /**
   * Opens the project with its current configuration. Called before each run. Returns undefined if the user ended a
   * question, so that nothing may run. Throws if the configuration is invalid.
   */
  readonly open: () => Promise<Loaf | undefined>;
  /** Canonical. */
  readonly root: string;
  /** Absolute. */
  readonly input: string;
  /** Relative to the root. */
  readonly output: string;
  /** Milliseconds. */
  readonly debounce: number;
  /** Shows a copied answer and asks the user whether to run it. Absent: it runs. */
  readonly confirmCopied?: ((text: string) => Promise<boolean>) | undefined;
  /** Takes a saved text in place of the run, if somebody else shows it. Returns false to run it. */
  readonly divert?: (text: string) => Promise<boolean>;
  /** Receives the items of a text before they run, to name them in questions. */
  readonly onItems?: (items: readonly AnswerItem[]) => void;
  /** Whether to run the text at the start even if it ran before. */
  readonly again?: boolean | undefined;
  readonly view: WatchView;
}

interface PendingRun {
  readonly text: string;
  /** All items of the text. */
  readonly items: readonly AnswerItem[];
  /** Positions of the items to run. Absent: all. */
  readonly only?: ReadonlySet<number>;
  readonly memory: RunMemory;
  readonly skipApplied?: boolean;
}

/**
 * Milliseconds without a change before a text with an open block, or without blocks, is handled. The rest may still
 * follow.
 */
const CUT_OFF_REST_MS = 500;

/** Watches a file, and runs texts saved into it. Handles requests one after the other. */
export class Watcher {
  readonly requests = new Requests();
  readonly #options: WatcherOptions;
  readonly #late: LateSaves;
  #memory: RunMemory = NOTHING_RAN;
  /** The last handled text, including results above it. */
  #known: string | undefined;
  /** The last text that could not be handled, including the reason above it. */
  #refused: string | undefined;
  #isStarting = true;
  #complaint: string | undefined;

  constructor(options: WatcherOptions) {
    this.#options = options;
    this.#late = new LateSaves(options.input, (sentence) => options.view.tell(sentence));
  }

  /**
   * Runs until `requests.close` is called, and finishes the current request. Throws if the state folder is unusable.
   */
  async run(): Promise<void> {
    const { root, input, view, again = false } = this.#options;
    this.#memory = readMemory(root);
    if (this.#memory.isRunning === true)
      view.tell(
        "The last run was interrupted and does not start again by itself: loaf log shows what was done, and r runs the text again",
      );
    const restored = restoreExchanged(input);
    if (restored === input) view.tell(`${input} was missing since Loaf was interrupted, and is back`);
    else if (restored !== undefined)
      view.tell(`Loaf was interrupted while it replaced ${input}. The text from then is in ${restored}`);
    const unwatch = watchFile(input, () => this.requests.changed());
    try {
      this.requests.add({ kind: again ? "again" : "changed" });
      for await (const request of this.requests) await this.#telling(() => this.#do(request));
    } finally {
      unwatch();
      await this.#late.close();
    }
  }

  async #do(request: WatchRequest): Promise<void> {
    switch (request.kind) {
      case "changed":
        await this.requests.settled(this.#options.debounce);
        return this.requests.isClosed ? undefined : this.#look(false);
      case "again":
        return this.#look(true);
      case "text":
        return this.#runCopied(request.text);
      case "act":
        return request.act();
    }
  }

  async #look(isAgain: boolean): Promise<void> {
    const { open, input, view, debounce } = this.#options;
    const isStarting = this.#isStarting;
    this.#isStarting = false;
    const before = stampOf(input);
    let loaf: Loaf | undefined;
    let text: string | undefined;
    try {
      loaf = await open();
      text = await readTextFile(input, (loaf?.settings ?? defaults).limits.max_input);
      // Saved while the project was opened, perhaps after a change of the configuration.
      if (loaf !== undefined && stampOf(input) !== before) loaf = await open();
    } catch (thrown) {
      if (!isStarting) await this.#refuse(messageOf(thrown));
      throw thrown;
    }
    if (loaf === undefined) {
      // What was saved during the question is the next request.
      if (stampOf(input) === before) this.#known = text;
      return;
    }
    if (text === undefined || (text === this.#known && !isAgain)) {
      if (isAgain) view.tell(`There is no ${input} to run`);
      return;
    }
    const { items, findings, isCutOff } = loaf.items(text);
    // The file has changed, which is the next request.
    if (isCutOff && !isAgain && !(await this.requests.rested(Math.max(CUT_OFF_REST_MS, 10 * debounce)))) return;
    if (!isAgain && (await this.#options.divert?.(text)) === true) {
      this.#known = text;
      return;
    }
    const { positions, memory } = whatToRun(items, isAgain ? NOTHING_RAN : this.#memory);
    if (this.requests.isClosed) return;
    this.#complaint = undefined;
    if (positions.size > 0) return this.#run(loaf, { text, items, only: positions, memory, skipApplied: !isAgain });
    const result = items.length === 0 ? withoutBlocks(findings) : ranBefore(items.length, findings);
    const isDue = !isStarting && !isAnswered(text, result);
    if (isDue && !(await this.requests.rested(CUT_OFF_REST_MS))) return;
    if (this.requests.isClosed) return;
    this.#known = text;
    if (isDue) await this.#answer(text, result, loaf);
    if (isDue || isAgain || (items.length === 0 && findings.length > 0)) view.nothingToRun(result);
  }

  /** Keeps the output file if the blocks ran before: it has their report. */
  async #answer(text: string, result: ExecutionResult, loaf: Loaf): Promise<void> {
    const { root, output } = this.#options;
    if (result.totalBlocks === 0) await this.#telling(() => publishReport(root, output, fullReport(result, loaf)));
    await this.#telling(() => this.#place(text, result, loaf));
  }

  /** Reports why a save cannot be handled. The text stays pending until the problem is fixed. */
  async #refuse(reason: string): Promise<void> {
    const { root, input, output } = this.#options;
    const result = refusedWhole(`${reason}: nothing was run`);
    const text = await readTextFile(input, defaults.limits.max_input).catch(() => "");
    if (text === undefined || text === this.#known || text === this.#refused) return;
    await this.#telling(() => publishReport(root, output, fullReport(result, NO_PROJECT)));
    if (isAnswered(text, result)) return;
    await this.#telling(async () => {
      this.#refused = (await this.#putAbove(text, result, defaults.limits.max_input)).text;
    });
  }

  /** Does not run an answer that ran before. */
  async #runCopied(text: string): Promise<void> {
    const { root, open, confirmCopied, view } = this.#options;
    const loaf = await open();
    if (loaf === undefined) return;
    const { items } = loaf.items(text);
    const isAnswer = confirmCopied === undefined ? items.length > 0 : items.some(({ isAction }) => isAction);
    if (!isAnswer) return;
    if (whenRan(root, items) !== undefined)
      return view.tell("The copied answer ran before, and did not run again: loaf paste asks, and runs it again");
    if (confirmCopied === undefined || (await confirmCopied(text)))
      await this.#run(loaf, { text, items, memory: this.#memory });
  }

  /** Remembers the text before running it, since an interrupted run may have been done. */
  async #run(loaf: Loaf, { text, items, only, memory, skipApplied = true }: PendingRun): Promise<void> {
    const { root, output, view, onItems } = this.#options;
    const before = this.#memory;
    this.#remember({ ...before, ...memory, isRunning: true });
    if (only !== undefined) this.#known = text;
    const signals = view.starting();
    onItems?.(items);
    const result = await loaf.execute(text, { ...(only && { only }), skipApplied, ...signals });
    const report = fullReport(result, loaf);
    if (result.executedActions > 0) rememberAnswer(root, items);
    await this.#telling(() => publishReport(root, output, report));
    await this.#telling(() => this.#place(text, result, loaf));
    // After a fatal error nothing was run, so the text stays pending.
    const { ran, reported } = result.fatalError === undefined ? this.#memory : before;
    this.#remember({ ...this.#memory, ran, reported, isRunning: false });
    await view.finished({ loaf, result, report });
  }

  async #place(text: string, result: ExecutionResult, loaf: Loaf): Promise<void> {
    const placed = await this.#putAbove(this.#known ?? text, result, loaf.settings.limits.max_input);
    // A text saved meanwhile still has to be handled.
    if (placed.below === this.#known) this.#known = placed.text;
  }

  async #putAbove(text: string, result: ExecutionResult, limit: number): Promise<PlacedReport> {
    const { input, output, debounce } = this.#options;
    try {
      const summary = summaryReport(result);
      const placed = await placeResults({
        input,
        text,
        summary,
        limit,
        above: this.#memory.above,
        last: () => this.#late.last,
        rested: () => this.requests.rested(Math.max(5, debounce)),
      });
      this.#late.watch(placed);
      this.#remember({ ...this.#memory, above: summary });
      return placed;
    } catch (thrown) {
      const { code } = thrown as NodeJS.ErrnoException;
      if (code === undefined) throw thrown;
      const reason =
        code === "ENOENT"
          ? `There is no ${input} to put results above`
          : `Results could not be put above ${input} (${code})`;
      throw new Error(`${reason}: they are in ${output}`, { cause: thrown });
    }
  }

  #remember(memory: RunMemory): void {
    writeMemory(this.#options.root, memory);
    this.#memory = memory;
  }

  /** Reports an error, but not the same one twice in a row, and continues: the next save may be fine. */
  async #telling(act: () => Promise<void> | void): Promise<void> {
    try {
      await act();
    } catch (thrown) {
      const complaint = messageOf(thrown);
      if (complaint !== this.#complaint) this.#options.view.tell(complaint);
      this.#complaint = complaint;
    }
  }
}

/** Stands in for a project that cannot be opened. */
const NO_PROJECT: ReportedProject = { peek: () => undefined, settings: { report: defaults.report, csl: defaults.csl } };

/** The start of results for saved texts that run nothing: every save gets a response. */
const NOTHING_DONE = { success: true, executedActions: 0, results: [], parseErrors: [] } as const;

/** Returns the result for a text without blocks, with the findings instead. */
function withoutBlocks(findings: readonly Finding[]): ExecutionResult {
  return { ...NOTHING_DONE, totalBlocks: 0, ...(findings.length > 0 && { findings }) };
}

/** Returns the result for a text whose blocks all ran before. */
function ranBefore(totalBlocks: number, findings: readonly Finding[]): ExecutionResult {
  const all =
    totalBlocks === 1
      ? "the block of this text ran before, and did"
      : `all ${totalBlocks} blocks of this text ran before, and did`;
  const finding: Finding = {
    code: "answer/ran-before",
    line: 1,
    message: `${all} not run again`,
    request: "To run the text again anyway, press r in loaf watch",
  };
  return { ...NOTHING_DONE, totalBlocks, findings: [finding, ...findings] };
}

/**
 * Returns whether a text needs no response: it is empty, has only reports, or already has this response above it. For
 * blocks that ran before, any report above them suffices, unless there are other findings.
 */
function isAnswered(text: string, result: ExecutionResult): boolean {
  const above = ABOVE.exec(text)?.[0] ?? "";
  if (text.slice(above.length).trim() === "") return true;
  const findings = (result.findings ?? []).filter(({ code }) => code !== "answer/ran-before");
  if (result.totalBlocks > 0 && above.includes(FRAME) && findings.length === 0) return true;
  const known = new Set(comparable(above));
  const wanted = comparable(summaryReport({ ...result, findings }));
  return above.includes(FRAME) && wanted.every((line) => known.has(line));
}

const FRAME = "=== LOAF RESULTS ===";
/** The reports at the top of a text, each with the status lines above it. */
const ABOVE = /^\ufeff?(?:(?:\[[^\n]*\n)*=== LOAF RESULTS ===\r?\n(?:(?!=== )[^\n]*\n)*=== END ===\r?(?:\n|$))*/;

/** Ignores numbers, since a report above a text shifts its lines. */
function comparable(text: string): string[] {
  return text.split(/\r?\n/).map((line) => line.replaceAll(/\d+/g, "#"));
}

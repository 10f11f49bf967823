/** A run of an answer, and its report for the chat. */
import {
  type ActionResult,
  type Approval,
  type ApprovalRequest,
  type BlockComment,
  type Change,
  estimateTokens,
  type ExecutionResult,
  fullReport,
  LastLine,
  type Loaf,
  outcomeLine,
  type Previewed,
  type Progress,
  rowsOf,
} from "../../index.ts";
import type { Environment } from "./environment.ts";
import type { ReportView, RunEvent } from "./protocol.ts";
import { Questions } from "./questions.ts";
import type { Comment, RequestBody } from "./requests.ts";
import { areSame, type Review, selectionOf, type ShownAnswer } from "./review.ts";

export type Send = (event: RunEvent) => void;

/** A run in progress. */
export class ReviewRun {
  readonly #environment: Environment;
  readonly #review: Review;
  readonly #send: Send;
  readonly #stop = new AbortController();
  readonly #kill = new AbortController();
  readonly questions: Questions;
  /** Changes of protected files that the user has seen and allowed. */
  readonly #agreed: Array<readonly Change[]> = [];
  readonly #output = new LastLine();

  constructor(environment: Environment, review: Review, send: Send) {
    [this.#environment, this.#review, this.#send] = [environment, review, send];
    this.questions = new Questions(environment.root, (question) => send({ kind: "ask", question }));
  }

  /** Stops after the current action; the second time, kills the running command. */
  stop(): void {
    if (this.#stop.signal.aborted) this.#kill.abort();
    else this.#send({ kind: "stopping" });
    this.#stop.abort();
    this.questions.close();
  }

  /** Throws an error for the user if the answer is not shown any more, or has run. */
  check({ key, again }: RequestBody<"run">): void {
    if (this.#review.answerWith(key).hasRun && !again)
      throw new Error("This answer has run already: copy it again to run it once more");
  }

  /** Previews first. If the preview differs from what the page shows, sends that instead of running. */
  async run(request: RequestBody<"run">): Promise<void> {
    const answer = this.#review.answerWith(request.key);
    const loaf = await this.#environment.open({
      commands: true,
      asker: {
        approve: (asked) => this.#approve(answer, asked),
        confirm: (text, question) => this.questions.confirm(text, question),
      },
    });
    const view = await this.#review.preview(request);
    if (view.digest !== request.digest) return this.#send({ kind: "changed", answer: view });
    answer.hasRun = true;
    const result = await loaf.execute(answer.text, {
      only: selectionOf(request.choice, answer),
      skipApplied: !request.again,
      stop: this.#stop.signal,
      signal: this.#kill.signal,
      onProgress: (step) => this.#onProgress(step, answer),
    });
    if (result.executedActions > 0) this.#environment.remember(answer.read.items);
    if (result.fatalError !== undefined) answer.hasRun = false;
    this.#send({ kind: "done", report: await this.#report(loaf, result, { answer, request }) });
  }

  /** Asks only about what the page has not shown, such as an edit that depends on a command. */
  async #approve(answer: ShownAnswer, request: ApprovalRequest): Promise<Approval> {
    if (request.kind === "failed") return "no";
    if (request.kind === "action") {
      const isCommand = answer.all.some(
        ({ kind, action, line }) => kind === "command" && action === request.action && line === request.blockStartLine,
      );
      const isAgreed = this.#agreed.some((changes) => areSame(request.changes, changes));
      if (isCommand || isAgreed || this.#review.shows(answer, request.changes, request)) return "once";
    }
    const approval = await this.questions.approve(request);
    if (request.kind === "protected" && approval !== "no") this.#agreed.push(request.changes);
    return approval;
  }

  #onProgress(step: Progress, answer: ShownAnswer): void {
    if (step.kind === "started") this.#send({ kind: "started", label: labelOf(step.action, answer) });
    else if (step.kind === "checking") this.#send({ kind: "started", label: `check: ${step.command}` });
    else if (step.kind === "output") this.#sendOutput(step.piece);
    else if (step.kind === "ended")
      this.#send({ kind: "ended", label: labelOf(step.result, answer), mark: step.result.success ? "✓" : "✗" });
  }

  #sendOutput(piece: Uint8Array): void {
    this.#output.add(piece);
    const line = this.#output.text();
    if (line !== "") this.#send({ kind: "output", line });
  }

  async #report(
    loaf: Loaf,
    result: ExecutionResult,
    { answer, request }: { readonly answer: ShownAnswer; readonly request: RequestBody<"run"> },
  ): Promise<ReportView> {
    const text = fullReport({ ...result, comments: blockComments(answer.previewed, request.comments) }, loaf);
    this.#environment.keep(text, loaf);
    const isCopied = await this.#environment.copy(text);
    const { blocks, checks, hooks } = rowsOf(result);
    const changes = result.run === undefined ? [] : (await loaf.changesOf(result.run))?.changes;
    return {
      text,
      tokens: estimateTokens(text),
      isCopied,
      summary: result.fatalError ?? outcomeLine(result, { changes }, { width: Infinity, paint: (_, text) => text }),
      success: isAsWanted(result),
      run: result.run,
      rows: [...blocks, ...checks, ...hooks].map(({ label, mark, action, subject, tally, problem }) => ({
        label,
        mark,
        text: [subject || action, tally, problem].filter((part) => part).join(" · "),
      })),
    };
  }
}

function isAsWanted({ results, parseErrors, fatalError, hookErrors }: ExecutionResult): boolean {
  const isMade = ({ success, code }: (typeof results)[number]): boolean => success || code === "skip/refused";
  return fatalError === undefined && hookErrors === undefined && parseErrors.length === 0 && results.every(isMade);
}

/** Returns the label of the item that an action comes from. The second block with an ID has another one. */
function labelOf({ seq, blockId }: Pick<ActionResult, "seq" | "blockId">, { previewed, view }: ShownAnswer): string {
  const shown = previewed.find(({ result }) => result?.seq === seq);
  return view.items.find(({ position }) => position === shown?.position)?.label ?? blockId;
}

/** Returns what the user says about the blocks. */
function blockComments(previewed: readonly Previewed[], comments: readonly Comment[]): BlockComment[] {
  return comments.flatMap(({ position, path, hunk, line, quote, text }) => {
    const item = previewed.find((shown) => shown.position === position);
    const { blockId, blockStartLine } = item?.result ?? item?.errors?.[0] ?? {};
    if (blockId === undefined || blockStartLine === undefined) return [];
    const about = line > 0 && { about: { path, line, text: quote } };
    return { blockId, blockStartLine, text, hunk, ...about };
  });
}

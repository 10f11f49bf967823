/**
 * A tool call that may have to ask the user. In the newer protocol the client does so between two requests, and may
 * never come back. So a run that asks ends there without a trace, and starts again with the answer.
 */
import { hash, randomUUID } from "node:crypto";
import { serialize } from "node:v8";
import type { Approval, ApprovalRequest } from "../../index.ts";
import type { CallToolResult } from "./sdk.ts";

/** The next step of a call. */
export type CallStep =
  | { readonly kind: "result"; readonly result: CallToolResult }
  | { readonly kind: "question"; readonly request: AskedRequest };

/** A block that cannot run is no question. */
export type AskedRequest = Exclude<ApprovalRequest, { kind: "failed" }>;

/** What the user has said to a question. `question` is its digest: the answer counts for exactly what was shown. */
interface Reply {
  readonly question: string;
  readonly approval: Approval;
}

export interface OpenCallOptions {
  /** The tool with its arguments: an answer counts only for the same call. */
  readonly key: string;
  /** Answers to earlier questions of the same call. */
  readonly replies: readonly Reply[];
  /** Does what the call asks for. */
  readonly work: (call: OpenCall) => Promise<CallToolResult>;
  /** Waits for an answer, but ends the call if another change comes. */
  readonly hold: <Value>(answer: Promise<Value>, end: () => void) => Promise<Value>;
}

export class OpenCall {
  /** Names the call in the state that the client returns. Nobody can guess it. */
  readonly id = randomUUID();
  readonly key: string;
  readonly #replies: readonly Reply[];
  readonly #unused: Reply[];
  readonly #hold: OpenCallOptions["hold"];
  readonly #abort = new AbortController();
  #hasChanged = false;
  #question = "";
  #next = pending();
  #answer: ((approval: Approval) => void) | undefined;

  constructor({ key, replies, work, hold }: OpenCallOptions) {
    this.key = key;
    this.#replies = replies;
    this.#unused = [...replies];
    this.#hold = hold;
    void work(this).then((result) => this.#next.resolve({ kind: "result", result }), this.#next.reject);
  }

  /** Ends the running command and starts nothing more. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Notes that the call cannot start again, because it would do something twice. */
  noteChange(): void {
    this.#hasChanged ||= !this.#abort.signal.aborted;
  }

  /** Returns the next step. Until it is there, a cancelled request ends the call. */
  async step(cancelled: AbortSignal): Promise<CallStep> {
    const onCancel = (): void => this.end();
    if (cancelled.aborted) onCancel();
    cancelled.addEventListener("abort", onCancel);
    try {
      return await this.#next.promise;
    } finally {
      cancelled.removeEventListener("abort", onCancel);
    }
  }

  /** Asks the client's user. Holds nothing until the answer, unless a part of the call is done. */
  async ask(request: ApprovalRequest): Promise<Approval> {
    if (request.kind === "failed" || this.#abort.signal.aborted) return "quit";
    this.#question = digestOf(request);
    const at = this.#unused.findIndex(({ question }) => question === this.#question);
    const [reply] = at === -1 ? [] : this.#unused.splice(at, 1);
    if (reply !== undefined) return reply.approval;
    this.#next.resolve({ kind: "question", request });
    if (this.#hasChanged) return this.#hold(this.#heldAnswer(), () => this.end());
    this.end();
    return "quit";
  }

  /** Waits. An answer that never comes is a no. */
  #heldAnswer(): Promise<Approval> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.end(), MAX_WAIT_MS);
      this.#answer = (approval) => {
        clearTimeout(timer);
        this.#answer = undefined;
        this.#next = pending();
        resolve(approval);
      };
    });
  }

  /** Returns the answers to start the call again with. Undefined if it continues, or has its result. */
  answer(approval: Approval): readonly Reply[] | undefined {
    if (!this.#hasChanged) return [...this.#replies, { question: this.#question, approval }];
    this.#answer?.(approval);
    return undefined;
  }

  end(): void {
    this.#abort.abort();
    this.#answer?.("quit");
  }
}

/** Covers the bytes that would be written, all of which a dialog may not show. */
function digestOf(request: AskedRequest): string {
  return hash("sha256", serialize(request), "hex");
}

interface Pending {
  readonly promise: Promise<CallStep>;
  readonly resolve: (step: CallStep) => void;
  readonly reject: (reason: unknown) => void;
}

function pending(): Pending {
  const parts = {} as { resolve: Pending["resolve"]; reject: Pending["reject"] };
  const promise = new Promise<CallStep>((resolve, reject) => Object.assign(parts, { resolve, reject }));
  // Nobody may wait for it any more.
  promise.catch(() => {});
  return { promise, ...parts };
}

/** People read before they answer. */
export const MAX_WAIT_MS = 10 * 60_000;

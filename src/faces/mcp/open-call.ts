/**
 * A tool call that may have to ask the user. Its run waits inside the question while the client asks: in the newer
 * protocol the client does so between two requests.
 */
import { randomUUID } from "node:crypto";
import type { Approval, ApprovalRequest } from "../../index.ts";
import type { CallToolResult } from "./sdk.ts";

/** The next step of a call. */
export type Step =
  { readonly kind: "result"; readonly result: CallToolResult } | { readonly kind: "question"; readonly request: Asked };

/** A block that cannot run is no question. */
export type Asked = Exclude<ApprovalRequest, { kind: "failed" }>;

export class OpenCall {
  /** Names the call in the state that the client returns. Nobody can guess it. */
  readonly id = randomUUID();
  /** The tool with its arguments: an answer counts only for the same call. */
  readonly key: string;
  readonly #abort = new AbortController();
  #next = pending();
  #answer: ((approval: Approval) => void) | undefined;

  /** @param work does what the call asks for */
  constructor(key: string, work: (call: OpenCall) => Promise<CallToolResult>) {
    this.key = key;
    void work(this).then((result) => this.#next.resolve({ kind: "result", result }), this.#next.reject);
  }

  /** Ends the running command and starts nothing more. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Returns the next step. Until it is there, a cancelled request ends the call. */
  async step(cancelled: AbortSignal): Promise<Step> {
    const onCancel = (): void => this.end();
    if (cancelled.aborted) onCancel();
    cancelled.addEventListener("abort", onCancel);
    try {
      return await this.#next.promise;
    } finally {
      cancelled.removeEventListener("abort", onCancel);
    }
  }

  /** Asks the client's user, and waits. An answer that never comes is a no. */
  ask(request: ApprovalRequest): Promise<Approval> {
    if (request.kind === "failed" || this.#abort.signal.aborted) return Promise.resolve("quit");
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.end(), MAX_WAIT_MS);
      this.#answer = (approval) => {
        clearTimeout(timer);
        this.#answer = undefined;
        this.#next = pending();
        resolve(approval);
      };
      this.#next.resolve({ kind: "question", request });
    });
  }

  answer(approval: Approval): void {
    this.#answer?.(approval);
  }

  end(): void {
    this.#abort.abort();
    this.answer("quit");
  }
}

interface Pending {
  readonly promise: Promise<Step>;
  readonly resolve: (step: Step) => void;
  readonly reject: (reason: unknown) => void;
}

function pending(): Pending {
  const parts = {} as { resolve: Pending["resolve"]; reject: Pending["reject"] };
  const promise = new Promise<Step>((resolve, reject) => Object.assign(parts, { resolve, reject }));
  // Nobody may wait for it any more.
  promise.catch(() => {});
  return { promise, ...parts };
}

/** People read before they answer. */
export const MAX_WAIT_MS = 10 * 60_000;

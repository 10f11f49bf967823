import type { Approve, ApprovalRequest } from "../core/approval.ts";

/** What somebody has agreed to in one run: `all` and `quit` outlast the question that they answered. */
export class Consent {
  readonly #approve: Approve | undefined;
  readonly #granted = new Set<ApprovalRequest["kind"]>();
  #isStopped = false;
  #questions = 0;

  /** @param approve absent where nobody can be asked */
  constructor(approve: Approve | undefined) {
    this.#approve = approve;
  }

  /** Whether there is somebody to ask: without one every request is refused, and the failure should say how to allow it otherwise. */
  get canAsk(): boolean {
    return this.#approve !== undefined;
  }

  /** Nothing more is to be run. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** How many questions were asked so far: while somebody thinks, anything may happen. */
  get questions(): number {
    return this.#questions;
  }

  /**
   * Asks, unless that was answered before for all of its kind.
   *
   * @param keep called where the answer is a plain yes, which may hold for good: `all` holds for this run
   */
  async isGiven(request: ApprovalRequest, keep?: () => void): Promise<boolean> {
    if (this.#isStopped) return false;
    if (this.#granted.has(request.kind)) return true;
    const answer = await this.#ask(request);
    if (answer === "all") this.#granted.add(request.kind);
    if (answer === "quit") this.#isStopped = true;
    if (answer === "yes") keep?.();
    return answer === "yes" || answer === "all";
  }

  async #ask(request: ApprovalRequest): Promise<unknown> {
    this.#questions += 1;
    try {
      return await this.#approve?.(request);
    } catch {
      return "no";
    }
  }
}

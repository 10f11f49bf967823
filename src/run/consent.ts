import type { ActionRequest, ApprovalRequest, Approve, FailedBlock } from "../core/approval.ts";

type Question = Exclude<ApprovalRequest, FailedBlock>;

const AGREED: ReadonlySet<unknown> = new Set(["yes", "once", "file", "kind"]);

/** What somebody has agreed to in one run. `file`, `kind` and `quit` also apply to later questions. */
export class Consent {
  readonly #approve: Approve | undefined;
  readonly #isPerson: boolean;
  readonly #files = new Set<string>();
  readonly #actions = new Set<string>();
  #isSandboxOptional = false;
  #isStopped = false;
  #questions = 0;

  /**
   * @param approve undefined if nobody can be asked
   * @param isPerson whether a person answers, and not a program
   */
  constructor(approve: Approve | undefined, isPerson = false) {
    this.#approve = approve;
    this.#isPerson = isPerson;
  }

  /**
   * Whether somebody can be asked. If not, every request is refused, and the failure should explain how to allow it.
   */
  get canAsk(): boolean {
    return this.#approve !== undefined;
  }

  /** Whether a person can be asked, who may decide what no program may. */
  get canAskPerson(): boolean {
    return this.canAsk && this.#isPerson;
  }

  /** Somebody answered that nothing more should run. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Number of questions so far. Files may change while somebody decides. */
  get questions(): number {
    return this.#questions;
  }

  /**
   * Asks, unless an earlier answer covers the request.
   *
   * @param keep called after a plain yes, to remember it beyond this run
   */
  async isGiven(request: Question, keep?: () => void): Promise<boolean> {
    if (this.#isStopped) return false;
    if (this.#covers(request)) return true;
    const answer = await this.#ask(request);
    if (request.kind === "no-sandbox") this.#isSandboxOptional = AGREED.has(answer);
    if (request.kind === "action" && answer === "file") for (const file of request.files) this.#files.add(file);
    if (request.kind === "action" && answer === "kind" && request.mayRepeat) this.#actions.add(request.action);
    if (answer === "yes") keep?.();
    return AGREED.has(answer);
  }

  /** Shows an invalid block in its place. */
  async show(block: FailedBlock): Promise<void> {
    if (!this.#isStopped) await this.#ask(block);
  }

  #covers(request: Question): boolean {
    return request.kind === "no-sandbox"
      ? this.#isSandboxOptional
      : request.kind === "action" && this.#coversAction(request);
  }

  #coversAction({ action, mayRepeat, files }: ActionRequest): boolean {
    return (
      (mayRepeat && this.#actions.has(action)) || (files.length > 0 && files.every((file) => this.#files.has(file)))
    );
  }

  async #ask(request: ApprovalRequest): Promise<unknown> {
    this.#questions += 1;
    try {
      const answer = await this.#approve?.(request);
      if (answer === "quit") this.#isStopped = true;
      return answer;
    } catch {
      return "no";
    }
  }
}

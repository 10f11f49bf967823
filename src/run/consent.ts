import type { ActionRequest, ApprovalRequest, Approve, Decision, FailedBlock } from "../core/approval.ts";
import { append } from "../core/lists.ts";
import type { BlockComment } from "../core/outcome.ts";

type Question = Exclude<ApprovalRequest, FailedBlock>;

const AGREED: ReadonlySet<unknown> = new Set(["yes", "once", "file", "kind"]);

/** What somebody has decided in one run. `file`, `not-file`, `kind` and `quit` also apply to later questions. */
export class Consent {
  readonly #approve: Approve | undefined;
  readonly #isPerson: boolean;
  /** Files in which all later edits are allowed, and those in which none is. */
  readonly #files = { file: new Set<string>(), "not-file": new Set<string>() };
  readonly #actions = new Set<string>();
  #isSandboxOptional = false;
  #isStopped = false;
  /** What was said about the actions so far. */
  readonly comments: BlockComment[] = [];

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

  /**
   * Asks, unless an earlier answer covers the request.
   *
   * @param keep called after a plain yes, to remember it beyond this run
   */
  async isGiven(request: Question, keep?: () => void): Promise<boolean> {
    return (await this.part(request, keep)) !== "none";
  }

  /** Like `isGiven`. Returns which part of the action may run: all or none of it, or the hunks with these IDs. */
  async part(request: Question, keep?: () => void): Promise<"all" | "none" | ReadonlySet<string>> {
    if (this.#isStopped) return "none";
    if (request.kind === "action" && areIn(this.#files["not-file"], request)) return "none";
    if (this.#covers(request)) return "all";
    const { approval, hunks = "all" } = await this.#ask(request);
    if (request.kind === "no-sandbox") this.#isSandboxOptional = AGREED.has(approval);
    if (request.kind === "action") this.#noteForLater(request, approval);
    if (approval === "yes") keep?.();
    return AGREED.has(approval) ? hunks : "none";
  }

  /** Shows an invalid block in its place. */
  async show(block: FailedBlock): Promise<void> {
    if (!this.#isStopped) await this.#ask(block);
  }

  #covers(request: Question): boolean {
    if (request.kind === "no-sandbox") return this.#isSandboxOptional;
    if (request.kind !== "action") return false;
    return (request.mayRepeat && this.#actions.has(request.action)) || areIn(this.#files.file, request);
  }

  #noteForLater({ files, mayRepeat, action }: ActionRequest, approval: Decision["approval"] | undefined): void {
    if (approval === "file" || approval === "not-file") for (const file of files) this.#files[approval].add(file);
    if (approval === "kind" && mayRepeat) this.#actions.add(action);
  }

  async #ask(request: ApprovalRequest): Promise<Partial<Decision>> {
    try {
      const answer = await this.#approve?.(request);
      const decision: Partial<Decision> = typeof answer === "object" ? answer : { ...(answer && { approval: answer }) };
      if (decision.approval === "quit") this.#isStopped = true;
      if (request.kind === "action") {
        const { blockId, blockStartLine } = request;
        append(
          this.comments,
          (decision.comments ?? []).map((said) => ({ blockId, blockStartLine, ...said })),
        );
      }
      return decision;
    } catch {
      return { approval: "no" };
    }
  }
}

function areIn(known: ReadonlySet<string>, { files }: ActionRequest): boolean {
  return files.length > 0 && files.every((file) => known.has(file));
}

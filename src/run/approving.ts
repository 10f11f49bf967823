import type { Change } from "../core/change.ts";
import { counted } from "../core/counted.ts";
import { explain, nextStep } from "../core/explain.ts";
import type { BlockComment, Outcome, ParseError } from "../core/outcome.ts";
import { shorten } from "../edit/lines.ts";
import { HunkChoice } from "../files/hunks.ts";
import type { NumberedLine } from "../history/uncommitted-lines.ts";
import { openProtected } from "./protected-files.ts";
import { outcomeOf, type Rehearsed } from "./perform.ts";
import type { Action } from "../answer/resolve.ts";
import type { Session } from "./session.ts";

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

/**
 * Asks somebody about the actions of a run, with a rehearsal of each: about all of them, or only about those whose
 * syntax is not certain to mean them.
 */
export class AskingApprover implements Approver {
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  get isStopped(): boolean {
    return this.#session.consent.isStopped;
  }

  get comments(): Approver["comments"] {
    return this.#session.consent.comments;
  }

  async approve(given: Action): Promise<Action> {
    const {
      consent,
      options: { root, settings, asksEach },
    } = this.#session;
    const { guard, workspace } = this.#session;
    const asked = { consent, guard, workspace, rehearse: (action: Action) => rehearse(action, this.#session) };
    const failed = await openProtected(given, asked, root);
    if (failed !== undefined) return { ...given, refusal: failed };
    const rehearsed = await this.#rehearsedReplacement(given);
    const agreed = rehearsed && (await this.#agreedToLose(given, rehearsed.outcome));
    if (agreed !== undefined) return agreed;
    const lost = rehearsed && (await this.#linesLost(rehearsed));
    const action = lost === undefined ? given : { ...given, warnings: [...given.warnings, lost] };
    if (asksEach || (lost !== undefined && consent.canAsk)) return approveAction(action, this.#session);
    const syntax = action.meant?.uncertain;
    const isUnnamed = action.meant?.isUnnamed === true;
    const isCertain = (settings.syntaxes as readonly (string | undefined)[]).includes(syntax);
    if (syntax === undefined || (isCertain && !isUnnamed)) return action;
    if (consent.canAsk || action.refusal !== undefined) return approveAction(action, this.#session);
    return { ...given, refusal: { failure: { code: "skip/uncertain", syntax, isUnnamed } } };
  }

  async #rehearsedReplacement(action: Action): Promise<Rehearsed | undefined> {
    const isOne = action.definition.replaces !== undefined && action.refusal === undefined;
    return isOne ? rehearse(action, this.#session) : undefined;
  }

  /** Asks whether a file may lose what its whole new text lacks, if that is why it is refused. */
  async #agreedToLose(action: Action, refused: Outcome): Promise<Action | undefined> {
    const { agreed, name } = action.definition;
    const { consent } = this.#session;
    const { failure } = refused;
    if (agreed === undefined || failure === undefined || !LOSSES.has(failure.code)) return undefined;
    if (!consent.canAskPerson) return undefined;
    const losing = { ...action, params: { ...action.params, [agreed]: "yes" } };
    const { outcome, changes } = await rehearse(losing, this.#session);
    if (outcome.failure !== undefined) return undefined;
    const isGiven = await consent.isGiven({ kind: "loss", reason: explain(failure, name), changes });
    return isGiven ? losing : { ...action, refusal: refused };
  }

  /** Returns a sentence with the user's own lines that a whole new text of a file would remove for good. */
  async #linesLost({ outcome, changes }: Rehearsed): Promise<string | undefined> {
    const change = changes.find(({ before, after }) => before?.kind === "file" && after?.kind === "file");
    if (outcome.failure !== undefined || change?.after?.kind !== "file") return undefined;
    const { uncommittedLinesLost } = await import("../history/uncommitted-lines.ts");
    const text = Buffer.from(change.after.bytes ?? "").toString();
    const lines = await uncommittedLinesLost(this.#session.options, change.path, text);
    return lines.length === 0 ? undefined : sentenceOnLost(lines);
  }

  async showErrors(errors: readonly ParseError[]): Promise<void> {
    const [first] = errors;
    if (first === undefined || this.#session.options.asksEach !== true) return;
    const { blockId, blockStartLine, action, hint } = first;
    await this.#session.consent.show({
      kind: "failed",
      blockId,
      blockStartLine,
      action,
      errors: errors.map(({ message }) => message),
      hint,
    });
  }
}

const LOSSES: ReadonlySet<string> = new Set(["file/loses", "file/excerpt"]);

/** Maximum number of lines to quote. */
const MAX_QUOTED = 10;

function sentenceOnLost(lines: readonly NumberedLine[]): string {
  const quoted = lines.slice(0, MAX_QUOTED).map(({ number, text }) => `${number}: ${shorten(text)}`);
  const more = lines.length - quoted.length;
  return `removes ${counted(lines.length, "line")} that the user wrote and no commit has: ${quoted.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
}

/** Lets all actions of a dry run go ahead: they change nothing. */
export const dryApprover: Approver = {
  isStopped: false,
  comments: [],
  approve: (action) => action,
  showErrors: async () => {},
};

/**
 * Asks somebody about an action and returns it unchanged or refused. An action that would fail is shown, not asked
 * about, and does not run: by then it might succeed and do something that nobody approved.
 */
async function approveAction(action: Action, session: Session): Promise<Action> {
  const { consent } = session;
  const { definition, params, block } = action;
  const observed = action.hunks ?? new HunkChoice();
  const { outcome, changes, warnings } =
    action.refusal === undefined
      ? await rehearse({ ...action, hunks: observed }, session)
      : { outcome: action.refusal, changes: [], warnings: [] };
  const named = { blockId: block.id, blockStartLine: block.startLine, action: definition.name, params };
  if (action.refusal !== undefined || outcome.failure !== undefined) {
    const { failure, hint } = outcome;
    await consent.show({
      kind: "failed",
      ...named,
      errors: failure === undefined ? [] : [explain(failure, definition.name)],
      hint: hint ?? (failure && nextStep(failure)),
    });
    return { ...action, refusal: outcome };
  }
  // For commands, the question comes after they have run on a view, or right before they start.
  if (definition.runs !== undefined) return action;
  const mayRepeat = !isDestructive(action, outcome);
  const does = definition.tally?.(outcome.data as never) ?? "";
  const allWarnings = [...action.warnings, ...warnings];
  const part = await consent.part({
    kind: "action",
    ...named,
    changes,
    ...(action.hunks === undefined && observed.hunks.length > 1 && { hunks: observed.hunks }),
    ...(does !== "" && { does }),
    ...(allWarnings.length > 0 && { warnings: allWarnings }),
    mayRepeat,
    files: mayRepeat ? editedFiles(changes) : [],
  });
  if (part === "all") return action;
  const isNone = part === "none" || part.size === 0;
  return isNone
    ? { ...action, refusal: { failure: { code: "skip/refused" } } }
    : { ...action, hunks: new HunkChoice(part) };
}

/**
 * Rehearses an action in a session's current state: returns its outcome and changes without making them, and warnings
 * of syntax that these would break. Shows all changes, even in files that no action may read.
 */
export async function rehearse(action: Action, session: Session): Promise<Rehearsed> {
  const rehearsal = session.rehearsal();
  const outcome = await outcomeOf(action, () => rehearsal.contextFor(action, 1, () => {}));
  const warnings = await rehearsal.syntaxWarnings();
  return { outcome, changes: rehearsal.overlay.changes(() => true), warnings: [...warnings.values()].flat() };
}

function isDestructive({ definition: { destroys } }: Action, { data }: Outcome): boolean {
  return typeof destroys === "function" ? destroys(data as never) : destroys === true;
}

/** Returns the edited files if the changes only edit content, apart from new parent folders. Otherwise returns none. */
function editedFiles(changes: readonly Change[]): readonly string[] {
  const isEdit = ({ before, after, movedFrom }: Change): boolean =>
    after !== undefined && movedFrom === undefined && (before === undefined || before.kind === after.kind);
  return changes.every(isEdit) ? changes.flatMap(({ path, after }) => (after?.kind === "file" ? [path] : [])) : [];
}

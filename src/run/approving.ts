/** Asks somebody about the actions of a run, with a rehearsal of each. */
import type { Change } from "../core/change-set.ts";
import { counted } from "../core/counted.ts";
import { explain, nextStep, unlessFailed } from "../core/failure.ts";
import type { Outcome, ParseError } from "../core/outcome.ts";
import { shorten } from "../edit/lines.ts";
import { HunkChoice } from "../files/hunks.ts";
import type { NumberedLine } from "../history/uncommitted-lines.ts";
import { allowedPaths } from "../trust/trust.ts";
import { outcomeOf } from "./perform.ts";
import type { Action } from "../answer/resolve.ts";
import type { Session } from "./session.ts";

/** What an action would do. */
interface Rehearsed {
  readonly outcome: Outcome;
  readonly changes: readonly Change[];
  readonly warnings: readonly string[];
}

/**
 * Rehearses an action in a session's current state: returns its outcome and changes without making them, and warnings
 * of syntax that these would break. Shows all changes, even in files that no action may read.
 */
export async function rehearse(action: Action, session: Session): Promise<Rehearsed> {
  const rehearsal = session.rehearsal();
  const outcome = await outcomeOf(action, rehearsal);
  const warnings = await rehearsal.syntaxWarnings();
  return { outcome, changes: rehearsal.overlay.changes(() => true), warnings: [...warnings.values()].flat() };
}

/**
 * Returns an action as somebody decides, unchanged or refused. Asks about all actions, or only about those whose syntax
 * is not certain to mean them and those that would lose something. A dry run asks about none: it changes nothing.
 */
export async function approved(given: Action, session: Session): Promise<Action> {
  const { consent, options } = session;
  if (session.isDry) return given;
  const failed = await openProtected(given, session);
  if (failed !== undefined) return { ...given, refusal: failed };
  const replaces = given.definition.replaces !== undefined && given.refusal === undefined;
  const rehearsed = replaces ? await rehearse(given, session) : undefined;
  const agreed = rehearsed && (await agreedToLose(given, rehearsed.outcome, session));
  if (agreed !== undefined) return agreed;
  const lost = rehearsed && (await linesLost(rehearsed, session));
  const action = lost === undefined ? given : { ...given, warnings: [...given.warnings, lost] };
  if (options.approveEach === true || (lost !== undefined && consent.canAsk)) return askAbout(action, session);
  const { uncertain: syntax, isUnnamed = false } = action.meant ?? {};
  const isCertain = (options.settings.syntaxes as readonly (string | undefined)[]).includes(syntax);
  if (syntax === undefined || (isCertain && !isUnnamed)) return action;
  if (consent.canAsk || action.refusal !== undefined) return askAbout(action, session);
  return { ...given, refusal: { failure: { code: "skip/uncertain", syntax, isUnnamed } } };
}

/**
 * Asks about each file that an action would write and that only a default rule protects: somebody may open it, once or
 * for good. Returns the action's outcome if it would fail anyway.
 */
async function openProtected(action: Action, session: Session): Promise<Outcome | undefined> {
  const { consent, workspace, guard, options } = session;
  const { refusal } = guard;
  if (!consent.canAskPerson || action.refusal !== undefined) return undefined;
  for (const [name, access = []] of Object.entries(action.definition.needs)) {
    const written = action.params[name];
    if (typeof written !== "string" || !access.includes("write")) continue;
    const path = unlessFailed(() => workspace.realFile(written), undefined);
    const rule = path === undefined ? undefined : refusal(path, "write");
    if (path === undefined || rule === undefined || !refusal.isOpenable(path)) continue;
    refusal.opened.add(path);
    const { outcome, changes } = await rehearse(action, session);
    refusal.opened.delete(path);
    if (outcome.failure !== undefined && outcome.failure.code !== "guard/denied") return outcome;
    const keep = () => allowedPaths.add(options.root, path);
    if (await consent.isGiven({ kind: "protected", path, rule, changes }, keep)) refusal.opened.add(path);
  }
  return undefined;
}

/** Asks whether a file may lose what its whole new text lacks, if that is why it is refused. */
async function agreedToLose(action: Action, refusal: Outcome, session: Session): Promise<Action | undefined> {
  const { agreed, name } = action.definition;
  const { failure } = refusal;
  if (agreed === undefined || failure === undefined || !LOSSES.has(failure.code)) return undefined;
  if (!session.consent.canAskPerson) return undefined;
  const losing = { ...action, params: { ...action.params, [agreed]: "yes" } };
  const { outcome, changes } = await rehearse(losing, session);
  if (outcome.failure !== undefined) return undefined;
  const isGiven = await session.consent.isGiven({ kind: "loss", reason: explain(failure, name), changes });
  return isGiven ? losing : { ...action, refusal };
}

const LOSSES: ReadonlySet<string> = new Set(["file/loses", "file/excerpt"]);

/** Returns a sentence with the user's own lines that a whole new text of a file would remove for good. */
async function linesLost({ outcome, changes }: Rehearsed, { options }: Session): Promise<string | undefined> {
  const change = changes.find(({ before, after }) => before?.kind === "file" && after?.kind === "file");
  if (outcome.failure !== undefined || change?.after?.kind !== "file") return undefined;
  const { uncommittedLinesLost } = await import("../history/uncommitted-lines.ts");
  const lines = await uncommittedLinesLost(options, change.path, Buffer.from(change.after.bytes ?? "").toString());
  return lines.length === 0 ? undefined : sentenceOnLost(lines);
}

/** Maximum number of lines to quote. */
const MAX_QUOTED = 10;

function sentenceOnLost(lines: readonly NumberedLine[]): string {
  const quoted = lines.slice(0, MAX_QUOTED).map(({ number, text }) => `${number}: ${shorten(text)}`);
  const more = lines.length - quoted.length;
  return `removes ${counted(lines.length, "line")} that the user wrote and no commit has: ${quoted.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
}

/**
 * Asks somebody about an action and returns it unchanged or refused. An action that would fail is shown, not asked
 * about, and does not run: by then it might succeed and do something that nobody approved.
 */
async function askAbout(action: Action, session: Session): Promise<Action> {
  const { consent } = session;
  const { definition, params, block } = action;
  const observed = action.hunks ?? new HunkChoice();
  const { outcome, changes, warnings } = await rehearse({ ...action, hunks: observed }, session);
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
  const { destroys } = definition;
  const mayRepeat = typeof destroys === "function" ? !destroys(outcome.data as never) : destroys !== true;
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
  return part === "all" ? action : onlyHunks(action, part);
}

/** Limits an action to chosen hunks. Refuses it if there are none. */
export function onlyHunks(action: Action, chosen: "none" | ReadonlySet<string>): Action {
  // A command has no hunks, so none of it can have been chosen.
  const isNone = chosen === "none" || chosen.size === 0 || action.definition.runs !== undefined;
  return isNone
    ? { ...action, refusal: { failure: { code: "skip/refused" } } }
    : { ...action, hunks: new HunkChoice(chosen) };
}

/** Returns the edited files if the changes only edit content, apart from new parent folders. Otherwise returns none. */
function editedFiles(changes: readonly Change[]): readonly string[] {
  const isEdit = ({ before, after, movedFrom }: Change): boolean =>
    after !== undefined && movedFrom === undefined && (before === undefined || before.kind === after.kind);
  return changes.every(isEdit) ? changes.flatMap(({ path, after }) => (after?.kind === "file" ? [path] : [])) : [];
}

/** Shows the errors of an invalid block in its place. */
export async function showErrors(errors: readonly ParseError[], session: Session): Promise<void> {
  const [first] = errors;
  if (first === undefined || session.isDry || session.options.approveEach !== true) return;
  const { blockId, blockStartLine, action, hint } = first;
  const sentences = errors.map(({ message }) => message);
  await session.consent.show({ kind: "failed", blockId, blockStartLine, action, errors: sentences, hint });
}

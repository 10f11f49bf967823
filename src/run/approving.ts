import type { Change } from "../core/change.ts";
import { explain } from "../core/explain.ts";
import type { Outcome, ParseError } from "../core/outcome.ts";
import type { Consent } from "./consent.ts";
import { outcomeOf } from "./perform.ts";
import type { Action } from "./answer/resolve.ts";
import type { Session } from "./session.ts";

/** What an action would come to and change, found out without doing it. */
export type TryOut = (action: Action) => Promise<{ readonly outcome: Outcome; readonly changes: readonly Change[] }>;

/**
 * Lets somebody decide on an action: it comes back as it is, or refused. One that would fail is shown and not asked about; it fails as it would
 * have, and does not run, since by then it might not fail any more and do what nobody has agreed to.
 */
export async function approved(action: Action, consent: Consent, tryOut: TryOut): Promise<Action> {
  const { definition, params, block } = action;
  const { outcome, changes } = action.refusal === undefined ? await tryOut(action) : { outcome: action.refusal, changes: [] };
  const named = { blockId: block.id, blockStartLine: block.startLine, action: definition.name, params };
  if (action.refusal !== undefined || outcome.failure !== undefined) {
    const { failure, hint } = outcome;
    await consent.show({ kind: "failed", ...named, errors: failure === undefined ? [] : [explain(failure, definition.name)], hint });
    return { ...action, refusal: outcome };
  }
  // Of what runs commands, somebody is asked when they have run on a view, or right before they start.
  if (definition.runs !== undefined) return action;
  const mayRepeat = !isDestructive(action, outcome);
  const isGiven = await consent.isGiven({ kind: "action", ...named, changes, mayRepeat, files: mayRepeat ? editedFiles(changes) : [] });
  return isGiven ? action : { ...action, refusal: { failure: { code: "skip/refused" } } };
}

/** Shows the person who decides a block that is no action. */
export async function showErrors(errors: readonly ParseError[], consent: Consent): Promise<void> {
  const [first] = errors;
  if (first === undefined) return;
  const { blockId, blockStartLine, action, hint } = first;
  await consent.show({ kind: "failed", blockId, blockStartLine, action, errors: errors.map(({ message }) => message), hint });
}

/** Tries actions out in a project as a session has it by then. Somebody who decides sees all that would change, also in files that no action may read. */
export function tryOutIn(session: Session): TryOut {
  return async (action) => {
    const rehearsal = session.rehearsal();
    const outcome = await outcomeOf(action, () => rehearsal.contextFor(action, 1, () => {}));
    return { outcome, changes: rehearsal.overlay.changes(() => true) };
  };
}

function isDestructive({ definition: { destroys } }: Action, { data }: Outcome): boolean {
  return typeof destroys === "function" ? destroys(data as never) : destroys === true;
}

/** The files whose content is all that would change, apart from folders made for them; none where anything else would. */
function editedFiles(changes: readonly Change[]): readonly string[] {
  const isEdit = ({ before, after, movedFrom }: Change): boolean => after !== undefined && movedFrom === undefined && (before === undefined || before.kind === after.kind);
  return changes.every(isEdit) ? changes.flatMap(({ path, after }) => (after?.kind === "file" ? [path] : [])) : [];
}

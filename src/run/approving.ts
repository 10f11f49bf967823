import type { Change } from "../core/change.ts";
import type { Outcome } from "../core/outcome.ts";
import type { Consent } from "./consent.ts";
import { outcomeOf } from "./perform.ts";
import type { Action } from "./answer/resolve.ts";
import type { Session } from "./session.ts";

/** What an action would come to and change, found out without doing it. */
export type TryOut = (action: Action) => Promise<{ readonly outcome: Outcome; readonly changes: readonly Change[] }>;

/**
 * Lets somebody decide on an action: it comes back as it is, or refused. One that would fail is not asked about; it fails as it would
 * have, and does not run, since by then it might not fail any more and do what nobody has agreed to.
 */
export async function approved(action: Action, consent: Consent, tryOut: TryOut): Promise<Action> {
  const { definition, params, block, refusal } = action;
  if (refusal !== undefined) return action;
  const { outcome, changes } = await tryOut(action);
  if (outcome.failure !== undefined) return { ...action, refusal: outcome };
  const isGiven = await consent.isGiven({ kind: "action", blockId: block.id, blockStartLine: block.startLine, action: definition.name, params, changes });
  return isGiven ? action : { ...action, refusal: { failure: { code: "skip/refused" } } };
}

/** Tries actions out in a project as a session has it by then. Somebody who decides sees all that would change, also in files that no action may read. */
export function tryOutIn(session: Session): TryOut {
  return async (action) => {
    const rehearsal = session.rehearsal();
    const outcome = await outcomeOf(action, () => rehearsal.contextFor(action, 1, () => {}));
    return { outcome, changes: rehearsal.overlay.changes(() => true) };
  };
}

/** Files that only a default rule protects: somebody may open them for writing, once or for good. */
import { unlessFailed } from "../core/failure.ts";
import type { AddressedFiles } from "../files/addressed-files.ts";
import type { Guard } from "../guard/guard.ts";
import { allowedPaths } from "../trust/approvals.ts";
import type { Action } from "../answer/resolve.ts";
import type { Outcome } from "../core/outcome.ts";
import type { Consent } from "./consent.ts";
import type { Rehearsed } from "./perform.ts";

/** Returns a guard that opens what was opened for good. What was opened once ends with its run. */
export function reopened(guard: Guard, root: string): Guard {
  for (const path of allowedPaths.of(root)) guard.refusal.opened.add(path);
  return guard;
}

interface Asked {
  readonly consent: Consent;
  readonly guard: Guard;
  readonly workspace: AddressedFiles;
  /** Returns the outcome of an action, and what it would change. */
  rehearse(action: Action): Promise<Pick<Rehearsed, "outcome" | "changes">>;
}

/** Asks about each such file that an action would write. Returns the action's outcome if it would fail anyway. */
export async function openProtected(
  action: Action,
  { consent, guard, workspace, rehearse }: Asked,
  root: string,
): Promise<Outcome | undefined> {
  const { definition, params, refusal } = action;
  if (!consent.canAskPerson || refusal !== undefined) return undefined;
  for (const [name, access = []] of Object.entries(definition.needs)) {
    const written = params[name];
    if (typeof written !== "string" || !access.includes("write")) continue;
    const path = unlessFailed(() => workspace.realFile(written), undefined);
    const rule = path === undefined ? undefined : guard.refusal(path, "write");
    if (path === undefined || rule === undefined || !guard.refusal.isOpenable(path)) continue;
    const { opened } = guard.refusal;
    opened.add(path);
    const { outcome, changes } = await rehearse(action);
    opened.delete(path);
    if (outcome.failure !== undefined && outcome.failure.code !== "guard/denied") return outcome;
    const isGiven = await consent.isGiven({ kind: "protected", path, rule, changes }, () =>
      allowedPaths.add(root, path),
    );
    if (isGiven) opened.add(path);
  }
  return undefined;
}

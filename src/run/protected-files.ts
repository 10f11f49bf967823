/** Files that only a default rule protects: somebody may open them for writing, once or for good. */
import { unlessFailed } from "../core/failure.ts";
import type { AddressedFiles } from "../files/addressed-files.ts";
import type { Guard } from "../guard/guard.ts";
import { allowedPaths } from "../trust/approvals.ts";
import type { Action } from "../answer/resolve.ts";
import type { Consent } from "./consent.ts";

/** Returns a guard that opens what was opened for good. What was opened once ends with its run. */
export function reopened(guard: Guard, root: string, isNewRun: boolean): Guard {
  const { opened } = guard.refusal;
  if (isNewRun) opened.clear();
  for (const path of allowedPaths.of(root)) opened.add(path);
  return guard;
}

interface Asked {
  readonly consent: Consent;
  readonly guard: Guard;
  readonly workspace: AddressedFiles;
}

/** Asks about each such file that an action would write. */
export async function openProtected(
  { definition, params, refusal }: Action,
  { consent, guard, workspace }: Asked,
  root: string,
): Promise<void> {
  if (!consent.canAskPerson || refusal !== undefined) return;
  for (const [name, access = []] of Object.entries(definition.needs)) {
    const written = params[name];
    if (typeof written !== "string" || !access.includes("write")) continue;
    const path = unlessFailed(() => {
      const { file } = workspace.split(written);
      return guard.admit({ path: file, access: ["read"], of: "target", names: "file", syscall: "open" }).path;
    }, undefined);
    const rule = path === undefined ? undefined : guard.refusal(path, "write");
    if (path === undefined || rule === undefined || !guard.refusal.isOpenable(path)) continue;
    const isGiven = await consent.isGiven({ kind: "protected", path, rule }, () => allowedPaths.add(root, path));
    if (isGiven) guard.refusal.opened.add(path);
  }
}

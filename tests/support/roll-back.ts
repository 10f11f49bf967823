import type { Refused } from "../../src/core/history.ts";
import { describeReversal } from "../../src/history/undo.ts";
import type { Journal } from "../../src/journal/journal.ts";
import type { RolledBack } from "../../src/journal/recover.ts";

/** Rolls an atomic run back, and tells what stays as a user is told. */
export async function rollBack(journal: Journal): Promise<{ readonly kept: readonly Refused[] } & Pick<RolledBack, "failure">> {
  const { reverted, ...failure } = await journal.rollBack();
  return { kept: describeReversal(reverted, journal.read()?.file ?? "").refused, ...failure };
}

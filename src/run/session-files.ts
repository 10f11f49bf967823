/** Files and their parts as they are in a session. */
import { explain, Failed, nextStep } from "../core/failure.ts";
import type { OutlineEntry } from "../files/workspace.ts";
import { FailureHints } from "./failure-hints.ts";
import { KnownFiles } from "../answer/known-files.ts";
import type { Session } from "./session.ts";
import type { Peeked } from "../core/outcome.ts";
import { resultInTime } from "./limits.ts";

/**
 * Returns the addresses in a file or a part of it, down to a depth. Throws `Error` if the file cannot be parsed, caused
 * by a `Failed` with a hint.
 */
export async function outline(session: Session, path: string, levels: number): Promise<OutlineEntry[]> {
  const { workspace, time, site } = session;
  let failed: Failed;
  try {
    await workspace.prepareOutline(path);
    return await time.start()(() => workspace.outline(path, levels));
  } catch (thrown) {
    if (!(thrown instanceof Failed)) throw thrown;
    failed = thrown;
  }
  const { failure } = failed;
  const hints = new FailureHints(new KnownFiles(session, site.root), site.root);
  const hint = failed.alignment.hint ?? hints.hintOn(failure) ?? nextStep(failure);
  throw new Error(explain(failure), { cause: new Failed(failure, { hint }) });
}

/** Returns a file or an addressed part as it is in a session. Undefined if it cannot or may not be read. */
export function peek({ workspace }: Session, path: string): Peeked | undefined {
  const text = resultInTime(() => workspace.peek(path), MAX_PEEK_MS);
  if (text === undefined) return undefined;
  const named = workspace.realFile(path) + workspace.split(path).address;
  return { text, path: named, firstLine: resultInTime(() => workspace.firstLine(path), MAX_PEEK_MS) };
}

/** A report reads files again, some of which have just used up the time of an action. */
const MAX_PEEK_MS = 1_000;

import { explain, nextStep } from "../core/explain.ts";
import { Failed } from "../core/failure.ts";
import type { OutlineEntry } from "../files/workspace.ts";
import { FailureHints } from "./failure-hints.ts";
import { KnownFiles } from "../answer/known-files.ts";
import type { Session } from "./session.ts";

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

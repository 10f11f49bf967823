/** Rehearses what a run would do, item by item, without changing anything. */
import type { Change } from "../core/change.ts";
import type { ActionResult, ParseError } from "../core/outcome.ts";
import type { Settings } from "../config/schema.ts";
import { isBlock } from "../syntaxes/read.ts";
import { TailFinder } from "./answer/find-by-tail.ts";
import { rehearse } from "./answer/groups.ts";
import type { Reading } from "./answer/reading.ts";
import { resolve, strayError } from "./answer/resolve.ts";
import { perform } from "./perform.ts";
import type { Session } from "./session.ts";

/** One item of a text: an action with its expected result, or the errors of an invalid block. */
export interface Previewed {
  /** Position in the text, as `execute` takes it in `only`. */
  readonly position: number;
  readonly result?: ActionResult;
  readonly errors?: readonly ParseError[];
  /** Changes that the action would make, by path. Without the bytes of unreadable files. */
  readonly changes: readonly Change[];
}

export interface PreviewEnvironment {
  /** Absolute. */
  readonly root: string;
  readonly settings: Settings;
  /** A dry session. Later items see the changes of earlier ones. */
  readonly session: Session;
}

export async function* preview(reading: Reading, { root, settings, session }: PreviewEnvironment): AsyncGenerator<Previewed> {
  const resolving = { root, relativePaths: settings.relative_paths, allowed: settings["allowed-actions"] };
  const opened: Session[] = [];
  let [latest, position, seq] = [session, 0, 0];
  try {
    for await (const { group, text } of reading.groups()) {
      const resolved = group.map((item) => (isBlock(item) ? resolve(item, text, resolving) : [strayError(item)]));
      for (const one of group.length > 1 ? await rehearse(resolved, latest.rehearsal().contextFor) : resolved) {
        if (!("definition" in one)) {
          yield { position: position++, errors: one, changes: [] };
          continue;
        }
        const trial = latest.onTop();
        opened.push(trial);
        const result = await perform(new TailFinder(trial, root).place(one), ++seq, trial.contextFor);
        const changes = trial.overlay.changes((path) => trial.guard.refusal(path, "read") === undefined);
        if (result.success && changes.length > 0) latest = trial;
        yield { position: position++, result, changes };
      }
    }
  } finally {
    for (const one of opened) await one.closeViews();
  }
}

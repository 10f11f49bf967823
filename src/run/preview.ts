/** Previews what a run would do, item by item, without changing anything. */
import type { Reading } from "../answer/reading.ts";
import type { Change, Content } from "../core/change.ts";
import type { ActionResult, EditHunk, ParseError } from "../core/outcome.ts";
import { rehearse } from "./approving.ts";
import { resultOf, withWarnings } from "./perform.ts";
import type { Selection, SessionOptions } from "./options.ts";
import { RunRecord } from "./run-record.ts";
import { Session } from "./session.ts";
import { isAction, Steps } from "./steps.ts";

/** One item of a text: an action with its expected result, or the errors of an invalid block. */
export interface Previewed {
  /** Position in the text, as `execute` takes it in `only`. */
  readonly position: number;
  readonly result?: ActionResult;
  readonly errors?: readonly ParseError[];
  /** Places that its edits would change, each of which `execute` can take alone. Empty for other actions. */
  readonly hunks: readonly EditHunk[];
  /** Changes that the action would make, by path. Without the bytes of unreadable files. */
  readonly changes: readonly Change[];
}

/** Performs a text in a dry session, so that later items see the changes of earlier ones. */
export async function* preview(
  reading: Reading,
  options: Omit<SessionOptions, "isDry">,
  only?: Selection,
): AsyncGenerator<Previewed> {
  let changes: readonly Change[] = [];
  const session = new Session({ ...options, isDry: true, onCommandChanges: (made) => (changes = made) });
  const record = new RunRecord();
  const steps = new Steps(session, { record, reading, only, observesHunks: true });
  try {
    for await (const items of reading.groups()) {
      for (const [position, resolved] of await steps.resolve(items)) {
        if (!isAction(resolved)) {
          yield { position, errors: resolved, hunks: [], changes: [] };
          continue;
        }
        const action = steps.placed(resolved);
        const runsCommands = action.definition.runs !== undefined;
        changes = runsCommands ? [] : (await rehearse(action, session)).changes;
        const performed = await steps.perform(action);
        const done = withWarnings(performed, [...(await session.syntaxWarnings()).values()].flat());
        await record.add(done, undefined);
        const isDone = done.failure === undefined;
        // The changes of a failed command land.
        const made = isDone || runsCommands ? changes : [];
        yield {
          position,
          result: resultOf(done),
          hunks: isDone ? (action.hunks?.hunks ?? []) : [],
          changes: made.map((change) => withoutSecrets(change, session)),
        };
      }
    }
  } finally {
    await session.closeViews();
  }
}

/** Removes the bytes of a file that may not be read. */
function withoutSecrets(change: Change, { guard }: Session): Change {
  if (guard.refusal(change.path, "read") === undefined) return change;
  return { ...change, before: withoutBytes(change.before), after: withoutBytes(change.after) };
}

function withoutBytes(content: Content | undefined): Content | undefined {
  if (content?.kind !== "file") return content;
  const { bytes: _, ...others } = content;
  return others;
}

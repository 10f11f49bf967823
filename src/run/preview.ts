/** Previews what a run would do, item by item, without changing anything. */
import type { Change, Content } from "../core/change.ts";
import type { ActionResult, EditHunk, ParseError } from "../core/outcome.ts";
import { isBlock } from "../core/block.ts";
import { FailureHints } from "./failure-hints.ts";
import { pathsByTail, TailFinder } from "../answer/find-by-tail.ts";
import { KnownFiles } from "../answer/known-files.ts";
import { placed } from "../answer/placed.ts";
import { rehearse } from "./rehearse.ts";
import type { Reading } from "../answer/reading.ts";
import { type Action, resolve, strayError } from "../answer/resolve.ts";
import { HunkChoice } from "../files/hunks.ts";
import { type Selection, withChosenHunks } from "./selection.ts";
import { rehearseIn } from "./approving.ts";
import { resultOf, withWarnings } from "./done.ts";
import { perform } from "./perform.ts";
import { Session } from "./session.ts";
import type { SessionOptions } from "./options.ts";

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
  const { root, settings } = options;
  const resolving = { root, relativePaths: settings.relative_paths, allowed: settings["allowed-actions"] };
  let changes: readonly Change[] = [];
  const session = new Session({ ...options, isDry: true, onCommandChanges: (made) => (changes = made) });
  const known = new KnownFiles(session, root);
  const [finder, hints] = [
    new TailFinder(known, {
      root,
      paths: () => pathsByTail(reading.whole(), options),
      isCertain: (syntax) => (settings.syntaxes as readonly string[]).includes(syntax),
    }),
    new FailureHints(known, root),
  ];
  let seq = 0;
  try {
    for await (const { group, positions, text, advise } of reading.groups()) {
      const resolved = group.map((item, index) => {
        const one = isBlock(item) ? resolve(item, text, { ...resolving, advise }) : [strayError(item, advise)];
        return "definition" in one ? observed(one, only, positions[index] ?? 0) : one;
      });
      const actions = group.length > 1 ? await rehearse(resolved, session.rehearsal().contextFor) : resolved;
      for (const [index, one] of actions.entries()) {
        const position = positions[index] ?? 0;
        if (!("definition" in one)) {
          yield { position, errors: one, hunks: [], changes: [] };
          continue;
        }
        const action = placed(one, { tails: finder, workspace: session.workspace, match: settings.edits.match });
        const runsCommands = action.definition.runs !== undefined;
        changes = runsCommands ? [] : (await rehearseIn(session)(action)).changes;
        const performed = await perform(action, ++seq, session.contextFor, (failure) => hints.hintOn(failure));
        hints.after(performed);
        const result = resultOf(withWarnings(performed, [...(await session.syntaxWarnings()).values()].flat()));
        // The changes of a failed command land.
        const made = result.success || runsCommands ? changes : [];
        const hunks = result.success ? (action.hunks?.hunks ?? []) : [];
        yield { position, result, hunks, changes: made.map((change) => withoutSecrets(change, session)) };
      }
    }
  } finally {
    await session.closeViews();
  }
}

function observed(action: Action, only: Selection | undefined, position: number): Action {
  return { hunks: new HunkChoice(), ...withChosenHunks(action, only, position) };
}

/** Removes the bytes of a file that may not be read. */
function withoutSecrets(change: Change, { guard }: Session): Change {
  if (guard.refusal(change.path, "read") === undefined) return change;
  return { ...change, before: withoutBytes(change.before), after: withoutBytes(change.after) };
}

function withoutBytes(content: Content | undefined): Content | undefined {
  if (content?.kind !== "file") return content;
  const { bytes: _, ...rest } = content;
  return rest;
}

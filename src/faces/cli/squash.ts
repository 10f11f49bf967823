import type { FoldedCommit, SquashOptions } from "../../git/squash.ts";
import { visibleOnOneLine } from "../../core/visible.ts";
import { personAt } from "./late-person.ts";
import { complain, print, printJson } from "./output.ts";
import { type CommandOptions, openHistory } from "./project.ts";
import { UsageError } from "./usage-error.ts";

interface Options extends CommandOptions, Omit<SquashOptions, "confirm"> {}

/** `loaf squash` */
export async function squash({ root, json = false, ...wanted }: Options): Promise<void> {
  if (wanted.containing === "") throw new UsageError("--containing needs a text: an empty one is in every message");
  const loaf = await openHistory(root === undefined ? {} : { root });
  const person = personAt(loaf.root);
  const confirm =
    person &&
    ((mine: readonly FoldedCommit[], all: readonly FoldedCommit[]) =>
      person.confirm(
        listed(all),
        `${mine.length} of these ${all.length} commits ${mine.length === 1 ? "is" : "are"} your own, not Loaf's. Fold ${mine.length === 1 ? "it" : "them"} too?`,
      ));
  const squashed = await loaf.squash({ ...wanted, ...(confirm && { confirm }) });
  for (const notice of squashed.notices) complain(notice);
  if (squashed.isRejected) process.exitCode = 1;
  if (json) return printJson(squashed);
  const { folded, commit, message, isRejected = false } = squashed;
  const head =
    commit !== undefined
      ? `Folded ${folded.length} commits into ${commit.slice(0, 10)}:`
      : isRejected
        ? `Not folded, because they could not be pushed: ${folded.length} commits:`
        : `Would fold ${folded.length} commits into one:`;
  print(
    [
      head,
      listed(folded),
      "",
      ...message
        .trimEnd()
        .split("\n")
        .map((line) => visibleOnOneLine(line)),
    ].join("\n"),
  );
}

function listed(commits: readonly FoldedCommit[]): string {
  return commits
    .map(
      ({ commit, subject, by }) =>
        `  ${commit.slice(0, 10)} ${visibleOnOneLine(subject)}${by === "user" ? " (your own)" : ""}`,
    )
    .join("\n");
}

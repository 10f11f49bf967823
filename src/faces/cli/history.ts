import type { Reversal } from "../../core/history.ts";
import { visibleOnOneLine } from "../../core/visible.ts";
import type { Loaf } from "../../loaf.ts";
import { unifiedDiff } from "../../report/diff.ts";
import { historyReport, reversalReport } from "../../report/history.ts";
import { LatePerson, personAt } from "./late-person.ts";
import type { CommandOptions, SquashFlags, UndoFlags } from "./options.ts";
import { complain, print, printJson, printProse, terminalWidth, usesColor } from "./output.ts";
import { openHistory } from "./project.ts";
import { paintDiff } from "./reports.ts";
import { hasTerminal } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";
import type { FoldedCommit } from "../../git/squash.ts";
import type { Step } from "../../history/step.ts";

/** `loaf undo [RUN]`, `loaf undo --last N` */
export async function undoRuns(run: number | undefined, { last, yes, ...options }: UndoFlags): Promise<void> {
  if (run !== undefined && last !== undefined) throw new UsageError("Name a run, or the number of runs with --last");
  const loaf = await openHistory(options);
  const asks = hasTerminal() && yes !== true && options.json !== true;
  if (asks && !(await wantsAll(loaf, last ?? 1))) return complain("Nothing was undone");
  showReversal(await loaf.undo({ ...(run !== undefined && { run }), ...(last !== undefined && { last }) }), {
    root: loaf.root,
    json: options.json,
  });
}

/** Asks before several runs are undone. */
async function wantsAll(loaf: Loaf, last: number): Promise<boolean> {
  const { runs } = await loaf.history();
  const meant = runs.filter(({ state }) => state !== "undone").slice(0, last);
  if (meant.length < 2) return true;
  const list = meant.map(({ run, summary }) => `  ${run} ${visibleOnOneLine(summary)}`).join("\n");
  return new LatePerson(loaf.root).confirm(list, `Undo these ${meant.length} runs?`);
}

/** `loaf redo [RUN]` */
export async function redoRun(run: number | undefined, options: CommandOptions): Promise<void> {
  const loaf = await openHistory(options);
  showReversal(await loaf.redo(run === undefined ? {} : { run }), { root: loaf.root, json: options.json });
}

/** `loaf diff [RUN]` */
export async function diff(wanted: number | undefined, options: CommandOptions): Promise<void> {
  const loaf = await openHistory(options);
  const shown = await loaf.changesOf(wanted);
  if (shown === undefined && wanted !== undefined)
    throw new UsageError(`There is no run ${wanted} in the log: loaf log lists all`);
  const text = shown === undefined ? "" : unifiedDiff(shown.changes, loaf.root);
  if (options.json) printJson({ run: shown?.run ?? null, diff: text });
  else if (text !== "") print(paintDiff(text));
  if (shown === undefined) complain("No run has changed anything here yet");
}

/** `loaf log` */
export async function log(options: CommandOptions): Promise<void> {
  const loaf = await openHistory(options);
  const history = await loaf.history();
  if (options.json) printJson(history);
  else if (history.runs.length > 0 || (history.droppedUpTo ?? history.olderUpTo) !== undefined)
    printProse(historyReport(history, { color: usesColor(), width: terminalWidth() ?? Infinity, now: Date.now() }));
  if (history.runs.length === 0) complain("No run has changed anything here yet");
}

/** `loaf recover`: sets exit code 1 if conflicts with later changes left something unfinished. */
export async function recoverProject(options: CommandOptions): Promise<void> {
  const loaf = await openHistory(options);
  const { isWhole, notices } = await loaf.recover();
  process.exitCode = isWhole ? 0 : 1;
  if (options.json) printJson({ isWhole, notices });
  else for (const notice of notices) complain(notice);
  if (notices.length === 0) complain("Nothing was left unfinished");
}

/**
 * Prints the outcome of `loaf undo` or `loaf redo`. Sets exit code 0 if everything was reverted, 1 if paths were
 * refused or there were fewer runs than requested.
 */
function showReversal(
  reversal: Reversal,
  { root, json = false }: { readonly root: string; readonly json?: boolean | undefined },
): void {
  const { kind, runs, missing, notices } = reversal;
  const isWhole = runs.every(({ isReversed, refused }) => isReversed && refused.length === 0);
  process.exitCode = missing === 0 && isWhole ? 0 : 1;
  for (const notice of notices) complain(notice);
  if (json) printJson(reversal);
  else if (runs.length > 0) printProse(reversalReport(reversal, { root, color: usesColor() }));
  if (missing > 0) complain(nothingLeft(kind, runs.length));
}

function nothingLeft(kind: Reversal["kind"], done: number): string {
  if (kind === "redo") return "There is nothing to redo: no run was undone, or a new run came after";
  return done === 0
    ? "There is nothing to undo"
    : `There are no more runs to undo than ${done === 1 ? "this one" : `these ${done}`}`;
}

/** `loaf squash` */
export async function squashCommits({ root, json = false, ...wanted }: SquashFlags): Promise<void> {
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

export function stepBack(options: CommandOptions): Promise<void> {
  return step(options, (loaf) => {
    const person = personAt(loaf.root);
    return loaf.back({
      ...(person && {
        confirm: ({ commit, subject }) =>
          person.confirm(
            `${commit.slice(0, 10)} ${visibleOnOneLine(subject)}`,
            "This is your own commit, not one of Loaf's. Go back past it?",
          ),
      }),
    });
  });
}

export function stepForward(options: CommandOptions): Promise<void> {
  return step(options, (loaf) => loaf.forward());
}

/** Sets exit code 1 if files set aside here could not be restored because of conflicts. */
async function step(options: CommandOptions, go: (loaf: Loaf) => Promise<Step>): Promise<void> {
  const done = await go(await openHistory(options));
  process.exitCode = done.conflicts.length === 0 ? 0 : 1;
  for (const notice of done.notices) complain(notice);
  if (options.json) printJson(done);
  else print(describe(done));
}

function describe({
  commit,
  subject,
  branch,
  stashed_files: stashed,
  restored_files: restored,
  conflicts,
}: Step): string {
  const lines = (what: string, paths: readonly string[]) => paths.map((path) => `  ${what} ${visibleOnOneLine(path)}`);
  return [
    `Now at ${commit.slice(0, 10)} ${visibleOnOneLine(subject)}${branch === undefined ? "" : `, on ${visibleOnOneLine(branch)} again`}`,
    ...lines("set aside", stashed),
    ...lines("brought back", restored),
    ...lines("in conflict, still set aside:", conflicts),
  ].join("\n");
}

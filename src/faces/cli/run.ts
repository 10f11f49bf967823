import { join, relative } from "node:path";
import { IS_EDIT } from "../../core/finding.ts";
import { once } from "../../core/once.ts";
import type { ExecutionResult } from "../../core/outcome.ts";
import { messageOf } from "../../core/errors.ts";
import { isWritable } from "../../state/root.ts";
import { wrapText } from "../../report/cells.ts";
import { jsonReport } from "../../report/chat.ts";
import type { Loaf } from "../../loaf.ts";
import { publishReport } from "../watch/publish.ts";
import { HOW_TO_GET_BLOCKS, NOTHING_FOUND, nothingFound, readAnswerText, streamAnswer } from "./answer.ts";
import { contextParts } from "./context.ts";
import { copy } from "./copy.ts";
import { type LatePerson, personAt } from "./late-person.ts";
import { LiveLine } from "./live-line.ts";
import type { RunFlags } from "./options.ts";
import { complain, isTerminal, paint, print, readerWidth } from "./output.ts";
import type { OnCopying } from "../../programs/view/view.ts";
import { openProject, readOnly, rootOf } from "./project.ts";
import { dryRunDiff, dryChanges, paintDiff, reportForChat } from "./reports.ts";
import { RunScreen } from "./run-screen.ts";
import { stoppable } from "./stopping.ts";
import { UsageError } from "./usage-error.ts";

/**
 * `loaf run`: at a terminal, lists the blocks as they run, and saves the report for the chat, since a run cannot be
 * repeated to get it. Elsewhere prints that report.
 */
export async function runCommand(file: string | undefined, options: RunFlags): Promise<void> {
  const root = rootOf(options.root);
  const isListed = isTerminal() && !options.json && !options.report;
  const line = new LiveLine();
  let screen: RunScreen | undefined;
  const say = (sentence: string): void => line.above(() => complain(sentence));
  const person = personAt(root, !isListed);
  const onCopying: OnCopying = (copied) => screen?.onCopying(copied);
  const loaf = await openProject(
    { ...options, asksTrust: options.json !== true, person, ...(isListed && { onCopying }) },
    say,
  );
  if (options.paste && (file !== undefined || options.stream))
    throw new UsageError("--paste reads the answer from the clipboard: leave out the file and --stream");
  const pasted = options.paste ? await (await import("./paste.ts")).readPasted(loaf, options, person) : undefined;
  if (options.paste && pasted === undefined) return;
  const text =
    pasted?.text ??
    (options.stream
      ? streamAnswer(file)
      : await readAnswerText(file, { limit: loaf.settings.limits.max_input, command: "run" }));
  if (person !== undefined && typeof text === "string")
    person.items = once(() => loaf.items(text, options.format).items);
  const isAgain = options.again === true || pasted?.isAgain === true;
  const skipApplied = !isAgain && !(await wantsAgain(loaf, text, options, person));
  if (isListed) screen = new RunScreen(root, line);
  const result = await stoppable(
    (signals) =>
      loaf.execute(text, { ...options, ...signals, skipApplied, ...(screen && { onProgress: screen.onProgress }) }),
    (sentence) => line.afterKey(() => complain(sentence)),
  );
  screen?.stop();
  if (result.executedActions > 0 && !options.dryRun) pasted?.remember();
  // A stopped run must not wait for more input.
  if (options.stream) process.stdin.destroy();

  process.exitCode = exitCodeOf(result);
  const diff = options.dryRun ? dryRunDiff(loaf) : undefined;
  if (options.json) print(jsonReport({ ...result, ...(diff !== undefined && { diff }) }));
  for (const sentence of remarksOn(text, result, { loaf, isListed })) complain(sentence);
  const [changed] = options.context ? await contextParts(loaf, { isOnlyChanged: true }) : [];
  const report = [reportForChat(loaf, result, diff), ...(changed === undefined ? [] : [changed])].join("\n\n");
  if (screen === undefined) {
    if (!options.json) print(report);
    if (options.copy) await copy(report, loaf);
    return;
  }
  const before = await handOver(report, loaf, result, { diff, copies: options.copy === true });
  await screen.finish(result, loaf, { undo: "loaf undo", before });
}

/** Asks the user about edits that are already applied. `--yes` does not confirm applying an edit twice. */
async function wantsAgain(
  loaf: Loaf,
  text: string | AsyncIterable<string>,
  { format, json, yes, dryRun }: RunFlags,
  person: LatePerson | undefined,
): Promise<boolean> {
  if (person === undefined || typeof text !== "string" || json || yes || dryRun) return false;
  const applied = await loaf.appliedIn(text, format);
  if (applied.size === 0) return false;
  const note =
    loaf.items(text, format).items.length > applied.size
      ? " The rest of the answer, commands included, runs either way."
      : "";
  const fact = `${edits(applied.size)} applied before, by run ${numbersOf(applied.values())}, and not undone since.${note}`;
  return person.confirm(wrapText(fact, readerWidth()), applied.size === 1 ? "Apply it again?" : "Apply them again?");
}

/** Returns runs by number, each once: `3, 12`. */
function numbersOf(runs: Iterable<number>): string {
  return [...new Set(runs)].sort((left, right) => left - right).join(", ");
}

function edits(count: number): string {
  return count === 1 ? "1 edit of this answer was" : `${count} edits of this answer were`;
}

/**
 * Puts the report where the user can get it: into the output file, and on the clipboard if asked. Returns the lines
 * that say so, or the report itself if that failed. A dry run can be repeated, so its report is only copied.
 */
async function handOver(
  report: string,
  loaf: Loaf,
  result: ExecutionResult,
  { diff, copies }: { readonly diff: string | undefined; readonly copies: boolean },
): Promise<string[]> {
  const isCopied = copies && (await copy(report, loaf));
  if (diff !== undefined) {
    const changes = result.fatalError === undefined ? paintDiff(dryChanges(result, diff)).trimEnd() : "";
    return [...(changes === "" ? [] : ["", changes, ""]), ...(copies && !isCopied ? [report] : [])];
  }
  const { output } = loaf.settings.watch;
  try {
    publishReport(loaf.root, output, report);
  } catch (thrown) {
    complain(messageOf(thrown));
    return isCopied ? [] : [report];
  }
  return isCopied
    ? []
    : [
        paint(
          "dim",
          `Report for the chat: ${relative(process.cwd(), join(loaf.root, output))}${copies ? "" : " (--copy puts it on the clipboard)"}`,
        ),
      ];
}

/** Returns sentences about the run as a whole. A list has some of them already. */
function remarksOn(
  text: string | AsyncIterable<string>,
  result: ExecutionResult,
  { loaf, isListed }: { readonly loaf: Loaf; readonly isListed: boolean },
): string[] {
  const notAgain = result.results.flatMap(({ appliedIn }) => appliedIn ?? []);
  const trouble =
    isListed && (result.fatalError ?? result.interrupted) !== undefined ? undefined : troubleWith(text, result, loaf);
  return [
    ...(result.notices ?? []),
    ...(notAgain.length > 0
      ? [
          `${edits(notAgain.length)} applied before, by run ${numbersOf(notAgain)}, and not applied again: loaf log says what can be undone, loaf run --again applies everything a second time`,
        ]
      : []),
    ...(trouble === undefined ? [] : [trouble]),
    ...(isListed && isEmpty(result) && result.findings === undefined ? [HOW_TO_GET_BLOCKS] : []),
    ...(isEmpty(result) && !isListed ? (result.findings ?? []).map(({ message }) => `note: ${message}`) : []),
  ];
}

function exitCodeOf(result: ExecutionResult): number {
  const { fatalError, interrupted, success, findings = [] } = result;
  if (fatalError !== undefined) return 2;
  if (!success || findings.some(({ code }) => IS_EDIT.has(code))) return 1;
  return isEmpty(result) && interrupted === undefined ? NOTHING_FOUND : 0;
}

const ABSOLUTE_ONLY =
  "Paths must be absolute here: relative_paths: true in loaf.yml, as loaf init writes it, allows relative ones too";

/** Returns a problem of the whole run, not of one of its blocks. */
function troubleWith(
  text: string | AsyncIterable<string>,
  result: ExecutionResult,
  { root, settings }: Loaf,
): string | undefined {
  if (result.fatalError !== undefined) return result.fatalError;
  if (result.interrupted !== undefined) return result.interrupted;
  if (isEmpty(result)) return nothingFound(text);
  if (!settings.relative_paths && result.parseErrors.some(({ code }) => code === "params/path")) return ABSOLUTE_ONLY;
  const refused = result.results.some(({ code }) => code === "file/permission" || code === "file/system");
  return refused && !isWritable(root) ? readOnly(root) : undefined;
}

function isEmpty({ totalBlocks, parseErrors }: ExecutionResult): boolean {
  return totalBlocks === 0 && parseErrors.length === 0;
}

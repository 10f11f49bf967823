import type { ExecutionResult } from "../../core/outcome.ts";
import { isWritable } from "../../state/root.ts";
import { hasTerminal } from "./terminal.ts";
import { jsonReport } from "../../report/json.ts";
import type { Loaf } from "../../loaf.ts";
import type { Format } from "../../syntaxes/index.ts";
import { NOTHING_FOUND, nothingFound, readAnswer, streamAnswer } from "./answer.ts";
import { LatePerson } from "./late-person.ts";
import { complain, isTerminal, print } from "./output.ts";
import { openProject, readOnly, rootOf } from "./project.ts";
import { diffOf, reportsOf } from "./reports.ts";
import { stoppable } from "./stopping.ts";
import { UsageError } from "./usage-error.ts";
import { WorkTime } from "./live-line.ts";

interface RunOptions {
  readonly root?: string;
  readonly dryRun?: boolean;
  readonly copy?: boolean;
  /** Whether to read the answer from the clipboard. */
  readonly paste?: boolean;
  readonly json?: boolean;
  readonly format?: Format;
  readonly context?: boolean;
  readonly sandbox?: "required" | "auto" | "off";
  readonly ask?: boolean;
  readonly yes?: boolean;
  readonly hooks?: boolean;
  readonly exec?: boolean;
  readonly stream?: boolean;
  /** Whether to apply edits again that earlier runs have applied. */
  readonly again?: boolean;
  /** False with `--no-git`. */
  readonly git?: boolean;
}

/**
 * `loaf run`: prints the report for the chat, since a run cannot be repeated to get it. At a terminal, prints the
 * report for people instead if the other is on the clipboard, or for a dry run, which can be repeated.
 */
export async function run(file: string | undefined, options: RunOptions): Promise<void> {
  const time = new WorkTime();
  const person = hasTerminal() ? new LatePerson(rootOf(options.root), time.aside) : undefined;
  const loaf = await openProject({ ...options, asksTrust: options.json !== true, person });
  if (options.paste && (file !== undefined || options.stream)) throw new UsageError("--paste reads the answer from the clipboard: leave out the file and --stream");
  const pasted = options.paste ? await (await import("./paste.ts")).readPasted(loaf, options, person) : undefined;
  if (options.paste && pasted === undefined) return;
  const text = pasted?.text ?? (options.stream ? streamAnswer(file) : await readAnswer(file, { limit: loaf.settings.limits.max_input, command: "run" }));
  const skipApplied = options.again !== true && !(await wantsAgain(loaf, text, options, person));
  const start = time.elapsed;
  const result = await stoppable((signals) => loaf.execute(text, { ...options, ...signals, skipApplied }));
  const durationMs = time.elapsed - start;
  if (result.executedActions > 0 && !options.dryRun) pasted?.remember();
  // A stopped run must not wait for more input.
  if (options.stream) process.stdin.destroy();

  process.exitCode = exitCodeOf(result);
  const diff = options.dryRun ? await diffOf(loaf) : undefined;
  if (options.json) print(jsonReport({ ...result, ...(diff !== undefined && { diff }) }));
  for (const notice of result.notices ?? []) complain(notice);
  const notAgain = result.results.filter(({ appliedIn }) => appliedIn !== undefined).length;
  if (notAgain > 0) complain(`${edits(notAgain)} applied by an earlier run and not applied again: loaf undo undoes that run, loaf run --again applies everything a second time`);
  const trouble = troubleWith(text, result, loaf);
  if (trouble !== undefined) complain(trouble);
  if (isEmpty(result)) for (const { message } of result.findings ?? []) complain(`note: ${message}`);
  if (!hasReport(result)) return;

  const reports = reportsOf(loaf, result, { diff, durationMs });
  const report = reports.forChat();
  const changed = options.context === true ? await changedContext(loaf) : undefined;
  const forChat = changed === undefined ? report : `${report}\n\n${changed}`;
  const isBrief = isTerminal() && (options.copy === true || options.dryRun === true);
  if (!options.json) print(isBrief ? reports.forTerminal() : forChat);
  const isCopied = options.copy === true && (await (await import("./copy.ts")).copy(forChat, loaf));
  if (options.copy && !isCopied && isBrief) print(forChat);
}

/** Asks the user about edits that are already applied. `--yes` does not confirm applying an edit twice. */
async function wantsAgain(
  loaf: Loaf,
  text: string | AsyncIterable<string>,
  { format, json, yes, dryRun }: RunOptions,
  person: LatePerson | undefined,
): Promise<boolean> {
  if (person === undefined || typeof text !== "string" || json || yes || dryRun) return false;
  const applied = await loaf.appliedIn(text, format);
  if (applied.size === 0) return false;
  const runs = [...new Set(applied.values())].sort((one, other) => one - other);
  return person.confirm(`${edits(applied.size)} applied before, by run ${runs.join(", ")}, and not undone since.`, "Apply them again?");
}

function edits(count: number): string {
  return count === 1 ? "1 edit of this answer was" : `${count} edits of this answer were`;
}

async function changedContext(loaf: Loaf): Promise<string | undefined> {
  return (await import("./context.ts")).contextText(loaf, { isOnlyChanged: true, maxTokens: loaf.settings.report.max_tokens });
}

function exitCodeOf(result: ExecutionResult): number {
  const { fatalError, interrupted, success } = result;
  if (fatalError !== undefined) return 2;
  if (isEmpty(result) && interrupted === undefined && success) return NOTHING_FOUND;
  return success ? 0 : 1;
}

const ABSOLUTE_ONLY = "Paths must be absolute here: relative_paths: true in loaf.yml, as loaf init writes it, allows relative ones too";

/** Returns a problem of the whole run, not of one of its blocks. */
function troubleWith(text: string | AsyncIterable<string>, result: ExecutionResult, { root, settings }: Loaf): string | undefined {
  if (result.fatalError !== undefined) return result.fatalError;
  if (result.interrupted !== undefined) return result.interrupted;
  if (isEmpty(result)) return `${nothingFound(text)}: nothing was run`;
  if (!settings.relative_paths && result.parseErrors.some(({ message }) => message.startsWith("Invalid absolute path: "))) return ABSOLUTE_ONLY;
  const refused = result.results.some(({ code }) => code === "file/permission" || code === "file/system");
  return refused && !isWritable(root) ? readOnly(root) : undefined;
}

function isEmpty({ totalBlocks, parseErrors }: ExecutionResult): boolean {
  return totalBlocks === 0 && parseErrors.length === 0;
}

/** A text without blocks also needs a report if it has findings, such as a foreign edit, or a hook failed. */
function hasReport(result: ExecutionResult): boolean {
  return !isEmpty(result) || result.findings !== undefined || result.failedHooks !== undefined;
}

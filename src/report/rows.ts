/** The rows of a run: one for each block, check and failed hook. Made here, and printed by all reports. */
import type { AnyAction } from "../actions/define.ts";
import { actionByName } from "../actions/index.ts";
import type { CommandData } from "../core/command.ts";
import { countsOf } from "../core/counted.ts";
import { explainInLine } from "../core/failure.ts";
import { maskSecrets } from "../core/mask-secrets.ts";
import { type ActionResult, type CheckResult, type ExecutionResult, isUnchanged } from "../core/outcome.ts";
import type { FailedHook, ParseError } from "../core/outcome.ts";
import { afterReturns, namedFew, visibleOnOneLine } from "../core/visible.ts";
import { describeTolerated, type Tolerated } from "../edit/tolerance.ts";

/** All texts but those of `result` and `output` are single lines without hidden characters. */
export interface Row {
  /** The block's ID, `check` or `hook`. The second block with the same ID is `k7m#2`. `unknown`: a line outside blocks. */
  readonly label: string;
  readonly mark: "✅" | "⚠️" | "❌";
  readonly end: "done" | "failed" | "refused" | "not run" | "rolled back";
  /** Empty for a check or a hook. */
  readonly action: string;
  /** Its name in the text, if the syntax has its own names. */
  readonly operation?: string;
  /** Because of its error no operation of its syntax was run. */
  readonly isFatal?: true;
  /** 1-based line of the block's header. 0 without a block. */
  readonly line: number;
  /** The file, topic or command. May be empty. */
  readonly subject: string;
  /** Counts of its work, if the action has any. */
  readonly tally?: string;
  /** Why it failed, or was skipped as already applied. */
  readonly problem?: string;
  /** The kinds of errors, if a refused block has several. */
  readonly details: readonly string[];
  /** Tolerated deviations, hint and warnings, each a line. */
  readonly remarks: readonly Remark[];
  /** Of what ran as an action. */
  readonly result?: ActionResult;
  readonly definition?: AnyAction | undefined;
  /** What a command wrote and changed. */
  readonly output?: Partial<CommandData>;
}

export interface Remark {
  readonly kind: "note" | "hint" | "warning";
  readonly text: string;
  /** That of its row, outside the row's own section. */
  readonly label?: string;
}

export interface ReportRows {
  /** In the order of the text. */
  readonly blocks: readonly Row[];
  readonly checks: readonly Row[];
  readonly hooks: readonly Row[];
}

export function rowsOf({ results, parseErrors, checks = [], failedHooks = [] }: ExecutionResult): ReportRows {
  const list = new RowList();
  const blocks = [...results, ...refusedBlocks(parseErrors)]
    .sort((a, b) => a.blockStartLine - b.blockStartLine)
    .map((block) => ("messages" in block ? list.refused(block) : list.executed(block)));
  return { blocks, checks: checks.map(rowOfCheck), hooks: failedHooks.map(rowOfHook) };
}

/** Makes the rows of blocks one by one, in the order of the text. */
export class RowList {
  readonly #seen = new Map<string, number>();

  /** Returns the label of the next block with an ID. Distinguishes blocks with the same one. `unknown` is no ID. */
  label(id: string): string {
    const blockId = visibleOnOneLine(id);
    const count = (this.#seen.get(blockId) ?? 0) + 1;
    this.#seen.set(blockId, count);
    return count === 1 || blockId === "unknown" ? blockId : `${blockId}#${count}`;
  }

  /** @param label that of an action which was listed before */
  executed(result: ActionResult, label = this.label(result.blockId)): Row {
    const { action, data, success, appliedIn, warnings } = result;
    const definition = actionByName.get(action);
    const problem = success
      ? appliedIn === undefined
        ? undefined
        : `already applied in run ${appliedIn}`
      : visibleOnOneLine(maskSecrets(problemOf(result, definition)));
    return {
      label,
      mark: success ? (warnings === undefined ? "✅" : "⚠️") : "❌",
      end: success ? "done" : endOf(result, definition),
      action: visibleOnOneLine(wordFor(result, definition)),
      ...operationOf(result),
      line: result.blockStartLine,
      subject: visibleOnOneLine(subjectOf(result, definition)),
      ...(success && tallyOf(result, definition)),
      ...(problem !== undefined && { problem }),
      details: [],
      remarks: remarksOn(result),
      result,
      definition,
      ...(definition?.runs !== undefined && { output: (data ?? {}) as Partial<CommandData> }),
    };
  }

  refused({ blockStartLine, messages, hints, errorType, ...block }: RefusedBlock): Row {
    const [first = ""] = messages;
    const several = messages.length > 1;
    return {
      label: this.label(block.blockId),
      mark: "❌",
      end: "refused",
      action: visibleOnOneLine(wordFor(block, actionByName.get(block.action ?? ""))),
      ...operationOf(block),
      ...(block.operation !== undefined && errorType === "syntax" && { isFatal: true }),
      line: blockStartLine,
      subject: "",
      problem: several ? `${messages.length} syntax errors` : visibleOnOneLine(first),
      details: several ? kindsOf(messages) : [],
      remarks: [...hints].flatMap((hint) => linesOf("hint", hint)),
    };
  }

  /** @param errors of any number of blocks */
  allRefused(errors: readonly ParseError[]): Row[] {
    return [...refusedBlocks(errors)].map((block) => this.refused(block));
  }
}

/** Returns the name of an action, or a plain word for it where the author of the answer has never heard that name. */
function wordFor(
  { action = "-", namesNoAction }: Pick<ParseError, "action" | "namesNoAction">,
  definition: AnyAction | undefined,
): string {
  return namesNoAction === true ? (definition?.effect?.verb ?? action.replace(/^files?_/, "")) : action;
}

type BlockFacts = "blockId" | "blockStartLine" | "action" | "operation" | "namesNoAction" | "errorType";

interface RefusedBlock extends Pick<ParseError, BlockFacts> {
  readonly messages: string[];
  readonly hints: Set<string>;
}

function refusedBlocks(errors: readonly ParseError[]): Iterable<RefusedBlock> {
  const blocks = new Map<string, RefusedBlock>();
  for (const { message, hint, ...block } of errors) {
    const key = `${block.blockStartLine} ${block.blockId}`;
    const { messages, hints } = blocks.get(key) ?? { messages: new Array<string>(), hints: new Set<string>() };
    messages.push(message);
    if (hint !== undefined && hints.size < MAX_KINDS) hints.add(hint);
    blocks.set(key, { ...block, messages, hints });
  }
  return blocks.values();
}

export function rowOfCheck({ command, success, notRun, error, hint, ...output }: CheckResult): Row {
  return {
    label: "check",
    mark: success ? "✅" : "⚠️",
    end: success ? "done" : notRun ? "not run" : "failed",
    action: "",
    line: 0,
    subject: commandName(command),
    ...(error !== undefined && { problem: visibleOnOneLine(error) }),
    details: [],
    remarks: hint === undefined ? [] : linesOf("hint", hint),
    output,
  };
}

function rowOfHook({ error, ...hook }: FailedHook): Row {
  return { ...rowOfCheck({ ...hook, error, success: false }), label: "hook", mark: "❌" };
}

/** Returns the first line of the command. */
export function commandName(command: string): string {
  return visibleOnOneLine(command.trim().replace(/\n[^]*/, " …"), 200);
}

/** A command or a read fails, and an edit is refused. */
function endOf({ code }: ActionResult, definition: AnyAction | undefined): Row["end"] {
  if (code === "skip/stopped") return "not run";
  if (code === "run/not-whole") return "rolled back";
  return definition?.effect === undefined && code?.startsWith("skip/") !== true ? "failed" : "refused";
}

function tallyOf({ data, hunks }: ActionResult, definition: AnyAction | undefined): Pick<Row, "tally"> {
  const counts = isUnchanged(data) ? "unchanged" : data === undefined ? "" : (definition?.tally?.(data as never) ?? "");
  const taken = hunks === undefined || isUnchanged(data) ? "" : `${hunks.taken} of ${hunks.of} hunks`;
  const tally = [counts, taken].filter((part) => part !== "").join(", ");
  return tally === "" ? {} : { tally };
}

/** Returns the file or topic of an action. May be empty. */
export function subjectOf({ params }: Pick<ActionResult, "params">, definition: AnyAction | undefined): string {
  if (typeof definition?.subject === "function") return definition.subject(params as never);
  return String(params[definition?.subject ?? ""] ?? "");
}

/** Returns why an action failed, without what the line already contains: the action, and the path of a system error. */
function problemOf({ error = "", failure, params, data }: ActionResult, definition: AnyAction | undefined): string {
  if (failure === undefined) return error;
  // The last line of output says more than the exit code.
  if (failure.code === "exec/exit") {
    const { stderr = "" } = (data ?? {}) as Partial<CommandData>;
    return afterReturns(stderr.trimEnd()).split("\n").at(-1) || error;
  }
  // If an action has several paths, the error must name its path: a move may fail at the target's parent. A single path
  // may be spelled differently in the error, since a failed flush names it with links resolved.
  const [source = "", ...others] = Object.keys(definition?.needs ?? {});
  const path = String(params[source]);
  const name = path.slice(path.lastIndexOf("/") + 1);
  const isThisPath =
    "errno" in failure &&
    failure.to === undefined &&
    (failure.path === path || (others.length === 0 && name !== "" && failure.path.endsWith(`/${name}`)));
  return explainInLine(failure, isThisPath ? failure.path : undefined);
}

function remarksOn({ data, hint, warnings = [] }: ActionResult): Remark[] {
  const { tolerated } = Object(data) as { readonly tolerated?: readonly Tolerated[] };
  return [
    ...(Array.isArray(tolerated) && tolerated.length > 0
      ? linesOf("note", `tolerated between old text and file: ${describeTolerated(tolerated)}`)
      : []),
    ...(hint === undefined ? [] : linesOf("hint", hint)),
    ...warnings.flatMap((warning) => linesOf("warning", warning)),
  ];
}

function linesOf(kind: Remark["kind"], text: string): Remark[] {
  return maskSecrets(text)
    .split(/\r?\n/)
    .map((line) => ({ kind, text: visibleOnOneLine(line) }));
}

/** Returns the remarks of a row for use outside its section. */
export function labelled({ label, remarks }: Row): Remark[] {
  return remarks.map((remark) => ({ ...remark, label }));
}

/** Returns `hint: send …`, or `hint: [k7m] send …`. */
export function remarkLine({ kind, text, label }: Remark): string {
  return `${kind}: ${label === undefined ? "" : `[${label}] `}${text}`;
}

function operationOf({ operation }: { readonly operation?: string }): Pick<Row, "operation"> {
  return operation === undefined ? {} : { operation: visibleOnOneLine(operation, 100) };
}

/** Returns `runs code: Makefile, package.json scripts.test`. Undefined if no such file changed. */
export function codeSentence({ runsCode = [] }: ExecutionResult): string | undefined {
  return runsCode.length === 0 ? undefined : visibleOnOneLine(`runs code: ${namedFew(runsCode, MAX_NAMED)}`);
}

const MAX_NAMED = 10;

/** Enough to show what is wrong with a block. A block without its frame has hundreds. */
const MAX_KINDS = 5;

/** Returns each message once, with its number of occurrences. */
function kindsOf(messages: readonly string[]): string[] {
  const kinds = [...countsOf(messages)].map(
    ([message, count]) => visibleOnOneLine(message) + (count > 1 ? ` (${count} occurrences)` : ""),
  );
  return kinds.length > MAX_KINDS
    ? [...kinds.slice(0, MAX_KINDS), `and ${kinds.length - MAX_KINDS} more kinds`]
    : kinds;
}

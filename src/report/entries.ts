/** The blocks of a report, executed or not, in the order of the text. */
import type { AnyAction } from "../actions/define.ts";
import { actionByName } from "../actions/index.ts";
import type { CommandData } from "../core/command.ts";
import { countsOf } from "../core/counted.ts";
import { explainInLine } from "../core/explain.ts";
import { type ActionResult, type ExecutionResult, isUnchanged, type ParseError } from "../core/outcome.ts";
import { maskSecrets } from "../core/mask-secrets.ts";
import { describeTolerated, type Tolerated } from "../edit/tolerance.ts";
import { afterReturns, visibleOnOneLine } from "../core/visible.ts";

/** All texts are single lines without hidden characters. */
interface Listed {
  /** The block's ID. The second block with the same ID is `k7m#2`. `unknown` means a line outside blocks. */
  readonly label: string;
  readonly action: string;
  /** Its name in the text, if the syntax has its own names. */
  readonly operation?: string;
  /** 1-based line of the block's header. */
  readonly line: number;
  /** Tolerated deviations, hint and warnings, each a line. */
  readonly remarks: readonly Remark[];
}

export interface Remark {
  readonly kind: "note" | "hint" | "warning";
  readonly text: string;
}

export interface Executed extends Listed {
  readonly mark: "✅" | "⚠️" | "❌";
  /** The file or topic. May be empty. */
  readonly subject: string;
  /** Counts of its work, if the action has any. */
  readonly tally?: string;
  /** Why it failed, or was skipped as already applied. */
  readonly problem?: string;
  readonly result: ActionResult;
}

interface Refused extends Listed {
  readonly mark: "❌";
  /** Why it was not executed. */
  readonly problem: string;
  /** The kinds of errors, if the block has several. */
  readonly details: readonly string[];
}

export type Entry = Executed | Refused;

export function entriesOf({ results, parseErrors }: ExecutionResult): Entry[] {
  const list = new EntryList();
  return [...results, ...refusedBlocks(parseErrors)]
    .sort((a, b) => a.blockStartLine - b.blockStartLine)
    .map((block) => ("messages" in block ? list.refused(block) : list.executed(block)));
}

/** Makes entries one by one, in the order of the text. */
export class EntryList {
  readonly #seen = new Map<string, number>();

  /** Returns the label of the next block with an ID. Distinguishes blocks with the same one. `unknown` is no ID. */
  label(blockId: string): string {
    const count = (this.#seen.get(blockId) ?? 0) + 1;
    this.#seen.set(blockId, count);
    return count === 1 || blockId === "unknown" ? blockId : `${blockId}#${count}`;
  }

  /** @param label that of an action which was listed before */
  executed(result: ActionResult, label = this.label(result.blockId)): Executed {
    return executed(result, label);
  }

  refused(block: RefusedBlock): Refused {
    return refused(block, this.label(block.blockId));
  }

  /** @param errors of any number of blocks */
  allRefused(errors: readonly ParseError[]): Refused[] {
    return [...refusedBlocks(errors)].map((block) => this.refused(block));
  }
}

interface RefusedBlock extends Pick<ParseError, "blockId" | "blockStartLine" | "action" | "operation"> {
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

function executed(result: ActionResult, label: string): Executed {
  const definition = actionByName.get(result.action);
  const failed = { mark: "❌", problem: visibleOnOneLine(maskSecrets(problemOf(result, definition))) } as const;
  return {
    label,
    action: visibleOnOneLine(result.action),
    ...operationOf(result),
    line: result.blockStartLine,
    subject: visibleOnOneLine(subjectOf(result, definition)),
    ...(result.success
      ? { mark: result.warnings === undefined ? "✅" : "⚠️", ...tallyOf(result, definition) }
      : failed),
    ...(result.appliedIn !== undefined && { problem: `already applied in run ${result.appliedIn}` }),
    remarks: remarksOn(result),
    result,
  };
}

function tallyOf({ data, hunks }: ActionResult, definition: AnyAction | undefined): { readonly tally?: string } {
  if (isUnchanged(data)) return { tally: "unchanged" };
  const told = definition?.tally === undefined || data === undefined ? "" : definition.tally(data as never);
  const own = told === "" ? [] : [told];
  const tally = hunks === undefined ? own : [...own, `${hunks.taken} of ${hunks.of} hunks`];
  return tally.length === 0 ? {} : { tally: tally.join(", ") };
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
  if (failure.code === "exec/exit") return lastLine((data as CommandData | undefined)?.stderr) ?? error;
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

function lastLine(text = ""): string | undefined {
  return afterReturns(text.trimEnd()).split("\n").at(-1) || undefined;
}

function remarksOn({ data, hint, warnings = [] }: Pick<ActionResult, "data" | "hint" | "warnings">): Remark[] {
  const lines = (kind: Remark["kind"], text: string) =>
    maskSecrets(text)
      .split(/\r?\n/)
      .map((line) => ({ kind, text: visibleOnOneLine(line) }));
  const tolerated = toleratedIn(data);
  const notes =
    tolerated.length === 0 ? [] : lines("note", `tolerated between old text and file: ${describeTolerated(tolerated)}`);
  return [
    ...notes,
    ...(hint === undefined ? [] : lines("hint", hint)),
    ...warnings.flatMap((warning) => lines("warning", warning)),
  ];
}

/** `hint: send …` */
export function remarkLines({ remarks }: Entry): string[] {
  return remarks.map(({ kind, text }) => `${kind}: ${text}`);
}

/** Returns the remarks with the block's label, for use outside its section. */
export function labelledRemarks({ label, remarks }: Entry): string[] {
  return remarks.map(({ kind, text }) => `${kind}: [${label}] ${text}`);
}

/** Returns the deviations that an edit tolerated. Empty for other results. */
function toleratedIn(data: unknown): readonly Tolerated[] {
  const holds = typeof data === "object" && data !== null && "tolerated" in data && Array.isArray(data.tolerated);
  return holds ? (data.tolerated as Tolerated[]) : [];
}

function operationOf({ operation }: { readonly operation?: string }): Pick<Listed, "operation"> {
  return operation === undefined ? {} : { operation: visibleOnOneLine(operation, 100) };
}

function refused(block: RefusedBlock, label: string): Refused {
  const { blockStartLine, action = "-", messages } = block;
  const [first = ""] = messages;
  const several = messages.length > 1;
  return {
    label,
    mark: "❌",
    action: visibleOnOneLine(action),
    ...operationOf(block),
    problem: several ? `${messages.length} syntax errors` : visibleOnOneLine(first),
    details: several ? kindsOf(messages) : [],
    line: blockStartLine,
    remarks: remarksOn({ ...(block.hints.size > 0 && { hint: [...block.hints].join("\n") }) }),
  };
}

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

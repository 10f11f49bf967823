/** What a report lists: every block that was met, executed or not, in the order of the text. */
import type { AnyAction } from "../actions/define.ts";
import { actionByName } from "../actions/index.ts";
import type { CommandData } from "../core/command.ts";
import type { ActionResult, ExecutionResult, ParseError } from "../core/outcome.ts";
import { maskSecrets } from "../core/mask-secrets.ts";
import { describeTolerated, type Tolerated } from "../edit/tolerance.ts";
import { visibleOnOneLine } from "../core/visible.ts";

/** Its texts are single lines and hold nothing hidden. */
interface Listed {
  /** The block's ID; the second block of the same ID is `k7m#2`, and `unknown` is a line that belongs to no block. */
  readonly label: string;
  readonly action: string;
  /** What the text itself calls it, where its syntax has names of its own. */
  readonly operation?: string;
  /** 1-based line of the block's header. */
  readonly line: number;
  /** What it tolerated, its hint and warnings, every line beginning with what it is: `note: `, `hint: `, `warning: `. */
  readonly remarks: readonly string[];
}

export interface Executed extends Listed {
  readonly mark: "✅" | "⚠️" | "❌";
  /** What it was about; may be empty. */
  readonly subject: string;
  /** How much it did, where that is counted. */
  readonly tally?: string;
  /** Why it failed, or was not done again. */
  readonly problem?: string;
  readonly result: ActionResult;
}

interface Refused extends Listed {
  readonly mark: "❌";
  /** Why it was not executed. */
  readonly problem: string;
  /** Where the block has several errors, each kind of them. */
  readonly details: readonly string[];
}

export type Entry = Executed | Refused;

export function entriesOf({ results, parseErrors }: ExecutionResult): Entry[] {
  const label = labeller();
  return [...results, ...refusedBlocks(parseErrors)]
    .sort((a, b) => a.blockStartLine - b.blockStartLine)
    .map((block) => ("messages" in block ? refused(block, label(block.blockId)) : executed(block, label(block.blockId))));
}

interface RefusedBlock extends Pick<ParseError, "blockId" | "blockStartLine" | "action" | "operation" | "hint"> {
  readonly messages: string[];
}

function refusedBlocks(errors: readonly ParseError[]): Iterable<RefusedBlock> {
  const blocks = new Map<string, RefusedBlock>();
  for (const { message, ...block } of errors) {
    const key = `${block.blockStartLine} ${block.blockId}`;
    const messages = blocks.get(key)?.messages ?? [];
    messages.push(message);
    blocks.set(key, { ...block, messages });
  }
  return blocks.values();
}

/** Blocks may share an ID; a reader has to know which is meant. `unknown` is no ID. */
function labeller(): (blockId: string) => string {
  const seen = new Map<string, number>();
  return (blockId) => {
    const count = (seen.get(blockId) ?? 0) + 1;
    seen.set(blockId, count);
    return count === 1 || blockId === "unknown" ? blockId : `${blockId}#${count}`;
  };
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
    ...(result.success ? { mark: result.warnings === undefined ? "✅" : "⚠️", ...tallyOf(result, definition) } : failed),
    ...(result.appliedIn !== undefined && { problem: `already applied in run ${result.appliedIn}` }),
    remarks: remarksOn(result),
    result,
  };
}

function tallyOf({ data }: ActionResult, definition: AnyAction | undefined): { readonly tally?: string } {
  return definition?.tally === undefined || data === undefined ? {} : { tally: definition.tally(data as never) };
}

/** What an action is about, in a few words; may be empty. */
export function subjectOf({ params }: Pick<ActionResult, "params">, definition: AnyAction | undefined): string {
  if (typeof definition?.subject === "function") return definition.subject(params as never);
  return String(params[definition?.subject ?? ""] ?? "");
}

/** The error without what the line says already: the action, and the path that a system error repeats. */
function problemOf({ action, code, error = "", params, data }: ActionResult, definition: AnyAction | undefined): string {
  // That a command failed says less than what it said last.
  if (code === "exec/exit") return lastLine((data as CommandData | undefined)?.stderr) ?? error;
  // Of a move the target's parent may be meant, of a list any of its paths: then the path has to be named. Where there is only one,
  // it may be spelled in another way: what fails on the way to the disk names the path that links lead to.
  const [source = "", ...others] = Object.keys(definition?.needs ?? {});
  const path = String(params[source]);
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (error.endsWith(` '${path}'`) || (others.length === 0 && name !== "" && error.endsWith(`/${name}'`))) {
    if (code === "file/not-found") return "File not found";
    if (code === "file/permission") return "Permission denied";
  }
  const sentence = error.startsWith(`${action}: `) ? error.slice(action.length + 2) : error;
  // A list of paths, as explain writes it, in one line.
  return sentence.replace(":\n  ", ": ").replaceAll("\n  ", "; ");
}

function lastLine(text = ""): string | undefined {
  return text.trimEnd().split("\n").at(-1) || undefined;
}

function remarksOn({ data, hint, warnings = [] }: Pick<ActionResult, "data" | "hint" | "warnings">): string[] {
  const lines = (kind: string, text: string) => maskSecrets(text).split(/\r?\n/).map((line) => `${kind}: ${visibleOnOneLine(line)}`);
  const tolerated = toleratedIn(data);
  const notes = tolerated.length === 0 ? [] : lines("note", `tolerated between old text and file: ${describeTolerated(tolerated)}`);
  return [...notes, ...(hint === undefined ? [] : lines("hint", hint)), ...warnings.flatMap((warning) => lines("warning", warning))];
}

/** The same, for where nothing else tells which block they are about. */
export function labelledRemarks({ label, remarks }: Entry): string[] {
  return remarks.map((line) => line.replace(": ", `: [${label}] `));
}

/** What an edit says that it tolerated, where the result is an edit's. */
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
    remarks: remarksOn(block),
  };
}

/** So many kinds of errors tell what is wrong with a block; a block that lost its frame has hundreds. */
const MOST_KINDS = 5;

/** Each message once, with how often it occurs. */
function kindsOf(messages: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const message of messages) counts.set(message, (counts.get(message) ?? 0) + 1);
  const kinds = [...counts].map(([message, count]) => visibleOnOneLine(message) + (count > 1 ? ` (${count} occurrences)` : ""));
  return kinds.length > MOST_KINDS ? [...kinds.slice(0, MOST_KINDS), `and ${kinds.length - MOST_KINDS} more kinds`] : kinds;
}

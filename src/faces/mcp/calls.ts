/** Performs tool calls: single actions, whole answers, and the undo, redo, diff and log of this server's runs. */
import {
  actionReport,
  type Approve,
  dryRunReport,
  type ExecuteOptions,
  type ExecutionResult,
  fullReport,
  type Loaf,
  maskSecrets,
  type PastRun,
  type Reversal,
  reversalReport,
  type StructuredAction,
  unifiedDiff,
} from "../../index.ts";
import type { CallToolResult } from "./sdk.ts";
import type { ServerSession } from "./session.ts";
import type { OfferedTool } from "./tools.ts";

/** The arguments of a call, as the client sent them. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/** The client that makes a call. */
export interface Caller extends Pick<ExecuteOptions, "onProgress"> {
  readonly signal: AbortSignal;
  /** Undefined if the client cannot ask its user. */
  readonly approve: Approve | undefined;
}

/** Performs a call. Never throws: a failure is a result, which the model reads. */
export async function callTool(
  session: ServerSession,
  tool: OfferedTool,
  given: ToolArguments,
  caller: Caller,
): Promise<CallToolResult> {
  // Some hosts send null for an omitted parameter.
  const args = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  try {
    const performRunTool = RUN_TOOLS.get(tool.name);
    return await (performRunTool?.(session, args, caller) ?? performAction(session, tool, args, caller));
  } catch (thrown) {
    return failed(errorText(thrown));
  }
}

type PerformTool = (session: ServerSession, args: ToolArguments, caller: Caller) => Promise<CallToolResult>;

/** The tools that are not actions. */
const RUN_TOOLS: ReadonlyMap<string, PerformTool> = new Map<string, PerformTool>([
  ["run", runAnswer],
  ["undo", (session, args) => reverse(session, "undo", args)],
  ["redo", (session, args) => reverse(session, "redo", args)],
  ["diff", async (session, args) => succeeded(await diffOfRun(session, numberOfRun(args)))],
  ["log", async (session) => succeeded(await logOf(session))],
]);

async function performAction(
  session: ServerSession,
  { name, hints }: OfferedTool,
  args: ToolArguments,
  { approve, ...caller }: Caller,
): Promise<CallToolResult> {
  const actions: StructuredAction[] = [{ action: name, params: args as NonNullable<StructuredAction["params"]> }];
  const reportOn = (result: ExecutionResult, loaf: Loaf): CallToolResult =>
    answered(actionReport(result, loaf), !result.success);
  if (hints.isReadOnly) {
    const loaf = await session.reader();
    return reportOn(await loaf.perform(actions, caller), loaf);
  }
  return session.change(async () => {
    const loaf = await session.writer(approve);
    const result = await loaf.perform(actions, caller);
    await session.noteChange(result.run);
    return reportOn(result, loaf);
  });
}

async function runAnswer(
  session: ServerSession,
  args: ToolArguments,
  { approve, ...caller }: Caller,
): Promise<CallToolResult> {
  const { answer, dry_run: isDry, again } = args;
  if (typeof answer !== "string") return failed("Missing required parameter: answer");
  if (isDry === true) {
    // Opened for this call alone: a later call must not see its changes.
    const loaf = await session.project.open({ dryRun: true });
    const result = await loaf.execute(answer, caller);
    return answered([dryRunReport(result, unifiedDiff(loaf.changes(), loaf.root))], !hasRun(result));
  }
  return session.change(async () => {
    const loaf = await session.writer(approve);
    const result = await loaf.execute(answer, { ...caller, skipApplied: again !== true });
    await session.noteChange(result.run);
    const number = result.run === undefined ? [] : [`run ${result.run}: undo takes it back`];
    return answered([fullReport(result, loaf), ...number], !hasRun(result));
  });
}

function hasRun({ success, totalBlocks }: ExecutionResult): boolean {
  return success && totalBlocks > 0;
}

/** Undoes or redoes a run of this server, and refuses the runs of others. */
function reverse(session: ServerSession, kind: Reversal["kind"], args: ToolArguments): Promise<CallToolResult> {
  return session.change(async () => {
    const loaf = await session.project.open({ commits: true });
    const { runs } = await loaf.history();
    const isUndone = kind === "redo";
    const isNext = (past: PastRun): boolean => session.isOwn(past.run) && (past.state === "undone") === isUndone;
    const run = numberOfRun(args) ?? runs.find(isNext)?.run;
    if (run === undefined) return failed(`This server has made no run that could be ${isUndone ? "redone" : "undone"}`);
    if (!session.isOwn(run)) return failed(othersRun(run, `loaf ${kind} ${run}`));
    const reversal = await loaf[kind]({ run });
    await session.noteChange(undefined);
    const isWhole = reversal.runs.every(({ isReversed, refused }) => isReversed && refused.length === 0);
    const text = reversalReport(reversal, { root: loaf.root, color: false });
    return answered([text, ...reversal.notices.map((notice) => `note: ${notice}`)], !isWhole);
  });
}

function othersRun(run: number, command: string): string {
  return `Run ${run} was not made by this server: the user can do this with ${command}`;
}

/** Returns a run's changes as a diff. Throws if the run is not this server's. */
export async function diffOfRun(session: ServerSession, wanted: number | undefined): Promise<string> {
  const run = wanted ?? [...session.runs].at(-1);
  if (run === undefined) return "This server has changed nothing yet";
  if (!session.isOwn(run)) throw new Error(othersRun(run, `loaf diff ${run}`));
  const loaf = await session.reader();
  const changed = await loaf.changesOf(run);
  if (changed === undefined) throw new Error(`Run ${run} is no longer in the log`);
  return shorten(maskSecrets(unifiedDiff(changed.changes, loaf.root)), loaf.settings.report.max_tokens);
}

async function logOf(session: ServerSession): Promise<string> {
  const { runs } = await (await session.reader()).history();
  const listed = runs.filter(({ run }) => session.isOwn(run)).slice(0, MAX_LISTED);
  if (listed.length === 0) return "This server has changed nothing yet";
  return listed
    .map(({ run, summary, state, commit }) => {
      const facts = [state === "done" ? "" : state, commit === undefined ? "" : `committed ${commit.slice(0, 7)}`];
      return [`${run}: ${summary}`, ...facts.filter((fact) => fact !== "")].join(", ");
    })
    .join("\n");
}

const MAX_LISTED = 100;

function numberOfRun({ run }: ToolArguments): number | undefined {
  if (run === undefined) return undefined;
  const number = Number(run);
  if (!Number.isSafeInteger(number) || number < 1) throw new Error(`Invalid integer value: ${String(run)}`);
  return number;
}

/** Keeps the beginning: the middle of a diff is useless without it. */
function shorten(text: string, tokens: number): string {
  const limit = tokens * MIN_CHARACTERS_PER_TOKEN;
  if (text.length <= limit) return text;
  return `${text.slice(0, text.lastIndexOf("\n", limit) + 1)}note: ${text.length - limit} characters are cut here; loaf diff shows all`;
}

const MIN_CHARACTERS_PER_TOKEN = 3;

function succeeded(text: string): CallToolResult {
  return answered([text], false);
}

export function failed(text: string): CallToolResult {
  return answered([text], true);
}

/** Returns text only, because some hosts hide it behind structured content. */
function answered(texts: readonly string[], isError: boolean): CallToolResult {
  return { content: texts.map((text) => ({ type: "text", text })), ...(isError && { isError }) };
}

export function errorText(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

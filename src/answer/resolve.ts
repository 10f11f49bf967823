import type { AnyAction } from "../actions/define.ts";
import { actionByName, actions, isForUserOnly } from "../actions/index.ts";
import { validate } from "../actions/validate.ts";
import { type Block, type Diagnostic, type FatalError, type ReadBlock, type Meant, syntaxFacts } from "../core/block.ts";
import type { HunkChoice } from "../files/hunks.ts";
import { explain, type Failure } from "../core/failure.ts";
import type { Outcome, ParseError } from "../core/outcome.ts";
import { actionMeant } from "../core/synonyms.ts";
import type { Advise } from "./read-answer.ts";
import { systemFailure } from "../disk/system-error.ts";
import { OTHER_CALLS } from "../syntaxes/tool-calls/index.ts";
import { type HintFacts, hintOn } from "./hints.ts";

/** A valid block: its action exists and its parameters are valid. */
export interface Action {
  readonly definition: AnyAction;
  readonly params: Readonly<Record<string, unknown>>;
  readonly block: Block;
  readonly meant?: Meant | undefined;
  readonly warnings: readonly string[];
  /** Set if an earlier run made this edit and its effect is there, so that it is to be skipped. */
  readonly applied?: Applied | undefined;
  /** Set to observe the hunks of its edits, or to take only some. */
  readonly hunks?: HunkChoice | undefined;
  /** The outcome to report instead of running the action. */
  readonly refusal?: Outcome | undefined;
}

/**
 * Returns whether a text for a whole file may also be an excerpt of it: somebody agreed to it, because its syntax is
 * not certain, or the settings do.
 */
export function mayMerge({ meant }: Pick<Action, "meant">, syntaxes: readonly string[]): boolean {
  return syntaxes.includes("plain") || !syntaxes.includes(meant?.uncertain ?? "");
}

/** How an edit was applied before. */
export interface Applied {
  readonly run: number;
  /** Set if it wrote a whole file, which has this content now. */
  readonly isUnchanged: boolean;
}

export interface ResolveOptions extends HintFacts {
  readonly relativePaths: boolean;
  /** Absent for actions from programs. */
  readonly advise?: Advise | undefined;
}

/** Returns an action, or why there is none: all syntax errors of the block, or else its first invalid part. */
export function resolve(read: ReadBlock, text: string, options: ResolveOptions): Action | readonly ParseError[] {
  const { id, properties, startLine, diagnostics, span, meant } = read;
  const { action } = properties;
  const neslContent = shortened(text.slice(span.start, span.end), diagnostics.length);
  const error = (facts: Pick<ParseError, "errorType" | "code" | "message">, hint?: string): ParseError => ({
    blockId: id,
    ...(action !== undefined && { action }),
    ...syntaxFacts(meant),
    ...facts,
    ...(hint !== undefined && { hint }),
    blockStartLine: startLine,
    neslContent,
  });
  if (diagnostics.length > 0) {
    const hints = options.advise?.(diagnostics, text.slice(span.start, span.end));
    return diagnostics.map(({ code, message }, index) =>
      error({ errorType: code === "INVALID_OPERATION" ? "validation" : "syntax", code, message }, hints?.[index]),
    );
  }
  const resolved = resolveProperties(read, options);
  if (!("code" in resolved)) return resolved;
  const { action: name = "", ...given } = properties;
  const isNesl = meant === undefined && options.advise !== undefined;
  const facts = { ...options, given, definition: definitionOf(name, meant)?.definition, isNesl };
  // Only calls name actions in another syntax than NESL, and their authors have never heard of Loaf's.
  const isCall = meant !== undefined && resolved.code === "action/unknown";
  return [
    error(
      { errorType: errorTypeOf(resolved), code: resolved.code, message: explain(resolved) },
      isCall ? OTHER_CALLS : hintOn(resolved, facts),
    ),
  ];
}

/** Maximum UTF-16 units that all errors of a block quote together, and minimum for each. */
const MAX_QUOTED = 16_384;
const MIN_QUOTED = 100;

/** Without a limit, a block of ten thousand bad lines would be quoted ten thousand times. */
function shortened(content: string, errors: number): string {
  const limit = Math.max(MIN_QUOTED, Math.floor(MAX_QUOTED / Math.max(1, errors)));
  return content.length <= limit ? content : `${content.slice(0, limit)}… (${content.length - limit} more characters)`;
}

/** Returns the error for a line outside any block. */
export function strayError(diagnostic: Diagnostic, advise: Advise | undefined): ParseError {
  const { code, line, content, message } = diagnostic;
  const [hint] = advise?.([diagnostic], content) ?? [];
  return {
    blockId: "unknown",
    errorType: "syntax",
    code,
    message,
    ...(hint !== undefined && { hint }),
    blockStartLine: line,
    neslContent: content,
  };
}

/** Returns the error for a text of which nothing was run. */
export function fatalErrorOf({ diagnostic, operation }: FatalError, advise: Advise): ParseError {
  return { ...strayError(diagnostic, advise), blockId: diagnostic.blockId ?? "unknown", operation };
}

function resolveProperties(block: ReadBlock, { relativePaths }: ResolveOptions): Action | Failure {
  const { meant, warnings = [] } = block;
  const { action: name, ...given } = block.properties;
  if (name === undefined) return { code: "action/missing" };
  if (isForUserOnly(name)) return { code: "action/user-only", action: name };
  const named = definitionOf(name, meant);
  if (named === undefined) return { code: "action/unknown", action: name };
  const { definition, taken } = named;
  const validated = validate(definition, given, { relativePaths: relativePaths || meant !== undefined });
  if ("failure" in validated) return validated.failure;
  const refusal = refusalOf(definition, validated.params);
  const ignored = validated.undeclared.map((key) => `unknown parameter '${key}' was ignored`);
  return {
    definition,
    params: { ...validated.params, ...(meant?.place && { place: meant.place }) },
    block,
    meant,
    warnings: [...warnings, ...taken, ...validated.taken, ...ignored],
    ...(refusal && { refusal }),
  };
}

/** UTF-16 units of a refused value that its failure quotes. */
const MAX_SHOWN = 80;

/**
 * Refuses values that no system call takes: NUL and lone surrogates in paths, which may be looked up before the guard
 * sees them, and in arguments of commands.
 */
function refusalOf({ runs, needs }: AnyAction, params: Action["params"]): Outcome | undefined {
  const names = runs === undefined ? Object.keys(needs) : Object.keys(params);
  const values = names.flatMap((name) => [params[name]].flat(Infinity)).filter((value) => typeof value === "string");
  const unfit = values.find((value) => /\0|\p{Surrogate}/u.test(value));
  if (unfit === undefined) return undefined;
  const errno = unfit.includes("\0") ? "EINVAL" : "EILSEQ";
  const shown = unfit.length > MAX_SHOWN ? `${unfit.slice(0, MAX_SHOWN)}…` : unfit;
  return { failure: systemFailure(errno, runs === undefined ? "open" : "spawn", shown).failure };
}

/** Finds an action by its name, or by another one that means no other action. A warning then tells so. */
function definitionOf(
  name: string,
  meant: Meant | undefined,
): { readonly definition: AnyAction; readonly taken: readonly string[] } | undefined {
  const named = actionByName.get(name);
  if (named !== undefined)
    return named.isInternal && meant === undefined ? undefined : { definition: named, taken: [] };
  const other = actionByName.get(actionMeant(name, ACTION_NAMES) ?? "");
  return other && { definition: other, taken: [`action '${name}' was read as '${other.name}'`] };
}

const ACTION_NAMES: readonly string[] = actions.map(({ name }) => name);

function errorTypeOf({ code }: Failure): "validation" | "type" {
  return code.startsWith("params/") && code !== "params/missing" ? "type" : "validation";
}

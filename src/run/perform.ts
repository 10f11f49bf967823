/** Performs an action, and holds what happened to it as facts; at the edge of the library, they get their words. */
import { syntaxFacts } from "../core/block.ts";
import { explain, Failed, type Failure, failureOf, nextStep } from "../core/failure.ts";
import type { ActionResult, Outcome, PartTaken } from "../core/outcome.ts";
import { namedFew } from "../core/visible.ts";
import { lineRanges } from "../edit/lines.ts";
import type { Action } from "../answer/resolve.ts";
import type { Session } from "./session.ts";

/**
 * Runs one action. Never throws: failures are caught only here.
 *
 * @param hintOn returns a hint on a failure that came without one
 */
export async function perform(
  action: Action,
  seq: number,
  session: Session,
  hintOn: (failure: Failure) => string | undefined,
): Promise<Done> {
  const { applied, hunks } = action;
  if (applied !== undefined)
    return { seq, action, ...(applied.isUnchanged && { data: { unchanged: true } }), warnings: [] };
  const warnings = new Set(action.warnings);
  const outcome = await outcomeOf(action, session, seq, (warning) => void warnings.add(warning));
  const { failure } = outcome;
  const { words } = action.meant ?? {};
  const names = syntaxFacts(action.meant).namesNoAction ? { ...PLAIN_WORDS, ...words } : words;
  const hint = inWords(names, outcome.hint ?? (failure && (hintOn(failure) ?? nextStep(failure))));
  const part = failure === undefined ? hunks?.part : undefined;
  const all = [...warnings, ...(outcome.warnings ?? []), ...(part ? [partSentence(part)] : [])];
  return {
    seq,
    action,
    ...outcome,
    ...(failure && { failure: failureInWords(words, failure) }),
    ...(hint !== undefined && { hint }),
    warnings: all.map((warning) => inWords(names, warning)),
  };
}

/** For syntaxes that have no names for their texts. */
const PLAIN_WORDS = { old_text: "the old text", new_text: "the new text" };

function failureInWords(words: Words, failure: Failure): Failure {
  const parameter = "parameter" in failure ? words?.[failure.parameter] : undefined;
  return parameter === undefined ? failure : ({ ...failure, parameter } as Failure);
}

/** Puts the answer's own words for parameters in a hint. Its first line names them, above what it quotes. */
function inWords<Text extends string | undefined>(words: Words, hint: Text): Text {
  if (hint === undefined || words === undefined) return hint;
  const [first = "", ...quoted] = hint.split("\n");
  const named = first.replace(/\b(?:old|new)_text\b/g, (name) => words[name] ?? name);
  return [named, ...quoted].join("\n") as Text;
}

type Words = Readonly<Record<string, string>> | undefined;

/** Tells the model what the user left out. */
function partSentence({ taken, of, leftOut }: PartTaken): string {
  const lines = new Map<string, number[]>();
  for (const { path, oldStart, oldLines } of leftOut) {
    const numbers = Array.from({ length: Math.max(1, oldLines.length) }, (_, index) => oldStart + index);
    lines.set(path, [...(lines.get(path) ?? []), ...numbers]);
  }
  const places = [...lines].map(
    ([path, numbers]) => `${path} ${numbers.length === 1 ? "line" : "lines"} ${lineRanges(numbers)}`,
  );
  return `partly taken: ${taken} of ${of} hunks; the user left out ${namedFew(places, 10)}: do not send these again unless asked`;
}

/** Returns the outcome of an action in a session, or its failure. Never throws. */
export async function outcomeOf(
  action: Action,
  session: Session,
  seq = 1,
  warn: (warning: string) => void = () => {},
): Promise<Outcome> {
  const { definition, params, refusal } = action;
  if (refusal !== undefined) return refusal;
  try {
    const context = await session.contextFor(action, seq, warn);
    return await context.inTime(() => definition.run(params as never, context));
  } catch (thrown) {
    const { hint, near } = thrown instanceof Failed ? thrown.alignment : {};
    return { failure: failureOf(thrown), ...(hint !== undefined && { hint }), ...(near && { near }) };
  }
}

export interface Done extends Outcome {
  /** 1-based position among the executed actions. */
  readonly seq: number;
  /** As it was performed: at its place, or refused. */
  readonly action: Action;
  readonly warnings: readonly string[];
  /** The key of a whole edit, by which a later run knows it again. */
  readonly editKey?: string;
  /** Tags of the files that it shows, by path. */
  readonly bases?: Readonly<Record<string, string>>;
}

/** Returns what the library's users and the reports get. No code of a run reads it. */
export function resultOf({ seq, action, data, failure, hint, near, warnings, bases }: Done): ActionResult {
  const { block, definition, params, meant, applied, hunks } = action;
  const part = failure === undefined ? hunks?.part : undefined;
  return {
    seq,
    blockId: block.id,
    blockStartLine: block.startLine,
    action: definition.name,
    ...syntaxFacts(meant),
    params,
    success: failure === undefined,
    ...(failure === undefined && applied && { appliedIn: applied.run }),
    ...(part && { hunks: part }),
    ...(data !== undefined && { data }),
    ...(failure && { error: explain(failure, definition.name), code: failure.code, failure }),
    ...(hint !== undefined && { hint }),
    ...(near && { near }),
    ...(warnings.length > 0 && { warnings }),
    ...(bases && { bases }),
  };
}

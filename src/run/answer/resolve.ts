import type { AnyAction } from "../../actions/define.ts";
import { actionByName, actions, isForUserOnly } from "../../actions/index.ts";
import { validate } from "../../actions/validate.ts";
import { closest } from "../../config/closest.ts";
import type { Block, Diagnostic, FatalError, ReadBlock, Translation } from "../../core/block.ts";
import { explain } from "../../core/explain.ts";
import type { Failure } from "../../core/failure.ts";
import type { Outcome, ParseError } from "../../core/outcome.ts";

/** A valid block: its action exists and its parameters are valid. */
export interface Action {
  readonly definition: AnyAction;
  readonly params: Readonly<Record<string, unknown>>;
  readonly block: Block;
  readonly translation?: Translation | undefined;
  readonly warnings: readonly string[];
  /** Hash of its block, for an edit. */
  readonly hash?: string;
  /** The run that already made this edit, if it is to be skipped. */
  readonly appliedIn?: number | undefined;
  /** The outcome to report instead of running the action. */
  readonly refusal?: Outcome | undefined;
}

export interface ResolveOptions extends HintFacts {
  readonly relativePaths: boolean;
}

/** Returns an action, or why there is none: all syntax errors of the block, or else its first invalid part. */
export function resolve(read: ReadBlock, text: string, options: ResolveOptions): Action | readonly ParseError[] {
  const { block, diagnostics, span, translation } = read;
  const action = block.properties["action"];
  const neslContent = shortened(text.slice(span.start, span.end), diagnostics.length);
  const error = (errorType: ParseError["errorType"], message: string, hint?: string): ParseError => ({
    blockId: block.id,
    ...(action !== undefined && { action }),
    ...(translation?.operation !== undefined && { operation: translation.operation }),
    errorType,
    message,
    ...(hint !== undefined && { hint }),
    blockStartLine: block.startLine,
    neslContent,
  });
  if (diagnostics.length > 0) return diagnostics.map(({ code, message }) => error(code === "INVALID_OPERATION" ? "validation" : "syntax", message));
  const resolved = resolveProperties(read, options);
  return "code" in resolved ? [error(errorTypeOf(resolved), explain(resolved), hintOn(resolved, options))] : resolved;
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
export function strayError({ line, content, message }: Diagnostic): ParseError {
  return { blockId: "unknown", errorType: "syntax", message, blockStartLine: line, neslContent: content };
}

/** Returns the error for a text of which nothing was run. */
export function fatalErrorOf({ diagnostic, operation }: FatalError): ParseError {
  return { ...strayError(diagnostic), blockId: diagnostic.blockId ?? "unknown", operation };
}

function resolveProperties({ block, translation, warnings = [] }: ReadBlock, { relativePaths }: ResolveOptions): Action | Failure {
  const { action: name, ...given } = block.properties;
  if (name === undefined) return { code: "action/missing" };
  if (isForUserOnly(name)) return { code: "action/user-only", action: name };
  const definition = actionByName.get(name);
  if (definition === undefined || (definition.isInternal && translation === undefined)) return { code: "action/unknown", action: name };
  const validated = validate(definition, given, { relativePaths: relativePaths || translation !== undefined });
  if ("failure" in validated) return validated.failure;
  const ignored = validated.undeclared.map((key) => `unknown parameter '${key}' was ignored`);
  return { definition, params: validated.params, block, translation, warnings: [...warnings, ...ignored] };
}

function errorTypeOf({ code }: Failure): "validation" | "type" {
  return code.startsWith("params/") && code !== "params/missing" ? "type" : "validation";
}

/** Facts to build hints from. */
export interface HintFacts {
  /** The project's root, absolute. */
  readonly root: string;
  /** Names of allowed actions; all of them if undefined. */
  readonly allowed?: readonly string[] | undefined;
}

/** Returns a hint for the model on how to fix a block. Undefined if there is none. */
function hintOn(failure: Failure, { root, allowed }: HintFacts): string | undefined {
  switch (failure.code) {
    case "action/unknown":
      return hintOnName(failure.action, actions.map(({ name }) => name).filter((name) => allowed?.includes(name) ?? true));
    case "params/path":
      return `the project's root is ${root}`;
    default:
      return undefined;
  }
}

function hintOnName(written: string, names: readonly string[]): string | undefined {
  const words = wordsOf(written);
  const near = names.find((name) => wordsOf(name) === words) ?? closest(written, names);
  if (near !== undefined) return `did you mean '${near}'?`;
  return names.length === 0 ? undefined : `the actions are ${names.join(", ")}`;
}

/** `write_file` and `WriteFile` are `file_write`. */
function wordsOf(name: string): string {
  return name.replaceAll(/([a-z])([A-Z])/g, "$1_$2").toLowerCase().split(/[^a-z]+/).sort().join(" ");
}

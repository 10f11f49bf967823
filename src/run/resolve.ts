import type { AnyAction } from "../actions/define.ts";
import { actionByName, isForUserOnly } from "../actions/index.ts";
import { validate } from "../actions/validate.ts";
import type { Block, Diagnostic, ReadBlock } from "../core/block.ts";
import { explain } from "../core/explain.ts";
import type { Failure } from "../core/failure.ts";
import type { ParseError } from "../core/outcome.ts";

/** A block that says what to do: its action exists and its parameters are valid. */
export interface Action {
  readonly definition: AnyAction;
  readonly params: Readonly<Record<string, unknown>>;
  readonly block: Block;
  readonly warnings: readonly string[];
}

/** An action, or why there is none: every syntax error of the block, else the first thing that is wrong with what it says. */
export function resolve(read: ReadBlock, text: string, options: { readonly relativePaths: boolean }): Action | readonly ParseError[] {
  const { block, diagnostics, span } = read;
  const action = block.properties["action"];
  const neslContent = shortened(text.slice(span.start, span.end), diagnostics.length);
  const error = (errorType: ParseError["errorType"], message: string): ParseError => ({
    blockId: block.id,
    ...(action !== undefined && { action }),
    errorType,
    message,
    blockStartLine: block.startLine,
    neslContent,
  });
  if (diagnostics.length > 0) return diagnostics.map(({ message }) => error("syntax", message));
  const resolved = resolveProperties(block, options);
  if ("code" in resolved) return [error(errorTypeOf(resolved), explain(resolved))];
  return { ...resolved, warnings: [...(read.warnings ?? []), ...resolved.warnings] };
}

/** UTF-16 units of a block that its errors quote, all of them together, and each at least. */
const MOST_QUOTED = 16_384;
const LEAST_QUOTED = 100;

/** A block of ten thousand bad lines would be quoted ten thousand times. */
function shortened(content: string, errors: number): string {
  const limit = Math.max(LEAST_QUOTED, Math.floor(MOST_QUOTED / Math.max(1, errors)));
  return content.length <= limit ? content : `${content.slice(0, limit)}… (${content.length - limit} more characters)`;
}

/** What is wrong with a line that belongs to no block. */
export function strayError({ line, content, message }: Diagnostic): ParseError {
  return { blockId: "unknown", errorType: "syntax", message, blockStartLine: line, neslContent: content };
}

function resolveProperties(block: Block, options: { readonly relativePaths: boolean }): Action | Failure {
  const { action: name, ...given } = block.properties;
  if (name === undefined) return { code: "action/missing" };
  if (isForUserOnly(name)) return { code: "action/user-only", action: name };
  const definition = actionByName.get(name);
  if (definition === undefined) return { code: "action/unknown", action: name };
  const validated = validate(definition, given, options);
  if ("failure" in validated) return validated.failure;
  return { definition, params: validated.params, block, warnings: validated.undeclared.map((key) => `unknown parameter '${key}' was ignored`) };
}

function errorTypeOf({ code }: Failure): "validation" | "type" {
  return code.startsWith("params/") && code !== "params/missing" ? "type" : "validation";
}

import * as z from "zod/mini";
import type { AnyAction } from "../actions/define.ts";
import type { TaughtParameter } from "../syntaxes/syntax.ts";

/** Returns an action's parameters in the order of its schema. */
export function parametersOf({ params }: AnyAction): TaughtParameter[] {
  const { properties = {}, required = [] } = inputSchema(params);
  return Object.entries(properties).map(([name, property]) => ({
    name,
    required: required.includes(name),
    description: property.description ?? "",
    form: formOf(property),
  }));
}

function formOf({ enum: words, pattern, format }: JsonSchema): string {
  if (words !== undefined) return words.join(" or ");
  if (pattern !== undefined) return "digits";
  return format ?? "text";
}

/** The part of JSON Schema that Loaf's own schemas use. */
export interface JsonSchema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

/** Returns the schema of the input: an action's parameters as text, or the content of a file. */
export function inputSchema(schema: z.core.$ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: "input" }) as JsonSchema;
}

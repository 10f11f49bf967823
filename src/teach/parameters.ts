import type { AnyAction } from "../actions/define.ts";
import type { TaughtParameter } from "../syntaxes/syntax.ts";
import { inputSchema, type JsonSchema } from "./json-schema.ts";

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

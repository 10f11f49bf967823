/** JSON Schemas, for editors and programs: of a block's properties, and of loaf.yml. */
import * as z from "zod/mini";
import { actions } from "../actions/index.ts";

/** The part of JSON Schema that Loaf's own schemas come to. */
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

/** What a schema takes in: for an action the text of its parameters, for a file what may be written there. */
export function inputSchema(schema: z.core.$ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: "input" }) as JsonSchema;
}

/** A block's properties: `action` and the parameters that it has, all of them text. */
export function actionsSchema(): JsonSchema {
  return {
    $schema: DIALECT,
    title: "A NESL block's properties",
    oneOf: actions.map(({ name, summary, params }) => {
      const { properties, required = [] } = inputSchema(params);
      return {
        title: name,
        description: summary,
        type: "object",
        properties: { action: { const: name }, ...properties },
        required: ["action", ...required],
        additionalProperties: false,
      };
    }),
  };
}

/** Of loaf.yml, from the schema that reads it. */
export function settingsSchema(schema: z.core.$ZodType): JsonSchema {
  return { $id: "https://unpkg.com/loaf-cli@0/docs/loaf.schema.json", title: "loaf.yml", ...inputSchema(schema) };
}

const DIALECT = "https://json-schema.org/draft/2020-12/schema";

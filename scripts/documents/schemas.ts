/** JSON Schemas for editors and programs: for a block's properties and for loaf.yml. */
import type * as z from "zod/mini";
import { actions } from "../../src/actions/index.ts";
import { inputSchema, type JsonSchema } from "../../src/teach/parameters.ts";

/** Returns the schema of a block's properties: `action` and its parameters, all of them text. */
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

/** Returns the schema of loaf.yml, derived from the schema that reads it. */
export function settingsSchema(schema: z.core.$ZodType): JsonSchema {
  return { $id: "https://unpkg.com/loaf-cli@0/docs/loaf.schema.json", title: "loaf.yml", ...inputSchema(schema) };
}

const DIALECT = "https://json-schema.org/draft/2020-12/schema";

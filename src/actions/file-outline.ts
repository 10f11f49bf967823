import * as z from "zod/mini";
import type { OutlineEntry } from "../files/workspace.ts";
import { defineAction } from "./define.ts";
import { address, integer } from "./params.ts";

/** More would not fit in a report. */
const MAX_PARTS = 1000;

export const fileOutline = defineAction({
  name: "file_outline",
  summary: "List the addresses of a file's parts (sections, classes, functions, keys) with their lines.",
  notes: ["Read and replace actions take path@@Class@@method or path@@## Heading, and act only inside it."],
  params: z.object({
    path: address("File to list, or a part of it"),
    levels: z.optional(integer("Maximum depth; 1 lists the top level")),
  }),
  needs: { path: ["read"] },
  subject: "path",
  show: ({ parts }: { readonly parts: readonly OutlineEntry[] }) => [{ entries: parts.map(describePart) }],
  example: { path: "/project/src/app.js" },
  run: async ({ path, levels = Infinity }, { outline }) => {
    const parts = await outline(path, levels);
    const omitted = parts.length - MAX_PARTS;
    const warnings = [`${omitted} more parts are left out: set levels, or outline one part by its address`];
    return { data: { path, parts: parts.slice(0, MAX_PARTS) }, ...(omitted > 0 && { warnings }) };
  },
});

function describePart({ address, kind, first_line, last_line, broken }: OutlineEntry): string {
  return `${address} (${kind}, ${first_line}-${last_line}${broken ? ", syntax error: read only" : ""})`;
}

import * as z from "zod/mini";
import { numberLines } from "../edit/lines.ts";
import { defineAction } from "./define.ts";
import { address, text } from "./params.ts";

export const fileReadNumbered = defineAction({
  name: "file_read_numbered",
  summary: "Show a file, or lines of it, with line numbers.",
  params: z.object({
    path: address("File to read"),
    lines: z.optional(text("`4` or `2-5`; default: all")),
    delimiter: z.optional(text("Between number and line; default: `: `")),
  }),
  needs: { path: ["read"] },
  reads: "path",
  subject: "path",
  show: (data: { readonly content: string }) => [{ text: data.content }],
  example: { path: "/project/src/app.js", lines: "1-3" },
  run: ({ path, lines, delimiter = ": " }, { workspace }) => {
    const { content, missing } = numberLines(workspace.read(path), lines, delimiter, workspace.firstLine(path));
    return { data: { path, content }, ...(missing && { failure: missing }) };
  },
});

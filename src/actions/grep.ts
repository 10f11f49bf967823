import * as z from "zod/mini";
import type { GrepMatch } from "../search/grep.ts";
import { defineAction } from "./define.ts";
import { boolean, path, text } from "./params.ts";

export const grep = defineAction({
  name: "grep",
  summary: "Find the lines that hold a text; skips binary and ignored files.",
  params: z.object({
    pattern: text("Text to find"),
    path: path("Directory or file to search"),
    include: z.optional(text("`*.ts`, `src/**/*.{js,ts}`")),
    regex: z.optional(boolean("`true`: RE2 syntax")),
  }),
  needs: { path: ["read"] },
  subject: ({ pattern, path }) => `${JSON.stringify(pattern)} ${path}`,
  show: (matches: readonly GrepMatch[]) => [{ entries: matches.map(({ file, line_number, line }) => `${file}:${line_number}: ${line}`) }],
  example: { pattern: "oldName", path: "/project", include: "*.js" },
  run: async (params, { search }) => {
    const { matches, omitted } = await search.grep(params);
    const isMistaken = matches.length === 0 && params.regex === undefined && LOOKS_LIKE_REGEX.test(params.pattern);
    const warnings = [
      ...(omitted > 0 ? [`${omitted} more matches are left out: narrow the pattern, the path or include`] : []),
      ...(isMistaken ? ['pattern was taken literally, and no line holds it: if it is a regular expression, add regex = "true"'] : []),
    ];
    return { data: matches, ...(warnings.length > 0 && { warnings }) };
  },
});

const LOOKS_LIKE_REGEX = /\.[*+]|\\[bdsw.()[{]|\w\|\w/;
